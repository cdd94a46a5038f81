"""One run over pairs: collect checklists where the method wants them, compare every pair, keep all of it."""

from dataclasses import dataclass, field
from pathlib import Path

from checkwise.costs.budget import Spending
from checkwise.engines import Engine, EngineOptions
from checkwise.errors import UserError
from checkwise.methods import CEJudge, ChecklistMethod
from checkwise.models import Progress
from checkwise.models.progress import silent as silent_fetching
from checkwise.records import PairSet
from checkwise.runs.ask import Asked
from checkwise.runs.checklists import ChecklistsFound, ChecklistSources, collect_checklists
from checkwise.runs.comparing import Comparing, compare_pairs
from checkwise.runs.pair_result import ORDER, PairResult
from checkwise.runs.progress import RunProgress, silent
from checkwise.runs.run import checklist_facts
from checkwise.runs.run_models import (
    DEFAULT_JUDGE,
    DEFAULT_TRANSLATOR,
    OpenModels,
    RunModels,
    method_facts,
    with_journal,
)
from checkwise.store import RunFolder


@dataclass(frozen=True, kw_only=True)
class CompareRun:
    """Everything that a run over pairs is made of.

    Args:
        pairs: The pairs.
        out: The run folder.
        how: The method, the order in which pairs are shown, its seed, and the tie margin of scores.
        judge: The model that judges: an engine, or a name that ``open_engine`` understands.
        generator: The model that writes checklists for a method that has one list an instance; the judge if None.
        translator: Who translates for a method that wants English; see ``RunModels``.
        checklists: Where checklists are looked for before one is written.
        options: How the models run.
        spending: What may be spent.
        progress: Told how far the run is.
        fetching: Told how far fetching weights is.
    """

    pairs: PairSet
    out: Path
    how: Comparing = field(default_factory=lambda: Comparing(method=CEJudge()))
    judge: str | Engine = DEFAULT_JUDGE
    generator: str | Engine | None = None
    translator: str = DEFAULT_TRANSLATOR
    checklists: ChecklistSources = field(default_factory=ChecklistSources)
    options: EngineOptions = field(default_factory=EngineOptions)
    spending: Spending = field(default_factory=Spending)
    progress: RunProgress = silent
    fetching: Progress = silent_fetching

    def __post_init__(self) -> None:
        """Refuse checklists that nobody would look at."""
        if not isinstance(self.how.method, ChecklistMethod) and self.checklists != ChecklistSources():
            raise UserError(
                f"the method {self.how.method.name} takes no checklists from files", todo="Leave --checklists out."
            )

    async def compare(self) -> tuple[PairResult, Asked]:
        """Compare every pair, and write the report.

        Returns:
            The result, and what was asked to get it.

        Raises:
            ChecklistError: A file would replace lists that a person has edited in the run folder.
            NothingJudgedError: Not one pair has a verdict.
            BudgetSpentError: A limit is reached; what was done is kept.
        """
        with RunFolder(self.out) as folder:
            asked = Asked()
            async with self.models().opened(self.how.method, folder.database) as models:
                await self.lead(folder, models, asked)
            result = PairResult(self.out)
            result.require_verdicts()
            result.report()
            return result, asked

    async def lead(self, folder: RunFolder, models: OpenModels, asked: Asked) -> None:
        """Find or write the checklists, and compare every pair; make no report.

        Args:
            folder: Where all of it is kept.
            models: Who is asked.
            asked: Told what was asked.
        """
        method, dataset = self.how.method, self.pairs.dataset
        facts = method_facts(method, models) | self._facts()
        found = ChecklistsFound()
        if isinstance(method, ChecklistMethod):
            ask = models.ask_generator(folder.database, asked)
            found = await collect_checklists(
                dataset, folder, method, ask, sources=self.checklists, progress=self.progress
            )
            facts |= checklist_facts(found)
        # Not before: a run that cannot begin leaves the results of the last one.
        folder.database.begin_run(dataset, facts, found.by_instance.values(), pairs=self.pairs.pairs)
        await compare_pairs(
            self.pairs,
            self.how,
            models.ask_judge(folder.database, asked),
            checklists=found.by_instance,
            missing=found.missing,
            database=folder.database,
            concurrency=models.judge.capabilities.concurrency,
            progress=self.progress,
        )

    def models(self) -> RunModels:
        """Say which models the run has."""
        return RunModels(
            judge=self.judge,
            generator=self.generator,
            translator=self.translator,
            options=with_journal(self.options, self.out),
            spending=self.spending,
            fetching=self.fetching,
        )

    def _facts(self) -> dict[str, str]:
        if not self.how.shows_both:
            return {ORDER: "none: each response is scored alone", "margin": f"{self.how.margin:g} on the 1-10 scale"}
        seed = f", seed {self.how.seed}" if self.how.order == "random" else ""
        return {ORDER: f"{self.how.order}{seed}"}
