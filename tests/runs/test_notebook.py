"""Where an event loop is running already, as in a notebook."""

import asyncio
import os
import signal
import threading
import time

import pytest

import checkwise
from checkwise.engines import ScriptedEngine
from checkwise.errors import NothingJudgedError
from checkwise.store import RunFolder


async def test_run_works_inside_a_running_loop(bench):
    assert bench.run().leaderboard["model"].to_list() == ["able", "weak"]


async def test_its_errors_come_through(bench):
    with pytest.raises(NothingJudgedError):
        bench.run(script=lambda _: {"Hm": 1.0})


async def test_run_async_can_be_awaited(bench):
    judge = ScriptedEngine(lambda prompt: "1. Is it short?" if prompt.options is None else {"Yes": 0.5, "No": 0.5})
    result = await checkwise.run_async(bench.data, judge=judge, out=bench.out)
    assert result.leaderboard["score"].to_list() == [0.5, 0.5]


@pytest.mark.skipif(os.name == "nt", reason="signals are another matter on Windows")
def test_an_interrupted_cell_stops_the_run(bench):
    class Slow(ScriptedEngine):
        async def choose(self, question):
            async for answer in super().choose(question):
                if len(self.prompts) == 3:
                    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
                    await asyncio.sleep(60)
                yield answer

    judge = Slow(lambda _: {"Yes": 0.5, "No": 0.5})

    async def cell():
        bench.run(judge=judge)

    started = time.monotonic()
    loop = asyncio.new_event_loop()
    with pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(cell())
    loop.close()
    assert time.monotonic() - started < 30
    with RunFolder(bench.out) as folder:
        # Three lists, and the answers before the one that was interrupted.
        assert folder.database.count_answers() == 5
