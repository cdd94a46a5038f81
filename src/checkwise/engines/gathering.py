"""Questions that are asked at about the same time, answered in one call."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")


class Gathering(Generic[Q, A]):
    """Gather questions until no more come, and have them answered together.

    Args:
        answer: Answers questions, in their order.
        quiet: Seconds without a new question after which those that have gathered are answered.
        most: Questions that are answered together.
    """

    def __init__(self, answer: Callable[[Sequence[Q]], Awaitable[Sequence[A]]], *, quiet: float, most: int) -> None:
        self._answer = answer
        self._quiet = quiet
        self._most = most
        self._waiting: list[tuple[Q, asyncio.Future[A]]] = []
        self._worker: asyncio.Task[None] | None = None
        self._arrived = 0.0

    async def ask(self, questions: Sequence[Q]) -> list[A]:
        """Have questions answered, together with what others ask meanwhile.

        Args:
            questions: The questions.

        Returns:
            One answer a question.

        Raises:
            Exception: What answering has raised; all that were answered together see it.
        """
        loop = asyncio.get_running_loop()
        futures = [loop.create_future() for _ in questions]
        self._waiting += zip(questions, futures, strict=True)
        self._arrived = loop.time()
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return list(await asyncio.gather(*futures))

    async def close(self) -> None:
        """Stop; what still waits is never answered."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def _work(self) -> None:
        while self._waiting:
            await self._until_quiet()
            now, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
            # Those that nobody waits for any more need no answer.
            now = [(question, future) for question, future in now if not future.done()]
            if not now:
                continue
            try:
                answers = await self._answer([question for question, _ in now])
            except Exception as error:  # noqa: BLE001 - it belongs to those who asked
                for _, future in now:
                    if not future.done():
                        future.set_exception(error)
                continue
            for (_, future), answer in zip(now, answers, strict=True):
                if not future.done():
                    future.set_result(answer)

    async def _until_quiet(self) -> None:
        loop = asyncio.get_running_loop()
        # Not an event: the time runs on from the last question, whichever that will be.
        while len(self._waiting) < self._most and (left := self._arrived + self._quiet - loop.time()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(left)
