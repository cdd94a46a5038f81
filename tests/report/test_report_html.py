import base64
import hashlib
import json
import re
from pathlib import Path

import pytest

from checkwise.errors import UserError
from checkwise.report import ReportContent, write_html
from checkwise.report.content import InstanceContent


@pytest.fixture
def source(content: ReportContent, tmp_path: Path) -> str:
    write_html(content, tmp_path / "report.html")
    return (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.fixture
def page(source: str, page_of):
    return page_of(source)


def test_the_page_says_what_it_is(page):
    assert page.text("title")[0] == "demo – checkwise report"
    assert "demo" in page.text("bdi")
    assert page.text("dt") == ["Data", "Judge", "Tie margin"]
    assert page.text("dd") == ["demo (jsonl)", "local:small", "0.1"]
    assert "from the data" in page.text("li")
    assert [name for name, _ in page.elements if name == "h1"] == ["h1"]
    assert page.text("h2") == [
        *("Notes", "Leaderboard", "By category", "Distribution of scores", "What the checklists ask about"),
        *("Instances", "How this was made"),
    ]


def test_each_instance_travels_whole(page, content):
    assert [InstanceContent.model_validate(unpacked(json.loads(text))) for text in page.payloads()] == list(
        content.instances
    )


def unpacked(instance):
    """Undo what keeps the page short, as its script does."""
    for response in instance["responses"]:
        cells = response.get("cells")
        if cells:
            response["cells"] = [
                {"p_yes": p, "mass": mass, "mode": cells["mode"]} | cells["x"].get(str(place), {})
                for place, (p, mass) in enumerate(zip(cells["p"], cells["m"], strict=True))
            ]
    return instance


def test_half_a_surrogate_pair_does_not_stop_the_report(content, tmp_path, page_of):
    instance = content.instances[0].model_copy(update={"query": "a\ud800b"})
    write_html(content.model_copy(update={"instances": (instance,)}), tmp_path / "r.html")
    (payload,) = page_of((tmp_path / "r.html").read_text(encoding="utf-8")).payloads()
    assert json.loads(payload)["query"] == "a\ud800b"


def test_hostile_text_adds_no_element(page, tmp_path, harmless, page_of):
    write_html(harmless, tmp_path / "harmless.html")
    expected = page_of((tmp_path / "harmless.html").read_text(encoding="utf-8"))
    assert [name for name, _ in page.elements] == [name for name, _ in expected.elements]
    assert not page.all("img")


def test_hostile_text_stays_in_its_place(source, page, hostile):
    assert hostile not in source
    assert source.count("</script>") == len(page.all("script"))
    assert not any(character in payload for payload in page.payloads() for character in "<>&\u2028\u2029\u202e")
    assert "\u202e" not in source, "an override of direction is shown, not obeyed"
    assert any("[U+202E]evil" in text for text in page.text("bdi"))


def test_no_element_loads_or_runs_anything(page):
    for name, attributes in page.elements:
        assert not any(key.startswith("on") for key in attributes), name
        assert not {"src", "srcset", "style", "action", "data", "poster"} & attributes.keys(), name
        assert attributes.get("href", "#").startswith("#"), name
    assert not page.all("link") + page.all("iframe") + page.all("base")
    assert "@import" not in page.text("style")[0]
    assert "url(" not in page.text("style")[0]


def test_the_policy_allows_the_two_inlined_texts_and_nothing_else(page):
    (policy,) = [meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    (style,) = page.text("style")
    (script,) = [t for a, t in zip(page.all("script"), page.text("script"), strict=True) if not a.get("type")]

    def named(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert directives == {
        "default-src": "'none'",
        "style-src": named(style),
        "script-src": named(script),
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_the_script_never_makes_markup_of_text(page):
    script = next(text for text in page.text("script") if text.startswith('"use strict"'))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(|fetch\(", script)


def test_what_is_missing_is_a_dash_with_its_reason(source, page):
    reasons = {a["title"] for a in page.all("span") if a.get("class") == "missing"}
    assert reasons >= {
        "no response of this model was scored",
        "no rank without a score",
        "too little was scored for an interval",
        "no mass was measured",
        "no response of this model was scored in this category",
    }
    assert "None" not in source
    assert not re.search(r"\bnan\b", source, re.IGNORECASE)


def test_the_reason_of_an_unscored_response_travels_with_it(page, context_reason):
    weak = json.loads(page.payloads()[0])["responses"][1]
    assert weak["model"] == "weak"
    assert weak["reason"] == context_reason
    assert "score" not in weak
    assert weak["cells"]["p"][0] is None


def test_an_interval_is_drawn_on_the_shared_axis(page):
    assert {line["class"] for line in page.all("line")} == {"tick", "span"}
    span = next(line for line in page.all("line") if line["class"] == "span")
    assert (span["x1"], span["x2"]) == ("10.0%", "90.0%")  # 0.42 to 0.58 on an axis from 0.4 to 0.6
    assert page.all("circle")[0]["cx"] == "50.0%"
    assert page.all("svg")[0]["aria-label"] == "0.500, interval [0.420, 0.580]"


def test_each_instance_has_an_address_that_a_browser_finds(page):
    ids = [a["id"] for a in page.all("article")]
    assert ids == ["instance-q%201", "instance-q2"]
    assert [f"#{name}" for name in ids] == [a["href"] for a in page.all("a") if "instance-" in a["href"]]


def test_texts_say_their_language_and_choose_their_direction(page):
    snippets = [a for a in page.all("bdi") if a.get("class") == "snippet"]
    assert [a["lang"] for a in snippets] == ["ar", ""]
    assert all(a["dir"] == "auto" for a in page.all("dd"))


def test_tables_are_labelled(page):
    assert len(page.all("caption")) == len(page.all("table")) == 5
    assert all(header.get("scope") in {"row", "col"} for header in page.all("th"))


def test_a_report_without_a_ranking_says_so(content, tmp_path):
    write_html(content.model_copy(update={"leaderboard": (), "categories": ()}), tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "No model is ranked: nothing was scored." in text


def test_writing_again_replaces_the_file_and_leaves_nothing_beside_it(content, tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old", encoding="utf-8")
    write_html(content, path)
    write_html(content, path)
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_a_place_that_cannot_be_written_is_named(content, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UserError, match="cannot be written") as caught:
        write_html(content, tmp_path / "file" / "report.html")
    assert caught.value.where.file == tmp_path / "file" / "report.html"


def luminance(colour: str) -> float:
    """Relative luminance of sRGB (WCAG 2.2)."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_step_of_the_heat_map_is_readable_and_in_the_order_of_lightness(page, theme):
    style = page.text("style")[0]
    blocks = re.findall(r":root(?:\[data-theme=\"dark\"\])? \{(.*?)\}", style, re.DOTALL)
    light = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[0]))
    colours = light if theme == "light" else light | dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[1]))
    rules = re.findall(r"\.heat-(\d+) \{ background: var\(--(heat-\d+)\); color: var\(--([\w-]+)\); \}", style)
    assert [int(step) for step, _, _ in rules] == list(range(11))
    assert all(contrast(colours[ground], colours[ink]) >= 4.5 for _, ground, ink in rules)
    lightness = [luminance(colours[ground]) for _, ground, _ in rules]
    assert lightness == sorted(lightness, reverse=theme == "light")
    for ink, ground in (("ink", "page"), ("quiet", "page"), ("quiet", "panel"), ("warn-ink", "warn-page")):
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
