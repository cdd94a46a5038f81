"""Limits of an endpoint: how many requests at once, how many a minute, and what to do when one does not come through.

A request is sent again when that may help: after 408, 409, 429 and 5xx, a broken connection, a time-out. Waits grow
and are drawn at random, so that requests that failed together do not come back together; what the endpoint says about
when to come back holds for all of them.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from aiolimiter import AsyncLimiter
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt

from checkwise.engines.adaptive_gate import AdaptiveGate
from checkwise.engines.options import LimitOptions

T = TypeVar("T")

_MINUTE = 60.0
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 60.0
"""Seconds: the bound of the first random wait, which doubles, and of the longest one."""


class TemporaryError(Exception):
    """A request that did not come through, and may when it is sent again.

    Args:
        reason: What happened, for a person.
        crowded: Whether the endpoint had no capacity for it.
        wait: Seconds after which the endpoint wants to see it again, where it said so.
    """

    def __init__(self, reason: str, *, crowded: bool = False, wait: float | None = None) -> None:
        self.reason = reason
        self.crowded = crowded
        self.wait = wait
        super().__init__(reason)


@dataclass
class Limits:
    """Send requests within the limits of one endpoint, and again where that may help."""

    options: LimitOptions = field(default_factory=LimitOptions)
    """What is allowed."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """How to wait."""
    clock: Callable[[], float] = time.monotonic
    """The time in seconds."""
    chance: Callable[[float, float], float] = random.uniform
    """Draws a wait between two bounds."""

    def __post_init__(self) -> None:
        """Set the gate and the rates up."""
        self.gate = AdaptiveGate(self.options.concurrency)
        self._requests = _rate(self.options.requests_per_minute)
        self._tokens = _rate(self.options.tokens_per_minute)
        self._closed_until = float("-inf")

    async def send(self, call: Callable[[], Awaitable[T]], *, tokens: int = 0) -> T:
        """Send a request, again where that may help.

        Args:
            call: Sends it once; raises ``TemporaryError`` where it may come through another time.
            tokens: About how many it is made of, answer included.

        Returns:
            What the call returned.

        Raises:
            TemporaryError: It did not come through in as many attempts as there are.
        """
        trying = AsyncRetrying(
            retry=retry_if_exception_type(TemporaryError),
            stop=stop_after_attempt(self.options.attempts),
            wait=self._wait,
            sleep=self.sleep,
            reraise=True,
        )
        return await trying(self._once, call, tokens)

    async def _once(self, call: Callable[[], Awaitable[T]], tokens: int) -> T:
        async with self.gate:
            await self._until_allowed(tokens)
            began = self.clock()
            try:
                answer = await asyncio.wait_for(call(), self.options.timeout)
            except TimeoutError:
                raise TemporaryError(f"no answer within {self.options.timeout:g} seconds") from None
            except TemporaryError as error:
                if error.crowded:
                    self.gate.refused(began=began, now=self.clock())
                if error.wait is not None:
                    self._closed_until = max(self._closed_until, self.clock() + error.wait)
                raise
            self.gate.answered(self.clock() - began)
            return answer

    async def _until_allowed(self, tokens: int) -> None:
        if self._requests is not None:
            await self._requests.acquire()
        if self._tokens is not None:
            await _take(self._tokens, tokens)
        while (closed := self._closed_until - self.clock()) > 0:
            await self.sleep(closed)

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        # What the endpoint said is waited for before the next attempt, by everybody.
        if isinstance(error, TemporaryError) and error.wait is not None:
            return self.chance(0.0, _FIRST_WAIT)
        return self.chance(0.0, min(_LONGEST_WAIT, _FIRST_WAIT * 2.0**state.attempt_number))


def _rate(a_minute: float | None) -> AsyncLimiter | None:
    """Allow so many a minute, of which a tenth may come at once."""
    if a_minute is None:
        return None
    at_once = max(1.0, a_minute / 10)
    return AsyncLimiter(at_once, _MINUTE * at_once / a_minute)


async def _take(limiter: AsyncLimiter, amount: float) -> None:
    """Take an amount, in pieces where it is more than may come at once."""
    while amount > 0:
        piece = min(amount, limiter.max_rate)
        await limiter.acquire(piece)
        amount -= piece
