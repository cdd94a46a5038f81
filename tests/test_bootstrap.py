import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap

from checkwise.bootstrap import (
    Interval,
    mean_intervals,
    percentile_interval,
    ratio_intervals,
    resampled_counts,
    resampled_ratios,
)


def ends(intervals):
    return np.array([(interval.low, interval.high) for interval in intervals])


def test_every_resample_has_as_many_instances_as_there_are():
    counts = np.concatenate(list(resampled_counts(7, draws=50, seed=1)))
    assert counts.shape == (50, 7)
    assert (counts.sum(axis=1) == 7).all()


def test_blocks_bound_the_memory_and_change_no_draw(monkeypatch):
    whole = np.concatenate(list(resampled_counts(10, draws=23, seed=1)))
    monkeypatch.setattr("checkwise.bootstrap._CELLS", 50)
    blocks = list(resampled_counts(10, draws=23, seed=1))
    assert [len(block) for block in blocks] == [5, 5, 5, 5, 3]
    np.testing.assert_array_equal(np.concatenate(blocks), whole)


def test_the_interval_is_scipys_percentile_bootstrap():
    values = np.random.default_rng(0).beta(2, 1, size=200)
    theirs = bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=1).confidence_interval
    (ours,) = mean_intervals(values[:, np.newaxis], draws=20_000)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.002)


def test_the_interval_covers_the_true_mean_about_as_often_as_it_says():
    worlds = np.random.default_rng(3).random((60, 400))
    covered = [interval.low <= 0.5 <= interval.high for interval in mean_intervals(worlds, confidence=0.8)]
    assert 0.72 < np.mean(covered) < 0.86


@pytest.mark.parametrize("instances", [8, 15, 40])
def test_the_interval_covers_the_true_mean_of_few_instances(instances):
    # Found: 93.6% with 8 instances, 94.7% with 15, 94.8% with 40; plain percentiles hold it in 89.1% with 8.
    worlds = np.random.default_rng(5).beta(2, 1, size=(instances, 3000))
    covered = [interval.low <= 2 / 3 <= interval.high for interval in mean_intervals(worlds)]
    assert 0.93 <= np.mean(covered) <= 0.97


def test_two_instances_by_hand():
    # Resamples of (0, 1) have the mean 0, 0.5, 0.5 or 1: a quarter of them lies at either end. Beyond 0.325, the 60%
    # quantile of t with one degree of freedom, times the root of 2, a normal distribution has 32%.
    assert mean_intervals(np.array([[0.0], [1.0]]), confidence=0.9) == [Interval(0.0, 1.0)]
    assert mean_intervals(np.array([[0.0], [1.0]]), confidence=0.2) == [Interval(0.5, 0.5)]


def test_few_instances_have_wider_tails_by_hand():
    samples = np.arange(10_001) / 10_000
    plain = percentile_interval(samples)
    assert (plain.low, plain.high) == pytest.approx((0.025, 0.975))
    # t with 4 degrees of freedom: 2.776; times the root of 5/4: 3.104; a normal distribution has 0.095% beyond.
    assert percentile_interval(samples, clusters=5).low == pytest.approx(0.00095, abs=2e-5)
    # In two groups of 15, t has 28 degrees of freedom: 2.048; times the root of 30/28: 2.120; beyond it 1.70%.
    assert percentile_interval(samples, clusters=30, groups=2).low == pytest.approx(0.0170, abs=1e-4)
    assert percentile_interval(samples, clusters=2, groups=2) == Interval(0.0, 1.0)


def test_fewer_than_two_values_have_no_interval():
    values = np.array([[0.2, 0.3, np.nan], [0.4, np.nan, np.nan]])
    first, second, third = mean_intervals(values)
    assert first is not None
    assert (second, third) == (None, None)
    assert mean_intervals(np.array([[0.5, 0.7]])) == [None, None]
    assert mean_intervals(np.empty((0, 2))) == [None, None]


def test_a_ratio_of_sums_weighs_instances_by_their_denominator():
    numerators, denominators = np.array([[1.0], [30.0]]), np.array([[1.0], [100.0]])
    # Resamples: the first twice (1), both (31/101), the second twice (0.3).
    assert set(resampled_ratios(numerators, denominators).ravel().round(6)) == {1.0, round(31 / 101, 6), 0.3}


def test_a_resample_without_anything_behind_a_column_is_left_out():
    samples = resampled_ratios(np.array([[1.0], [0.0]]), np.array([[1.0], [0.0]]), draws=200)
    assert np.isnan(samples).any()
    assert percentile_interval(samples[:, 0]) == Interval(1.0, 1.0)
    assert percentile_interval(np.array([np.nan])) is None
    assert ratio_intervals(np.array([[1.0], [0.0]]), np.array([[1.0], [0.0]])) == [None]


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_a_confidence_outside_0_and_1_is_refused(confidence):
    with pytest.raises(ValueError, match="between 0 and 1"):
        percentile_interval(np.array([0.1, 0.2]), confidence=confidence)


@pytest.mark.parametrize(("instances", "draws"), [(0, 10), (10, 0)])
def test_nothing_to_draw_is_refused(instances, draws):
    with pytest.raises(ValueError, match="at least one"):
        list(resampled_counts(instances, draws=draws, seed=1))


matrices = st.integers(2, 12).flatmap(
    lambda rows: st.integers(1, 5).flatmap(
        lambda columns: st.lists(
            st.lists(st.floats(0, 1), min_size=columns, max_size=columns), min_size=rows, max_size=rows
        ).map(np.array)
    )
)


@settings(max_examples=50, deadline=None)
@given(matrices, st.randoms(use_true_random=False))
def test_permuting_columns_permutes_the_intervals(values, random):
    order = list(range(values.shape[1]))
    random.shuffle(order)
    np.testing.assert_allclose(ends(mean_intervals(values[:, order])), ends(mean_intervals(values))[order], atol=1e-12)


@settings(max_examples=50, deadline=None)
@given(matrices)
def test_ends_are_in_order_and_within_the_values(values):
    for (low, high), column in zip(ends(mean_intervals(values)), values.T, strict=True):
        assert column.min() - 1e-12 <= low <= high <= column.max() + 1e-12


@settings(max_examples=50, deadline=None)
@given(matrices, st.floats(-3, 3), st.floats(0.1, 5))
def test_shifting_and_stretching_moves_the_ends_along(values, shift, scale):
    moved = ends(mean_intervals(scale * values + shift))
    np.testing.assert_allclose(moved, scale * ends(mean_intervals(values)) + shift, atol=1e-9)
