"""A scorer for Inspect: samples held against checklists, item by item.

    @task
    def my_task():
        return Task(dataset=..., solver=generate(), scorer=checklist())

or, for a log that exists already, ``inspect score LOG --scorer checkwise/checklist``.
"""

import asyncio
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from inspect_ai.scorer import Score, Scorer, Target, ci, mean, scorer
from inspect_ai.solver import TaskState
from platformdirs import user_cache_path

from checkwise.errors import ChecklistError, UserError
from checkwise.integrations.judging_thread import JudgingThread
from checkwise.methods import RocketEval
from checkwise.records import Checklist, Instance, ItemGrade, Response, Turn
from checkwise.runs import DEFAULT_JUDGE
from checkwise.runs.ask import StoredAsk
from checkwise.runs.grading import Judgment, judge_response
from checkwise.store import DATABASE, Database

_ITEMS = "checklist"
"""The field of a sample's metadata that has its list."""


@scorer(metrics=[mean(), ci()])
def checklist(
    judge: str = DEFAULT_JUDGE,
    items: Sequence[str] | None = None,
    generator: str | None = None,
    cache: str | None = None,
) -> Scorer:
    """Score samples by the mean probability that each item of a checklist is met.

    A score's ``metadata`` has ``items``, one row an item: ``item``, ``p_yes`` (0-1), ``mass``, ``reason``; and
    ``judge``. A sample that could not be judged is unscored, with the reason, and stands behind no metric.

    Args:
        judge: The model that grades, as ``checkwise run --judge`` takes it; it is none of Inspect's own.
        items: One list for all samples; else that in a sample's metadata under ``checklist``; else one is written.
        generator: The model that writes lists, from the input and the target; the judge if None.
        cache: The folder where answers are kept, so that nothing is asked twice; one of the user's caches if None.

    Returns:
        The scorer.

    Source: RocketEval (arXiv 2503.05142), section 3.
    """
    if isinstance(items, str):
        raise UserError("items is a text", todo="Give a list of questions.")
    judging = _Judging(judge, generator or judge, Path(cache) if cache else user_cache_path("checkwise") / "inspect")

    async def score(state: TaskState, target: Target) -> Score:
        instance = _instance(state, target)
        given = items if items is not None else state.metadata.get(_ITEMS)
        answer = Response(instance_id=instance.id, model=str(state.model), text=state.output.completion)
        lists = None if given is None else Checklist(instance_id=instance.id, items=tuple(given))
        thread = _thread()
        # Loading weights takes a while, and other samples go on meanwhile.
        for name in (judging.judge, judging.generator):
            await asyncio.to_thread(thread.judge, name)
        judged = await asyncio.wrap_future(thread.submit(judging.judged(thread, instance, answer, lists)))
        return _score(judged, judge)

    return score


@lru_cache(maxsize=1)
def _thread() -> JudgingThread:
    """Give the one thread of this process; it ends with the process."""
    return JudgingThread()


@dataclass(frozen=True)
class _Judging:
    judge: str
    generator: str
    folder: Path

    async def judged(
        self, thread: JudgingThread, instance: Instance, response: Response, given: Checklist | None
    ) -> Judgment | str:
        """Judge one response; gives the reason where there is no checklist."""
        method = RocketEval()
        with closing(self._database()) as database:
            try:
                listed = given or await method.checklist(instance, StoredAsk(thread.judge(self.generator), database))
            except ChecklistError as error:
                return f"it has no checklist: {error.what}"
            ask = StoredAsk(thread.judge(self.judge), database)
            return await judge_response(method, instance, response, ask, checklists={instance.id: listed}, missing={})

    def _database(self) -> Database:
        self.folder.mkdir(parents=True, exist_ok=True)
        return Database(self.folder / DATABASE)


def _instance(state: TaskState, target: Target) -> Instance:
    """Make an instance of a sample: what was asked, before any solver changed it."""
    if isinstance(state.input, str):
        turns = [Turn(role="user", content=state.input)]
    else:
        turns = [
            Turn(role=message.role, content=message.text)
            for message in state.input
            if message.role in ("system", "user", "assistant")
        ]
    reference = target.text.strip() or None
    return Instance(id=str(state.sample_id), turns=tuple(turns), reference=reference)


def _score(judged: Judgment | str, judge: str) -> Score:
    if isinstance(judged, str):
        return Score.unscored(explanation=judged)
    score, grades, _ = judged
    metadata = {"judge": judge, "items": [_row(grade) for grade in grades]}
    if score.value is None:
        return Score.unscored(explanation=score.reason, metadata=metadata)
    lines = [f"{'unscored' if g.p_yes is None else format(g.p_yes, '.2f')}  {g.item}" for g in grades]
    return Score(value=score.value, explanation="\n".join(lines), metadata=metadata)


def _row(grade: ItemGrade) -> dict[str, str | float | None]:
    return {"item": grade.item, "p_yes": grade.p_yes, "mass": grade.mass, "reason": grade.reason}
