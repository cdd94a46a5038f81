"""How many requests may be under way at once: more while an endpoint keeps up, fewer when it does not."""

import asyncio
from collections import deque
from statistics import median
from types import TracebackType

SHRINK = 0.5
"""What is left of the limit when the endpoint says that it is too much."""
SLOWER = 3.0
"""How much slower than at first answers may become before the limit gives way a little."""
GIVE_WAY = 0.95
"""What is left of the limit for each answer that is that much slower."""

_WINDOW = 20
"""Answers that latency is judged by."""


class AdaptiveGate:
    """Let so many requests through at a time; first come, first served.

    The limit begins at the ceiling. It halves when the endpoint refuses for want of capacity, once for all requests
    that were under way together, and grows by one for each limit's worth of answers: additive increase, multiplicative
    decrease, as in TCP.

    Args:
        ceiling: The most at a time, at least 1.

    Raises:
        ValueError: The ceiling is below 1.

    Source: Chiu and Jain, "Analysis of the increase and decrease algorithms for congestion avoidance" (1989).
    """

    def __init__(self, ceiling: int) -> None:
        if ceiling < 1:
            raise ValueError(f"at least one request must be allowed at a time, not {ceiling}")
        self._ceiling = ceiling
        self._limit = float(ceiling)
        self._running = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._first: list[float] = []
        self._last: deque[float] = deque(maxlen=_WINDOW)
        self._shrunk_at = float("-inf")

    @property
    def limit(self) -> int:
        """How many requests may be under way now."""
        return int(self._limit)

    @property
    def running(self) -> int:
        """How many are."""
        return self._running

    async def __aenter__(self) -> None:
        """Wait for a place."""
        if self._running < self.limit and not self._waiting:
            self._running += 1
            return
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            # It may have been let in in the same moment; one that was not is passed over when its turn comes.
            if place.done() and not place.cancelled():
                self._leave()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the place to the next one."""
        self._leave()

    def answered(self, seconds: float) -> None:
        """Learn that an answer took so long; the limit grows, or gives way where answers have become slow."""
        if len(self._first) < _WINDOW:
            self._first.append(seconds)
        self._last.append(seconds)
        slow = len(self._last) == _WINDOW and median(self._last) > SLOWER * median(self._first)
        self._set(self._limit * GIVE_WAY if slow else self._limit + 1 / self._limit)

    def refused(self, *, began: float, now: float) -> None:
        """Learn that the endpoint had no capacity for a request.

        Args:
            began: When the request was sent, in seconds.
            now: The time; requests that were sent before the last refusal count as one with it.
        """
        if began >= self._shrunk_at:
            self._set(self._limit * SHRINK)
            self._shrunk_at = now

    def _set(self, limit: float) -> None:
        self._limit = min(float(self._ceiling), max(1.0, limit))
        self._admit()

    def _leave(self) -> None:
        self._running -= 1
        self._admit()

    def _admit(self) -> None:
        while self._waiting and self._running < self.limit:
            place = self._waiting.popleft()
            if not place.done():
                self._running += 1
                place.set_result(None)
