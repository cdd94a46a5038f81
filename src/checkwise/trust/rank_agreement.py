"""Whether models come in the order that another ranking, such as Chatbot Arena's, has them in."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.stats import kendalltau, spearmanr

from checkwise.bootstrap import Matrix, percentile_interval, resampled_ratios
from checkwise.errors import DataError
from checkwise.ranking.bradley_terry import BradleyTerry
from checkwise.ranking.matrix import require_columns, score_matrix
from checkwise.trust.figure import Figure

FEWEST = 3
"""Models below which there is no correlation: two are always in the same order or in the opposite one."""

_DECIMALS = 9
"""Numbers that differ by less are the same: what is left is the rounding of sums."""


@dataclass(frozen=True)
class RankAgreement:
    """How far two rankings agree, and on which models."""

    spearman: Figure
    """Rho, between -1 and 1, with ties at their mean rank; n counts models."""
    kendall: Figure
    """Tau-b, between -1 and 1; n counts models."""
    models: tuple[str, ...]
    """Those in both rankings, sorted."""
    only_here: tuple[str, ...]
    """Models left out because the other ranking does not have them."""
    only_there: tuple[str, ...]
    """Models left out because they have no score here."""
    instances: int
    """Instances behind the scores."""
    undefined_draws: int
    """Resamples left out of the intervals because all their scores are equal."""


def rank_agreement(
    scores: pl.DataFrame,
    ranking: pl.DataFrame,
    *,
    common_only: bool = True,
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
) -> RankAgreement:
    """Hold the models' mean scores against another ranking.

    The intervals say how far the coefficients depend on the instances: each resample has its own means. The numbers of
    the other ranking stand still, and so do the models; with few of these even a coefficient of 1 proves little.

    Args:
        scores: One row a response: instance_id, model, value (0-1, null where unscored).
        ranking: model and rating (higher is better), one row a model.
        common_only: Whether the means are over the instances that all models of ``scores`` with any score have one for,
            as in ``leaderboard``.
        draws: Resamples of instances behind the intervals.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        Both coefficients over the models that have a mean and a rating. No value where there are fewer than three, or
        where all of them are equal on one side; the figures say why.

    Raises:
        DataError: A column is missing, two rows score the same response, or a model has two ratings.

    Source: RocketEval (arXiv 2503.05142), section 4.1, Spearman with Arena Elo; Kendall (1945).
    """
    matrix = score_matrix(scores).judged()
    matrix = matrix.common() if common_only else matrix
    known = (~np.isnan(matrix.values)).astype(np.float64)
    filled = np.nan_to_num(matrix.values)
    behind = known.sum(axis=0)
    means = np.divide(filled.sum(axis=0), behind, out=np.full(len(behind), np.nan), where=behind > 0)
    several = len(matrix.instances) > 1 and len(matrix.models) > 0
    samples = resampled_ratios(filled, known, draws=draws, seed=seed) if several else np.empty((0, len(matrix.models)))
    ours = {model: place for place, model in enumerate(matrix.models) if behind[place]}
    return _agreement(ours, means, samples, ranking, instances=len(matrix.instances), confidence=confidence)


def rating_agreement(rated: BradleyTerry, ranking: pl.DataFrame) -> RankAgreement:
    """Hold Bradley-Terry ratings against another ranking, with the resamples that their own intervals rest on.

    Args:
        rated: The ratings.
        ranking: model and rating (higher is better), one row a model.

    Returns:
        As ``rank_agreement``.

    Raises:
        DataError: A column is missing, or a model has two ratings.
    """
    table = rated.table
    ours = {model: place for place, model in enumerate(table["model"])}
    return _agreement(
        ours,
        table["rating"].to_numpy(),
        rated.samples.select(table["model"].to_list()).to_numpy(),
        ranking,
        instances=rated.instances,
        confidence=rated.confidence,
    )


def _agreement(
    ours: dict[str, int],
    numbers: NDArray[np.float64],
    samples: Matrix,
    ranking: pl.DataFrame,
    *,
    instances: int,
    confidence: float,
) -> RankAgreement:
    theirs = _checked(ranking)
    shared = tuple(sorted(ours.keys() & theirs.keys()))
    places = [ours[model] for model in shared]
    other = np.array([theirs[model] for model in shared])
    own = numbers[places].round(_DECIMALS)
    drawn = samples[:, places].round(_DECIMALS)
    reason = _undefined(own, other)
    found = np.array([_coefficients(row, other) for row in drawn]) if reason is None and len(drawn) else None
    values = _coefficients(own, other) if reason is None else (None, None)
    spearman, kendall = (
        _figure(
            value,
            None if found is None else found[:, which],
            n=len(shared),
            reason=reason,
            confidence=confidence,
            instances=instances,
        )
        for which, value in enumerate(values)
    )
    return RankAgreement(
        spearman=spearman,
        kendall=kendall,
        models=shared,
        only_here=tuple(sorted(ours.keys() - theirs.keys())),
        only_there=tuple(sorted(theirs.keys() - ours.keys())),
        instances=instances,
        undefined_draws=0 if found is None else int(np.isnan(found[:, 0]).sum()),
    )


def _checked(ranking: pl.DataFrame) -> dict[str, float]:
    require_columns(ranking, ("model", "rating"), of="ranking")
    if not ranking["rating"].dtype.is_numeric() and ranking["rating"].dtype != pl.Null:
        raise DataError(f"the ratings are not numbers but {ranking['rating'].dtype}", todo="Give numbers.")
    doubled = ranking.filter(pl.col("model").is_duplicated())["model"].unique().sort()
    if len(doubled):
        raise DataError(f"the ranking has more than one row for {', '.join(map(str, doubled))}", todo="Keep one each.")
    named = ranking.select(pl.col("model").cast(pl.String), pl.col("rating").cast(pl.Float64).fill_nan(None))
    return dict(named.drop_nulls().iter_rows())


def _undefined(own: NDArray[np.float64], other: NDArray[np.float64]) -> str | None:
    if own.size < FEWEST:
        return f"{own.size} models are in both rankings; a rank correlation needs {FEWEST}"
    if _constant(own):
        return "all models have the same score"
    return "the other ranking has all models level" if _constant(other) else None


def _coefficients(own: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[float, float]:
    if np.isnan(own).any() or _constant(own):
        return np.nan, np.nan
    found = spearmanr(own, other).statistic, kendalltau(own, other, variant="b").statistic
    rho, tau = (round(float(value), _DECIMALS) for value in found)
    return rho, tau


def _constant(numbers: NDArray[np.float64]) -> bool:
    return bool((numbers == numbers[0]).all())


def _figure(
    value: float | None,
    samples: NDArray[np.float64] | None,
    *,
    n: int,
    reason: str | None,
    confidence: float,
    instances: int,
) -> Figure:
    if value is None:
        return Figure(None, None, n, reason)
    if samples is None:
        return Figure(value, None, n, "one instance alone says nothing about the spread")
    known = samples[~np.isnan(samples)]
    if 2 * known.size < samples.size:
        return Figure(value, None, n, f"only {known.size} of {samples.size} resamples have scores that differ")
    if np.ptp(known) < 1e-9:
        return Figure(value, None, n, "every resample ranks alike, so resampling shows no spread")
    return Figure(value, percentile_interval(known, confidence=confidence, clusters=instances), n)
