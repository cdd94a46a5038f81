"""Several pieces of work at the same time, as many as the engine takes."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


async def side_by_side(items: Iterable[T], work: Callable[[T], Awaitable[None]], *, concurrency: int) -> None:
    """Do the work for each item; the first error ends the work on the others.

    Args:
        items: What is to be worked on.
        work: Does it for one.
        concurrency: Items that are worked on at the same time, at least 1.

    Raises:
        Exception: What the first work that failed has raised, alone, since a user can act on one.
    """
    places = asyncio.Semaphore(concurrency)

    async def in_its_place(item: T) -> None:
        async with places:
            await work(item)

    try:
        async with asyncio.TaskGroup() as tasks:
            for item in items:
                tasks.create_task(in_its_place(item))
    except ExceptionGroup as group:
        raise group.exceptions[0] from None
