"""What is asked at about the same time is answered in one call."""

import asyncio

import pytest

from checkwise.engines.gathering import Gathering


class Doubling:
    """Answer numbers, and remember what came together."""

    def __init__(self):
        self.calls = []

    async def __call__(self, numbers):
        self.calls.append(sorted(numbers))
        return [2 * number for number in numbers]


async def test_questions_of_many_are_answered_together():
    double = Doubling()
    gathering = Gathering(double, quiet=0.02, most=100)
    answers = await asyncio.gather(*(gathering.ask([number, number + 10]) for number in range(3)))
    assert answers == [[0, 20], [2, 22], [4, 24]]
    assert double.calls == [[0, 1, 2, 10, 11, 12]]


async def test_no_more_than_fit_are_answered_together():
    double = Doubling()
    gathering = Gathering(double, quiet=0.02, most=4)
    assert await gathering.ask(list(range(10))) == [2 * number for number in range(10)]
    assert [len(call) for call in double.calls] == [4, 4, 2]


async def test_a_full_load_does_not_wait_for_quiet():
    gathering = Gathering(Doubling(), quiet=3600, most=2)
    assert await asyncio.wait_for(gathering.ask([1, 2]), 5) == [2, 4]


async def test_no_question_needs_no_call():
    double = Doubling()
    assert await Gathering(double, quiet=0, most=2).ask([]) == []
    assert double.calls == []


async def test_an_error_reaches_all_that_were_asked_together_and_no_later_one():
    failing = True

    async def answer(numbers):
        if failing:
            raise ValueError("broken")
        return numbers

    gathering = Gathering(answer, quiet=0.01, most=10)
    results = await asyncio.gather(gathering.ask([1]), gathering.ask([2]), return_exceptions=True)
    assert [str(result) for result in results] == ["broken", "broken"]
    failing = False
    assert await gathering.ask([3]) == [3]


async def test_what_nobody_waits_for_any_more_is_not_asked():
    double = Doubling()
    gathering = Gathering(double, quiet=0.05, most=10)
    gone = asyncio.create_task(gathering.ask([1]))
    await asyncio.sleep(0)
    gone.cancel()
    assert await gathering.ask([2]) == [4]
    assert double.calls == [[2]]
    with pytest.raises(asyncio.CancelledError):
        await gone
