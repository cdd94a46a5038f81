"""From the records of a run over pairs to what its report shows."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from checkwise.records import Checklist, Comparison, Finding, ItemGrade, Pair, PairSet, Score, Side
from checkwise.report.build import all_facts, instance_content
from checkwise.report.content import Count
from checkwise.report.metrics import MetricTable
from checkwise.report.pair_content import OrderContent, PairContent, PairReportContent
from checkwise.report.pair_outcome import PairOutcome, pair_outcomes
from checkwise.report.response_build import NO_REASON, Evidence, number

SIDES: tuple[Side, Side] = ("A", "B")


def build_pair_content(
    pairs: PairSet,
    comparisons: Sequence[Comparison],
    findings: Sequence[Finding],
    *,
    metrics: Sequence[MetricTable],
    grades: Sequence[ItemGrade] = (),
    scores: Sequence[Score] = (),
    checklists: Mapping[str, Checklist] = MappingProxyType({}),
    facts: Mapping[str, str],
    notes: Sequence[str],
) -> PairReportContent:
    """Put together what the report on pairs shows.

    Args:
        pairs: The pairs.
        comparisons: The verdicts, at most one a pair and order; a pair without any is shown as unscored.
        findings: What the method wrote down on its way to the verdicts.
        metrics: The verdicts against the labels, in the order they are shown.
        grades: The judge's answers to items, where each response was graded alone; its model is the side.
        scores: Of each response, where each was scored alone; its model is the side.
        checklists: The checklist of each pair, by its id, where it has one.
        facts: How the run was made: label and value, in the order they are shown.
        notes: What a reader of the numbers should know; those of the data come first.

    Returns:
        The content, without a NaN anywhere: what is not known is None.

    Raises:
        DataError: Two verdicts are about one pair in the same order, or both with an order and without.
    """
    evidence = Evidence.of(checklists, grades, scores, findings)
    outcomes = pair_outcomes(pairs.pairs, comparisons)
    alone = {grade.instance_id for grade in grades} | {score.instance_id for score in scores}
    return PairReportContent(
        title=pairs.name,
        facts=all_facts(pairs.name, pairs.format, facts),
        counts=_counts(outcomes, evidence),
        metrics=tuple(metrics),
        pairs=tuple(_pair(outcome, evidence, is_scored_alone=outcome.pair.id in alone) for outcome in outcomes),
        notes=(*pairs.notes, *notes),
    )


def _pair(outcome: PairOutcome, evidence: Evidence, *, is_scored_alone: bool) -> PairContent:
    pair = outcome.pair
    scores = {side: evidence.scores[pair.id, side] for side in SIDES if (pair.id, side) in evidence.scores}
    return PairContent(
        instance=instance_content(pair.instance, [pair.response(side) for side in SIDES], evidence),
        subset=pair.subset,
        label=pair.label,
        writers=(pair.model_a, pair.model_b),
        orders=tuple(_order(comparison, pair, evidence) for comparison in outcome.comparisons),
        is_scored_alone=is_scored_alone,
        outcomes=outcome.outcomes,
        summary=outcome.summary(scores),
    )


def _order(comparison: Comparison, pair: Pair, evidence: Evidence) -> OrderContent:
    first = comparison.first
    return OrderContent(
        first=first,
        verdict=comparison.verdict,
        p_a=number(comparison.p_a),
        mass=number(comparison.mass),
        status=comparison.status,
        retried=comparison.retried,
        reason=comparison.reason or (NO_REASON if comparison.verdict is None else None),
        # Without an order, what is about no response is about the instruction, and stands there.
        findings=() if first is None else evidence.findings_about(pair.id, first=first),
    )


def _counts(outcomes: Sequence[PairOutcome], evidence: Evidence) -> tuple[Count, ...]:
    """Count what stands behind the numbers: each pair is judged, decided by rule, or unscored."""
    found = [outcome.outcomes for outcome in outcomes]
    by_rule = sum("decided by rule" in names for names in found)
    unscored = sum("unscored" in names for names in found)
    retried = sum(comparison.retried for outcome in outcomes for comparison in outcome.comparisons)
    retried += sum(score.retried for score in evidence.scores.values())
    always = (
        Count(label="pairs", value=len(outcomes)),
        Count(label="judged", value=len(outcomes) - by_rule - unscored),
        Count(label="decided by rule", value=by_rule),
        Count(label="unscored", value=unscored, left_out=True),
        Count(label="inconsistent", value=sum("inconsistent" in names for names in found)),
        Count(label="without label", value=sum("no label" in names for names in found), left_out=True),
        Count(label="retried verdicts", value=retried),
    )
    stray = Count(label="grades of other items than the checklist's", value=evidence.unfitting, left_out=True)
    return (*always, stray) if stray.value else always
