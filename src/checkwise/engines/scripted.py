"""An engine whose answers come from one callable, for tests of everything else."""

import random
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field

from checkwise.engines.base import Capabilities
from checkwise.parsing.choices import sampled_choice, sum_over_variants
from checkwise.questions import Choice, Choose, Failure, Generate, Generation, Message, Usage


@dataclass(frozen=True)
class Prompt:
    """Exactly what the model was sent for one answer."""

    messages: tuple[Message, ...]
    """The messages."""
    options: tuple[str, ...] | None
    """The options to choose from; None for a request for text."""
    repeat: int = 0
    """Number of the repetition."""

    @property
    def text(self) -> str:
        """All messages, one after another."""
        return "\n".join(message.content for message in self.messages)


Script = Callable[[Prompt], str | Mapping[str, float] | Failure]
"""Answers a prompt: text for a request for text, the likeliest tokens with their probabilities for a choice."""


@dataclass
class ScriptedEngine:
    """Answer every prompt from ``script``, and keep what was asked in ``prompts``.

    A choice's ``floor`` is the smallest probability that the script returned.
    """

    script: Script
    model: str = "scripted"
    version: str = "1"
    prompts: list[Prompt] = field(default_factory=list)
    concurrency: int = 1

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """Name and version; change the version when the script changes."""
        return {"engine": "scripted", "model": self.model, "version": self.version}

    @property
    def capabilities(self) -> Capabilities:
        """Probabilities of any tokens, any length."""
        return Capabilities(logprobs=True, context=None, concurrency=self.concurrency)

    async def generate(self, question: Generate) -> Generation | Failure:
        """Return the script's text."""
        answer = self._ask(Prompt(question.messages, None, question.repeat))
        if isinstance(answer, Failure):
            return answer
        if not isinstance(answer, str):
            raise TypeError(f"the script returned {type(answer).__name__} for a request for text")
        return Generation(text=answer, finish="stop", usage=self._usage(question.messages, self.count_tokens(answer)))

    async def choose(self, question: Choose) -> AsyncIterator[Choice | Failure]:
        """Yield the script's probabilities, one suffix after another."""
        system = (Message(role="system", content=question.system),) if question.system is not None else ()
        for suffix in question.suffixes:
            user = Message(role="user", content="".join(question.shared) + suffix)
            messages = (*system, user)
            answer = self._ask(Prompt(messages, question.options, question.repeat))
            if isinstance(answer, Failure):
                yield answer
                continue
            if isinstance(answer, str):
                raise TypeError("the script returned text for a choice")
            if question.temperature:
                yield sampled_choice(_drawn(answer, question), question.options, self._usage(messages, 1))
                continue
            probabilities, variants = sum_over_variants(answer.items(), question.options)
            yield Choice(
                probabilities=probabilities,
                variants=variants,
                floor=min(answer.values(), default=0.0),
                usage=self._usage(messages, 1),
            )

    def count_tokens(self, text: str) -> int:
        """Count words: they are this engine's tokens."""
        return len(text.split())

    async def close(self) -> None:
        """Nothing to give back."""

    def _usage(self, messages: tuple[Message, ...], written: int) -> Usage:
        read = sum(self.count_tokens(message.content) for message in messages)
        return Usage(prompt_tokens=read, computed_tokens=read, generated_tokens=written)

    def _ask(self, prompt: Prompt) -> str | Mapping[str, float] | Failure:
        self.prompts.append(prompt)
        return self.script(prompt)


def _drawn(tokens: Mapping[str, float], question: Choose) -> str:
    """Draw one token, as a model does at this temperature; the same for the same seed and repetition."""
    weights = [probability ** (1 / question.temperature) for probability in tokens.values()]
    return random.Random(question.seed + question.repeat).choices(list(tokens), weights)[0]
