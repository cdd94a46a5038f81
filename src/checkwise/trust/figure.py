"""A figure with its doubt: the value, an interval, what it is over, and the reason where something is missing."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from checkwise.bootstrap import Interval, constant_interval, ratio_intervals


@dataclass(frozen=True)
class Figure:
    """One number of a report. What is not known is None, never NaN.

    Raises:
        ValueError: The value is not a finite number.
    """

    value: float | None
    """The number; None where there is none."""
    interval: Interval | None
    """Where it may lie; None where that cannot be told."""
    n: int
    """How many rows, pairs or verdicts it is over."""
    reason: str | None = None
    """Why there is no value, or no interval; None where there are both."""

    def __post_init__(self) -> None:
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"a figure is a finite number or None, not {self.value}")


def share_figure(
    numerators: NDArray[np.float64],
    denominators: NDArray[np.float64],
    *,
    nothing: str,
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
) -> Figure:
    """Give a share, counted over clusters that are independent of one another, as a figure.

    Where the clusters differ, the interval comes from resampling them. Where all have the same share, every resample
    would give it again, and an interval without width claims certainty: see ``constant_interval``.

    Args:
        numerators: Shape (clusters,), what counts for the share; between 0 and the denominator. Sorted by cluster id,
            because draws pick clusters by their place.
        denominators: Shape (clusters,), what it is a share of; clusters with 0 are left out.
        nothing: The reason to give where all denominators are 0.
        draws: How many resamples.
        seed: Of the resamples.
        confidence: Of the interval, between 0 and 1.

    Returns:
        The ratio of the two sums, with n the sum of denominators. No interval where there is only one cluster.

    Raises:
        ValueError: The confidence is not between 0 and 1.
    """
    behind = denominators > 0
    above, below = numerators[behind], denominators[behind]
    if not below.size:
        return Figure(None, None, 0, nothing)
    value, n = float(above.sum() / below.sum()), round(below.sum())
    if below.size == 1:
        return Figure(value, None, n, "one pair alone says nothing about the spread")
    shares = above / below
    if (shares == shares[0]).all():
        return Figure(value, constant_interval(value, below.size, confidence=confidence), n)
    columns = above[:, np.newaxis], below[:, np.newaxis]
    (interval,) = ratio_intervals(*columns, draws=draws, seed=seed, confidence=confidence)
    return Figure(value, interval, n)


def figure_columns(name: str, figure: Figure) -> dict[str, float | int | None]:
    """Spread a figure over the columns of a table.

    Args:
        name: What it is called.
        figure: The figure.

    Returns:
        ``name``, ``name_low``, ``name_high`` and ``name_n``; null where it has no value, or no interval.
    """
    return {
        name: figure.value,
        f"{name}_low": figure.interval.low if figure.interval else None,
        f"{name}_high": figure.interval.high if figure.interval else None,
        f"{name}_n": figure.n,
    }
