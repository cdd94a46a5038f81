"""The models of a run that is only planned: they are opened without fetching anything, and ask nobody."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace

from checkwise.costs.counting import ESTIMATED, PromptCounter, TextCounter, counter_for
from checkwise.costs.pace import Pace
from checkwise.costs.planning import PlanningEngine
from checkwise.costs.stand_ins import StandIns
from checkwise.engines import Capabilities, Engine, LlamaCppEngine
from checkwise.errors import CheckwiseError
from checkwise.methods import CEJudge
from checkwise.models import find_model, list_cached
from checkwise.prompts import ScoringGuide
from checkwise.questions import Choice, Choose, Failure, Generate, Generation
from checkwise.runs.run_models import RunModels, full_name
from checkwise.store import Database
from checkwise.translation import Translator
from checkwise.translation.model import ModelTranslator

_TOKENIZER_CONTEXT = 512
"""Tokens for which a model is loaded that shall only tokenize: memory grows with it."""

_HOSTED = ("openai:", "http://", "https://", "batch:", "llama-server:", "vllm:")
"""How the names of models begin that need not be there for a plan: they run elsewhere, or on what is optional."""


@dataclass(frozen=True, kw_only=True)
class PlannedModels(RunModels):
    """The models of a run, each with an engine in front that only counts.

    Args:
        guide: The scale of the method's scores; None if it has none of its own.
        seen: The answers of the run so far; None if there are none.
    """

    guide: ScoringGuide | None = None
    seen: Database | None = None
    engines: list[PlanningEngine] = field(default_factory=list)

    def notes(self) -> list[str]:
        """Say how prompts were counted, and what was assumed."""
        found: dict[str, None] = {}
        for engine in self.engines:
            found |= dict.fromkeys(_notes_on(engine))
        return list(found)

    async def _engine(self, model: str | Engine, engines: AsyncExitStack) -> Engine:
        real = await self._unasked(model, engines)
        planning = PlanningEngine(
            real,
            self._counter(real),
            StandIns.learned(self.seen, real.model, score=4 if self.guide is None else self.guide.low),
            None if self.seen is None else Pace.seen(self.seen.used(), real.model),
            context=self.options.embedded.context if isinstance(real, LlamaCppEngine) else real.capabilities.context,
        )
        self.engines.append(planning)
        return planning

    async def _unasked(self, model: str | Engine, engines: AsyncExitStack) -> Engine:
        """Open an engine without fetching weights, and without a key where a service wants one."""
        if not isinstance(model, str):
            return model
        name = full_name(model)
        if name.startswith("local:"):
            entry = find_model(name.removeprefix("local:"))
            if entry not in (cached.entry for cached in list_cached()):
                return _Unopened(name, {"engine": "llama_cpp", "sha256": entry.sha256})
        embedded = self.options.embedded
        embedded = replace(embedded, context=min(embedded.context, _TOKENIZER_CONTEXT))
        small = replace(self.options, embedded=embedded, ray=None)
        try:
            return await RunModels._engine(replace(self, options=small), model, engines)
        except CheckwiseError:
            if not name.startswith(_HOSTED):
                raise
            return _Unopened(name, {"engine": "unopened", "model": name})

    def _counter(self, engine: Engine) -> PromptCounter:
        if isinstance(engine, LlamaCppEngine):
            return counter_for(engine, context=self.options.embedded.context)
        if engine.model.startswith("local:") and isinstance(engine, _Unopened):
            # The embedded engine keeps whatever prompts share.
            return TextCounter(note=f"{ESTIMATED}, since its weights are not here yet", least=0)
        return counter_for(engine, context=engine.capabilities.context)

    async def _translator(self, method: CEJudge, judge: Engine, engines: AsyncExitStack) -> Translator | None:
        translator = await super()._translator(method, judge, engines)
        if translator is None or isinstance(translator, ModelTranslator):
            return translator
        return _StandInTranslator(translator, StandIns())


def _notes_on(engine: PlanningEngine) -> list[str]:
    """Say what is to be known of one engine's figures."""
    stand_ins = engine.stand_ins
    notes = []
    if engine.counter.note is not None and (engine.written or engine.chosen):
        notes.append(f"{engine.model}: {engine.counter.note}; expect 15% more or less, and more in other scripts")
    for step, tokens in engine.written.items():
        counts = stand_ins.counts.get(step)
        basis = f"the mean of {counts} of this run" if counts else "assumed, since none is stored yet"
        notes.append(f"{engine.model}: a text for {step} has {tokens} tokens, {basis}")
    if engine.too_long:
        notes.append(f"{engine.model}: {engine.too_long} prompts do not fit the context, and are not counted")
    if isinstance(engine.engine, _Unopened) and not engine.model.startswith("local:"):
        notes.append(f"{engine.model} was not opened, so that what a run folder has of its answers is counted again")
    return notes


@dataclass(frozen=True)
class _Unopened:
    """An engine that is known by its name alone."""

    model: str
    identity: Mapping[str, str | int | float]

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(logprobs=True, context=None)

    async def generate(self, question: Generate) -> Generation | Failure:
        raise NotImplementedError

    def choose(self, question: Choose) -> AsyncIterator[Choice | Failure]:
        raise NotImplementedError

    async def close(self) -> None:
        """Nothing is held."""


class _StandInTranslator:
    """Stands in for a translator that is no model; nothing leaves the machine."""

    def __init__(self, translator: Translator, stand_ins: StandIns) -> None:
        self.name = translator.name
        self.identity = translator.identity
        self.longest = translator.longest
        self._translator = translator
        self._stand_ins = stand_ins

    async def translate(self, piece: str, language: str, *, attempt: int = 0) -> Generation | Failure:
        del language, attempt
        return Generation(text=self._stand_ins.translation(piece), finish="stop")

    async def close(self) -> None:
        await self._translator.close()
