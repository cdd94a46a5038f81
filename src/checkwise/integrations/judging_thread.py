"""Judges that stay open, in a thread and an event loop of their own, for callers that come and go."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from checkwise.engines import Engine, open_engine

Answer = TypeVar("Answer")


class JudgingThread:
    """The judges of one process or session of tests, each loaded once.

    A judge belongs to the event loop that it was first asked in; tests and evaluations have one each, and so must not
    lend it theirs.

    Args:
        say: Told what takes long, such as fetching weights.
    """

    def __init__(self, say: Callable[[str], None] = lambda _: None) -> None:
        self._say = say
        self._open: dict[str, Engine] = {}
        self._opening = threading.Lock()
        self._said: set[str] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="checkwise", daemon=True)
        self._thread.start()

    def submit(self, coroutine: Coroutine[Any, Any, Answer]) -> Future[Answer]:
        """Start a coroutine in the loop of the judges."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def wait_for(self, coroutine: Coroutine[Any, Any, Answer]) -> Answer:
        """Run a coroutine in the loop of the judges, and wait for its end; in an async test, too."""
        running = self.submit(coroutine)
        try:
            return running.result()
        except KeyboardInterrupt:
            running.cancel()
            raise

    def judge(self, name: str) -> Engine:
        """Give the judge of a name, opened where it was not.

        Raises:
            CheckwiseError: As ``open_engine``.
        """
        with self._opening:
            if name not in self._open:
                self._open[name] = open_engine(name, progress=self._fetching)
            return self._open[name]

    def close(self) -> None:
        """Close all of them."""
        for engine in self._open.values():
            self.wait_for(engine.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _fetching(self, _done: int, _total: int, what: str) -> None:
        if what not in self._said:
            self._said.add(what)
            self._say(what)
