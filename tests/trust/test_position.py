import polars as pl
import pytest

from checkwise.bootstrap import Interval
from checkwise.trust.position import first_share, published_protocol, worse_first

SCHEMA = dict.fromkeys(("pair_id", "first", "verdict", "label"), pl.String)


def comparisons_of(*rows):
    """Rows of (pair, first, verdict, label)."""
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")


COMPARISONS = comparisons_of(
    ("p1", "A", "A", "A"),  # consistent and right
    ("p1", "B", "A", "A"),
    ("p2", "A", "A", "B"),  # always the first
    ("p2", "B", "B", "B"),
    ("p3", "A", "tie", "A"),  # a tie in one order
    ("p3", "B", "B", "A"),
    ("p4", "A", "A", "A"),  # unscored in one order
    ("p4", "B", None, "A"),
    ("p5", "A", "tie", "tie"),  # nobody is better
    ("p5", "B", "tie", "tie"),
)


def test_the_share_of_first_positions_is_over_verdicts_of_pairs_judged_in_both_orders():
    # p1 names the first once in two, p2 twice in two, p3 once in one; p4 is not judged, p5 names nobody.
    found = first_share(COMPARISONS)
    assert (found.value, found.n) == (4 / 5, 5)
    # The ends: p1 three times (3 of 6), and p2 or p3 three times (all).
    assert found.interval == Interval(0.5, 1.0)


def test_a_judge_that_looks_at_no_place_names_the_first_half_the_time():
    rows = [(f"p{number}", first, "A", "A") for number in range(20) for first in ("A", "B")]
    found = first_share(comparisons_of(*rows))
    assert (found.value, found.n) == (0.5, 40)
    assert found.interval.low < 0.5 < found.interval.high


def test_with_one_order_the_share_is_over_pairs():
    found = first_share(COMPARISONS.filter(first="A"))
    assert (found.value, found.n) == (1.0, 3)  # p1, p2, p4; p3 and p5 are ties
    assert found.interval.low == pytest.approx(0.025 ** (1 / 3))


def test_what_rules_decided_is_no_matter_of_place():
    ruled = COMPARISONS.with_columns(
        status=pl.when(pl.col("pair_id") == "p1").then(pl.lit("empty")).otherwise(pl.lit("judged"))
    )
    assert (first_share(ruled).value, first_share(ruled).n) == (1.0, 3)
    assert (published_protocol(ruled).n, worse_first(ruled).n) == (3, 2)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "no order was shown"),
        ([("p", None, "A", "A")], "no order was shown"),
        ([("p", "A", "A", "A"), ("p", "B", None, "A")], "no pair was judged in the orders asked"),
        ([("p", "A", "tie", "A"), ("p", "B", "tie", "A")], "every verdict is a tie"),
    ],
)
def test_a_share_over_nothing_says_why(rows, reason):
    found = first_share(comparisons_of(*rows))
    assert (found.value, found.interval, found.n, found.reason) == (None, None, 0, reason)


def test_the_published_protocol_shows_the_better_response_first():
    # A first for p1, p3, p4 (right, tie, right), B first for p2 (right).
    assert (published_protocol(COMPARISONS).value, published_protocol(COMPARISONS).n) == (3.5 / 4, 4)
    # B first for p1 (right) and p3 (wrong), A first for p2 (wrong); p4 is unscored.
    assert (worse_first(COMPARISONS).value, worse_first(COMPARISONS).n) == (1 / 3, 3)


def test_the_published_protocol_cannot_tell_a_judge_that_always_names_the_first():
    rows = [(f"p{n}", first, first, "AB"[n % 2]) for n in range(30) for first in ("A", "B")]
    published, hidden = published_protocol(comparisons_of(*rows)), worse_first(comparisons_of(*rows))
    assert (published.value, hidden.value) == (1.0, 0.0)
    assert published.interval.high == 1.0
    assert published.interval.low == pytest.approx(0.025 ** (1 / 30))


def test_the_published_protocol_over_nothing_says_why():
    assert published_protocol(comparisons_of(("p", None, "A", "A"))).reason == (
        "no verdict was given on a pair with the better response first"
    )
    assert worse_first(comparisons_of(("p", "A", "A", "A"))).reason == (
        "no verdict was given on a pair with the worse response first"
    )
