"""Whether a judge's scores rank responses as people's ratings do: Kendall's tau-b and Spearman's rho."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.stats import kendalltau, spearmanr

from checkwise.bootstrap import Matrix, percentile_interval, resampled_counts
from checkwise.errors import DataError
from checkwise.ranking.matrix import require_columns
from checkwise.trust.figure import Figure, figure_columns

FEWEST = 5
"""Instances below which no interval is given: in simulations, that of four misses the truth far more than it says."""


_NO_SAMPLES: Matrix = np.empty((0, 2))


@dataclass(frozen=True)
class RankCorrelation:
    """How far scores and ratings rank alike, and what stands behind it. Rows of one instance are resampled together."""

    kendall: Figure
    """Tau-b, between -1 and 1; n counts the rows compared."""
    spearman: Figure
    """Rho, between -1 and 1, with ties at their mean rank; n counts the rows compared."""
    instances: int
    """Instances that the compared rows are about."""
    unrated: int
    """Rows left out because nobody rated them."""
    unscored: int
    """Rows left out because they are rated, but the judge gave no score."""
    undefined_draws: int
    """Resamples left out of the intervals because all their scores, or all their ratings, are equal."""


@dataclass(frozen=True)
class AverageCorrelation:
    """The mean of the groups' correlations, so that every group weighs the same."""

    kendall: Figure
    """Mean tau-b of the groups that have one; n counts their rows."""
    spearman: Figure
    """Mean rho of the same groups."""
    groups: int
    """All there are."""
    undefined: int
    """Groups left out because they have no correlation."""
    undefined_draws: int
    """Resamples left out of the intervals because a group in them has no correlation."""


def rank_correlation(
    scores: pl.DataFrame, *, draws: int = 1000, seed: int = 42, confidence: float = 0.95
) -> RankCorrelation:
    """Hold a judge's scores against people's ratings.

    Args:
        scores: One row a response: instance_id, value (null where unscored), rating (null where unrated, higher is
            better); any number of rows an instance.
        draws: Resamples of instances behind the intervals.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        Both coefficients over the rows that have a score and a rating; the order of rows changes nothing. No value
        where all scores or all ratings are equal; no interval where there are too few instances, where half of the
        resamples have no value, or where all have the same.

    Raises:
        DataError: A column is missing, or does not hold numbers.

    Source: Kendall, "The treatment of ties in ranking problems" (1945); Spearman (1904); CE-Judge (arXiv 2507.06774),
        pointwise evaluation.
    """
    checked = _checked(scores)
    rows = _Rows.of(checked)
    values = rows.correlations() if rows.undefined is None else None
    reason = rows.undefined or rows.too_few
    samples = _NO_SAMPLES if reason else rows.resampled(draws=draws, seed=seed)
    kendall, spearman = _figures(
        values, samples, n=rows.scores.size, reason=reason, confidence=confidence, clusters=rows.instances
    )
    return RankCorrelation(
        kendall=kendall,
        spearman=spearman,
        instances=rows.instances,
        unrated=checked["rating"].null_count(),
        unscored=checked.filter(pl.col("rating").is_not_null(), pl.col("value").is_null()).height,
        undefined_draws=_undefined(samples),
    )


def rank_correlation_by(
    scores: pl.DataFrame, by: str, *, draws: int = 1000, seed: int = 42, confidence: float = 0.95
) -> pl.DataFrame:
    """Hold scores against ratings in each group on its own, such as a pair of languages.

    Args:
        scores: instance_id, value, rating, and the column to group by; see ``rank_correlation``.
        by: The column.
        draws: Resamples of instances behind the intervals.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        One row a group, sorted, rows without one last: ``by``; kendall and spearman with _low, _high and _n;
        instances, unrated, unscored, undefined_draws; reason (why tau has no value or no interval).

    Raises:
        DataError: A column is missing, or does not hold numbers.
    """
    rows = []
    for name, group in _groups(scores, by):
        found = rank_correlation(group, draws=draws, seed=seed, confidence=confidence)
        counts = {count: getattr(found, count) for count in _COUNTS}
        figures = figure_columns("kendall", found.kendall) | figure_columns("spearman", found.spearman)
        rows.append({by: name, **figures, **counts, "reason": found.kendall.reason})
    return pl.DataFrame(rows, schema=_schema(by))


def average_correlation(
    scores: pl.DataFrame, by: str, *, draws: int = 1000, seed: int = 42, confidence: float = 0.95
) -> AverageCorrelation:
    """Average the groups' correlations between scores and ratings, as is done over pairs of languages.

    Args:
        scores: instance_id, value, rating, and the column to group by; see ``rank_correlation``.
        by: The column. Rows without one are a group of their own.
        draws: Resamples of instances, drawn within each group, behind the intervals.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        The means over the groups that have a correlation, with a count of the others.

    Raises:
        DataError: A column is missing, or does not hold numbers.

    Source: CE-Judge (arXiv 2507.06774), LitEval averaged over pairs of languages.
    """
    groups = [_Rows.of(_checked(group)) for _, group in _groups(scores, by)]
    defined = [rows for rows in groups if rows.undefined is None]
    undefined = len(groups) - len(defined)
    if not defined:
        nothing = Figure(None, None, 0, "no group has a correlation")
        return AverageCorrelation(nothing, nothing, len(groups), undefined, 0)
    few = [f"in one group, {rows.too_few}" for rows in defined if rows.too_few]
    # Groups of one size must not share their draws: their resampled values would move together.
    each = [rows.resampled(draws=draws, seed=seed + place) for place, rows in enumerate(defined) if not few]
    samples = np.mean(each, axis=0) if each else _NO_SAMPLES
    values = np.mean([rows.correlations() for rows in defined], axis=0)
    n, reason = sum(rows.scores.size for rows in defined), few[0] if few else None
    kendall, spearman = _figures(
        values,
        samples,
        n=n,
        reason=reason,
        confidence=confidence,
        clusters=sum(rows.instances for rows in defined),
        groups=len(defined),
    )
    return AverageCorrelation(kendall, spearman, len(groups), undefined, _undefined(samples))


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows that have both a score and a rating."""

    instance: NDArray[np.int64]
    """Shape (rows,): the number of each row's instance, from 0."""
    scores: NDArray[np.float64]
    ratings: NDArray[np.float64]

    @classmethod
    def of(cls, checked: pl.DataFrame) -> "_Rows":
        """Take the rows in an order of their own, since draws pick instances by their place."""
        rows = checked.drop_nulls(["value", "rating"]).sort("instance_id", "value", "rating")
        number = rows["instance_id"].rank("dense").cast(pl.Int64).to_numpy() - 1
        return cls(number, rows["value"].to_numpy(), rows["rating"].to_numpy())

    @property
    def instances(self) -> int:
        return int(self.instance[-1]) + 1 if self.instance.size else 0

    @property
    def undefined(self) -> str | None:
        """Why there is no correlation; None where there is one."""
        if not self.scores.size:
            return "no row has both a score and a rating"
        if self.scores.size == 1:
            return "one row alone cannot be ranked"
        if _constant(self.scores):
            return "all scores are equal"
        return "all ratings are equal" if _constant(self.ratings) else None

    @property
    def too_few(self) -> str | None:
        """Why there is no interval, where that can be told without resampling."""
        few = f"{self.instances} instances are too few for an interval; {FEWEST} are needed"
        return few if self.instances < FEWEST else None

    def correlations(self) -> NDArray[np.float64]:
        """Give tau-b and rho: shape (2,)."""
        return _coefficients(self.scores, self.ratings)

    def resampled(self, *, draws: int, seed: int) -> Matrix:
        """Give tau-b and rho on resampled instances: shape (draws, 2), NaN where there are none."""
        return np.array(list(self._resamples(draws=draws, seed=seed)))

    def _resamples(self, *, draws: int, seed: int) -> Iterator[NDArray[np.float64]]:
        for block in resampled_counts(self.instances, draws=draws, seed=seed):
            for counts in block:
                times = counts[self.instance].astype(np.int64)
                scores, ratings = np.repeat(self.scores, times), np.repeat(self.ratings, times)
                constant = _constant(scores) or _constant(ratings)
                yield np.full(2, np.nan) if constant else _coefficients(scores, ratings)


def _coefficients(scores: NDArray[np.float64], ratings: NDArray[np.float64]) -> NDArray[np.float64]:
    # Both also compute a p-value, which is not wanted here and divides by zero for two rows.
    with np.errstate(all="ignore"):
        found = kendalltau(scores, ratings, variant="b"), spearmanr(scores, ratings)
    return np.array([one.statistic for one in found])


def _constant(numbers: NDArray[np.float64]) -> bool:
    return bool((numbers == numbers[0]).all())


def _undefined(samples: Matrix) -> int:
    return int(np.isnan(samples[:, 0]).sum())


def _figures(
    values: NDArray[np.float64] | None,
    samples: Matrix,
    *,
    n: int,
    reason: str | None,
    confidence: float,
    clusters: int,
    groups: int = 1,
) -> list[Figure]:
    """Put together tau's figure and rho's; with a reason there are no samples."""
    if values is None:
        return [Figure(None, None, n, reason)] * 2
    if reason is not None:
        return [Figure(float(value), None, n, reason) for value in values]
    figures = []
    for value, column in zip(values, samples.T, strict=True):
        reason = _no_spread(column)
        interval = percentile_interval(column, confidence=confidence, clusters=clusters, groups=groups)
        figures.append(Figure(float(value), None if reason else interval, n, reason))
    return figures


def _no_spread(samples: NDArray[np.float64]) -> str | None:
    """Say why resamples give no interval; None where they do."""
    known = samples[~np.isnan(samples)]
    if 2 * known.size < samples.size:
        return f"only {known.size} of {samples.size} resamples hold scores and ratings that differ"
    if np.ptp(known) < 1e-9:
        return "every resample ranks alike, so resampling shows no spread"
    return None


_COUNTS = ("instances", "unrated", "unscored", "undefined_draws")


def _schema(by: str) -> dict[str, type[pl.DataType]]:
    schema: dict[str, type[pl.DataType]] = {by: pl.String}
    for name in ("kendall", "spearman"):
        schema |= {name: pl.Float64, f"{name}_low": pl.Float64, f"{name}_high": pl.Float64, f"{name}_n": pl.Int64}
    return schema | dict.fromkeys(_COUNTS, pl.Int64) | {"reason": pl.String}


def _checked(scores: pl.DataFrame, *columns: str) -> pl.DataFrame:
    require_columns(scores, ("instance_id", "value", "rating", *columns), of="scores")
    for column in ("value", "rating"):
        kind = scores[column].dtype
        if not kind.is_numeric() and kind != pl.Null:
            raise DataError(f"the {column} of the scores is not a number but {kind}", todo="Give numbers.")
    if scores["instance_id"].null_count():
        raise DataError(f"{scores['instance_id'].null_count()} scores lack an instance_id", todo="Name the instances.")
    return scores.with_columns(
        pl.col("instance_id", *columns).cast(pl.String), pl.col("value", "rating").cast(pl.Float64).fill_nan(None)
    )


def _groups(scores: pl.DataFrame, by: str) -> list[tuple[str | None, pl.DataFrame]]:
    ordered = _checked(scores, by).sort(by, nulls_last=True)
    return [(group[by][0], group) for group in ordered.partition_by(by, maintain_order=True)]
