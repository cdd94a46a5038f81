"""Ctrl-C and SIGTERM: the first one ends a run cleanly, the second one at once."""

import asyncio
import os
import signal
from collections.abc import Coroutine
from types import FrameType, TracebackType
from typing import Any, Self, TypeVar

from checkwise.cli.console import note
from checkwise.cli.exit_codes import ExitCode

Answer = TypeVar("Answer")

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run_until_stopped(work: Coroutine[Any, Any, Answer]) -> Answer:
    """Run a coroutine to its end, or until the user stops it.

    Args:
        work: What to run; it is cancelled when the user stops it.

    Returns:
        What it returns.

    Raises:
        KeyboardInterrupt: The user stopped it.
    """
    with _StopSignals() as signals:
        try:
            return asyncio.run(signals.watch(work))
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None


class _StopSignals:
    def __init__(self) -> None:
        self._running: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None
        self._stopping = False

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._stop) for number in _SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    async def watch(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - this is a coroutine
        self._running = (asyncio.get_running_loop(), task)
        return await work

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        if self._stopping or self._running is None:
            # Answers are committed one by one, so nothing is lost.
            os._exit(ExitCode.INTERRUPTED)
        self._stopping = True
        loop, task = self._running
        # Not from here: a signal may come in the middle of a line that is being written.
        loop.call_soon_threadsafe(note, "Stopping; once more to end at once.")
        loop.call_soon_threadsafe(task.cancel)
