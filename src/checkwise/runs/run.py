"""One run: collect checklists, grade every response, and keep all of it in the run folder."""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from checkwise.costs.budget import Spending
from checkwise.engines import Engine, EngineOptions
from checkwise.errors import DataError, UserError
from checkwise.methods import ChecklistMethod, Method, RocketEval
from checkwise.models import Progress
from checkwise.models.progress import silent as silent_fetching
from checkwise.records import Dataset
from checkwise.runs.ask import Asked, StoredAsk
from checkwise.runs.checklists import ChecklistsFound, ChecklistSources, collect_checklists
from checkwise.runs.grading import grade_responses
from checkwise.runs.progress import RunProgress, silent
from checkwise.runs.result import Result
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
class Run:
    """Everything that a run is made of.

    Args:
        dataset: Instances and responses.
        out: The run folder.
        method: How to judge.
        judge: The model that grades: an engine, or a name that ``open_engine`` understands.
        generator: The model that writes checklists; the judge if None.
        translator: Who translates for a method that wants English; see ``RunModels``.
        checklists: Where checklists are looked for before one is written.
        options: How the models run.
        spending: What may be spent.
        progress: Told how far the run is.
        fetching: Told how far fetching weights is.
        command: How the command line was called, as JSON, so that it can be called again; empty where it was not.
    """

    dataset: Dataset
    out: Path
    method: Method = field(default_factory=RocketEval)
    judge: str | Engine = DEFAULT_JUDGE
    generator: str | Engine | None = None
    translator: str = DEFAULT_TRANSLATOR
    checklists: ChecklistSources = field(default_factory=ChecklistSources)
    options: EngineOptions = field(default_factory=EngineOptions)
    spending: Spending = field(default_factory=Spending)
    progress: RunProgress = silent
    fetching: Progress = silent_fetching
    command: str = ""

    def __post_init__(self) -> None:
        """Refuse checklists that nobody would look at."""
        if not isinstance(self.method, ChecklistMethod) and self.checklists != ChecklistSources():
            raise UserError(f"the method {self.method.name} has no checklists", todo="Leave --checklists out.")

    async def write_checklists(self) -> ChecklistsFound:
        """Find or write the checklists and keep them in the run folder; grade nothing.

        Returns:
            The lists, and the instances that have none.

        Raises:
            ChecklistError: A file would replace lists that a person has edited in the run folder.
        """
        with RunFolder(self.out) as folder:
            writer = self.generator if self.generator is not None else self.judge
            async with self.models(judge=writer).opened(self.method, folder.database) as models:
                found = await self._collect(folder, models.ask_generator(folder.database, Asked()))
            folder.database.keep_checklists(found.by_instance.values())
            return found

    async def grade(self) -> tuple[Result, Asked]:
        """Find or write the checklists, grade every response, and write the report.

        Returns:
            The result, and what was asked to get it.

        Raises:
            DataError: There are no responses.
            ChecklistError: A file would replace lists that a person has edited in the run folder.
            NothingJudgedError: Not one response could be scored.
            BudgetSpentError: A limit is reached; what was done is kept.
        """
        if not self.dataset.responses:
            raise DataError(
                f"{self.dataset.name} has {len(self.dataset.instances)} queries and no responses to judge",
                todo="Put responses beside the queries, or name them with --responses.",
            )
        with RunFolder(self.out) as folder:
            asked = Asked()
            async with self.models().opened(self.method, folder.database) as models:
                await self.lead(folder, models, asked)
            result = Result(self.out)
            result.require_scores()
            result.report()
            return result, asked

    async def lead(self, folder: RunFolder, models: OpenModels, asked: Asked) -> None:
        """Find or write the checklists, and grade every response; make no report.

        Args:
            folder: Where all of it is kept.
            models: Who is asked.
            asked: Told what was asked.
        """
        facts = method_facts(self.method, models)
        if self.command:
            facts["command"] = self.command
        found = ChecklistsFound()
        if isinstance(self.method, ChecklistMethod):
            found = await self._collect(folder, models.ask_generator(folder.database, asked))
            facts |= checklist_facts(found)
        # Not before: a run that cannot begin leaves the results of the last one.
        folder.database.begin_run(self.dataset, facts, found.by_instance.values())
        await grade_responses(
            self.dataset,
            found.by_instance,
            found.missing,
            self.method,
            models.ask_judge(folder.database, asked),
            database=folder.database,
            concurrency=models.judge.capabilities.concurrency,
            gathers=models.judge.capabilities.gathers,
            progress=self.progress,
        )

    async def _collect(self, folder: RunFolder, ask: StoredAsk) -> ChecklistsFound:
        assert isinstance(self.method, ChecklistMethod)  # noqa: S101
        return await collect_checklists(
            self.dataset, folder, self.method, ask, sources=self.checklists, progress=self.progress
        )

    def models(self, *, judge: str | Engine | None = None) -> RunModels:
        """Say which models the run has; ``judge`` in place of its own."""
        return RunModels(
            judge=self.judge if judge is None else judge,
            generator=self.generator,
            translator=self.translator,
            options=with_journal(self.options, self.out),
            spending=self.spending,
            fetching=self.fetching,
        )


def checklist_facts(found: ChecklistsFound) -> dict[str, str]:
    """Say how many lists came from where, such as ``6 generated, 2 edited``, and what else is to be known of them."""
    sources = Counter(checklist.source for checklist in found.by_instance.values())
    items = sum(len(checklist.items) for checklist in found.by_instance.values())
    counts = ", ".join(f"{count} {source}" for source, count in sources.most_common())
    return {"run_notes": json.dumps(found.notes, ensure_ascii=False), "checklists": f"{counts}; {items} items"}
