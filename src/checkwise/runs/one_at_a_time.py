"""Work on the same thing waits for the one before it; work on different things does not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class OneAtATime:
    """A lock for each key that somebody is at work on."""

    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)
    _wanted: dict[str, int] = field(default_factory=dict)

    @asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        """Wait until nobody else is at work on a key, and keep others waiting meanwhile.

        Args:
            key: What the work is on.
        """
        self._wanted[key] = self._wanted.get(key, 0) + 1
        try:
            async with self._locks.setdefault(key, asyncio.Lock()):
                yield
        finally:
            self._wanted[key] -= 1
            if not self._wanted[key]:
                del self._wanted[key], self._locks[key]
