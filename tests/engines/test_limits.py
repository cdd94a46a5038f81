"""Requests within limits, and again where that may help; time stands still but for what is waited."""

import asyncio
from dataclasses import dataclass, field

import pytest

from checkwise.engines.limits import Limits, TemporaryError
from checkwise.engines.options import LimitOptions


@dataclass
class Time:
    """A clock that moves when somebody sleeps."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds

    def limits(self, **options):
        return Limits(LimitOptions(**options), sleep=self.sleep, clock=lambda: self.now, chance=lambda _, most: most)


def failing(*errors, answer="fine"):
    """Make a call that fails so often before it answers."""
    left = list(errors)

    async def call():
        if left:
            raise left.pop(0)
        return answer

    return call


async def test_what_comes_through_is_sent_once():
    time = Time()
    assert await time.limits().send(failing()) == "fine"
    assert time.slept == []


async def test_waits_double():
    time = Time()
    answer = await time.limits(attempts=5).send(failing(*(TemporaryError("503") for _ in range(4))))
    assert answer == "fine"
    assert time.slept == [1, 2, 4, 8]


async def test_after_the_last_attempt_the_reason_is_told():
    time = Time()
    with pytest.raises(TemporaryError, match="the third"):
        await time.limits(attempts=3).send(failing(*(TemporaryError(f"the {n}") for n in ("first", "second", "third"))))
    assert len(time.slept) == 2


async def test_other_errors_are_not_tried_again():
    time = Time()
    with pytest.raises(KeyError):
        await time.limits().send(failing(KeyError("x")))
    assert time.slept == []


async def test_what_the_endpoint_says_holds_for_everybody():
    time = Time()
    limits = time.limits()
    answers = await asyncio.gather(
        limits.send(failing(TemporaryError("429", crowded=True, wait=30.0))), limits.send(failing(answer="other"))
    )
    assert answers == ["fine", "other"]
    assert time.now >= 30
    before = time.now
    await limits.send(failing())
    assert time.now == before


async def test_a_crowded_endpoint_is_asked_less_at_a_time():
    time = Time()
    limits = time.limits(concurrency=8)
    await limits.send(failing(TemporaryError("429", crowded=True)))
    assert limits.gate.limit == 4
    await limits.send(failing(TemporaryError("500")))
    assert limits.gate.limit == 4


async def test_a_request_that_takes_too_long_is_sent_again():
    limits = Limits(LimitOptions(timeout=0.01, attempts=2), sleep=Time().sleep)
    calls = 0

    async def hanging():
        nonlocal calls
        calls += 1
        await asyncio.sleep(60)

    with pytest.raises(TemporaryError, match="no answer within"):
        await limits.send(hanging)
    assert (calls, limits.gate.running) == (2, 0)


async def test_being_stopped_leaves_nothing_behind():
    limits = Limits(LimitOptions(concurrency=1))
    tasks = [asyncio.create_task(limits.send(lambda: asyncio.sleep(60))) for _ in range(3)]
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    assert all(isinstance(end, asyncio.CancelledError) for end in await asyncio.gather(*tasks, return_exceptions=True))
    assert limits.gate.running == 0


@pytest.mark.parametrize(("option", "tokens"), [("requests_per_minute", 0), ("tokens_per_minute", 10)])
async def test_so_many_a_minute(option, tokens):
    # Ten a second, and a tenth of a minute's worth at once: 60 come through, and one more each tenth of a second.
    limits = Limits(LimitOptions(**{option: 600.0 * (tokens or 1)}))
    clock = asyncio.get_running_loop().time
    started = []

    async def call():
        started.append(clock())

    began = clock()
    await asyncio.gather(*(limits.send(call, tokens=tokens) for _ in range(64)))
    assert len(started) == 64
    # Lower bounds only: they hold on a busy machine, too.
    assert all(started[number] - began >= (number - 59) * 0.1 - 0.02 for number in range(60, 64))
