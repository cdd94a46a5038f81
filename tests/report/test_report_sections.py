"""The sections beside the leaderboard: distributions, head to head, the trust page, what it took."""

import polars as pl

from checkwise.records import Dataset, Instance, Turn
from checkwise.report import (
    CostRow,
    CurvePoint,
    MetricRow,
    MetricTable,
    PoorItem,
    TrustPage,
    Upset,
    build_content,
    write_html,
)
from checkwise.report.sections import Distribution, Meeting

TRUST = TrustPage(
    judge="local:small",
    method="rocketeval",
    verdict="It agrees with people <as often> as they do.",
    tables=(MetricTable(title="Agreement", rows=(MetricRow(label="judge", value=0.6, low=0.5, high=0.7, n=9),)),),
    curve=(CurvePoint(low_edge=0.5, high_edge=0.6, n=4, mean=0.55, observed=0.75, low=0.3, high=0.9),),
    items=(
        PoorItem(
            instance_id="q 1", number=2, item="Is it short?", flag="redundant", value=0.9, n=2, suggestion="Merge it."
        ),
    ),
    items_in_all=3,
    upsets=(Upset(instance_id="q2", model_a="able", model_b="weak", people=0.0, judge=1.0, votes=2),),
)


def test_scores_are_counted_in_tenths(content):
    (able,) = content.distributions
    assert able == Distribution(
        model="able", counts=(0, 0, 0, 0, 0, 1, 0, 0, 0, 0), median=0.5, lowest=0.5, highest=0.5
    )


def test_the_page_shows_what_is_known_and_no_empty_section(content, tmp_path, page_of):
    met = Meeting(model="able", opponent="weak", n=4, wins=3, ties=0, win_rate=0.75, low=0.4, high=0.9)
    back = Meeting(model="weak", opponent="able", n=4, wins=1, ties=0, win_rate=0.25)
    cost = CostRow(
        step="grading", model="m", answers=1200, prompt_tokens=5, reused_tokens=1, generated_tokens=2, seconds=3
    )
    full = content.model_copy(update={"trust": TRUST, "meetings": (met, back), "costs": (cost,)})
    write_html(full, tmp_path / "full.html")
    page = page_of((tmp_path / "full.html").read_text(encoding="utf-8"))
    assert page.text("h2") == [
        *("Notes", "Leaderboard", "By category", "Head to head", "Distribution of scores"),
        *("How far to trust the judge", "What the checklists ask about", "What it took"),
        *("Instances", "How this was made"),
    ]
    assert "75%" in page.text("td")
    assert "1,200" in page.text("td")
    assert TRUST.verdict in page.text("p")
    assert any(link["href"] == "#instance-q%201" for link in page.all("a"))
    assert any(option.get("value") == "upset" for option in page.all("option"))
    assert any("the price of this model is not known" in text for text in page.text("span"))
    write_html(content, tmp_path / "bare.html")
    bare = page_of((tmp_path / "bare.html").read_text(encoding="utf-8"))
    assert "Head to head" not in bare.text("h2")
    assert not any(option.get("value") == "upset" for option in bare.all("option"))


def test_upsets_are_the_widest_of_each_instance(content):
    assert content.instances[0].upset is None
    data = Dataset(name="d", format="plain", instances=(Instance(id="q2", turns=(Turn(role="user", content="q"),)),))
    smaller = TRUST.upsets[0].model_copy(update={"people": 0.25})
    page = TRUST.model_copy(update={"upsets": (smaller, *TRUST.upsets)})
    columns = "rank model score low high n coverage unscored empty mean_mass low_mass_items"
    empty = pl.DataFrame(schema=dict.fromkeys(columns.split()))
    built = build_content(data, {}, [], [], leaderboard=empty, by_category=None, facts={}, notes=(), trust=page)
    assert built.instances[0].upset == 1.0
