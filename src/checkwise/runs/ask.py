"""Between method and engine: the store, then the budget, then the engine. One question is asked once."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from checkwise.costs.budget import Budget, worst_translation, worst_usage
from checkwise.engines import Engine
from checkwise.questions import AskStep, Choice, Choose, Failure, Generate, Generation, Translation
from checkwise.runs.one_at_a_time import OneAtATime
from checkwise.store import Database, choose_keys, generate_key, translate_key
from checkwise.store.used import AnswerKind
from checkwise.translation import Translator, detect_language, is_english, translate_text


@dataclass
class Asked:
    """What a run asked, and what it found in the store."""

    answered: int = 0
    """Answers that the engine gave."""
    reused: int = 0
    """Answers that were in the store."""
    failed: int = 0
    """Questions that the engine had no answer to."""
    prompt_tokens: int = 0
    """Tokens of the prompts."""
    computed_tokens: int = 0
    """Prompt tokens that the engine computed."""
    generated_tokens: int = 0
    """Tokens that the engine wrote."""
    engine_seconds: float = 0.0
    """Wall time in the engine."""
    cost: float | None = 0.0
    """Dollars for all of it; None where the price of a model is not known."""

    @property
    def questions(self) -> int:
        """Questions that the engine was asked, whether it had an answer or not."""
        return self.answered + self.failed


@dataclass
class StoredAsk:
    """Ask an engine what the store does not know; every answer is on disk before it is used."""

    engine: Engine
    database: Database
    asked: Asked = field(default_factory=Asked)
    translator: Translator | None = None
    """Who translates; with None texts stay as they are."""
    budget: Budget = field(default_factory=Budget)
    """What may be spent."""
    on_answer: Callable[[], None] = lambda: None
    """Told after each question that was put to a model."""
    at_work: OneAtATime = field(default_factory=OneAtATime)
    """The texts that are being written."""

    @property
    def model(self) -> str:
        """The model that answers."""
        return self.engine.model

    async def generate(self, question: Generate) -> Generation | Failure:
        """Find or ask for text."""
        key = generate_key(self.engine.identity, question)
        # Who asks the same meanwhile finds the answer in the store.
        async with self.at_work.of(key):
            stored = self.database.find_answer(key, Generation)
            if stored is not None:
                self.asked.reused += 1
                return stored
            with await self.budget.hold(self.model, 1, partial(worst_usage, self.engine, question)) as held:
                answer = await self.engine.generate(question)
                held.settle(answer)
            self._keep(key, self.model, answer, "generate", question.step)
            return answer

    async def choose(self, question: Choose) -> list[Choice | Failure]:
        """Find or ask for the probabilities of each suffix; only what is missing is asked, each suffix once."""
        keys = choose_keys(self.engine.identity, question)
        answers: dict[str, Choice | Failure] = {}
        missing: dict[str, str] = {}
        for key, suffix in zip(keys, question.suffixes, strict=True):
            stored = self.database.find_answer(key, Choice)
            if stored is not None:
                answers[key] = stored
                self.asked.reused += 1
            else:
                missing[key] = suffix
        while missing:
            rest = question.model_copy(update={"suffixes": tuple(missing.values())})
            with await self.budget.hold(self.model, len(missing), partial(worst_usage, self.engine, rest)) as held:
                now = list(missing)[: held.count]
                asked = iter(now)
                part = rest.model_copy(update={"suffixes": rest.suffixes[: held.count]})
                async for answer in self.engine.choose(part):
                    key = next(asked)
                    held.settle(answer)
                    self._keep(key, self.model, answer, "choose", question.step)
                    answers[key] = answer
            missing = {key: suffix for key, suffix in missing.items() if key not in now}
        return [answers[key] for key in keys]

    async def translate(self, text: str, language: str | None) -> Translation | Failure:
        """Give the English of a text; an English one, or one whose language nobody can tell, stays as it is."""
        if self.translator is None:
            return Translation(text=text, language=language, note="not translated: no translator is used")
        known = language or detect_language(text)
        if known is None:
            return Translation(text=text, note="not translated: its language could not be told")
        if is_english(known):
            return Translation(text=text, language=known, note="not translated: it is in English")
        english = await translate_text(text, known, self._piece, longest=self.translator.longest)
        if isinstance(english, Failure):
            return english
        return Translation(text=english, language=known, note=f"translated from {known} by {self.translator.name}")

    async def _piece(self, piece: str, language: str, attempt: int) -> Generation | Failure:
        """Find or ask for the English of one piece."""
        assert self.translator is not None  # noqa: S101 - translate() has seen to it
        key = translate_key(self.translator.identity, piece, language, attempt)
        async with self.at_work.of(key):
            stored = self.database.find_answer(key, Generation)
            if stored is not None:
                self.asked.reused += 1
                return stored
            with await self.budget.hold(self.translator.name, 1, lambda: [worst_translation(piece)]) as held:
                answer = await self.translator.translate(piece, language, attempt=attempt)
                held.settle(answer)
            self._keep(key, self.translator.name, answer, "translate", "translation")
            return answer

    def _keep(
        self, key: str, model: str, answer: Generation | Choice | Failure, kind: AnswerKind, step: AskStep
    ) -> None:
        if isinstance(answer, Failure):
            self.database.keep_failure(key, model, answer)
            self.asked.failed += 1
            self.on_answer()
            return
        self.database.keep_answer(key, model, answer, kind, step=step)
        self.asked.answered += 1
        self.asked.prompt_tokens += answer.usage.prompt_tokens
        self.asked.computed_tokens += answer.usage.computed_tokens
        self.asked.generated_tokens += answer.usage.generated_tokens
        self.asked.engine_seconds += answer.usage.seconds
        cost = self.budget.price_of(model, answer.usage)
        self.asked.cost = None if cost is None or self.asked.cost is None else self.asked.cost + cost
        self.on_answer()
