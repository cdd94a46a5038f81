"""One run: collect checklists, grade every response, and keep all of it in the run folder."""

import asyncio
import json
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from checkwise.engines import Engine, LlamaCppOptions, open_engine
from checkwise.errors import DataError, UserError
from checkwise.methods import ChecklistMethod, Method, RocketEval
from checkwise.models import DEFAULT_MODEL, Progress
from checkwise.models.progress import silent as silent_fetching
from checkwise.records import Dataset
from checkwise.runs.ask import Asked, StoredAsk
from checkwise.runs.checklists import ChecklistsFound, ChecklistSources, collect_checklists
from checkwise.runs.grading import grade_responses
from checkwise.runs.progress import RunProgress, silent
from checkwise.runs.result import Result
from checkwise.store import RunFolder
from checkwise.version import __version__

DEFAULT_JUDGE = f"local:{DEFAULT_MODEL}"


@dataclass(frozen=True, kw_only=True)
class Run:
    """Everything that a run is made of.

    Args:
        dataset: Instances and responses.
        out: The run folder.
        method: How to judge.
        judge: The model that grades: an engine, or a name that ``open_engine`` understands.
        generator: The model that writes checklists; the judge if None.
        checklists: Where checklists are looked for before one is written.
        options: How the embedded engine runs.
        progress: Told how far the run is.
        fetching: Told how far fetching weights is.
    """

    dataset: Dataset
    out: Path
    method: Method = field(default_factory=RocketEval)
    judge: str | Engine = DEFAULT_JUDGE
    generator: str | Engine | None = None
    checklists: ChecklistSources = field(default_factory=ChecklistSources)
    options: LlamaCppOptions = field(default_factory=LlamaCppOptions)
    progress: RunProgress = silent
    fetching: Progress = silent_fetching

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
            async with AsyncExitStack() as engines:
                generator = await self._opened(self.generator if self.generator is not None else self.judge, engines)
                found = await self._collect(folder, StoredAsk(generator, folder.database))
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
        """
        if not self.dataset.responses:
            raise DataError(
                f"{self.dataset.name} has {len(self.dataset.instances)} queries and no responses to judge",
                todo="Put responses beside the queries, or name them with --responses.",
            )
        with RunFolder(self.out) as folder:
            asked = Asked()
            async with AsyncExitStack() as engines:
                judge = await self._opened(self.judge, engines)
                same = self.generator is None or self.generator == self.judge
                generator = judge if same else await self._opened(self.generator or self.judge, engines)
                facts = self._facts(judge, generator)
                found = ChecklistsFound()
                if isinstance(self.method, ChecklistMethod):
                    found = await self._collect(folder, StoredAsk(generator, folder.database, asked))
                    facts["run_notes"] = json.dumps(found.notes, ensure_ascii=False)
                    facts["checklists"] = _sources(found)
                # Not before: a run that cannot begin leaves the results of the last one.
                folder.database.begin_run(self.dataset, facts, found.by_instance.values())
                await grade_responses(
                    self.dataset,
                    found.by_instance,
                    found.missing,
                    self.method,
                    StoredAsk(judge, folder.database, asked),
                    database=folder.database,
                    concurrency=judge.capabilities.concurrency,
                    progress=self.progress,
                )
            result = Result(self.out)
            result.require_scores()
            result.report()
            return result, asked

    async def _collect(self, folder: RunFolder, ask: StoredAsk) -> ChecklistsFound:
        assert isinstance(self.method, ChecklistMethod)  # noqa: S101
        return await collect_checklists(
            self.dataset, folder, self.method, ask, sources=self.checklists, progress=self.progress
        )

    async def _opened(self, model: str | Engine, engines: AsyncExitStack) -> Engine:
        if not isinstance(model, str):
            return model
        engine = await asyncio.to_thread(open_engine, model, options=self.options, progress=self.fetching)
        engines.push_async_callback(engine.close)
        return engine

    def _facts(self, judge: Engine, generator: Engine) -> dict[str, str]:
        library = self.method.prompts
        prompts = {name: library.get(name).origin for name in self.method.prompt_names}
        facts = {
            "method": self.method.name,
            "judge": judge.model,
            "judge_identity": json.dumps(dict(judge.identity), ensure_ascii=False),
            "prompts": ", ".join(f"{name} ({origin})" for name, origin in prompts.items()),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "version": __version__,
        }
        return facts | ({"generator": generator.model} if isinstance(self.method, ChecklistMethod) else {})


def _sources(found: ChecklistsFound) -> str:
    """Say how many lists came from where, such as ``6 generated, 2 edited``."""
    sources = Counter(checklist.source for checklist in found.by_instance.values())
    items = sum(len(checklist.items) for checklist in found.by_instance.values())
    return f"{', '.join(f'{count} {source}' for source, count in sources.most_common())}; {items} items"
