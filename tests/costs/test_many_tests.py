"""Checklists are paid once, grading for each model that is tested."""

import pytest

from checkwise.costs import ManyTests


def test_what_is_paid_once_is_added_once():
    many = ManyTests(once=2.0, a_test=0.5, against=10.0)
    assert [many.total(n) for n in (1, 10, 100, 1000)] == [2.5, 7.0, 52.0, 502.0]
    assert [many.total_against(n) for n in (1, 10)] == [10.0, 100.0]
    assert many.ratio(10) == pytest.approx(100 / 7)


# RocketEval, cost of 1,000 tests on WildBench: GPT-4o as the judge $3,400, so $3.40 a test; the checklists $2.87 once.
# What a test costs with the small judges follows from one total: the paper gives no other figure to check it with.
@pytest.mark.parametrize(
    ("total", "a_test", "times"),
    [(71.4, 0.06853, 47.6), (27.7, 0.02483, 122.7), (19.4, 0.01653, 175.3)],
    ids=["Llama-3-8B", "Gemma-2-2B", "Qwen2.5-1.5B"],
)
def test_the_published_totals_come_out(total, a_test, times):
    many = ManyTests(once=2.87, a_test=a_test, against=3.40)
    assert round(many.total(1000), 1) == total
    assert many.total_against(1000) == pytest.approx(3400)
    assert many.ratio(1000) == pytest.approx(times, abs=0.1)
    # The first test already pays for the lists.
    assert many.total(1) < many.total_against(1)


def test_what_is_not_known_stays_so():
    assert ManyTests(once=1.0, a_test=None).total(5) is None
    assert ManyTests(once=1.0, a_test=1.0).total_against(5) is None
    assert ManyTests(once=0.0, a_test=0.0, against=1.0).ratio(5) is None
