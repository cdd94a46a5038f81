"""How numbers are written: a number that is not there is a dash, never a zero."""

import math

from checkwise.report.metrics import MetricKind

DASH = "–"
"""Stands for a number that is not there."""


def decimal(value: float | None, places: int = 3) -> str:
    """Write a number with a fixed count of decimals.

    Args:
        value: The number; None and NaN are written as a dash.
        places: Decimals.

    Returns:
        For example ``0.712``.
    """
    return DASH if value is None or math.isnan(value) else f"{value:.{places}f}"


def percent(value: float | None) -> str:
    """Write a share as a percentage with one decimal.

    Args:
        value: Between 0 and 1; None and NaN are written as a dash.

    Returns:
        For example ``98.3%``.
    """
    return DASH if value is None or math.isnan(value) else f"{100 * value:.1f}%"


def interval(low: float | None, high: float | None, places: int = 3) -> str:
    """Write an interval.

    Args:
        low: Lower end; without it there is no interval.
        high: Upper end; without it there is no interval.
        places: Decimals.

    Returns:
        For example ``[0.661, 0.754]``.
    """
    ends = (decimal(low, places), decimal(high, places))
    return DASH if DASH in ends else f"[{ends[0]}, {ends[1]}]"


def measure(value: float | None, kind: MetricKind) -> str:
    """Write a number of a table of metrics as its kind is written.

    Args:
        value: The number; None and NaN are written as a dash.
        kind: What it is.

    Returns:
        For example ``71.4%``, ``0.382`` or ``1,204``.
    """
    if kind == "share":
        return percent(value)
    if kind == "difference":
        return DASH if value is None or math.isnan(value) else f"{100 * value:+.1f} points"
    if kind in ("correlation", "number"):
        return decimal(value)
    return DASH if value is None or math.isnan(value) else f"{value:,.0f}"


def measure_interval(low: float | None, high: float | None, kind: MetricKind) -> str:
    """Write the interval of a number of a table of metrics.

    Args:
        low: Lower end; without it there is no interval.
        high: Upper end; without it there is no interval.
        kind: What the number is.

    Returns:
        For example ``[66.1%, 75.4%]``.
    """
    if kind == "difference" and low is not None and high is not None:
        return f"[{100 * low:+.1f}, {100 * high:+.1f}]"
    ends = (measure(low, kind), measure(high, kind))
    return DASH if DASH in ends else f"[{ends[0]}, {ends[1]}]"
