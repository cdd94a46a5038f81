"""How numbers are written: a number that is not there is a dash, never a zero."""

import math

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
