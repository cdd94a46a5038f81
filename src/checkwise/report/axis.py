"""The axis that the intervals of one table share."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from checkwise.report.content import LeaderboardRow
from checkwise.report.metrics import MetricRow

_STEP = 0.1
_STEPS = 10
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Axis:
    """A piece of a scale, laid out from left to right."""

    low: float
    """The score at the left end."""
    high: float
    """The score at the right end; above ``low``."""

    @property
    def ticks(self) -> tuple[float, ...]:
        """The scores, in tenths, from end to end."""
        return tuple(tenth * _STEP for tenth in range(round(self.low / _STEP), round(self.high / _STEP) + 1))

    def position(self, score: float) -> float:
        """Where a score stands on the axis.

        Args:
            score: The number.

        Returns:
            Percent of the width, 0-100; a score beyond an end stands at that end.
        """
        share = (score - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)


def shared_axis(rows: Iterable[LeaderboardRow]) -> Axis:
    """Find the narrowest axis, in tenths, that holds every score and interval.

    Args:
        rows: The rows of the tables that share it.

    Returns:
        The axis; 0 to 1 where nothing is scored.
    """
    known = [value for row in rows for value in (row.score, row.low, row.high) if value is not None]
    if not known:
        return Axis(0.0, 1.0)
    low = min(math.floor(min(known) / _STEP + _ROUNDING), _STEPS - 1)
    high = max(math.ceil(max(known) / _STEP - _ROUNDING), low + 1)
    return Axis(low * _STEP, high * _STEP)


def metric_axis(rows: Iterable[MetricRow]) -> Axis:
    """Give the axis of metrics of one kind: of shares and correlations the whole scale, so that small ones look small.

    Args:
        rows: The rows that share it.

    Returns:
        0 to 1; -1 to 1 where a number or the end of an interval is below 0; for numbers of any size the whole numbers
        that hold them all.
    """
    known = [end for row in rows for end in (row.value, row.low, row.high) if end is not None] or [0.0]
    low, high = min(known), max(known)
    if low < -1 or high > 1:
        return Axis(math.floor(low), max(math.ceil(high), math.floor(low) + 1))
    return Axis(-1.0 if low < 0 else 0.0, 1.0)
