"""Tables of numbers that hold a judge against people, as plain records."""

from typing import Literal

from pydantic import Field

from checkwise.records import Record

MetricKind = Literal["share", "difference", "correlation", "number", "count"]
"""What a number is: a share between 0 and 1, a difference of two shares, a correlation between -1 and 1, any number, or
how many of something."""


class MetricRow(Record):
    """One number, with what stands behind it."""

    label: str
    """What is measured, such as Accuracy."""
    group: str | None = None
    """The language or subset that it is about; None where it is about all of them."""
    value: float | None = Field(allow_inf_nan=False)
    """The number; None where there is none."""
    low: float | None = Field(default=None, allow_inf_nan=False)
    """Lower end of the interval; None where there is none."""
    high: float | None = Field(default=None, allow_inf_nan=False)
    """Upper end of the interval; None where there is none."""
    n: int = Field(ge=0)
    """How many pairs, verdicts or responses it is over."""
    reason: str | None = None
    """Why there is no number, or no interval."""
    kind: MetricKind = "share"
    """What the number is."""
    chance: float | None = Field(default=None, ge=0, le=1)
    """The share that guessing reaches, where the number is a share that guessing can reach."""


class MetricTable(Record):
    """Numbers that are read together."""

    title: str
    """What they are about."""
    rows: tuple[MetricRow, ...]
    """In the order they are shown; those of one kind share an axis."""

    @property
    def has_groups(self) -> bool:
        """Whether any of them is about one language or subset."""
        return any(row.group is not None for row in self.rows)
