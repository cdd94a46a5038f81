"""Grading all responses, those to one instance one after another, so that the judge reads a query once."""

from collections.abc import Mapping, Sequence

from checkwise.methods import ChecklistMethod, Method
from checkwise.records import Checklist, Dataset, Finding, Instance, ItemGrade, Response, Score
from checkwise.runs.ask import StoredAsk
from checkwise.runs.progress import RunProgress, Step
from checkwise.runs.side_by_side import side_by_side
from checkwise.scoring.mean import empty_grades, empty_score, mean_score
from checkwise.store import Database

Judgment = tuple[Score, Sequence[ItemGrade], Sequence[Finding]]
"""The score of one response, and the grades or the findings behind it."""


async def grade_responses(
    dataset: Dataset,
    checklists: Mapping[str, Checklist],
    missing: Mapping[str, str],
    method: Method,
    ask: StoredAsk,
    *,
    database: Database,
    concurrency: int,
    gathers: bool = False,
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
        gathers: Whether the judge answers many questions together; then responses do not wait for each other.
        progress: Told after each response.

    Raises:
        CheckwiseError: The judge has stopped answering; what was judged is kept.
    """
    instances = {instance.id: instance for instance in dataset.instances}
    together: dict[object, list[Response]] = {}
    for place, response in enumerate(dataset.responses):
        together.setdefault(place if gathers else response.instance_id, []).append(response)
    done = fresh = 0

    async def grade_in_turn(responses: Sequence[Response]) -> None:
        nonlocal done, fresh
        for response in responses:
            instance = instances[response.instance_id]
            before = ask.asked.questions
            database.keep_judgment(
                *await judge_response(method, instance, response, ask, checklists=checklists, missing=missing)
            )
            done += 1
            fresh += ask.asked.questions > before
            progress(Step("grading", done, len(dataset.responses), fresh))

    await side_by_side(list(together.values()), grade_in_turn, concurrency=concurrency)


async def judge_response(
    method: Method,
    instance: Instance,
    response: Response,
    ask: StoredAsk,
    *,
    checklists: Mapping[str, Checklist],
    missing: Mapping[str, str],
) -> Judgment:
    """Judge one response; an empty one by rule.

    Args:
        method: How to judge.
        instance: What was asked.
        response: What a model answered.
        ask: Puts questions to the judge.
        checklists: The list of each instance, for a method that needs one.
        missing: Why an instance has none.

    Returns:
        The score, and what stands behind it.
    """
    if not isinstance(method, ChecklistMethod):
        if response.is_empty:
            return empty_score(response), (), ()
        score, findings = await method.score(instance, response, ask)
        return score, (), findings
    checklist = checklists.get(instance.id)
    if checklist is None:
        return _without_checklist(response, missing.get(instance.id, "it has no checklist")), (), ()
    if response.is_empty:
        return empty_score(response, checklist), empty_grades(response, checklist), ()
    grades = await method.grade(instance, checklist, response, ask)
    return mean_score(grades, instance_id=instance.id, model=response.model), grades, ()


def _without_checklist(response: Response, reason: str) -> Score:
    return Score(instance_id=response.instance_id, model=response.model, status="unscored", reason=reason)
