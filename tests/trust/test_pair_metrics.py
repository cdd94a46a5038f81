import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import bootstrap

from checkwise.bootstrap import Interval
from checkwise.errors import DataError
from checkwise.trust.pair_metrics import macro_accuracy, pair_metrics, pair_metrics_by

SCHEMA = dict.fromkeys(("pair_id", "first", "verdict", "label", "language"), pl.String)
SWAP = {"A": "B", "B": "A"}


def comparisons_of(*pairs):
    """Rows of (pair, verdict with A first, verdict with B first, label, language), in both orders."""
    rows = [
        (pair, first, verdict, label, language)
        for pair, when_a_first, when_b_first, label, language in pairs
        for first, verdict in (("A", when_a_first), ("B", when_b_first))
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def judged(count, *verdicts, prefix="p", label="A", language="en"):
    return [(f"{prefix}{number:03}", *verdicts, label, language) for number in range(count)]


COMPARISONS = comparisons_of(
    ("p1", "A", "A", "A", "sw"),  # right
    ("p2", "B", "B", "A", "sw"),  # wrong
    ("p3", "A", "B", "A", "sw"),  # first both times
    ("p4", "tie", "tie", "B", "de"),  # cannot tell
    ("p5", "A", "tie", "A", "de"),  # disagrees
    ("p6", "A", None, "A", "de"),  # unscored in one order
    ("p7", "B", "B", None, None),  # no label
    ("p8", "tie", "tie", "tie", None),  # right
)


def test_every_figure_by_hand():
    found = pair_metrics(COMPARISONS)
    # Credits: 1, 0, 0.5, 0.5, 0.5, -, -, 1.
    assert (found.accuracy.value, found.accuracy.n) == (pytest.approx(3.5 / 6), 6)
    # Of these consistent: p1, p2, p4, p8.
    assert (found.accuracy_consistent.value, found.accuracy_consistent.n) == (pytest.approx(2.5 / 4), 4)
    # Of seven judged pairs p3 and p5 disagree.
    assert (found.consistency.value, found.consistency.n) == (pytest.approx(5 / 7), 7)
    # p1 and p2: one of two each; p3: two of two; p5: one of one; p7: one of two.
    assert (found.first_share.value, found.first_share.n) == (pytest.approx(6 / 9), 9)
    assert (found.tie_share.value, found.tie_share.n) == (pytest.approx(2 / 7), 7)
    assert (found.pairs, found.judged, found.unscored, found.unlabelled, found.inconsistent) == (8, 7, 1, 1, 2)


def test_a_judge_that_always_names_the_first_is_right_half_the_time():
    found = pair_metrics(comparisons_of(*judged(24, "A", "B")))
    assert (found.accuracy.value, found.consistency.value, found.first_share.value) == (0.5, 0.0, 1.0)
    assert found.accuracy_consistent.value is None
    assert found.accuracy_consistent.reason == "no pair agrees in both orders"
    assert found.accuracy.interval.low < 0.5 < found.accuracy.interval.high
    assert found.first_share.interval.low == pytest.approx(0.025 ** (1 / 24))


def test_24_of_24_right_is_not_certainty():
    found = pair_metrics(comparisons_of(*judged(24, "A", "A")))
    assert found.accuracy.value == 1.0
    assert found.accuracy.interval == found.consistency.interval
    assert found.accuracy.interval.low == pytest.approx(0.025 ** (1 / 24))  # Clopper and Pearson
    assert found.accuracy.interval.high == 1.0


def test_the_interval_is_scipys_percentile_bootstrap_over_pairs():
    rows = judged(70, "A", "A", prefix="r") + judged(30, "B", "B", prefix="w") + judged(40, "A", "B", prefix="i")
    credits = np.repeat([1.0, 0.0, 0.5], [70, 30, 40])
    theirs = bootstrap((credits,), np.mean, n_resamples=20_000, method="percentile", rng=1).confidence_interval
    ours = pair_metrics(comparisons_of(*rows), draws=20_000).accuracy
    assert ours.value == pytest.approx(credits.mean())
    assert (ours.interval.low, ours.interval.high) == pytest.approx((theirs.low, theirs.high), abs=0.005)


def test_one_order_tells_nothing_about_consistency():
    found = pair_metrics(COMPARISONS.filter(first="A"))
    # Verdicts A, B, A, tie, A, A, B, tie against A, A, A, B, A, A, -, tie.
    assert (found.accuracy.value, found.accuracy.n) == (pytest.approx(5.5 / 7), 7)
    assert (found.consistency.value, found.consistency.reason) == (None, "no pair was asked in both orders")
    assert found.accuracy_consistent.reason == "no pair was asked in both orders"
    assert (found.first_share.value, found.first_share.n) == (pytest.approx(4 / 6), 6)
    assert found.inconsistent == 0


def test_an_order_that_was_asked_and_is_missing_everywhere_leaves_nothing_judged():
    found = pair_metrics(COMPARISONS.filter(first="A"), orders=2)
    assert (found.judged, found.unscored) == (0, 8)
    assert (found.accuracy.value, found.accuracy.reason) == (None, "no pair was judged")


def test_without_an_order_there_is_no_share_of_first_positions():
    scored = COMPARISONS.filter(first="A").with_columns(first=pl.lit(None, dtype=pl.String))
    found = pair_metrics(scored)
    assert found.accuracy.value == pytest.approx(5.5 / 7)
    assert (found.first_share.value, found.first_share.reason) == (None, "no order was shown")


def test_what_rules_decided_counts_for_accuracy_but_not_for_consistency():
    ruled = COMPARISONS.with_columns(
        status=pl.when(pl.col("pair_id") == "p1").then(pl.lit("empty")).otherwise(pl.lit("judged"))
    )
    found = pair_metrics(ruled)
    assert (found.accuracy.n, found.accuracy_consistent.n, found.consistency.n) == (6, 3, 6)


def test_nothing_is_no_figure():
    found = pair_metrics(COMPARISONS.clear())
    figures = (found.accuracy, found.accuracy_consistent, found.consistency, found.first_share, found.tie_share)
    assert all(figure.value is None and figure.reason for figure in figures)
    assert found.pairs == 0


def test_one_pair_has_no_interval():
    found = pair_metrics(COMPARISONS.filter(pair_id="p1"))
    assert (found.accuracy.value, found.accuracy.interval, found.accuracy.n) == (1.0, None, 1)
    assert found.accuracy.reason == "one pair alone says nothing about the spread"


verdict = st.sampled_from(["A", "B", "tie", None])
pairs = st.lists(st.tuples(verdict, verdict, verdict, st.sampled_from(["de", "sw", None])), max_size=12).map(
    lambda rows: comparisons_of(*((f"p{number:02}", *row) for number, row in enumerate(rows)))
)


def swapped(comparisons):
    return comparisons.with_columns(pl.col("first", "verdict", "label").replace(SWAP))


@settings(deadline=None, max_examples=30)
@given(pairs)
def test_which_response_is_called_a_changes_no_figure_and_no_interval(comparisons):
    assert pair_metrics(swapped(comparisons), draws=50) == pair_metrics(comparisons, draws=50)
    assert macro_accuracy(swapped(comparisons), "language", draws=50) == macro_accuracy(
        comparisons, "language", draws=50
    )


@settings(deadline=None, max_examples=30)
@given(pairs, st.randoms())
def test_the_order_of_rows_changes_nothing(comparisons, random):
    rows = comparisons.rows()
    random.shuffle(rows)
    shuffled = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    assert pair_metrics(shuffled, draws=50) == pair_metrics(comparisons, draws=50)
    by = [pair_metrics_by(frame, "language", draws=50) for frame in (shuffled, comparisons)]
    assert_frame_equal(*by, check_exact=True)


@settings(deadline=None, max_examples=30)
@given(pairs)
def test_figures_are_shares_within_their_intervals(comparisons):
    found = pair_metrics(comparisons, draws=50)
    for figure in (found.accuracy, found.accuracy_consistent, found.consistency, found.first_share, found.tie_share):
        assert (figure.value is None) == (figure.n == 0)
        assert (figure.reason is None) == (figure.interval is not None)
        if figure.interval is not None:
            assert 0 <= figure.interval.low < figure.interval.high <= 1
    assert found.judged + found.unscored == found.pairs


def test_every_language_on_its_own():
    found = pair_metrics_by(COMPARISONS, "language")
    assert found["language"].to_list() == ["de", "sw", None]
    assert found["accuracy"].to_list() == pytest.approx([0.5, 0.5, 1.0])
    assert found["accuracy_n"].to_list() == [2, 3, 1]
    assert found["accuracy_high"].to_list()[2] is None
    assert found.select("pairs", "judged", "unscored", "unlabelled", "inconsistent").rows() == [
        (3, 2, 1, 0, 1),
        (3, 3, 0, 0, 1),
        (2, 2, 0, 1, 0),
    ]
    alone = pair_metrics(COMPARISONS.filter(language="sw")).first_share
    row = found.row(by_predicate=pl.col("language") == "sw", named=True)
    figure = (row["first_share"], Interval(row["first_share_low"], row["first_share_high"]), row["first_share_n"])
    assert figure == (alone.value, alone.interval, alone.n)


def test_a_language_in_which_the_second_order_is_missing_is_not_taken_for_one_order():
    missing = COMPARISONS.filter((pl.col("language") != "sw") | (pl.col("first") == "A"))
    row = pair_metrics_by(missing, "language").row(by_predicate=pl.col("language") == "sw", named=True)
    assert (row["accuracy"], row["judged"], row["unscored"]) == (None, 0, 3)


def test_a_table_over_nothing_has_its_columns():
    empty, full = pair_metrics_by(COMPARISONS.clear(), "language"), pair_metrics_by(COMPARISONS, "language")
    assert empty.is_empty()
    assert empty.schema == full.schema


def test_a_pair_has_one_language_and_there_is_a_column_for_it():
    split = COMPARISONS.with_columns(language=pl.col("first"))
    with pytest.raises(DataError, match=r"id p1: .*differ in language"):
        pair_metrics_by(split, "language")
    with pytest.raises(DataError, match="comparisons lack subset"):
        macro_accuracy(COMPARISONS, "subset")


def test_macro_weighs_languages_and_micro_weighs_pairs():
    rows = judged(30, "A", "A", prefix="en") + judged(10, "A", "B", prefix="sw", language="sw")
    rows += judged(10, "B", "B", prefix="x", language="sw")
    # English 1.0 over 30 pairs, Swahili 0.25 over 20.
    assert pair_metrics(comparisons_of(*rows)).accuracy.value == pytest.approx(35 / 50)
    macro = macro_accuracy(comparisons_of(*rows), "language")
    assert (macro.value, macro.n) == (pytest.approx(0.625), 50)
    # Resampled within languages: English stays 1, Swahili is 0.25 with a standard error of 0.25/√20.
    assert macro.interval.high - macro.interval.low == pytest.approx(2 * 1.96 * 0.25 / 20**0.5 / 2, rel=0.15)


def test_groups_of_one_size_do_not_move_together():
    rows = [row for name in ("de", "en", "fr", "sw") for row in judged(20, "A", "A", prefix=f"{name}r", language=name)]
    rows += [row for name in ("de", "en", "fr", "sw") for row in judged(20, "B", "B", prefix=f"{name}w", language=name)]
    macro = macro_accuracy(comparisons_of(*rows), "language", draws=4000)
    # Four groups of 40 have half the standard error of one.
    assert macro.interval.high - macro.interval.low == pytest.approx(2 * 1.96 * 0.5 / 160**0.5, rel=0.1)


def test_macro_accuracy_says_what_is_missing():
    assert macro_accuracy(COMPARISONS.clear(), "language").reason == "no group has a judged pair with a label"
    assert macro_accuracy(COMPARISONS, "language").value == pytest.approx(2 / 3)
    assert "only one pair" in macro_accuracy(COMPARISONS, "language").reason
    same = comparisons_of(*judged(9, "A", "A"), *judged(9, "A", "A", prefix="s", language="sw"))
    found = macro_accuracy(same, "language")
    assert (found.value, found.interval) == (1.0, None)
    assert "shows no spread" in found.reason
