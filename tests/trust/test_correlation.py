import math
import time

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import kendalltau, spearmanr

from checkwise.errors import DataError
from checkwise.trust.correlation import average_correlation, rank_correlation, rank_correlation_by

SCHEMA = {"instance_id": pl.String, "value": pl.Float64, "rating": pl.Float64, "pair": pl.String}


def scores_of(*rows):
    """Rows of (instance, value, rating[, pair of languages])."""
    return pl.DataFrame([(*row, "en-de")[:4] for row in rows], schema=SCHEMA, orient="row")


def drawn(n, seed, *, pair="en-de", strength=0.8):
    """Normal scores and ratings with the correlation ``strength``."""
    value, noise = np.random.default_rng(seed).normal(size=(2, n))
    ratings = strength * value + math.sqrt(1 - strength**2) * noise
    return scores_of(*((f"{pair}{row:04}", value[row], ratings[row], pair) for row in range(n)))


SCORES = scores_of(
    ("q1", 0.1, 1.0),
    ("q2", 0.2, 3.0),
    ("q3", 0.2, 2.0),
    ("q4", 0.4, 3.0),
    ("q5", 0.9, 7.0),
    ("q6", None, 7.0),
    ("q7", 0.5, None),
    ("q8", None, None),
)


def test_both_coefficients_by_hand():
    found = rank_correlation(SCORES)
    # Ten pairs of rows: one tied in scores (q2, q3), another in ratings (q2, q4), eight concordant: 8 / √(9·9).
    assert (found.kendall.value, found.kendall.n) == (pytest.approx(8 / 9), 5)
    # Ranks 1, 2.5, 2.5, 4, 5 and 1, 3.5, 2, 3.5, 5: sum of products 8.75, of squares 9.5 for either.
    assert (found.spearman.value, found.spearman.n) == (pytest.approx(8.75 / 9.5), 5)
    assert (found.instances, found.unrated, found.unscored) == (5, 2, 1)


def test_a_nan_is_a_missing_number():
    nan = SCORES.with_columns(pl.col("value", "rating").fill_null(float("nan")))
    assert rank_correlation(nan) == rank_correlation(SCORES)


rows = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2", "q3", "q4", "q5", "q6", "q7"]),
        st.sampled_from([0.0, 0.25, 0.5, 0.75, None]),
        st.sampled_from([1.0, 2.0, 3.0, None]),
    ),
    max_size=25,
)


@settings(deadline=None, max_examples=50)
@given(rows)
def test_both_are_scipys_or_say_why_not(rows):
    found = rank_correlation(scores_of(*rows), draws=20)
    both = [(value, rating) for _, value, rating in rows if value is not None and rating is not None]
    values, ratings = zip(*both, strict=True) if both else ((), ())
    assert found.kendall.n == found.spearman.n == len(both)
    assert len(both) + found.unrated + found.unscored == len(rows)
    if len(set(values)) < 2 or len(set(ratings)) < 2:
        assert (found.kendall.value, found.spearman.value) == (None, None)
        assert found.kendall.reason
        return
    assert found.kendall.value == pytest.approx(kendalltau(values, ratings, variant="b").statistic)
    with np.errstate(all="ignore"):
        assert found.spearman.value == pytest.approx(spearmanr(values, ratings).statistic)
    for figure in (found.kendall, found.spearman):
        assert (figure.reason is None) == (figure.interval is not None)


@settings(deadline=None, max_examples=50)
@given(rows, st.randoms())
def test_the_order_of_rows_changes_nothing(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert rank_correlation(scores_of(*shuffled), draws=20) == rank_correlation(scores_of(*rows), draws=20)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "no row has both a score and a rating"),
        ([("q1", 0.5, None), ("q2", None, 1.0)], "no row has both a score and a rating"),
        ([("q1", 0.5, 1.0)], "one row alone cannot be ranked"),
        ([("q1", 0.5, 1.0), ("q2", 0.5, 2.0)], "all scores are equal"),
        ([("q1", 0.5, 1.0), ("q2", 0.6, 1.0)], "all ratings are equal"),
    ],
)
def test_what_cannot_be_ranked_has_no_value_and_says_why(rows, reason):
    found = rank_correlation(scores_of(*rows))
    for figure in (found.kendall, found.spearman):
        assert (figure.value, figure.interval, figure.reason) == (None, None, reason)


def test_few_instances_have_no_interval_however_many_rows_they_have():
    rows = [(f"q{row % 4}", row / 40, float(row % 7)) for row in range(40)]
    found = rank_correlation(scores_of(*rows))
    assert (found.kendall.interval, found.instances, found.kendall.n) == (None, 4, 40)
    assert found.kendall.reason == "4 instances are too few for an interval; 5 are needed"
    assert rank_correlation(scores_of(*rows, ("q9", 0.3, 2.0))).kendall.interval is not None


def test_a_perfect_order_is_not_certainty():
    found = rank_correlation(scores_of(*((f"q{row}", row / 10, float(row)) for row in range(8))))
    for figure in (found.kendall, found.spearman):
        assert (figure.value, figure.interval) == (pytest.approx(1.0), None)
        assert figure.reason == "every resample ranks alike, so resampling shows no spread"


def test_resamples_without_a_value_are_counted():
    # Each draw misses the one row that differs with (4/5)^5 = 32.8%, and is nothing but that row with (1/5)^5.
    rows = [(f"q{row}", row / 10, float(row == 2)) for row in range(5)]
    found = rank_correlation(scores_of(*rows), draws=2000)
    assert found.undefined_draws / 2000 == pytest.approx(0.328, abs=0.04)
    assert found.kendall.interval is not None


def test_where_most_resamples_have_no_value_there_is_no_interval():
    # The scores differ in one row and the ratings in another; a resample needs both of them:
    # 1 - 2·(5/6)^6 + (4/6)^6 = 41.8% of the draws have them.
    rows = [(f"q{row}", float(row == 0), float(row == 1)) for row in range(6)]
    found = rank_correlation(scores_of(*rows), draws=2000)
    assert found.undefined_draws / 2000 == pytest.approx(1 - 0.418, abs=0.04)
    assert found.kendall.value == pytest.approx(-0.2)
    assert found.kendall.interval is None
    assert (
        found.kendall.reason
        == f"only {2000 - found.undefined_draws} of 2000 resamples hold scores and ratings that differ"
    )


def test_rows_of_one_instance_are_resampled_together():
    single = drawn(40, 5)
    # The same rows four times say nothing new.
    fourfold = pl.concat([single] * 4)
    one, four = rank_correlation(single, draws=300), rank_correlation(fourfold, draws=300)
    assert four.spearman.value == pytest.approx(one.spearman.value)
    assert (four.spearman.interval.low, four.spearman.interval.high) == pytest.approx(
        (one.spearman.interval.low, one.spearman.interval.high)
    )


def test_the_interval_covers_the_true_tau_about_as_often_as_it_says():
    truth = 2 / math.pi * math.asin(0.8)  # of two normal variables
    found = [rank_correlation(drawn(25, world), draws=60, confidence=0.8).kendall.interval for world in range(50)]
    covered = np.mean([interval.low <= truth <= interval.high for interval in found])
    assert 0.65 < covered < 0.95


def test_a_thousand_draws_take_seconds():
    scores = drawn(200, 1)
    started = time.perf_counter()
    rank_correlation(scores, draws=1000)
    assert time.perf_counter() - started < 20


GROUPED = pl.concat(
    [
        drawn(30, 1, pair="en-de"),
        drawn(30, 2, pair="en-zh", strength=0.2),
        scores_of(("a", 0.5, 1.0, "de-en"), ("b", 0.5, 2.0, "de-en"), ("c", None, 2.0, "de-en")),
    ]
)


def test_every_pair_of_languages_on_its_own():
    found = rank_correlation_by(GROUPED, "pair", draws=200)
    assert found["pair"].to_list() == ["de-en", "en-de", "en-zh"]
    alone = rank_correlation(GROUPED.filter(pair="en-zh"), draws=200)
    row = found.row(2, named=True)
    assert (row["kendall"], row["kendall_low"], row["kendall_n"]) == (
        alone.kendall.value,
        alone.kendall.interval.low,
        30,
    )
    assert (row["spearman_high"], row["reason"]) == (alone.spearman.interval.high, None)
    undefined = found.row(0, named=True)
    assert (undefined["kendall"], undefined["kendall_n"], undefined["unscored"]) == (None, 2, 1)
    assert undefined["reason"] == "all scores are equal"


def test_rows_without_a_group_come_last_and_the_order_of_rows_changes_nothing():
    mixed = GROUPED.with_columns(pair=pl.col("pair").replace({"en-de": None}))
    found = rank_correlation_by(mixed, "pair", draws=20)
    assert found["pair"].to_list() == ["de-en", "en-zh", None]
    assert_frame_equal(found, rank_correlation_by(mixed.reverse(), "pair", draws=20), check_exact=True)
    assert rank_correlation_by(mixed.clear(), "pair").schema == found.schema


def test_the_average_is_over_groups_that_have_a_correlation():
    found = average_correlation(GROUPED, "pair", draws=500)
    taus = [rank_correlation(GROUPED.filter(pair=pair), draws=2).kendall.value for pair in ("en-de", "en-zh")]
    assert (found.kendall.value, found.kendall.n) == (pytest.approx(np.mean(taus)), 60)
    assert (found.groups, found.undefined, found.undefined_draws) == (3, 1, 0)
    assert found.kendall.interval.low < found.kendall.value < found.kendall.interval.high
    assert average_correlation(GROUPED.reverse(), "pair", draws=500) == found


def test_groups_do_not_move_together_in_the_average():
    # Two groups with the same numbers: independent draws make the mean vary by 1/√2 of one group's.
    one = drawn(40, 3, pair="en-de", strength=0.5)
    twin = one.with_columns(pair=pl.lit("en-zh"))
    alone = rank_correlation(one, draws=1000).kendall.interval
    mean = average_correlation(pl.concat([one, twin]), "pair", draws=1000).kendall.interval
    assert (mean.high - mean.low) / (alone.high - alone.low) == pytest.approx(1 / math.sqrt(2), abs=0.1)


def test_the_average_says_what_is_missing():
    nothing = average_correlation(GROUPED.filter(pair="de-en"), "pair")
    assert (nothing.kendall.value, nothing.kendall.reason) == (None, "no group has a correlation")
    assert (nothing.groups, nothing.undefined) == (1, 1)
    small = average_correlation(
        pl.concat([GROUPED, scores_of(*(("z", n, n, "x") for n in (0.1, 0.2)))]), "pair", draws=5
    )
    assert (small.kendall.n, small.kendall.interval) == (62, None)
    assert small.kendall.reason == "in one group, 1 instances are too few for an interval; 5 are needed"


def test_what_are_not_scores_is_refused():
    with pytest.raises(DataError, match="scores lack rating"):
        rank_correlation(SCORES.drop("rating"))
    with pytest.raises(DataError, match="scores lack language"):
        average_correlation(SCORES, "language")
    with pytest.raises(DataError, match="rating of the scores is not a number but String"):
        rank_correlation(SCORES.with_columns(rating=pl.lit("good")))
    with pytest.raises(DataError, match="1 scores lack an instance_id"):
        rank_correlation(pl.concat([SCORES, scores_of((None, 0.5, 1.0))]))
