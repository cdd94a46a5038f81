import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise.report.axis import shared_axis
from checkwise.report.content import LeaderboardRow


def row(score: float | None, low: float | None = None, high: float | None = None) -> LeaderboardRow:
    return LeaderboardRow(
        rank=None,
        model="m",
        score=score,
        low=low,
        high=high,
        n=1,
        coverage=1.0,
        unscored=0,
        empty=0,
        mean_mass=None,
        low_mass_items=0,
    )


def test_the_axis_is_the_narrowest_in_tenths_that_holds_all():
    axis = shared_axis([row(0.5, 0.42, 0.58), row(0.71)])
    assert (axis.low, axis.high) == pytest.approx((0.4, 0.8))
    assert axis.ticks == pytest.approx((0.4, 0.5, 0.6, 0.7, 0.8))
    assert [axis.position(score) for score in (0.4, 0.5, 0.8)] == [0.0, 25.0, 100.0]


def test_without_a_score_the_axis_is_the_whole_scale():
    axis = shared_axis([row(None)])
    assert (axis.low, axis.high) == (0.0, 1.0)


def test_a_score_on_a_tenth_does_not_widen_the_axis():
    axis = shared_axis([row(0.3), row(0.7)])
    assert (axis.low, axis.high) == pytest.approx((0.3, 0.7))


def test_perfect_scores_stand_at_the_end_of_the_scale():
    axis = shared_axis([row(1.0)])
    assert (axis.low, axis.high) == pytest.approx((0.9, 1.0))
    assert axis.position(1.0) == 100.0


@given(st.lists(st.floats(0, 1), min_size=1))
def test_every_score_lies_on_the_axis_in_the_order_of_size(scores):
    axis = shared_axis([row(score) for score in scores])
    assert 0 <= axis.low < axis.high <= 1
    positions = [axis.position(score) for score in sorted(scores)]
    assert positions == sorted(positions)
    assert all(0 <= position <= 100 for position in positions)
