"""What every way to run a model offers."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from checkwise.questions import Choice, Choose, Failure, Generate, Generation


@dataclass(frozen=True)
class Capabilities:
    """What an engine can do, stated once."""

    logprobs: bool
    """Whether ``Choose`` is answered from token probabilities."""
    context: int | None
    """Tokens that prompt and answer may have together; None if unknown."""
    concurrency: int = 1
    """Questions it works on at the same time."""
    gathers: bool = False
    """Whether it gathers questions and answers them together: then all that can be asked should be."""


class Engine(Protocol):
    """A way to run one model."""

    @property
    def model(self) -> str:
        """The model's name, as the user wrote it."""
        ...

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """Everything about the engine that can change an answer; part of the key of each."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        ...

    async def generate(self, question: Generate) -> Generation | Failure:
        """Write text."""
        ...

    def choose(self, question: Choose) -> AsyncIterator[Choice | Failure]:
        """Yield the answer to each suffix, in their order, each as soon as it is known."""
        ...

    async def close(self) -> None:
        """Give back what the engine holds."""
        ...
