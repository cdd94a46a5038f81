"""What every translator offers."""

from collections.abc import Mapping
from typing import Protocol

from checkwise.questions import Failure, Generate, Generation


class Translator(Protocol):
    """Translates one piece of text at a time into English."""

    @property
    def name(self) -> str:
        """What people call it, such as ``google``."""
        ...

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """Everything that can change a translation, for the store's key."""
        ...

    @property
    def longest(self) -> int:
        """The most characters of a piece."""
        ...

    async def translate(self, piece: str, language: str, *, attempt: int = 0) -> Generation | Failure:
        """Translate a piece.

        Args:
            piece: At most ``longest`` characters.
            language: BCP 47 code of its language.
            attempt: 0 for the first time; a translator that can give another answer gives one to a later attempt.

        Returns:
            The English text, or why there is none; whatever goes wrong outside is a failure and never raised.
        """
        ...

    async def close(self) -> None:
        """Let go of what it holds."""
        ...


class Writer(Protocol):
    """The part of an engine that a translating model needs."""

    @property
    def model(self) -> str:
        """Name of the model."""
        ...

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """Everything about the engine that can change an answer."""
        ...

    async def generate(self, question: Generate) -> Generation | Failure:
        """Ask for text."""
        ...


def untranslated(reason: str) -> Failure:
    """Make the failure of a translator."""
    return Failure(kind="untranslated", reason=reason)
