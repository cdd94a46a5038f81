"""From the records of a run to what its report shows."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

import polars as pl

from checkwise.records import Checklist, Dataset, Finding, Instance, ItemGrade, Response, Score
from checkwise.report.content import (
    CategoryLeaderboard,
    Count,
    Fact,
    InstanceContent,
    LeaderboardRow,
    ReportContent,
)
from checkwise.report.item_profile import item_profiles
from checkwise.report.metrics import MetricTable
from checkwise.report.response_build import Evidence, number
from checkwise.report.sections import CostRow, Distribution, Meeting
from checkwise.report.trust_page import TrustPage

_BINS = 10
"""Of the distributions of scores."""


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
    findings: Sequence[Finding] = (),
    metrics: Sequence[MetricTable] = (),
    meetings: pl.DataFrame | None = None,
    trust: TrustPage | None = None,
    costs: Sequence[CostRow] = (),
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
        findings: What the method wrote down; what is about no model is about an instance's instruction.
        metrics: The scores against people's ratings; none for no such section.
        meetings: Columns model_a, model_b, n, wins, ties, win_rate, low, high; None for no such section.
        trust: How far to trust the judge; None for no such section.
        costs: What it took; none for no such section.

    Returns:
        The content, without a NaN anywhere: what is not known is None.
    """
    rows = _rows(leaderboard)
    order = {row.model: place for place, row in enumerate(rows)}
    responses = _by_instance(dataset.responses, order)
    evidence = Evidence.of(checklists, grades, scores, findings)
    upsets = _upsets(trust)
    instances = tuple(
        instance_content(one, responses.get(one.id, []), evidence, upset=upsets.get(one.id))
        for one in dataset.instances
    )
    return ReportContent(
        title=dataset.name,
        facts=all_facts(dataset.name, dataset.format, facts),
        counts=_counts(instances, len(dataset.models), unfitting=evidence.unfitting),
        leaderboard=rows,
        categories=() if by_category is None else _categories(by_category),
        meetings=() if meetings is None else _meetings(meetings),
        distributions=_distributions(scores, order),
        metrics=tuple(metrics),
        trust=trust,
        profiles=item_profiles(dataset.instances, checklists),
        costs=tuple(costs),
        instances=instances,
        notes=(*dataset.notes, *notes),
    )


def all_facts(name: str, layout: str, facts: Mapping[str, str]) -> tuple[Fact, ...]:
    """Put what the data is before the facts of the run.

    Args:
        name: What the data is called.
        layout: The reader that understood it.
        facts: Label and value, in the order they are shown.

    Returns:
        All of them.
    """
    return tuple(Fact(label=label, value=value) for label, value in {"Data": f"{name} ({layout})", **facts}.items())


def _row(record: Mapping[str, Any]) -> LeaderboardRow:
    return LeaderboardRow(
        rank=record["rank"],
        model=record["model"],
        score=number(record["score"]),
        low=number(record["low"]),
        high=number(record["high"]),
        n=record["n"],
        coverage=number(record["coverage"]),
        unscored=record["unscored"],
        empty=record["empty"],
        mean_mass=number(record["mean_mass"]),
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


def _upsets(trust: TrustPage | None) -> dict[str, float]:
    """Give the widest disagreement of each instance; where people voted and agreed with the judge there is none."""
    widest: dict[str, float] = {}
    for upset in () if trust is None else trust.upsets:
        widest[upset.instance_id] = max(upset.size, widest.get(upset.instance_id, 0.0))
    return widest


def _meetings(table: pl.DataFrame) -> tuple[Meeting, ...]:
    named = table.select("n", "wins", "ties", "win_rate", "low", "high", model="model_a", opponent="model_b")
    return tuple(Meeting(**row) for row in named.iter_rows(named=True))


def _distributions(scores: Sequence[Score], order: Mapping[str, int]) -> tuple[Distribution, ...]:
    values: dict[str, list[float]] = {}
    for score in scores:
        if (value := number(score.value)) is not None:
            values.setdefault(score.model, []).append(value)
    return tuple(
        _distribution(model, values[model]) for model in sorted(values, key=lambda m: order.get(m, len(order)))
    )


def _distribution(model: str, values: Sequence[float]) -> Distribution:
    counts = [0] * _BINS
    for value in values:
        counts[min(int(value * _BINS), _BINS - 1)] += 1
    return Distribution(
        model=model, counts=tuple(counts), median=median(values), lowest=min(values), highest=max(values)
    )


def instance_content(
    instance: Instance, responses: Sequence[Response], evidence: Evidence, *, upset: float | None = None
) -> InstanceContent:
    """Put together what a report shows of one instance.

    Args:
        instance: The instance.
        responses: Those to it, in the order they are shown.
        evidence: What is known of them.
        upset: How far judge and people are apart, where people voted.

    Returns:
        The instance, with all that is known of it and of each response.
    """
    checklist = evidence.checklists.get(instance.id)
    return InstanceContent(
        id=instance.id,
        category=instance.category,
        language=instance.language,
        query=instance.query,
        history=instance.history,
        reference=instance.reference,
        items=() if checklist is None else checklist.items,
        source=None if checklist is None else checklist.source,
        generator=None if checklist is None else checklist.generator,
        findings=evidence.findings_about(instance.id),
        responses=tuple(evidence.response(response) for response in responses),
        upset=upset,
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
