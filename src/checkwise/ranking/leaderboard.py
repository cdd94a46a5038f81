"""Models in order of their mean score, with intervals and with counts of what the means leave out."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from checkwise.bootstrap import mean_intervals
from checkwise.errors import NothingJudgedError
from checkwise.ranking.matrix import ScoreMatrix, checked_scores, score_matrix

_DECIMALS = 12
"""Scores that differ by less are the same: what is left is the rounding of sums."""


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """Models in order, and how the order came about."""

    table: pl.DataFrame
    """rank, model, score, low, high, n, coverage, unscored, empty, mean_mass, low_mass_items; see ``leaderboard``."""
    instances: int
    """Instances in the scores."""
    common_instances: int
    """Instances that every ranked model has a score for; with ``by``, the sum over the groups."""
    common_only: bool
    """Whether the means are over the common instances only."""
    confidence: float
    """Of the intervals."""
    draws: int
    """Resamples behind the intervals."""
    seed: int
    """Of the resamples."""
    by: str | None = None
    """The column that the table is split by."""

    @property
    def left_out(self) -> int:
        """Instances on which not every ranked model has a score, and which the means therefore skip."""
        return self.instances - self.common_instances if self.common_only else 0


def leaderboard(
    scores: pl.DataFrame,
    *,
    common_only: bool = True,
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
    by: str | None = None,
) -> Leaderboard:
    """Rank models by their mean score over instances.

    Models are compared on the instances that all of them have a score for; else a model that failed on the hard ones
    would be ahead. A model without any score takes no part in that: it is listed last, with neither rank nor score.

    Args:
        scores: One row a response: instance_id, model, value (0-1, null where unscored), status, scored_items,
            low_mass_items, mean_mass, and the column named by ``by``.
        common_only: Whether to keep to the common instances. Otherwise each mean is over what that model has.
        draws: Resamples of instances behind each interval.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.
        by: A column, such as category, to make one ranking for each value of; it then comes first in the table.

    Returns:
        A table sorted by score and name, in which models with the same score share the better rank. ``n`` counts the
        instances behind the mean. Everything after it is about all of a model's responses: ``coverage`` is the share of
        instances with a score, ``unscored`` and ``empty`` count responses, ``mean_mass`` is over their scored items.
        low and high are null where fewer than two instances stand behind a score.

    Raises:
        DataError: A column is missing, or two rows score the same response.
        NothingJudgedError: Not one response has a score.
    """
    asked = ("status", "scored_items", "low_mass_items", "mean_mass", *([by] if by else []))
    scores = checked_scores(scores, *asked)
    if not scores["value"].count():
        raise NothingJudgedError(
            f"none of the {scores.height} responses has a score",
            todo="The reasons stand with the scores; put them right and run again.",
        )
    groups = scores.partition_by(by, maintain_order=False) if by else [scores]
    tables, common = [], 0
    for group in groups:
        matrix = score_matrix(group).judged()
        shared = matrix.common()
        common += len(shared.instances)
        ranking = _ranking(shared if common_only else matrix, draws=draws, seed=seed, confidence=confidence)
        table = _described(ranking, group)
        tables.append(table.select(pl.lit(group[by][0], dtype=group.schema[by]).alias(by), pl.all()) if by else table)
    return Leaderboard(
        table=pl.concat(tables).sort(*([by] if by else []), "rank", "model", nulls_last=True),
        instances=sum(group["instance_id"].n_unique() for group in groups),
        common_instances=common,
        common_only=common_only,
        confidence=confidence,
        draws=draws,
        seed=seed,
        by=by,
    )


def _ranking(matrix: ScoreMatrix, *, draws: int, seed: int, confidence: float) -> pl.DataFrame:
    known = ~np.isnan(matrix.values)
    n = known.sum(axis=0)
    sums = np.where(known, matrix.values, 0.0).sum(axis=0)
    intervals = mean_intervals(matrix.values, draws=draws, seed=seed, confidence=confidence)
    score = pl.Series(np.divide(sums, n, out=np.full(len(n), np.nan), where=n > 0), dtype=pl.Float64).fill_nan(None)
    return pl.DataFrame(
        {
            "rank": score.round(_DECIMALS).rank("min", descending=True).cast(pl.Int64),
            "model": pl.Series(matrix.models, dtype=pl.String),
            "score": score,
            "low": pl.Series([interval.low if interval else None for interval in intervals], dtype=pl.Float64),
            "high": pl.Series([interval.high if interval else None for interval in intervals], dtype=pl.Float64),
            "n": pl.Series(n, dtype=pl.Int64),
        }
    )


def _described(ranking: pl.DataFrame, scores: pl.DataFrame) -> pl.DataFrame:
    """Put beside each model what its responses say, and add the models that have no rank."""
    measured = pl.col("scored_items").filter(pl.col("mean_mass").is_not_null())
    mass = (pl.col("mean_mass") * pl.col("scored_items")).sum() / measured.sum()
    described = scores.group_by("model").agg(
        coverage=pl.col("value").count() / scores["instance_id"].n_unique(),
        unscored=pl.col("value").null_count().cast(pl.Int64),
        empty=(pl.col("status") == "empty").sum().cast(pl.Int64),
        mean_mass=mass.cast(pl.Float64).fill_nan(None),
        low_mass_items=pl.col("low_mass_items").sum().cast(pl.Int64),
    )
    joined = described.join(ranking, on="model", how="left").with_columns(pl.col("n").fill_null(0))
    return joined.select(*ranking.columns, pl.exclude(ranking.columns))
