"""The models behind a run: who judges, who writes checklists, who translates."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from checkwise.costs.budget import Budget, Spending
from checkwise.costs.prices import Prices
from checkwise.engines import Engine, EngineOptions, open_engine
from checkwise.methods import CEJudge, ChecklistMethod, ComparingMethod
from checkwise.models import DEFAULT_MODEL, Progress
from checkwise.models.progress import silent
from checkwise.runs.ask import Asked, StoredAsk
from checkwise.store import Database
from checkwise.translation import Translator, open_translator
from checkwise.version import __version__

DEFAULT_JUDGE = f"local:{DEFAULT_MODEL}"
DEFAULT_TRANSLATOR = "llm"

_LLM = "llm:"


@dataclass(frozen=True)
class OpenModels:
    """Engines that are open while a run lasts."""

    judge: Engine
    generator: Engine
    translator: Translator | None

    budget: Budget

    def ask_judge(self, database: Database, asked: Asked) -> StoredAsk:
        """Put questions to the judge, through the store."""
        return StoredAsk(self.judge, database, asked, self.translator, budget=self.budget)

    def ask_generator(self, database: Database, asked: Asked) -> StoredAsk:
        """Put questions to the generator, through the store."""
        return StoredAsk(self.generator, database, asked, budget=self.budget)


@dataclass(frozen=True, kw_only=True)
class RunModels:
    """What the models of a run are called.

    Args:
        judge: The model that judges: an engine, or a name that ``open_engine`` understands.
        generator: The model that writes checklists; the judge if None.
        translator: Who translates for a method that wants English: ``llm`` (the judge), ``llm:ENGINE``, ``google``,
            ``argos`` or ``none``.
        options: How the models run.
        spending: What may be spent.
        fetching: Told how far fetching weights is.
    """

    judge: str | Engine = DEFAULT_JUDGE
    generator: str | Engine | None = None
    translator: str = DEFAULT_TRANSLATOR
    options: EngineOptions = field(default_factory=EngineOptions)
    spending: Spending = field(default_factory=Spending)
    fetching: Progress = silent

    def names(self, method: ComparingMethod) -> list[str]:
        """Name all models that a method may ask, as their engines will be called."""
        models = [full_name(self.judge)]
        if isinstance(method, ChecklistMethod) and self.generator is not None:
            models.append(full_name(self.generator))
        if isinstance(method, CEJudge) and self.translator.startswith(_LLM):
            models.append(full_name(self.translator.removeprefix(_LLM)))
        return list(dict.fromkeys(models))

    @asynccontextmanager
    async def opened(self, method: ComparingMethod, database: Database) -> AsyncIterator[OpenModels]:
        """Open the engines that a method needs, and close them in the end those that were not handed in open.

        Args:
            method: The method.
            database: The answers of the run so far, whose cost counts against a limit.

        Yields:
            The engines.

        Raises:
            UserError: A limit of cost cannot be kept, since the price of a model is not known.
        """
        names = self.names(method)
        # Before anything is fetched.
        self.spending.check(names)
        budget = Budget(self.spending)
        budget.take_earlier(database.used(), names)
        async with AsyncExitStack() as engines:
            judge = await self._engine(self.judge, engines)
            same = self.generator is None or self.generator == self.judge
            generator = judge if same else await self._engine(self.generator or self.judge, engines)
            translator = await self._translator(method, judge, engines) if isinstance(method, CEJudge) else None
            yield OpenModels(judge, generator, translator, budget)

    async def _engine(self, model: str | Engine, engines: AsyncExitStack) -> Engine:
        if not isinstance(model, str):
            return model
        engine = await asyncio.to_thread(open_engine, model, options=self.options, progress=self.fetching)
        engines.push_async_callback(engine.close)
        return engine

    async def _translator(self, method: CEJudge, judge: Engine, engines: AsyncExitStack) -> Translator | None:
        name, engine = self.translator, judge
        if name.startswith(_LLM):
            engine = await self._engine(name.removeprefix(_LLM), engines)
            name = "llm"
        translator = open_translator(name, engine=engine, prompts=method.prompts)
        if translator is not None:
            engines.push_async_callback(translator.close)
        return translator


def with_journal(options: EngineOptions, out: Path) -> EngineOptions:
    """Have batches remembered in a run folder, unless they are remembered elsewhere."""
    if options.batch.journal is not None:
        return options
    return replace(options, batch=replace(options.batch, journal=out / "batches.jsonl"))


def full_name(model: str | Engine) -> str:
    """Name a model as its engine does: a name without a scheme is one of the registry."""
    if not isinstance(model, str):
        return model.model
    return model if ":" in model else f"local:{model}"


def method_facts(method: ComparingMethod, models: OpenModels) -> dict[str, str]:
    """Say how a run was made, for the reader of its results.

    Args:
        method: How it judged.
        models: By what models.

    Returns:
        Names and values.
    """
    prompts = ", ".join(f"{name} ({method.prompts.get(name).origin})" for name in method.prompt_names)
    facts = {
        "method": method.name,
        "judge": models.judge.model,
        "judge_identity": json.dumps(dict(models.judge.identity), ensure_ascii=False),
        "prompts": prompts,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": __version__,
    }
    if isinstance(method, ChecklistMethod):
        facts["generator"] = models.generator.model
    if isinstance(method, CEJudge):
        facts["translator"] = "none" if models.translator is None else models.translator.name
        facts["task"] = method.task or "by category"
    if models.budget.spending.prices != Prices():
        facts["prices"] = models.budget.spending.prices.to_json()
    guide = getattr(method, "guide", None)
    if guide is not None:
        facts["guide"] = f"{guide.name}, {guide.low}-{guide.high}"
    return facts
