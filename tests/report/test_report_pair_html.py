import json
import re
from pathlib import Path

import pytest

from checkwise.errors import UserError
from checkwise.records import Instance, Pair, PairSet, Turn
from checkwise.report import PairReportContent, build_pair_content, write_pair_html
from checkwise.report.pair_content import PairContent


def text_of(content: PairReportContent, path: Path) -> str:
    write_pair_html(content, path)
    return path.read_text(encoding="utf-8")


@pytest.fixture
def source(pair_content, tmp_path) -> str:
    return text_of(pair_content, tmp_path / "report.html")


@pytest.fixture
def page(source, page_of):
    return page_of(source)


def test_the_page_says_what_it_is(page):
    assert page.text("title") == ["demo – checkwise report"]
    assert page.text("h2") == ["Notes", "Metrics", "Pairs", "How this was made"]
    assert page.text("dt") == ["Data", "Judge"]
    assert "from the data" in page.text("li")


def test_each_pair_travels_whole(page, pair_content):
    assert [PairContent.model_validate_json(text) for text in page.payloads()] == list(pair_content.pairs)


def test_pairs_can_be_chosen_by_what_occurs_among_them(page, hostile):
    assert [select["id"] for select in page.all("select")] == ["language", "subset", "outcome"]
    visible = f"={hostile}".replace("\u202e", "[U+202E]")
    assert [option["value"] for option in page.all("option")] == [
        *("", "=ar"),
        *("", visible, "=chat"),
        *("", "=right", "=unscored", "=no label"),
    ]


def test_what_came_of_a_pair_is_seen_before_it_is_opened(page):
    tags = [text for text in page.text("span") if text in {"right", "unscored", "no label"}]
    assert tags == ["right", "unscored", "no label"]


def test_each_pair_has_an_address_that_a_browser_finds(page):
    ids = [article["id"] for article in page.all("article")]
    assert ids == ["pair-p%201", "pair-p2"]
    assert [f"#{name}" for name in ids] == [a["href"] for a in page.all("a") if "pair-" in a["href"]]


def test_hostile_text_adds_no_element(page, pair_content, hostile, tmp_path, page_of):
    plain = pair_content.model_dump_json().replace(json.dumps(hostile, ensure_ascii=False)[1:-1], "word")
    harmless = page_of(text_of(PairReportContent.model_validate_json(plain), tmp_path / "harmless.html"))
    assert [name for name, _ in page.elements] == [name for name, _ in harmless.elements]


def test_hostile_text_stays_in_its_place(source, page, hostile):
    assert hostile not in source
    assert source.count("</script>") == len(page.all("script"))
    assert not any(character in payload for payload in page.payloads() for character in "<>&\u2028\u2029\u202e")
    assert "\u202e" not in source, "an override of direction is shown, not obeyed"


def test_no_element_loads_or_runs_anything(page):
    for name, attributes in page.elements:
        assert not any(key.startswith("on") for key in attributes), name
        assert not {"src", "srcset", "style", "action", "data", "poster"} & attributes.keys(), name
        assert attributes.get("href", "#").startswith("#"), name
    assert "url(" not in page.text("style")[0]


def test_the_script_never_makes_markup_of_text(page):
    (script,) = [text for text in page.text("script") if text.startswith('"use strict"')]
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(|fetch\(", script)


def test_nothing_missing_becomes_a_number(source):
    assert "None" not in source
    assert not re.search(r"\bnan\b", source, re.IGNORECASE)


def test_a_set_without_languages_subsets_and_labels_has_one_filter(tmp_path, page_of):
    one = Pair(instance=Instance(id="p", turns=(Turn(role="user", content="Q"),)), a="x", b="y")
    data = PairSet(name="demo", format="jsonl", pairs=(one,))
    content = build_pair_content(data, (), (), metrics=(), facts={}, notes=())
    page = page_of(text_of(content, tmp_path / "r.html"))
    assert [select["id"] for select in page.all("select")] == ["outcome"]
    assert [option["value"] for option in page.all("option")] == ["", "=unscored", "=no label"]
    assert "Nothing was measured." in page.text("p")


def test_a_place_that_cannot_be_written_is_named(pair_content, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UserError, match="cannot be written"):
        write_pair_html(pair_content, tmp_path / "file" / "report.html")
