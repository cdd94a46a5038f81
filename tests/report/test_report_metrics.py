import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from checkwise.records import PairSet
from checkwise.report import MetricRow, MetricTable, build_pair_content, metrics_markdown, write_pair_html
from checkwise.report.axis import metric_axis

ACCURACY = MetricRow(label="Accuracy", value=0.7143, low=0.62, high=0.8, n=88, chance=0.5)
NOTHING = MetricRow(label="Ties", value=None, n=0, reason="no pair was judged")
TABLES = (
    MetricTable(title="All pairs", rows=(ACCURACY, NOTHING)),
    MetricTable(
        title="By language",
        rows=(
            MetricRow(label="Macro", value=0.6, n=3, reason="a group has only one pair"),
            MetricRow(label="Consistency", group="ar", value=0.5, low=0.25, high=0.75, n=2),
            MetricRow(label="Consistency", group="zh|\n", value=1.0, low=0.75, high=1.0, n=1),
            MetricRow(label="τ-b", group="de-en", value=-0.25, low=-0.5, high=0.0, n=9, kind="correlation"),
            MetricRow(label="Pairs", value=1204, n=1204, kind="count"),
        ),
    ),
)


@pytest.fixture
def page(page_of, tmp_path: Path):
    data = PairSet(name="demo", format="jsonl", pairs=())
    write_pair_html(build_pair_content(data, (), (), metrics=TABLES, facts={}, notes=()), tmp_path / "r.html")
    return page_of((tmp_path / "r.html").read_text(encoding="utf-8"))


def test_tables_read_like_this_in_markdown():
    assert metrics_markdown(TABLES) == (
        "### All pairs\n\n"
        "| Measure | Value | Interval | n | Reason |\n"
        "| :-- | --: | :-: | --: | :-- |\n"
        "| Accuracy | 71.4% | [62.0%, 80.0%] | 88 |  |\n"
        "| Ties | – | – | 0 | no pair was judged |\n"
        "\n### By language\n\n"
        "| Measure | Of | Value | Interval | n | Reason |\n"
        "| :-- | :-- | --: | :-: | --: | :-- |\n"
        "| Macro | all | 60.0% | – | 3 | a group has only one pair |\n"
        "| Consistency | ar | 50.0% | [25.0%, 75.0%] | 2 |  |\n"
        "| Consistency | zh\\| | 100.0% | [75.0%, 100.0%] | 1 |  |\n"
        "| τ-b | de-en | -0.250 | [-0.500, 0.000] | 9 |  |\n"
        "| Pairs | all | 1,204 | – | 1204 |  |\n"
    )


def test_no_tables_are_no_text():
    assert metrics_markdown([]) == ""


@pytest.mark.parametrize("field", ["value", "low", "high"])
def test_nan_is_no_number(field):
    with pytest.raises(ValidationError):
        MetricRow.model_validate(ACCURACY.model_dump() | {field: float("nan")})


def test_shares_have_the_whole_axis_and_correlations_both_sides_of_zero_where_needed():
    assert (metric_axis([ACCURACY]).low, metric_axis([ACCURACY]).high) == (0.0, 1.0)
    assert (metric_axis([]).low, metric_axis([]).high) == (0.0, 1.0)
    below = metric_axis([MetricRow(label="τ-b", value=0.1, low=-0.1, high=0.3, n=9, kind="correlation")])
    assert (below.low, below.high) == (-1.0, 1.0)
    assert below.position(0.5) == 75.0


def test_a_share_is_drawn_with_its_interval_and_what_guessing_reaches(page):
    lines = {line["class"]: line for line in page.all("line")[:13]}
    assert (lines["span"]["x1"], lines["span"]["x2"]) == ("62.0%", "80.0%")
    assert lines["chance"]["x1"] == lines["chance"]["x2"] == "50.0%"
    assert page.all("circle")[0]["cx"] == "71.43%"
    assert page.all("svg")[0]["aria-label"] == "71.4%, interval [62.0%, 80.0%]"
    assert sum(line["class"] == "chance" for line in page.all("line")) == 1


def test_numbers_of_one_kind_share_an_axis_and_a_table(page):
    assert [text for text in page.text("span") if re.fullmatch(r"-?[\d.]+%?", text)] == [
        *("0%", "100%"),  # All pairs
        *("0%", "100%"),  # By language: the shares
        *("-1.0", "1.0"),  # and the correlation; the count has no axis
    ]
    assert len(page.all("table")) == len(page.all("caption")) == 4
    assert page.all("circle")[-1]["cx"] == "37.5%"


def test_groups_stand_under_what_is_measured(page):
    names = page.text("bdi")
    assert names[names.index("Macro") :] == ["Macro", "Consistency", "ar", "zh|\n", "τ-b", "de-en", "Pairs"]
    assert sum(header.get("scope") == "rowgroup" for header in page.all("th")) == 2


def test_what_is_missing_says_why(page):
    assert "no pair was judged" in page.text("td")
    assert {a["title"] for a in page.all("span") if a.get("class") == "missing"} == {
        "no pair was judged",
        "a group has only one pair",
    }
