"""A limit is kept however many questions are in flight."""

import asyncio

import pytest

from checkwise.costs import Budget, Price, Prices, Spending
from checkwise.errors import BudgetSpentError, UserError
from checkwise.questions import Failure, Generation, Usage
from checkwise.store import Used

PRICES = Prices(given={"m": Price.parse("1,1")})
"""A dollar a million tokens."""

DOLLAR = Usage(prompt_tokens=1_000_000, computed_tokens=1_000_000)


def answer(millions):
    tokens = round(millions * 1_000_000)
    return Generation(text="", finish="stop", usage=Usage(prompt_tokens=tokens, computed_tokens=tokens))


def budget(**limits):
    return Budget(Spending(prices=PRICES, **limits))


async def ask(limited, worst, actual):
    with await limited.hold("m", len(worst), lambda: worst) as held:
        for _ in range(held.count):
            await asyncio.sleep(0)
            held.settle(actual)
    return held.count


async def test_questions_are_asked_as_long_as_the_worst_price_fits():
    limited = budget(max_cost=2.5)
    assert await ask(limited, [DOLLAR], answer(1)) == 1
    assert await ask(limited, [DOLLAR], answer(1)) == 1
    with pytest.raises(BudgetSpentError, match=r"\$2\.00 of \$2\.50 are spent, and the next question may cost \$1\.00"):
        await ask(limited, [DOLLAR], answer(1))


async def test_what_turns_out_cheaper_leaves_room():
    limited = budget(max_cost=2.5)
    # Half of what was put by: after three, 1.50 is spent, and one dollar still fits.
    for _ in range(4):
        await ask(limited, [DOLLAR], answer(0.5))
    assert limited.cost == pytest.approx(2.0)
    with pytest.raises(BudgetSpentError):
        await ask(limited, [DOLLAR], answer(0.5))


async def test_as_many_suffixes_are_asked_as_fit():
    assert await ask(budget(max_cost=2.5), [DOLLAR] * 4, answer(1)) == 2
    assert await ask(budget(max_calls=3), [DOLLAR] * 4, answer(1)) == 3
    assert await ask(budget(), [DOLLAR] * 4, answer(1)) == 4


async def test_many_in_flight_never_go_over_and_come_close():
    limited = budget(max_cost=10.0)
    in_flight = most = 0

    async def one(number):
        nonlocal in_flight, most
        with await limited.hold("m", 1, lambda: [DOLLAR]) as held:
            in_flight += 1
            most = max(most, in_flight)
            # They end in another order than they began.
            for _ in range(number % 5 + 1):
                await asyncio.sleep(0)
            held.settle(answer(0.4))
            in_flight -= 1

    done = await asyncio.gather(*(one(number) for number in range(60)), return_exceptions=True)
    assert most == 10
    assert all(result is None or isinstance(result, BudgetSpentError) for result in done)
    # Within one question's worst price of the limit.
    assert 9.0 < limited.cost <= 10.0
    assert limited.calls == done.count(None)


async def test_a_stop_waits_for_what_is_in_flight():
    limited = budget(max_calls=2)
    ended = []

    async def slow():
        with await limited.hold("m", 1, lambda: [DOLLAR]) as held:
            await asyncio.sleep(0.01)
            held.settle(answer(1))
            ended.append("slow")

    async def late():
        with pytest.raises(BudgetSpentError, match="2 of 2 questions are asked"):
            await limited.hold("m", 1, lambda: [DOLLAR])
        ended.append("late")

    await asyncio.gather(slow(), slow(), late())
    assert ended == ["slow", "slow", "late"]


async def test_a_question_that_was_not_sent_costs_nothing():
    limited = budget(max_cost=1.0)
    await ask(limited, [DOLLAR], Failure(kind="context_exceeded", reason="too long"))
    assert (limited.cost, limited.calls) == (0, 0)


async def test_a_failure_counts_at_the_worst_price():
    limited = budget(max_cost=1.0)
    await ask(limited, [DOLLAR], Failure(kind="no_answer", reason="nothing"))
    assert (limited.cost, limited.calls) == (1.0, 1)


async def test_a_question_that_broke_off_gives_back_what_was_put_by():
    limited = budget(max_calls=1)
    with pytest.raises(ZeroDivisionError), await limited.hold("m", 1, lambda: [DOLLAR]):
        raise ZeroDivisionError
    assert await ask(limited, [DOLLAR], answer(1)) == 1


def test_earlier_answers_of_the_same_models_count():
    limited = budget(max_cost=5.0)
    limited.take_earlier(
        [
            Used("grading", "choose", "m", 3, prompt_tokens=2_000_000, computed_tokens=2_000_000),
            Used("grading", "choose", "other", 9, prompt_tokens=9_000_000),
        ],
        ["m"],
    )
    assert (limited.cost, limited.calls) == (2.0, 3)


def test_a_limit_of_cost_needs_prices():
    with pytest.raises(UserError, match="the price of local:small is not known"):
        Spending(max_cost=1.0, prices=PRICES).check(["m", "local:small"])
    Spending(max_cost=1.0, prices=Prices(machine_hour=1)).check(["local:small"])
    Spending(max_calls=1).check(["local:small"])


@pytest.mark.parametrize("limits", [{"max_cost": -1}, {"max_cost": float("nan")}, {"max_calls": -1}])
def test_a_limit_that_is_none_is_refused(limits):
    with pytest.raises(UserError):
        Spending(**limits)
