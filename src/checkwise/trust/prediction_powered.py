"""What people would say on average, from a few of their labels and many of a judge's: prediction-powered inference."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.stats import norm, t

from checkwise.bootstrap import Interval
from checkwise.errors import DataError, MissingExtraError
from checkwise.ranking.matrix import require_columns
from checkwise.trust.figure import Figure, figure_columns

FEWEST = 3
"""Labelled instances below which a judge cannot help: two points tell nothing of how far it goes with people."""

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class PredictionPowered:
    """A mean as people see it, as a judge sees it, and as both together do. Every instance weighs the same."""

    labelled: Figure
    """Mean of people's labels, on labelled instances alone; n counts those. The interval is Student's."""
    judge: float | None
    """Mean of the judge's values over all instances, on the judge's own scale; None where nothing was scored."""
    powered: Figure
    """People's mean over all instances, estimated from their labels and the judge's values; n counts labelled ones."""
    unlabelled: int
    """Instances that only the judge has seen."""
    gain: float | None
    """How many times as many labels such an interval would need without the judge; below 1 where it only adds noise.
    None where an interval is missing."""
    unscored: int
    """Rows left out because the judge gave no value."""
    beside: int
    """Rows left out because they have no label while others of their instance have: no independent evidence."""
    reason: str | None
    """Why the judge adds nothing, where it does not; the powered figure is then that of the labels alone."""


def prediction_powered(rows: pl.DataFrame, *, confidence: float = 0.95) -> PredictionPowered:
    """Estimate the mean of people's labels where only some rows have one.

    The rows of one instance resemble each other; they are averaged first, and instances are what is counted. The result
    holds where labelled instances are a random part of all: labels on hard questions only tell nothing of easy ones.
    Labels and values may be on different scales.

    The estimate is that of PPI++. Its interval is for many labels; here it is widened as for a straight line through as
    many points, by Student's quantile, since mean and weight of the judge are both estimated. In simulations from three
    labelled instances on, it holds the truth as often as it says.

    Args:
        rows: One row a response, or anything else that is judged: instance_id, value (the judge's, null where
            unscored), label (people's, null where nobody labelled it); any number of rows an instance.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        All three means, with what stands behind them; no value or interval where there is too little, and why.

    Raises:
        DataError: A column is missing, or does not hold numbers.
        MissingExtraError: ``ppi-python`` is not installed.
        ValueError: The confidence is not between 0 and 1.

    Source: Angelopoulos, Duchi and Zrnic, "PPI++: efficient prediction-powered inference" (arXiv 2311.01453).
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    checked = _checked(rows)
    scored = checked.drop_nulls("value").with_columns(known=pl.col("label").is_not_null().any().over("instance_id"))
    used = scored.filter(~pl.col("known") | pl.col("label").is_not_null())
    means = used.group_by("instance_id").agg(pl.col("value", "label").mean()).sort("instance_id")
    both, alone = means.drop_nulls("label"), means.filter(pl.col("label").is_null())
    labels, values, others = both["label"].to_numpy(), both["value"].to_numpy(), alone["value"].to_numpy()
    labelled = _labelled(labels, confidence)
    powered, reason = _powered(labels, values, others, labelled, confidence)
    of_all = scored.group_by("instance_id").agg(pl.col("value").mean()).sort("instance_id")["value"]
    return PredictionPowered(
        labelled=labelled,
        judge=float(of_all.to_numpy().mean()) if len(of_all) else None,
        powered=powered,
        unlabelled=alone.height,
        gain=_gain(labelled.interval, powered.interval),
        unscored=checked.height - scored.height,
        beside=scored.height - used.height,
        reason=reason,
    )


def prediction_powered_by(rows: pl.DataFrame, by: str = "model", *, confidence: float = 0.95) -> pl.DataFrame:
    """Estimate the mean of people's labels for each group on its own, such as a model.

    Args:
        rows: instance_id, value, label, and the column to group by; see ``prediction_powered``.
        by: The column.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        One row a group, sorted, rows without one last: ``by``; labelled and powered with _low, _high and _n; judge,
        unlabelled, gain, unscored, beside; reason (why a figure lacks something, or the judge adds nothing).

    Raises:
        DataError: A column is missing, or does not hold numbers.
        MissingExtraError: ``ppi-python`` is not installed.
        ValueError: The confidence is not between 0 and 1.
    """
    require_columns(rows, ("instance_id", "value", "label", by), of="rows")
    ordered = rows.with_columns(pl.col(by).cast(pl.String)).sort(by, nulls_last=True)
    table = []
    for group in ordered.partition_by(by, maintain_order=True):
        found = prediction_powered(group, confidence=confidence)
        figures = figure_columns("labelled", found.labelled) | figure_columns("powered", found.powered)
        rest = {name: getattr(found, name) for name in ("judge", "unlabelled", "gain", "unscored", "beside")}
        reason = found.powered.reason or found.labelled.reason or found.reason
        table.append({by: group[by][0], **figures, **rest, "reason": reason})
    return pl.DataFrame(table, schema=_schema(by))


def _schema(by: str) -> dict[str, type[pl.DataType]]:
    schema: dict[str, type[pl.DataType]] = {by: pl.String}
    for name in ("labelled", "powered"):
        schema |= {name: pl.Float64, f"{name}_low": pl.Float64, f"{name}_high": pl.Float64, f"{name}_n": pl.Int64}
    schema |= {"judge": pl.Float64, "unlabelled": pl.Int64, "gain": pl.Float64}
    return schema | {"unscored": pl.Int64, "beside": pl.Int64, "reason": pl.String}


def _checked(rows: pl.DataFrame) -> pl.DataFrame:
    require_columns(rows, ("instance_id", "value", "label"), of="rows")
    for column in ("value", "label"):
        kind = rows[column].dtype
        if not kind.is_numeric() and kind not in (pl.Null, pl.Boolean):
            raise DataError(f"the {column} of the rows is not a number but {kind}", todo="Give numbers.")
    checked = rows.select(
        pl.col("instance_id").cast(pl.String), pl.col("value", "label").cast(pl.Float64).fill_nan(None)
    )
    # Sorted, so that the order of additions is that of the data and not of a file.
    return checked.sort("instance_id", "value", "label")


def _labelled(labels: Vector, confidence: float) -> Figure:
    n = labels.size
    if not n:
        return Figure(None, None, 0, "no scored row has a label")
    mean = float(labels.mean())
    if n < 2:
        return Figure(mean, None, n, "one labelled instance alone says nothing about the spread")
    if _constant(labels):
        return Figure(mean, None, n, "all labels are equal, so they show no spread")
    half = float(t.ppf((1 + confidence) / 2, n - 1) * labels.std(ddof=1) / np.sqrt(n))
    return Figure(mean, Interval(mean - half, mean + half), n)


def _powered(
    labels: Vector, values: Vector, others: Vector, labelled: Figure, confidence: float
) -> tuple[Figure, str | None]:
    """Give the figure, and why it is that of the labels alone where it is."""
    n = labels.size
    if n < FEWEST:
        few = f"{n} labelled instances are too few for a judge to help; {FEWEST} are needed"
        return Figure(None, None, n, few), few
    if others.size < 2:
        return labelled, f"{others.size} instances are unlabelled; a judge helps from two on"
    if _constant(labels):
        return labelled, "all labels are equal"
    if _constant(values):
        return labelled, "the judge gives all labelled instances the same value"
    # PPI++ bounds the judge's weight by 1, which on a narrower scale than people's would leave most of it unused.
    scale = labels.std() / values.std()
    low, high = (
        float(end[0]) for end in _mean_interval()(labels, scale * values, scale * others, alpha=1 - confidence)
    )
    middle, half = (low + high) / 2, (high - low) / 2
    half *= _widening(n, confidence)
    return Figure(middle, Interval(middle - half, middle + half), n), None


def _widening(n: int, confidence: float) -> float:
    """Tell by how much an interval for many labels is too narrow for n, where two numbers are estimated from them."""
    tail = (1 + confidence) / 2
    return float(t.ppf(tail, n - 2) / norm.ppf(tail) * np.sqrt(n / (n - 2)))


def _gain(labelled: Interval | None, powered: Interval | None) -> float | None:
    if labelled is None or powered is None:
        return None
    return ((labelled.high - labelled.low) / (powered.high - powered.low)) ** 2


def _constant(numbers: Vector) -> bool:
    return bool(np.ptp(numbers) <= _SPREAD * max(1.0, float(np.abs(numbers).max())))


_SPREAD = 1e-12
"""Numbers that lie closer together than this are equal, but for rounding."""


def _mean_interval() -> Callable[..., Any]:
    # The package turns off all warnings of the process when it is imported.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            from ppi_py import ppi_mean_ci  # noqa: PLC0415 - optional
        except ImportError as error:
            raise MissingExtraError(
                "intervals from a few labels and many judged responses need the package ppi-python",
                todo="Install it: pip install 'checkwise[ppi]'",
            ) from error
    found: Callable[..., Any] = ppi_mean_ci
    return found
