"""A frame of scores, checked, and as a dense matrix of instances and models."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import polars as pl

from checkwise.bootstrap import Matrix
from checkwise.errors import DataError, Place


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores of every model on every instance."""

    instances: tuple[str, ...]
    """The rows: instance ids, sorted."""
    models: tuple[str, ...]
    """The columns: models, sorted by name."""
    values: Matrix
    """Shape (instances, models), between 0 and 1; NaN where there is no score."""

    def common(self) -> "ScoreMatrix":
        """Keep the instances that every model has a score for."""
        full = np.flatnonzero(~np.isnan(self.values).any(axis=1))
        return ScoreMatrix(tuple(self.instances[row] for row in full), self.models, self.values[full])

    def judged(self) -> "ScoreMatrix":
        """Keep the models that have a score for any instance."""
        some = np.flatnonzero(~np.isnan(self.values).all(axis=0))
        return ScoreMatrix(self.instances, tuple(self.models[column] for column in some), self.values[:, some])


def require_columns(frame: pl.DataFrame, columns: Iterable[str], *, of: str) -> None:
    """Refuse a frame that lacks a column.

    Args:
        frame: What was given.
        columns: What must be there.
        of: What the frame holds, for the message.

    Raises:
        DataError: A column is missing; names it.
    """
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise DataError(
            f"the {of} lack {', '.join(missing)}",
            todo=f"There are: {', '.join(frame.columns) or 'no columns'}. Rename or add what is missing.",
        )


def require_unique(frame: pl.DataFrame, key: list[str], *, of: str) -> None:
    """Refuse a frame in which two rows speak of the same thing: a join would count them twice.

    Args:
        frame: What was given.
        key: The columns that say what a row speaks of, the instance's first.
        of: What the frame holds, for the message.

    Raises:
        DataError: Rows share a key; names the first and how many there are.
    """
    doubled = frame.group_by(key).len().filter(pl.col("len") > 1).sort(key)
    if doubled.height:
        instance, *rest = doubled.row(0)[:-1]
        raise DataError(
            f"the {of} hold more than one row for {', '.join(map(str, rest))}; {doubled.height} such in all",
            where=Place(id=str(instance)),
            todo="Keep one row each.",
        )


def checked_scores(scores: pl.DataFrame, *columns: str) -> pl.DataFrame:
    """See that a frame holds scores, one at most for an instance and model.

    Args:
        scores: Columns instance_id, model, value (between 0 and 1, null where unscored), and what else is asked for.
        columns: Further columns that must be there.

    Returns:
        The frame with ids as text and NaN as null: neither stands for a number.

    Raises:
        DataError: A column is missing, or two rows score the same response.
    """
    require_columns(scores, ("instance_id", "model", "value", *columns), of="scores")
    require_unique(scores, ["instance_id", "model"], of="scores")
    return scores.with_columns(
        pl.col("instance_id", "model").cast(pl.String), pl.col("value").cast(pl.Float64).fill_nan(None)
    )


def score_matrix(scores: pl.DataFrame) -> ScoreMatrix:
    """Spread a frame of scores into a matrix; the order of its rows changes nothing.

    Args:
        scores: Columns instance_id, model, value (between 0 and 1, null where unscored).

    Returns:
        The matrix, with every instance and model of the frame.

    Raises:
        DataError: A column is missing, or two rows score the same response.
    """
    scores = checked_scores(scores)
    instances, models = scores["instance_id"].unique().sort(), scores["model"].unique().sort()
    values = np.full((len(instances), len(models)), np.nan)
    rows = scores["instance_id"].rank("dense").to_numpy() - 1
    columns = scores["model"].rank("dense").to_numpy() - 1
    values[rows, columns] = scores["value"].to_numpy()
    return ScoreMatrix(tuple(instances), tuple(models), values)
