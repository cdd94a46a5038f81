"""Which worker takes which question: those that begin alike go to the same one, and all have as much to do."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class _Place:
    worker: int
    running: int = 0


class Affinity:
    """Share prefixes among workers.

    A run works on a known number of instances at a time. The prefixes used last are taken for theirs; a new prefix goes
    to the worker that has the fewest of them.

    Args:
        workers: How many there are, at least one.
        at_once: Prefixes that are worked on at a time.
    """

    def __init__(self, workers: int, *, at_once: int) -> None:
        self._workers = workers
        self._at_once = max(at_once, 1)
        self._places: OrderedDict[str, _Place] = OrderedDict()

    @contextmanager
    def worker_for(self, prefix: str) -> Iterator[int]:
        """Say which worker a question goes to, while it is asked.

        Args:
            prefix: What the question begins with.

        Yields:
            The worker's number, from 0.
        """
        place = self._places.get(prefix)
        if place is None:
            self._forget_ended()
            place = self._places[prefix] = _Place(self._least_busy())
        self._places.move_to_end(prefix)
        place.running += 1
        try:
            yield place.worker
        finally:
            place.running -= 1

    def _forget_ended(self) -> None:
        idle = [prefix for prefix, place in self._places.items() if not place.running]
        for prefix in idle[: max(len(self._places) - self._at_once + 1, 0)]:
            del self._places[prefix]

    def _least_busy(self) -> int:
        load = [0] * self._workers
        for place in self._places.values():
            load[place.worker] += 1
        return load.index(min(load))
