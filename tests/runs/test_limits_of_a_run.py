"""A run stops at a limit, keeps what it has, and goes on with a higher one."""

import pytest

from checkwise import Price, Prices, Spending
from checkwise.errors import BudgetSpentError, UserError
from checkwise.runs.stored_run import StoredRun
from checkwise.store import Database

PRICES = Prices(given={"judge": Price.parse("1000,1000"), "writer": Price.parse("1000,1000")})
"""A dollar for a thousand words, which are the tokens of a scripted model."""


def bill(bench):
    return StoredRun(bench.out).bill(PRICES)


def test_a_run_asks_no_more_than_it_may(bench):
    # Three lists, then items: two for each response.
    with pytest.raises(BudgetSpentError, match="7 of 7 questions are asked"):
        bench.run(spending=Spending(max_calls=7))
    assert len(bench.written()) == 3
    assert len(bench.asked()) == 4
    assert bill(bench).questions == 7


def test_a_higher_limit_goes_on_and_asks_nothing_twice(bench):
    with pytest.raises(BudgetSpentError):
        bench.run(spending=Spending(max_calls=7))
    with pytest.raises(BudgetSpentError, match="7 of 7"):
        bench.run(spending=Spending(max_calls=7))
    assert bench.written() == bench.asked() == []
    result = bench.run(spending=Spending(max_calls=13))
    # Two of the ten questions of "able" and "weak" are the same, since both say that the sky is blue.
    assert len(bench.asked()) == 6
    assert result.leaderboard["model"].to_list() == ["able", "weak"]


def test_a_limit_of_cost_is_kept_within_one_question(bench):
    with pytest.raises(BudgetSpentError):
        bench.run(spending=Spending(max_calls=3))
    lists = bill(bench).cost
    with pytest.raises(BudgetSpentError, match="Stopped at --max-cost"):
        bench.run(spending=Spending(max_cost=lists + 0.5, prices=PRICES))
    # What the lists have cost before counts, too.
    (grading,) = bill(bench).only({"grading"}).lines
    an_item = grading.cost / grading.questions
    assert 0.5 - 1.1 * an_item < grading.cost <= 0.5
    assert grading.questions == len(bench.asked()) < 10


def test_no_result_is_made_up_where_a_run_has_stopped(bench):
    with pytest.raises(BudgetSpentError):
        bench.run(spending=Spending(max_calls=7))
    assert not (bench.out / "report.html").exists()
    scores = StoredRun(bench.out)._read(Database.scores_frame)
    # Both say that the sky is blue, so that one is known by the other; nothing is known of the last three.
    assert scores["instance_id"].to_list() == ["grass", "sky", "sky"]


def test_a_limit_of_cost_without_a_price_is_refused_before_anything_is_asked(bench):
    with pytest.raises(UserError, match="the price of judge and of writer is not known"):
        bench.run(spending=Spending(max_cost=1.0))
    assert bench.judge.prompts == bench.generator.prompts == []


def test_nothing_is_asked_where_nothing_may_be(bench):
    with pytest.raises(BudgetSpentError, match="0 of 0 questions"):
        bench.run(spending=Spending(max_calls=0))
    assert bench.judge.prompts == bench.generator.prompts == []


def test_the_price_is_kept_for_the_report(bench):
    result = bench.run(spending=Spending(prices=PRICES))
    took = result.shown_facts()["All answers here took"]
    assert took == str(bill(bench))
    assert "price not known" not in took
