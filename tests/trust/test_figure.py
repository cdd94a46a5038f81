import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from checkwise.bootstrap import Interval, ratio_intervals
from checkwise.trust.figure import Figure, constant_interval, figure_columns, share_figure


def share(numerators, denominators, **settings):
    return share_figure(np.array(numerators, float), np.array(denominators, float), nothing="nothing there", **settings)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_figure_is_never_nan(value):
    with pytest.raises(ValueError, match="finite number or None"):
        Figure(value, None, 3)


def test_a_share_by_hand():
    found = share([1, 0], [1, 1])
    # Resamples of (1, 0) have the share 0, a half, a half or 1.
    assert found == Figure(0.5, Interval(0.0, 1.0), 2)


def test_a_share_is_over_clusters_that_say_something():
    found = share([1, 0, 30, 10], [1, 0, 100, 20])
    without = share([1, 30, 10], [1, 100, 20])
    assert found == without
    assert (found.value, found.n) == (pytest.approx(41 / 121), 121)
    columns = np.array([[1.0], [30.0], [10.0]]), np.array([[1.0], [100.0], [20.0]])
    assert found.interval == ratio_intervals(*columns)[0]


def test_a_share_over_nothing_or_one_cluster_says_why_something_is_missing():
    assert share([], []) == Figure(None, None, 0, "nothing there")
    assert share([0], [0]) == Figure(None, None, 0, "nothing there")
    assert share([1], [2]) == Figure(0.5, None, 2, "one pair alone says nothing about the spread")


@pytest.mark.parametrize("value", [0, 1])
@pytest.mark.parametrize("clusters", [2, 24, 300])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_where_all_or_none_are_right_the_interval_is_that_of_clopper_and_pearson(value, clusters, confidence):
    found = share([value] * clusters, [1] * clusters, confidence=confidence).interval
    theirs = binomtest(value * clusters, clusters).proportion_ci(confidence, method="exact")
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))


def test_clusters_that_all_give_a_half_do_not_claim_certainty_either():
    # 24 pairs would miss a part of 14.2% by chance; half of it moves the mean if it is all wrong, or all right.
    found = share([1] * 24, [2] * 24)
    unseen = 1 - 0.025 ** (1 / 24)
    assert unseen == pytest.approx(0.1425, abs=1e-4)
    assert (found.value, found.n) == (0.5, 48)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.5 - unseen / 2, 0.5 + unseen / 2))


@given(st.floats(0, 1), st.integers(1, 500))
def test_a_constant_interval_holds_its_value_and_narrows_with_more_clusters(value, clusters):
    wide, narrow = constant_interval(value, clusters), constant_interval(value, clusters + 1)
    assert 0 <= wide.low <= narrow.low <= value <= narrow.high <= wide.high <= 1


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_a_confidence_outside_0_and_1_is_refused(confidence):
    with pytest.raises(ValueError, match="between 0 and 1"):
        share([1, 1], [1, 1], confidence=confidence)


def test_columns_of_a_table():
    assert figure_columns("tau", Figure(0.5, Interval(0.25, 0.75), 9)) == {
        "tau": 0.5,
        "tau_low": 0.25,
        "tau_high": 0.75,
        "tau_n": 9,
    }
    assert list(figure_columns("tau", Figure(None, None, 0, "nothing")).values()) == [None, None, None, 0]
