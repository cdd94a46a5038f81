"""Grades, scores and labels of a benchmark, side by side as arrays: what supervised scores are learned from."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from checkwise.errors import DataError, Place

Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]

RESPONSE = ["instance_id", "model"]
"""The columns that say which response a row is about."""

_NEAREST = 1e-6
"""A probability is kept this far from 0 and 1 where its logit is taken."""


@dataclass(frozen=True, eq=False)
class Material:
    """One row a response that the judge scored item by item, sorted by instance and model."""

    instances: tuple[str, ...]
    """Those that have such responses, sorted."""
    items: tuple[pl.DataFrame, ...]
    """For each instance its items: number, item."""
    grades: tuple[Matrix, ...]
    """For each instance: shape (responses, items), p_yes, NaN where unscored."""
    spans: tuple[slice, ...]
    """For each instance, its rows in what follows."""
    instance: NDArray[np.int64]
    """Shape (rows,): the place of each row's instance."""
    models: tuple[str, ...]
    """Those that wrote such responses, sorted."""
    model: NDArray[np.int64]
    """Shape (rows,): the place of each row's model."""
    unsupervised: Matrix
    """Shape (rows,): the score between 1 and 10."""
    labels: Matrix
    """Shape (rows,): between 1 and 10, NaN where there is none."""
    features: Matrix
    """Shape (rows, features): what can be said of a response whatever its list of items is."""

    @property
    def labelled(self) -> Mask:
        """Which rows have a label."""
        return ~np.isnan(self.labels)

    def of_models(self, names: Collection[str]) -> Mask:
        """Which rows are about one of the models."""
        return np.array([name in names for name in self.models], dtype=np.bool_)[self.model]


def make_material(grades: pl.DataFrame, scores: pl.DataFrame, labels: pl.DataFrame) -> Material:
    """Put together what belongs together.

    Args:
        grades: One row an item and response: instance_id, model, number, item, p_yes and mass (null where unscored).
        scores: One row a response that is to be used: instance_id, model, value (0-1, not null).
        labels: instance_id, model, label; one row a response.

    Returns:
        The responses that have both a score and grades.
    """
    kept = grades.join(scores.select(RESPONSE), on=RESPONSE, how="semi")
    rows = (
        kept.group_by(RESPONSE)
        .agg(*_features())
        .join(scores.select(*RESPONSE, "value"), on=RESPONSE)
        .join(labels.select(*RESPONSE, "label"), on=RESPONSE, how="left")
        .sort(RESPONSE)
    )
    tables = [_grades_of(group) for group in kept.sort("instance_id").partition_by("instance_id", maintain_order=True)]
    ends = np.cumsum([0, *(len(table) for _, table in tables)])
    return Material(
        instances=tuple(rows["instance_id"].unique().sort()),
        items=tuple(items for items, _ in tables),
        grades=tuple(table for _, table in tables),
        spans=tuple(slice(int(start), int(end)) for start, end in pairwise(ends)),
        instance=np.repeat(np.arange(len(tables)), np.diff(ends)),
        models=tuple(rows["model"].unique().sort()),
        model=rows["model"].rank("dense").to_numpy().astype(np.int64) - 1,
        unsupervised=rows["value"].to_numpy() * 9 + 1,
        labels=rows["label"].cast(pl.Float64).fill_null(float("nan")).to_numpy(),
        features=rows.select(FEATURES).fill_null(float("nan")).to_numpy(),
    )


FEATURES = ("mean", "least", "most", "logit mean", "share below half", "items", "mass")
"""What ``Material.features`` holds, in order."""


def _features() -> list[pl.Expr]:
    p_yes = pl.col("p_yes")
    clipped = p_yes.clip(_NEAREST, 1 - _NEAREST)
    made = (
        p_yes.mean(),
        p_yes.min(),
        p_yes.max(),
        (clipped / (1 - clipped)).log().mean(),
        (p_yes < 0.5).mean(),
        p_yes.count().cast(pl.Float64),
        pl.col("mass").mean(),
    )
    # Sums depend on the order of what is added up in their last digit; the order of items must change nothing.
    return [expression.round(9).alias(name) for expression, name in zip(made, FEATURES, strict=True)]


def _grades_of(group: pl.DataFrame) -> tuple[pl.DataFrame, Matrix]:
    """Spread the grades of one instance: its items by number, and a row a model, sorted."""
    items = group.group_by("number").agg(pl.col("item").first()).sort("number")
    rows = group["model"].rank("dense").to_numpy().astype(np.int64) - 1
    columns = group["number"].rank("dense").to_numpy().astype(np.int64) - 1
    table = np.full((int(rows.max()) + 1, items.height), np.nan)
    table[rows, columns] = group["p_yes"].fill_null(float("nan")).to_numpy()
    return items, table


def filled(table: Matrix, taught: Mask) -> tuple[Matrix, NDArray[np.int64]]:
    """Put the item's mean over the responses that are learned from where it is unscored.

    Args:
        table: Shape (responses, items), NaN where unscored.
        taught: Which rows are learned from.

    Returns:
        The table without the items that no such row has a grade for, and the places of the ones that are left.
    """
    known = ~np.isnan(table)
    kept = np.flatnonzero(known[taught].any(axis=0))
    # Sorted, so that the order of responses does not change the last digit.
    rows, table = np.sort(table[taught][:, kept], axis=0), table[:, kept]
    return np.where(np.isnan(table), np.nanmean(rows, axis=0), table), kept


def require(frame: pl.DataFrame, columns: Collection[str], *, of: str) -> None:
    """Refuse a frame that lacks a column.

    Raises:
        DataError: It does; names what is missing and what there is.
    """
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        there = ", ".join(frame.columns) or "no columns"
        raise DataError(f"the {of} lack {', '.join(missing)}", todo=f"There are: {there}. Rename or add the rest.")


def refuse_doubled(frame: pl.DataFrame, key: list[str], *, of: str) -> None:
    """Refuse a frame in which two rows are about the same thing; the key begins with instance and model.

    Raises:
        DataError: There are such rows; names the first.
    """
    doubled = frame.filter(pl.struct(key).is_duplicated()).sort(key)
    if doubled.height:
        instance, model = doubled.select(RESPONSE).row(0)
        what = f"the {of} hold more than one row for {model}; {doubled.height} such rows in all"
        raise DataError(what, where=Place(id=str(instance)), todo="Keep one of each.")
