import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from checkwise.errors import DataError
from checkwise.trust.calibration import calibration, item_forecasts, pair_forecasts


def grades_of(*rows):
    """Rows of (instance, p_yes, label), each of an item of its own."""
    numbered = [(instance, "m", number, p_yes, label) for number, (instance, p_yes, label) in enumerate(rows, start=1)]
    schema = {"instance_id": pl.String, "model": pl.String, "number": pl.Int64, "p_yes": pl.Float64, "label": pl.Int64}
    return pl.DataFrame(numbered, schema=schema, orient="row")


def forecasts_of(*rows):
    return item_forecasts(grades_of(*rows))


def votes_of(*rows):
    """Rows of (instance, model_a, model_b, winner)."""
    names = dict.fromkeys(("instance_id", "model_a", "model_b", "winner"), pl.String)
    return pl.DataFrame(list(rows), schema=names, orient="row").with_columns(judge=pl.lit("eva"))


def pairs_of(*rows):
    """Rows of (instance, model_a, model_b, p_a)."""
    names = dict.fromkeys(("instance_id", "model_a", "model_b"), pl.String)
    return pl.DataFrame(list(rows), schema=names | {"p_a": pl.Float64}, orient="row")


FOUR = (("q1", 0.9, 1), ("q1", 0.8, 0), ("q2", 0.3, 0), ("q2", 0.2, 0))


def test_items_by_hand():
    found = calibration(forecasts_of(*FOUR), bins=2)
    # Squares: 0.01, 0.64, 0.09, 0.04.
    assert found.brier.value == pytest.approx(0.78 / 4)
    # One of four is a Yes.
    assert found.brier_of_base_rate.value == pytest.approx(0.25 * 0.75)
    assert found.brier_gain.value == pytest.approx(0.1875 - 0.195)
    # Lower half: mean 0.25, none; upper half: mean 0.85, one of two.
    assert found.expected_error.value == pytest.approx((2 * 0.25 + 2 * 0.35) / 4)
    assert found.curve.select("low_edge", "high_edge", "n", "observed").rows() == [
        (0.0, 0.5, 2, 0.0),
        (0.5, 1.0, 2, 0.5),
    ]
    assert found.curve["mean"].to_list() == pytest.approx([0.25, 0.85])
    assert (found.brier.n, found.instances, found.left_out) == (4, 2, 0)


def test_few_instances_have_no_interval_and_say_so():
    found = calibration(forecasts_of(*FOUR))
    assert found.brier.interval is None
    assert found.brier.reason == "2 instances are too few for an interval; 5 are needed"
    assert found.error_by_chance is None


def test_what_is_unscored_or_unlabelled_is_left_out_and_counted():
    rows = (*FOUR, ("q3", None, 1), ("q3", float("nan"), 1), ("q4", 0.5, None))
    found = calibration(forecasts_of(*rows))
    assert (found.left_out, found.instances) == (3, 2)
    assert found.brier == calibration(forecasts_of(*FOUR)).brier


def test_no_forecast_is_no_figure():
    found = calibration(forecasts_of(("q1", None, 1)))
    assert (found.brier.value, found.brier.n) == (None, 0)
    assert found.expected_error.reason == "no forecast has both a probability and an outcome"
    assert found.curve.is_empty()
    assert found.left_out == 1


def test_a_perfect_judge_shows_no_spread():
    found = calibration(forecasts_of(*((f"q{i}", float(i % 2), i % 2) for i in range(8))))
    assert (found.brier.value, found.expected_error.value) == (0.0, 0.0)
    assert found.brier.interval is None
    assert found.brier.reason == "all instances are alike, so resampling shows no spread"
    # Four of four: the interval of Clopper and Pearson begins at 0.025 ** (1 / 4).
    assert found.curve["low"][-1] == pytest.approx(0.025 ** (1 / 4))


def test_labels_other_than_yes_and_no_and_probabilities_beyond_1_are_refused():
    with pytest.raises(DataError, match=r"id q1: 1 labels are neither 0 nor 1, such as 2"):
        forecasts_of(("q1", 0.5, 2))
    with pytest.raises(DataError, match=r"1 forecasts have a p such as 1\.5"):
        calibration(forecasts_of(("q1", 1.5, 1)))
    with pytest.raises(DataError, match="lack label"):
        item_forecasts(grades_of(*FOUR).drop("label"))
    with pytest.raises(DataError, match="more than one row"):
        item_forecasts(pl.concat([grades_of(*FOUR)] * 2))
    with pytest.raises(ValueError, match="at least one bin"):
        calibration(forecasts_of(*FOUR), bins=0)


def test_labels_may_be_true_and_false():
    rows = grades_of(*FOUR)
    as_truth = item_forecasts(rows.with_columns(pl.col("label").cast(pl.Boolean)))
    assert_frame_equal(as_truth, item_forecasts(rows))


def random_forecasts(seed, *, instances=30, each=6):
    draw = np.random.default_rng(seed)
    p = draw.random((instances, each))
    labels = draw.random((instances, each)) < p**1.5
    return forecasts_of(*((f"q{i:03}", p[i, k], int(labels[i, k])) for i in range(instances) for k in range(each)))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 15), st.sampled_from([("width", "uniform"), ("count", "quantile")]))
def test_values_are_those_of_scikit_learn(seed, bins, strategies):
    ours, theirs = strategies
    forecasts = random_forecasts(seed)
    p, came = forecasts["p"].to_numpy(), forecasts["outcome"].to_numpy()
    found = calibration(forecasts, bins=bins, by=ours, draws=2)
    observed, mean = calibration_curve(came, p, n_bins=bins, strategy=theirs)
    np.testing.assert_allclose(found.curve["observed"], observed)
    np.testing.assert_allclose(found.curve["mean"], mean)
    assert found.brier.value == pytest.approx(brier_score_loss(came, p))
    assert found.brier_of_base_rate.value == pytest.approx(brier_score_loss(came, np.full(len(p), came.mean())))
    assert found.expected_error.value == pytest.approx(np.average(np.abs(observed - mean), weights=found.curve["n"]))


def test_bins_of_equal_count_hold_equally_many():
    assert calibration(random_forecasts(1), bins=9, by="count").curve["n"].to_list() == [20] * 9


def test_the_order_of_rows_changes_nothing():
    forecasts = random_forecasts(3)
    one, other = calibration(forecasts), calibration(forecasts.sample(fraction=1, shuffle=True, seed=1))
    assert_frame_equal(one.curve, other.curve)
    assert (one.brier, one.brier_gain, one.expected_error) == (other.brier, other.brier_gain, other.expected_error)


def test_the_interval_is_of_instances_not_of_forecasts():
    # Ten forecasts that share their fate say no more than one.
    draw = np.random.default_rng(5)
    rows = [(f"q{i}", 0.7, int(draw.random() < 0.7)) for i in range(40)]
    alone = calibration(forecasts_of(*rows))
    together = calibration(forecasts_of(*(row for row in rows for _ in range(10))))
    assert together.brier.interval.low == pytest.approx(alone.brier.interval.low)
    assert together.brier.interval.high == pytest.approx(alone.brier.interval.high)


def calibrated(seed, *, instances=60, each=10, power=1.0):
    """Yes comes as often as ``p ** power``."""
    draw = np.random.default_rng(seed)
    p = draw.random((instances, each))
    came = draw.random((instances, each)) < p**power
    return forecasts_of(*((f"q{i}", p[i, k], int(came[i, k])) for i in range(instances) for k in range(each)))


def test_the_error_of_a_calibrated_judge_is_what_chance_gives_and_may_be_none():
    found = calibration(calibrated(1))
    assert found.expected_error.value == pytest.approx(found.error_by_chance, rel=0.5)
    assert found.expected_error.interval.low == 0.0
    assert found.expected_error.interval.high >= found.expected_error.value


def test_the_error_of_a_miscalibrated_judge_is_beyond_chance():
    found = calibration(calibrated(2, power=3.0))
    # The mean distance of p and p³ is 1/2 - 1/4.
    assert found.expected_error.interval.low <= 0.25 <= found.expected_error.interval.high
    assert found.expected_error.value > 2 * found.error_by_chance
    assert found.expected_error.interval.low > 0


@pytest.mark.slow
@pytest.mark.parametrize(("power", "truth"), [(1.0, 0.0), (1.5, 0.1), (3.0, 0.25)])
def test_the_interval_of_the_error_holds_the_truth(power, truth):
    found = [calibration(calibrated(seed, power=power), draws=300).expected_error.interval for seed in range(200)]
    assert np.mean([interval.low <= truth <= interval.high for interval in found]) > 0.85


VOTES = votes_of(("q1", "a", "b", "model_a"), ("q1", "b", "a", "tie"), ("q2", "a", "b", "model_b"))
PAIRS = pairs_of(("q1", "a", "b", 0.8), ("q2", "b", "a", 0.6))


def test_pairs_by_hand():
    found = calibration(pair_forecasts(PAIRS, VOTES), bins=2)
    # Distances: 0.2 from a win, 0.3 from a tie, 0.4 from a loss of a's, who had 0.4.
    assert found.brier.value == pytest.approx((0.04 + 0.09 + 0.16) / 3)
    # Whoever always says one half is off by a half, nothing, a half.
    assert found.brier_of_base_rate.value == pytest.approx(0.5 / 3)
    # Upper half: 0.8 twice, 0.6 once; they won 1, 0.5 and 1. The lower half mirrors it.
    assert found.curve["mean"].to_list() == pytest.approx([1 - 2.2 / 3, 2.2 / 3])
    assert found.curve["observed"].to_list() == pytest.approx([1 - 2.5 / 3, 2.5 / 3])
    assert found.curve["n"].to_list() == [3, 3]
    assert found.expected_error.value == pytest.approx(0.1)
    assert (found.brier.n, found.instances, found.left_out) == (3, 2, 0)


def test_turning_pairs_and_votes_round_changes_nothing():
    turned = PAIRS.select("instance_id", model_a="model_b", model_b="model_a", p_a=1 - pl.col("p_a"))
    renamed = VOTES.with_columns(pl.col("model_a", "model_b").replace({"a": "z"}))
    pairs = PAIRS.with_columns(pl.col("model_a", "model_b").replace({"a": "z"}))
    plain = calibration(pair_forecasts(PAIRS, VOTES), bins=2)
    for forecasts in (pair_forecasts(turned, VOTES), pair_forecasts(pairs, renamed)):
        found = calibration(forecasts, bins=2)
        assert_frame_equal(found.curve, plain.curve)
        assert found.brier.value == pytest.approx(plain.brier.value)


def test_votes_on_pairs_without_a_probability_are_counted():
    votes = pl.concat([VOTES, votes_of(("q3", "a", "b", "tie"), ("q1", "a", "c", "tie"), ("q1", "a", "b", None))])
    pairs = pl.concat([PAIRS, pairs_of(("q3", "a", "b", None))])
    found = calibration(pair_forecasts(pairs, votes), bins=2)
    assert (found.brier.n, found.left_out) == (3, 3)
    with pytest.raises(DataError, match="more than one row for a, b"):
        pair_forecasts(pl.concat([PAIRS, pairs_of(("q1", "b", "a", 0.1))]), VOTES)
