"""How long work on large files tells how far it is."""

from typing import Protocol


class Progress(Protocol):
    """What is called, again and again, while a large file is copied or read."""

    def __call__(self, done: int, total: int, what: str, /) -> None:
        """Take note of the state.

        Args:
            done: Bytes done so far.
            total: Bytes there are.
            what: What is being done, for people to read.
        """


def silent(_done: int, _total: int, _what: str, /) -> None:
    """Tell nobody."""
