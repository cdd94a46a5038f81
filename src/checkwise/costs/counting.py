"""How many tokens the prompts of a question have, and how many of them a model would compute: nothing is asked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from checkwise.costs.text_tokens import estimate_tokens
from checkwise.engines import Engine
from checkwise.engines.llama_server import Tokens
from checkwise.engines.segments import SegmentedSlot
from checkwise.questions import Choose, Generate

ESTIMATED = "tokens are estimated from characters"
"""What is said of a model whose tokenizer is not at hand."""

_TOKENS_A_MESSAGE = 4
"""What chat formats put around a message, about."""


@dataclass(frozen=True)
class Read:
    """One prompt."""

    prompt: int
    """Its tokens."""
    computed: int
    """Tokens that are not found in the model's cache; what is sent to keep the cache in order counts, too."""


class PromptCounter(Protocol):
    """Counts the prompts of questions, in the order in which they would be asked."""

    @property
    def note(self) -> str | None:
        """What a reader should know of the counts; None where they are exact."""
        ...

    def choose(self, question: Choose) -> Iterator[Read]:
        """Count the prompt of each suffix."""
        ...

    def generate(self, question: Generate) -> Read:
        """Count the prompt of a request for text."""
        ...

    def text(self, text: str) -> int:
        """Count the tokens of a text alone."""
        ...


@runtime_checkable
class CutsPrompts(Protocol):
    """An engine that knows in which segments it computes a prompt."""

    def prompt_segments(self, question: Choose) -> list[tuple[Tokens, ...]]:
        """Give the segments of the prompt of each suffix."""
        ...

    def message_segments(self, question: Generate) -> tuple[Tokens, ...]:
        """Give the segments of the prompt of a request for text."""
        ...

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text alone."""
        ...


@runtime_checkable
class CountsTokens(Protocol):
    """An engine that has a tokenizer."""

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text alone."""
        ...


@runtime_checkable
class MayHaveTokenizer(Protocol):
    """An engine whose server may offer its tokenizer."""

    def tokenizer(self) -> Callable[[str], int] | None:
        """Give what counts the tokens of a text alone, if the server has it."""
        ...


@dataclass
class SegmentCounter:
    """Counts as the embedded engine computes: each segment once, as long as it stays in the cache.

    Args:
        engine: Has the tokenizer.
        context: Tokens that a prompt may have; a longer one is not computed, and leaves the cache as it is.
    """

    engine: CutsPrompts
    context: int | None
    note: str | None = None
    _slot: SegmentedSlot = field(default_factory=SegmentedSlot)

    def choose(self, question: Choose) -> Iterator[Read]:
        """Count the prompt of each suffix."""
        for segments in self.engine.prompt_segments(question):
            yield self._read(segments)

    def generate(self, question: Generate) -> Read:
        """Count the prompt of a request for text."""
        return self._read(self.engine.message_segments(question), writes=True)

    def text(self, text: str) -> int:
        """Count the tokens of a text alone."""
        return self.engine.count_tokens(text)

    def _read(self, segments: tuple[Tokens, ...], *, writes: bool = False) -> Read:
        length = sum(map(len, segments))
        if self.context is not None and length >= self.context:
            return Read(length, 0)
        computed = self._slot.compute(segments, _nothing, writes=writes)
        return Read(length, computed.computed_tokens)


@dataclass
class TextCounter:
    """Counts texts, for a model that keeps the prompts it has seen: what suffixes share is computed for the first one.

    What questions share with one another is counted as if it were computed each time: whether it is still there
    depends on the service.

    Args:
        count: Counts the tokens of a text.
        note: What a reader should know of the counts.
        a_message: Tokens around each message.
        least: The shortest beginning that is kept, in tokens; None for a model that keeps nothing.
        step: Tokens in which it is kept.
    """

    count: Callable[[str], int] = estimate_tokens
    note: str | None = ESTIMATED
    a_message: int = _TOKENS_A_MESSAGE
    least: int | None = None
    step: int = 1

    def choose(self, question: Choose) -> Iterator[Read]:
        """Count the prompt of each suffix."""
        shared = self.a_message + self.count("".join(question.shared))
        if question.system is not None:
            shared += self.a_message + self.count(question.system)
        kept = 0 if self.least is None or shared < self.least else shared // self.step * self.step
        for number, suffix in enumerate(question.suffixes):
            length = shared + self.count(suffix)
            yield Read(length, length if number == 0 else length - kept)

    def generate(self, question: Generate) -> Read:
        """Count the prompt of a request for text."""
        length = sum(self.a_message + self.count(message.content) for message in question.messages)
        return Read(length, length)

    def text(self, text: str) -> int:
        """Count the tokens of a text alone."""
        return self.count(text)


def counter_for(engine: Engine, *, context: int | None = None) -> PromptCounter:
    """Choose how the prompts of an engine are counted: by its tokenizer where it, or its server, has one.

    Args:
        engine: The engine.
        context: Tokens that a prompt may have; None for no limit.

    Returns:
        The counter.
    """
    if isinstance(engine, CutsPrompts):
        return SegmentCounter(engine, context)
    if isinstance(engine, CountsTokens):
        return TextCounter(engine.count_tokens, note=None, a_message=0)
    counter = hosted_counter(engine.model)
    tokenizer = engine.tokenizer() if isinstance(engine, MayHaveTokenizer) else None
    return counter if tokenizer is None else replace(counter, count=tokenizer, note=None)


def hosted_counter(model: str) -> TextCounter:
    """Count by characters, for a model that is somewhere else.

    Args:
        model: Its name.

    Returns:
        The counter; with OpenAI's rule of what is kept for its models (from 1,024 tokens on, in steps of 128), else
        with that of vLLM (blocks of 16).
    """
    is_openai = model.startswith(("openai:", "https://api.openai.com/"))
    return TextCounter(least=1024, step=128) if is_openai else TextCounter(least=16, step=16)


def _nothing(prompt: Tokens, *, answer: bool) -> dict[str, Any]:
    del prompt, answer
    return {}
