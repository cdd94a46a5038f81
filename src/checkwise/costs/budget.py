"""A limit on what models are asked: every question is held against it before it is put."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from checkwise.costs.counting import CountsTokens, CutsPrompts
from checkwise.costs.money import dollars
from checkwise.costs.prices import Price, Prices
from checkwise.costs.text_tokens import estimate_tokens
from checkwise.engines import Engine
from checkwise.errors import BudgetSpentError, UserError
from checkwise.questions import Choice, Choose, Failure, Generate, Generation, Usage
from checkwise.store import Used

MARGIN = 1.3
"""What an estimate of a prompt's tokens is multiplied with, so that it is hardly ever too low."""

_A_MESSAGE = 8
"""Tokens that a chat format may put around a message."""


@dataclass(frozen=True, kw_only=True)
class Spending:
    """What a run may spend, together with what it has spent before in the same folder.

    Args:
        max_cost: Dollars, 0 or more; None for no limit.
        max_calls: Questions, 0 or more; each item of a checklist is one. None for no limit.
        prices: What models cost.
    """

    max_cost: float | None = None
    max_calls: int | None = None
    prices: Prices = field(default_factory=Prices)

    def __post_init__(self) -> None:
        """Refuse limits that are none."""
        if self.max_cost is not None and not 0 <= self.max_cost < float("inf"):
            raise UserError(f"the limit of cost is {self.max_cost}", todo="Give dollars, 0 or more.")
        if self.max_calls is not None and self.max_calls < 0:
            raise UserError(f"the limit of calls is {self.max_calls}", todo="Give a number, 0 or more.")

    def check(self, models: Iterable[str]) -> None:
        """Make sure that a limit of cost can be kept.

        Args:
            models: All models that may be asked.

        Raises:
            UserError: The price of one is not known, so that nobody can tell what it costs.
        """
        unknown = [model for model in models if self.prices.find(model) is None]
        if self.max_cost is not None and unknown:
            raise UserError(
                f"--max-cost cannot be kept: the price of {' and of '.join(unknown)} is not known",
                todo="Give it with --price IN,OUT (dollars per million tokens) or --machine-hour DOLLARS; or limit the "
                "questions with --max-calls.",
            )


@dataclass
class Budget:
    """What is left of what a run may spend.

    Args:
        spending: The limits.
        cost: Dollars that were spent before.
        calls: Questions that were asked before.
    """

    spending: Spending = field(default_factory=Spending)
    cost: float = 0.0
    calls: int = 0

    def __post_init__(self) -> None:
        """Begin with nothing in flight."""
        self._held_cost = 0.0
        self._held_calls = 0
        self._prices: dict[str, Price | None] = {}
        self._slowest: dict[str, float] = {}
        self._settled = asyncio.Event()

    def take_earlier(self, used: Iterable[Used], models: Iterable[str]) -> None:
        """Count what earlier answers of the run's models took.

        Args:
            used: What stored answers took.
            models: The models of this run; those of other runs in the same folder are not counted.
        """
        models = set(models)
        for each in used:
            if each.model in models:
                self.calls += each.questions
                self.cost += self.price_of(each.model, each.usage) or 0.0

    def price_of(self, model: str, usage: Usage) -> float | None:
        """Compute what something has cost; None where the model's price is not known."""
        if model not in self._prices:
            self._prices[model] = self.spending.prices.find(model)
        price = self._prices[model]
        return None if price is None else price.of(usage)

    async def hold(self, model: str, questions: int, worst: Callable[[], Sequence[Usage]]) -> "Held":
        """Put the worst price of the next questions by, as many of them as there is room for.

        Where there is room for none, but questions are in flight that may turn out cheaper than was put by, these are
        waited for.

        Args:
            model: The model that would be asked.
            questions: How many would be asked, at least one.
            worst: Gives the most that each of them can take; only called where cost is limited.

        Returns:
            What is held, for one question or more from the first on.

        Raises:
            BudgetSpentError: There is no room for the first question.
        """
        costs = [0.0] * questions
        if self.spending.max_cost is not None:
            costs = [self.price_of(model, self._at_slowest(model, usage)) or 0.0 for usage in worst()]
        while not (count := self._room(costs)):
            if not self._held_calls:
                raise self._spent(costs[0])
            self._settled.clear()
            await self._settled.wait()
        held = Held(self, model, costs[:count])
        self._held_cost += sum(held.costs)
        self._held_calls += count
        return held

    def settle(self, model: str, held: float, usage: Usage | None) -> None:
        """Take a question off what is held.

        Args:
            model: The model.
            held: The dollars that were put by for it.
            usage: What it took; None if nobody knows, so that all of it counts as spent.
        """
        if usage is not None:
            self._slowest[model] = max(self._slowest.get(model, 0.0), usage.seconds)
        self.cost += held if usage is None else (self.price_of(model, usage) or 0.0)
        self.calls += 1
        self.release([held])

    def release(self, held: Sequence[float]) -> None:
        """Give back what was put by for questions that are answered, or were not asked."""
        self._held_cost -= sum(held)
        self._held_calls -= len(held)
        self._settled.set()

    def _room(self, costs: Sequence[float]) -> int:
        """Count how many of the next questions fit, from the first on."""
        limit, calls = self.spending.max_cost, self.spending.max_calls
        most = len(costs) if calls is None else min(len(costs), calls - self.calls - self._held_calls)
        if limit is None:
            return max(most, 0)
        total = self.cost + self._held_cost
        for count, cost in enumerate(costs[: max(most, 0)]):
            total += cost
            if total > limit:
                return count
        return max(most, 0)

    def _at_slowest(self, model: str, usage: Usage) -> Usage:
        return usage.model_copy(update={"seconds": self._slowest.get(model, 0.0)})

    def _spent(self, next_cost: float) -> BudgetSpentError:
        limits = self.spending
        if limits.max_calls is not None and self.calls >= limits.max_calls:
            return BudgetSpentError(
                f"Stopped at --max-calls: {self.calls:,} of {limits.max_calls:,} questions are asked",
                todo="Run the same command with a higher limit to go on.",
            )
        return BudgetSpentError(
            f"Stopped at --max-cost: {dollars(self.cost)} of {dollars(limits.max_cost or 0.0)} are spent, and the next "
            f"question may cost {dollars(next_cost)}",
            todo="Run the same command with a higher limit to go on.",
        )


class Held:
    """What is put by for questions in flight; a context manager that gives back what is left of it.

    Args:
        budget: Where it is taken from.
        model: The model that is asked.
        costs: The dollars put by for each question.
    """

    def __init__(self, budget: Budget, model: str, costs: Sequence[float]) -> None:
        self.costs = list(costs)
        self.count = len(self.costs)
        """Questions that may be asked."""
        self._budget = budget
        self._model = model

    def settle(self, answer: Generation | Choice | Failure) -> None:
        """Count the next question as asked, and what it took as spent.

        Args:
            answer: Its answer; one that did not fit the context was never sent.
        """
        held = self.costs.pop(0)
        if not isinstance(answer, Failure):
            self._budget.settle(self._model, held, answer.usage)
        elif answer.kind == "context_exceeded":
            self._budget.release([held])
        else:
            self._budget.settle(self._model, held, None)

    def __enter__(self) -> Self:
        """Ask."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Give back what was not asked for."""
        self._budget.release(self.costs)
        self.costs = []


def worst_usage(engine: Engine, question: Choose | Generate) -> list[Usage]:
    """Estimate the most that the questions to an engine can take.

    Args:
        engine: The engine.
        question: What it would be asked.

    Returns:
        One usage an answer, as if nothing came from a cache and all tokens allowed were written.
    """
    counts = isinstance(engine, CountsTokens) and not isinstance(engine, CutsPrompts)

    def tokens(text: str) -> float:
        return engine.count_tokens(text) if counts else MARGIN * estimate_tokens(text) + _A_MESSAGE  # type: ignore[attr-defined]

    if isinstance(question, Generate):
        return [_usage(sum(tokens(message.content) for message in question.messages), question.max_tokens)]
    shared = tokens("".join(question.shared)) + (0 if question.system is None else tokens(question.system))
    return [_usage(shared + tokens(suffix), 1) for suffix in question.suffixes]


def worst_translation(piece: str, *, max_tokens: int = 1024) -> Usage:
    """Estimate the most that the translation of a piece can take, with the prompt around it."""
    return _usage(MARGIN * estimate_tokens(piece) + 200, max_tokens)


def _usage(read: float, written: int) -> Usage:
    return Usage(prompt_tokens=round(read), computed_tokens=round(read), generated_tokens=written)
