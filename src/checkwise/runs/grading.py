"""Grading all responses, those to one instance one after another, so that the judge reads a query once."""

import asyncio
from collections.abc import Mapping

from checkwise.methods import ChecklistMethod, Method, ScoreMethod
from checkwise.records import Checklist, Dataset, Instance, ItemGrade, Response, Score
from checkwise.runs.ask import StoredAsk
from checkwise.runs.progress import RunProgress, Step
from checkwise.scoring.mean import empty_grades, empty_score, mean_score
from checkwise.store import Database

Judgment = tuple[Score, list[ItemGrade]]


async def grade_responses(
    dataset: Dataset,
    checklists: Mapping[str, Checklist],
    missing: Mapping[str, str],
    method: Method,
    ask: StoredAsk,
    *,
    database: Database,
    concurrency: int,
    progress: RunProgress,
) -> None:
    """Judge every response and commit each judgment as soon as it is complete.

    Args:
        dataset: Instances and responses.
        checklists: The list of each instance, for a method that needs one.
        missing: Why an instance has none.
        method: How to judge.
        ask: Puts questions to the judge.
        database: Where judgments go.
        concurrency: Instances that are judged at the same time.
        progress: Told after each response.

    Raises:
        CheckwiseError: The judge has stopped answering; what was judged is kept.
    """
    responses: dict[str, list[Response]] = {instance.id: [] for instance in dataset.instances}
    for response in dataset.responses:
        responses[response.instance_id].append(response)
    places = asyncio.Semaphore(concurrency)
    done = fresh = 0

    async def grade_instance(instance: Instance) -> None:
        nonlocal done, fresh
        async with places:
            for response in responses[instance.id]:
                checklist = checklists.get(instance.id)
                before = ask.asked.questions
                if not isinstance(method, ChecklistMethod):
                    judgment = await _judge_whole(method, instance, response, ask)
                elif checklist is None:
                    judgment = _without_checklist(response, missing.get(instance.id, "it has no checklist"))
                else:
                    judgment = await _judge_by_checklist(method, instance, checklist, response, ask)
                database.keep_judgment(*judgment)
                done += 1
                fresh += ask.asked.questions > before
                progress(Step("grading", done, len(dataset.responses), fresh))

    try:
        async with asyncio.TaskGroup() as tasks:
            for instance in dataset.instances:
                tasks.create_task(grade_instance(instance))
    except ExceptionGroup as group:
        # The first error ended the others' work; a user can act on one.
        raise group.exceptions[0] from None


async def _judge_by_checklist(
    method: ChecklistMethod, instance: Instance, checklist: Checklist, response: Response, ask: StoredAsk
) -> Judgment:
    if response.is_empty:
        return empty_score(response, checklist), list(empty_grades(response, checklist))
    grades = await method.grade(instance, checklist, response, ask)
    return mean_score(grades, instance_id=instance.id, model=response.model), grades


async def _judge_whole(method: ScoreMethod, instance: Instance, response: Response, ask: StoredAsk) -> Judgment:
    score = empty_score(response) if response.is_empty else await method.score(instance, response, ask)
    return score, []


def _without_checklist(response: Response, reason: str) -> Judgment:
    score = Score(instance_id=response.instance_id, model=response.model, status="unscored", reason=reason)
    return score, []
