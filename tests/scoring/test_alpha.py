import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise.errors import DataError
from checkwise.scoring.alpha import label_alpha, label_shares


def by_divergence(labels):
    """(ε - KL(P ‖ U)) / ε, written down as in the paper."""
    shares = label_shares(labels)
    divergence = sum(share * math.log(share / 0.1) for share in shares if share > 0)
    return (math.log(10) - divergence) / math.log(10)


def test_by_hand():
    # Two bins with half of the labels each: H = ln 2.
    assert label_alpha([3, 3, 8, 8]) == pytest.approx(math.log(2) / math.log(10), abs=1e-12)
    assert label_alpha(range(1, 11)) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("labels", [[7.0], [7, 7, 7], [], [None], [float("nan"), 4]])
def test_labels_that_do_not_differ_teach_nothing(labels):
    assert label_alpha(labels) == 0


def test_half_points_go_to_the_bin_above_and_other_fractions_to_the_nearer_one():
    assert label_shares([1, 1.49, 7.5, 9.5, 10]).tolist() == [0.4, 0, 0, 0, 0, 0, 0, 0.2, 0, 0.4]


def test_missing_labels_are_left_out():
    assert label_alpha([2, None, 9, float("nan")]) == label_alpha([2, 9])


@pytest.mark.parametrize("label", [0.99, 10.1, math.inf, -3])
def test_labels_outside_1_to_10_are_refused(label):
    with pytest.raises(DataError, match="a label is"):
        label_alpha([5, label])


integers = st.lists(st.integers(1, 10), min_size=1)
constant = st.builds(lambda label, n: [label] * n, st.integers(1, 10), st.integers(1, 20))
halves = st.lists(st.integers(2, 20).map(lambda twice: twice / 2), min_size=1)
missing = st.lists(st.one_of(st.none(), st.just(np.nan), st.floats(1, 10)), min_size=1).filter(
    lambda labels: any(label is not None and not np.isnan(label) for label in labels)
)


@given(st.one_of(integers, constant, halves, missing))
def test_both_formulas_are_the_same(labels):
    assert label_alpha(labels) == pytest.approx(by_divergence(labels), abs=1e-12)
    assert 0 <= label_alpha(labels) <= 1
