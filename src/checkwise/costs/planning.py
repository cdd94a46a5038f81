"""An engine that asks nobody: it counts the prompts it is given, and answers with what stands in for an answer."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

from checkwise.costs.counting import PromptCounter, Read
from checkwise.costs.pace import Pace
from checkwise.costs.stand_ins import StandIns
from checkwise.engines import Capabilities, Engine
from checkwise.parsing.choices import sampled_choice
from checkwise.questions import AskStep, Choice, Choose, Failure, Generate, Generation, Usage


@dataclass
class PlanningEngine:
    """Stands in for an engine while a run is planned; its answers carry the usage that the engine's are expected to.

    Since it has the engine's identity, a store's answers of the engine are found, and a question that comes twice is
    planned once.

    Args:
        engine: The engine that would be asked.
        counter: Counts its prompts.
        stand_ins: What it is taken to write.
        pace: How fast it is, where that has been seen.
        context: Tokens that a prompt and its answer may have together; None if unknown.
    """

    engine: Engine
    counter: PromptCounter
    stand_ins: StandIns
    pace: Pace | None = None
    context: int | None = None
    written: dict[AskStep, int] = field(default_factory=dict)
    """Tokens of a text that were assumed, by step."""
    chosen: int = 0
    """Choices that were asked for."""
    too_long: int = 0
    """Prompts that do not fit the context."""

    @property
    def model(self) -> str:
        """The engine's model."""
        return self.engine.model

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """The engine's identity."""
        return self.engine.identity

    @property
    def capabilities(self) -> Capabilities:
        """What the engine can do, one question at a time."""
        return Capabilities(logprobs=self.engine.capabilities.logprobs, context=self.context)

    async def generate(self, question: Generate) -> Generation | Failure:
        """Answer with a text that stands in for the engine's."""
        read = self.counter.generate(question)
        if failure := self._too_long(read):
            return failure
        text = self.stand_ins.text(question)
        length = self.stand_ins.length(question)
        tokens = min(round(self.counter.text(text) if length is None else length), question.max_tokens)
        self.written[question.step] = max(tokens, self.written.get(question.step, 0))
        return Generation(text=text, finish="stop", usage=self._usage(read, tokens))

    async def choose(self, question: Choose) -> AsyncIterator[Choice | Failure]:
        """Answer with options that are equally likely."""
        for read in self.counter.choose(question):
            if failure := self._too_long(read):
                yield failure
                continue
            self.chosen += 1
            usage = self._usage(read, 1)
            if question.temperature:
                yield sampled_choice(question.options[0], question.options, usage)
                continue
            even = dict.fromkeys(question.options, 1 / len(question.options))
            yield Choice(probabilities=dict(even), variants=even, usage=usage)

    async def close(self) -> None:
        """Close the engine."""
        await self.engine.close()

    def _too_long(self, read: Read) -> Failure | None:
        if self.context is None or read.prompt < self.context:
            return None
        self.too_long += 1
        return Failure(kind="context_exceeded", reason=f"the prompt has about {read.prompt:,} tokens")

    def _usage(self, read: Read, written: int) -> Usage:
        seconds = 0.0 if self.pace is None else self.pace.seconds(read.computed, written)
        return Usage(
            prompt_tokens=read.prompt, computed_tokens=read.computed, generated_tokens=written, seconds=seconds
        )
