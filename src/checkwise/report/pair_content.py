"""What the report on pairs shows, as plain records: everything but its looks."""

from typing import Literal

from pydantic import Field

from checkwise.records import PairStatus, Record, Side, Winner
from checkwise.report.content import Count, Fact, FindingContent, InstanceContent
from checkwise.report.metrics import MetricTable

Outcome = Literal["right", "wrong", "tie", "inconsistent", "unscored", "no label", "decided by rule"]
"""What came of a pair; several may hold. A tie is a verdict where the data names the better one: it counts half."""


class OrderContent(Record):
    """The verdict on a pair, shown in one order."""

    first: Side | None
    """The response that was shown first; None where each was scored alone."""
    verdict: Winner | None = None
    """The better response; None is unscored, and then there is a reason."""
    p_a: float | None = Field(default=None, allow_inf_nan=False)
    """The judge's probability that A is better."""
    mass: float | None = Field(default=None, allow_inf_nan=False)
    """The probability that both answers have together."""
    status: PairStatus
    """How the verdict came about."""
    retried: bool = False
    """Whether the judge had to be asked a second time."""
    reason: str | None = None
    """Why it is unscored, or by which rule it was decided."""
    findings: tuple[FindingContent, ...] = ()
    """What the method wrote down about it, in the order of its steps."""


class PairContent(Record):
    """Two responses to one instance, and what the judge made of them."""

    instance: InstanceContent
    """What was asked, with the responses A and B."""
    subset: str | None = None
    """The part of the benchmark that it belongs to."""
    label: Winner | None = None
    """Which response is better, by the data."""
    writers: tuple[str | None, str | None] = (None, None)
    """Who wrote A and B, where the data says so."""
    orders: tuple[OrderContent, ...] = ()
    """One an order in which it was shown."""
    is_scored_alone: bool = False
    """Whether each response was scored alone, so that it has a score or grades."""
    outcomes: tuple[Outcome, ...] = ()
    """What came of it."""
    summary: str = ""
    """The same in one sentence, with the reason where there is one."""


class PairReportContent(Record):
    """Everything that the report on pairs shows."""

    title: str
    """The name of the data."""
    facts: tuple[Fact, ...] = ()
    """How the run was made."""
    counts: tuple[Count, ...] = ()
    """What stands behind the numbers, and what was left out of them."""
    metrics: tuple[MetricTable, ...] = ()
    """The verdicts against the labels: over all, by language, by subset."""
    pairs: tuple[PairContent, ...] = ()
    """In the order of the data."""
    notes: tuple[str, ...] = ()
    """What a reader of the numbers should know."""
