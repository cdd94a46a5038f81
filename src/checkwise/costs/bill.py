"""Tokens, time and money by step and model."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Self

from checkwise.costs.money import dollars
from checkwise.costs.prices import TODO, Price, Prices
from checkwise.questions import AskStep, Usage
from checkwise.store import Used


@dataclass(frozen=True)
class Line:
    """What one model took in one step."""

    step: AskStep | None
    """The step; None for answers from before steps were kept."""
    model: str
    """The model, or the translator."""
    questions: int
    """Answers."""
    usage: Usage
    """Tokens and seconds."""
    price: Price | None
    """The price of the model; None where nobody knows it."""

    @property
    def reused(self) -> int:
        """Prompt tokens that came from the model's cache."""
        return max(self.usage.prompt_tokens - self.usage.computed_tokens, 0)

    @property
    def cost(self) -> float | None:
        """Dollars; None where the price is not known, or the time of a model that is paid by the hour."""
        if self.price is None or (self.price.hour and not self.usage.seconds):
            return None
        return self.price.of(self.usage)


@dataclass(frozen=True)
class Bill:
    """All of it."""

    lines: tuple[Line, ...]

    @classmethod
    def of(cls, used: Iterable[Used], prices: Prices) -> Self:
        """Put a price on what answers took.

        Args:
            used: What they took.
            prices: What models cost.

        Returns:
            One line a step and model, in the order of ``used``.
        """
        usages: dict[tuple[AskStep | None, str], Usage] = {}
        questions: dict[tuple[AskStep | None, str], int] = {}
        for each in used:
            place = (each.step, each.model)
            usages[place] = add(usages.get(place, Usage()), each.usage)
            questions[place] = questions.get(place, 0) + each.questions
        found = {model: prices.find(model) for model in {model for _, model in usages}}
        return cls(
            tuple(
                Line(step, model, questions[step, model], usage, found[model])
                for (step, model), usage in usages.items()
            )
        )

    def only(self, steps: Collection[AskStep | None]) -> "Bill":
        """Keep the lines of some steps."""
        return Bill(tuple(line for line in self.lines if line.step in steps))

    def without(self, steps: Collection[AskStep | None]) -> "Bill":
        """Leave out the lines of some steps."""
        return Bill(tuple(line for line in self.lines if line.step not in steps))

    @property
    def usage(self) -> Usage:
        """Tokens and seconds of all lines."""
        total = Usage()
        for line in self.lines:
            total = add(total, line.usage)
        return total

    @property
    def questions(self) -> int:
        """Answers of all lines."""
        return sum(line.questions for line in self.lines)

    @property
    def reused(self) -> int:
        """Prompt tokens that came from caches."""
        return sum(line.reused for line in self.lines)

    @property
    def cost(self) -> float | None:
        """Dollars; None where the price of one model is not known."""
        costs = [line.cost for line in self.lines]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None

    def price_notes(self) -> list[str]:
        """Say what price each model has, and what to do where none is known."""
        notes: dict[str, None] = {}
        for line in self.lines:
            if line.price is None:
                notes[f"the price of {line.model} is not known, and is not taken for 0. {TODO}"] = None
            elif line.cost is None:
                notes[
                    f"{line.model}: {line.price}, and its time is not known before it has answered something in this "
                    "run folder. Run with a small --limit first."
                ] = None
            else:
                notes[f"{line.model}: {line.price}"] = None
        return list(notes)

    def __str__(self) -> str:
        """Write it in one line."""
        usage = self.usage
        read = f"{usage.prompt_tokens:,} tokens read, {self.reused:,} of them from the cache"
        tail = "price not known" if self.cost is None else dollars(self.cost)
        return f"{read}; {usage.generated_tokens:,} written; {usage.seconds:,.0f} s in the engine; {tail}"


def add(one: Usage, other: Usage) -> Usage:
    """Add two usages up."""
    return Usage(**{name: getattr(one, name) + getattr(other, name) for name in Usage.model_fields})
