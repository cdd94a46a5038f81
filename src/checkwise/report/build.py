"""From the records of a run to what its report shows."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from checkwise.records import Checklist, Dataset, Instance, ItemGrade, Response, Score
from checkwise.report.content import (
    CategoryLeaderboard,
    Cell,
    Count,
    Fact,
    InstanceContent,
    LeaderboardRow,
    ReportContent,
    ResponseContent,
)

NOT_GRADED = Cell(reason="the judge was not asked about this item")


def build_content(
    dataset: Dataset,
    checklists: Mapping[str, Checklist],
    grades: Sequence[ItemGrade],
    scores: Sequence[Score],
    *,
    leaderboard: pl.DataFrame,
    by_category: pl.DataFrame | None,
    facts: Mapping[str, str],
    notes: Sequence[str],
) -> ReportContent:
    """Put together what the report shows.

    Args:
        dataset: The instances and the responses to them.
        checklists: The checklist of each instance, by its id.
        grades: The judge's answers to items; one that does not fit the checklist is counted and not shown.
        scores: At most one a model and instance; a response without one is shown as unscored.
        leaderboard: Columns rank, model, score, low, high, n, coverage, unscored, empty, mean_mass, low_mass_items;
            scores and shares between 0 and 1.
        by_category: The same with a column category; None for no tables by category.
        facts: How the run was made: label and value, in the order they are shown.
        notes: What a reader of the numbers should know; those of the data come first.

    Returns:
        The content, without a NaN anywhere: what is not known is None.
    """
    rows = _rows(leaderboard)
    order = {row.model: place for place, row in enumerate(rows)}
    responses = _by_instance(dataset.responses, order)
    fitting = {(g.instance_id, g.model, g.number): g for g in grades if _fits(g, checklists.get(g.instance_id))}
    scored = {(score.instance_id, score.model): score for score in scores}
    instances = tuple(
        _instance(instance, checklists.get(instance.id), responses.get(instance.id, []), fitting, scored)
        for instance in dataset.instances
    )
    return ReportContent(
        title=dataset.name,
        facts=tuple(Fact(label=label, value=value) for label, value in _facts(dataset, facts).items()),
        counts=_counts(instances, len(dataset.models), unfitting=len(grades) - len(fitting)),
        leaderboard=rows,
        categories=() if by_category is None else _categories(by_category),
        instances=instances,
        notes=(*dataset.notes, *notes),
    )


def _facts(dataset: Dataset, facts: Mapping[str, str]) -> dict[str, str]:
    return {"Data": f"{dataset.name} ({dataset.format})", **facts}


def _number(value: float | None) -> float | None:
    """Turn NaN, which polars frames may carry, into what it means here."""
    return None if value is None or math.isnan(value) else value


def _row(record: Mapping[str, Any]) -> LeaderboardRow:
    return LeaderboardRow(
        rank=record["rank"],
        model=record["model"],
        score=_number(record["score"]),
        low=_number(record["low"]),
        high=_number(record["high"]),
        n=record["n"],
        coverage=_number(record["coverage"]),
        unscored=record["unscored"],
        empty=record["empty"],
        mean_mass=_number(record["mean_mass"]),
        low_mass_items=record["low_mass_items"],
    )


def _rows(table: pl.DataFrame) -> tuple[LeaderboardRow, ...]:
    return tuple(_row(record) for record in table.iter_rows(named=True))


def _categories(table: pl.DataFrame) -> tuple[CategoryLeaderboard, ...]:
    parts = table.partition_by("category", maintain_order=True)
    return tuple(CategoryLeaderboard(category=part["category"][0], rows=_rows(part)) for part in parts)


def _by_instance(responses: Sequence[Response], order: Mapping[str, int]) -> dict[str, list[Response]]:
    """Group responses by instance, best-ranked model first, models without a place last and by name."""
    groups: dict[str, list[Response]] = {}
    for response in sorted(responses, key=lambda r: (order.get(r.model, len(order)), r.model)):
        groups.setdefault(response.instance_id, []).append(response)
    return groups


def _fits(grade: ItemGrade, checklist: Checklist | None) -> bool:
    """Whether the grade answers the item that stands at its number now: a list may have been edited since."""
    if checklist is None or grade.number > len(checklist.items):
        return False
    return checklist.items[grade.number - 1] == grade.item


def _instance(
    instance: Instance,
    checklist: Checklist | None,
    responses: Sequence[Response],
    grades: Mapping[tuple[str, str, int], ItemGrade],
    scores: Mapping[tuple[str, str], Score],
) -> InstanceContent:
    items = () if checklist is None else checklist.items
    return InstanceContent(
        id=instance.id,
        category=instance.category,
        language=instance.language,
        query=instance.query,
        history=instance.history,
        reference=instance.reference,
        items=items,
        source=None if checklist is None else checklist.source,
        generator=None if checklist is None else checklist.generator,
        responses=tuple(
            _response(
                response,
                scores.get((instance.id, response.model)),
                [grades.get((instance.id, response.model, number)) for number in range(1, len(items) + 1)],
            )
            for response in responses
        ),
    )


def _response(response: Response, score: Score | None, grades: Sequence[ItemGrade | None]) -> ResponseContent:
    value = None if score is None else _number(score.value)
    reason = "it has no score in this run" if score is None else score.reason
    return ResponseContent(
        model=response.model,
        text=response.text,
        history=response.history,
        score=value,
        status="unscored" if score is None or value is None else score.status,
        reason=reason or ("no reason was recorded" if value is None else None),
        cells=tuple(_cell(grade) for grade in grades),
    )


def _cell(grade: ItemGrade | None) -> Cell:
    if grade is None:
        return NOT_GRADED
    p_yes = _number(grade.p_yes)
    return Cell(
        p_yes=p_yes,
        mass=_number(grade.mass),
        mode=grade.mode,
        low_mass=grade.low_mass,
        bounded=grade.bounded,
        reason=grade.reason or ("no reason was recorded" if p_yes is None else None),
    )


def _counts(instances: Sequence[InstanceContent], models: int, *, unfitting: int) -> tuple[Count, ...]:
    """Count what stands behind the numbers; a method without checklists lacks none."""
    responses = [response for instance in instances for response in instance.responses]
    cells = [cell for response in responses for cell in response.cells]
    answered = sum(bool(instance.responses) for instance in instances)
    listed = sum(bool(instance.items) for instance in instances)
    always = (
        Count(label="models", value=models),
        Count(label="instances", value=len(instances)),
        Count(label="responses", value=len(responses)),
        Count(label="unscored responses", value=sum(r.score is None for r in responses), left_out=True),
        Count(label="empty responses", value=sum(r.status == "empty" for r in responses)),
        Count(label="graded items", value=sum(cell.p_yes is not None for cell in cells)),
        Count(label="unscored items", value=sum(cell.p_yes is None for cell in cells), left_out=True),
        Count(label="low-mass items", value=sum(cell.low_mass for cell in cells)),
    )
    sometimes = (
        Count(label="missing responses", value=models * len(instances) - len(responses), left_out=True),
        Count(label="instances nobody answered", value=len(instances) - answered, left_out=True),
        Count(label="instances without a checklist", value=len(instances) - listed if listed else 0, left_out=True),
        Count(label="grades of other items than the checklist's", value=unfitting, left_out=True),
    )
    return always + tuple(count for count in sometimes if count.value)
