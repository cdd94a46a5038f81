"""How many requests may be under way at once."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise.engines.adaptive_gate import AdaptiveGate


async def test_no_more_than_the_ceiling_at_a_time():
    gate, most = AdaptiveGate(3), 0

    async def work():
        nonlocal most
        async with gate:
            most = max(most, gate.running)
            await asyncio.sleep(0)

    await asyncio.gather(*(work() for _ in range(20)))
    assert (most, gate.running) == (3, 0)


async def test_first_come_first_served():
    gate, order = AdaptiveGate(1), []

    async def work(number):
        async with gate:
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(work(number) for number in range(5)))
    assert order == [0, 1, 2, 3, 4]


async def test_a_cancelled_wait_gives_its_place_to_the_next():
    gate = AdaptiveGate(1)
    await gate.__aenter__()
    waiting = [asyncio.create_task(gate.__aenter__()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await gate.__aexit__(None, None, None)
    await waiting[1]
    assert (waiting[0].cancelled(), waiting[2].done(), gate.running) == (True, False, 1)
    # Cancelled in the very moment in which it was let in.
    await gate.__aexit__(None, None, None)
    waiting[2].cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert gate.running == 0


def test_it_halves_once_for_what_was_refused_together_and_grows_slowly():
    gate = AdaptiveGate(16)
    gate.refused(began=1.0, now=2.0)
    assert gate.limit == 8
    gate.refused(began=1.5, now=2.5)
    assert gate.limit == 8
    gate.refused(began=2.5, now=3.0)
    assert gate.limit == 4
    for _ in range(4):
        gate.answered(0.1)
    # 4 + 1/4 + 1/4.25 + 1/4.49 + 1/4.71
    assert gate.limit == 4
    gate.answered(0.1)
    assert gate.limit == 5


def test_it_stays_between_one_and_the_ceiling():
    gate = AdaptiveGate(2)
    for moment in range(10):
        gate.refused(began=moment, now=moment)
    assert gate.limit == 1
    for _ in range(100):
        gate.answered(0.1)
    assert gate.limit == 2


def test_it_gives_way_where_answers_have_become_slow():
    gate = AdaptiveGate(100)
    for _ in range(20):
        gate.answered(0.1)
    assert gate.limit == 100
    for _ in range(20):
        gate.answered(0.5)
    # From the eleventh slow answer on their median is five times what it was: 0.95 to the power of 10 is 0.599.
    assert gate.limit == 59


def test_a_gate_needs_a_place():
    with pytest.raises(ValueError, match="at least one"):
        AdaptiveGate(0)


@given(st.integers(1, 5), st.lists(st.sampled_from(["answer", "refuse", "fail", "cancel"]), max_size=25))
def test_nothing_is_lost_whatever_happens(ceiling, fates):
    async def run():
        gate, done = AdaptiveGate(ceiling), []

        async def work(number, fate):
            async with gate:
                assert gate.running <= ceiling
                await asyncio.sleep(0)
                if fate == "fail":
                    raise KeyError(number)
                gate.refused(began=number, now=number) if fate == "refuse" else gate.answered(0.1)
                done.append(number)

        tasks = [asyncio.create_task(work(number, fate)) for number, fate in enumerate(fates)]
        await asyncio.sleep(0)
        for task, fate in zip(tasks, fates, strict=True):
            if fate == "cancel":
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert gate.running == 0
        assert done.count is not None
        assert {n for n, fate in enumerate(fates) if fate in ("answer", "refuse")} == set(done)
        assert len(done) == len(set(done))

    asyncio.run(run())
