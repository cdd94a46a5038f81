"""Bradley-Terry ratings of models from outcomes of pairs, with intervals by resampling instances."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from checkwise.bootstrap import Matrix, percentile_interval, resampled_counts
from checkwise.errors import DataError
from checkwise.ranking.battles import Battles, battles
from checkwise.ranking.rating_notes import draw_notes, fit_notes
from checkwise.ranking.strengths import linked, log_strengths, point_strengths

SCALE = 400 / np.log(10)
"""Points of rating for a factor of e in strength: ten times as strong is 400 points more."""

MEAN = 1000.0
"""Where ratings lie on average, or the anchor's rating where none is given with it."""

VIRTUAL_TIE = 1.0
"""The weight of a virtual tie: half a win each way, as in Jeffreys' prior for a share."""

_LEAST = 1e-4
"""The least weight that a virtual win may have in a resample, which keeps ratings there finite."""

_SAME = 1e-6
"""Ratings that differ by less are the same: what is left is the rounding of sums."""


@dataclass(frozen=True, eq=False)
class BradleyTerry:
    """Ratings in order, and how they came about."""

    table: pl.DataFrame
    """rank, model, rating, low, high, n, wins, ties, losses, rank_low, rank_high; see ``bradley_terry``."""
    beats: pl.DataFrame
    """One row for each model against each other: model_a, model_b, expected (how often model_a wins in the model, ties
    counted half), probability (share of resamples in which model_a is rated above model_b, equal ones counted half;
    null where nothing was resampled)."""
    samples: pl.DataFrame
    """One row a resample, one column a model: its rating there; no rows for a single instance."""
    instances: int
    """Instances behind the battles."""
    undecided: int
    """Pairs left out because they have no outcome."""
    groups: tuple[tuple[str, ...], ...]
    """Models that battles connect, directly or through others; one group where all are comparable."""
    virtual_tie: float
    """The weight of the virtual tie between models that the results do not hold against each other from both sides; 0
    where none was needed."""
    virtual_draws: int
    """Resamples in which virtual ties were needed."""
    anchor: str | None
    """The model that the ratings are relative to; None where their mean is fixed."""
    level: float
    """The anchor's rating, or the mean."""
    draws: int
    """Resamples behind the intervals."""
    seed: int
    """Of the resamples."""
    confidence: float
    """Of the intervals."""
    notes: tuple[str, ...]
    """What a reader of the ratings should know: what they rest on, and why an interval is missing."""


def bradley_terry(
    outcomes: pl.DataFrame,
    *,
    anchor: str | tuple[str, float] | None = None,
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
) -> BradleyTerry:
    """Rate models by maximum likelihood on outcomes 1, 0.5 and 0.

    The model: a beats b with probability s_a / (s_a + s_b). The rating is 400 * log10(s), moved so that the anchor, or
    the mean, is where it shall be. Resamples draw instances with all their battles, which are not independent.

    Where no finite strengths fit best (a model wins or loses everything, or groups never met), and only then, models
    that the results do not hold against each other from both sides get a virtual tie of weight ``VIRTUAL_TIE``; the
    result says so. In resamples that need it, its two halves are weighed anew, each by the product of two random
    numbers, one a model, whose spread is that of Jeffreys' posterior: so many wins without a loss still leave it open
    how rare a loss is, and the interval is wide.

    Args:
        outcomes: instance_id, model_a, model_b, outcome (model_a, model_b, tie; null where unknown), any number a pair,
            in either order. See ``pair_outcomes``; votes of people will do as well.
        anchor: A model that gets rating 1000, or the rating beside it; the mean of all is 1000 without one.
        draws: Resamples of instances behind intervals and probabilities.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        A table sorted by rating and name, in which equal models share the better rank. n counts battles; rank_low and
        rank_high are the best and the worst rank in the middle ``confidence`` of the resamples. Intervals are null for
        the anchor, where there is only one instance, and where all resamples agree.

    Raises:
        DataError: The outcomes are not as described, or the anchor is no model of theirs.
        NothingJudgedError: No pair has an outcome.

    Source: Bradley and Terry, "Rank analysis of incomplete block designs" (1952); Chiang et al. (arXiv 2403.04132);
        RocketEval (arXiv 2503.05142), section 4.
    """
    found = battles(outcomes)
    model, level = anchor if isinstance(anchor, tuple) else (anchor, MEAN)
    place = _place(model, found)
    totals = found.totals()
    apart = ~linked(totals[np.newaxis])[0]
    virtual_tie = VIRTUAL_TIE if apart.any() else 0.0
    ratings = _moved(SCALE * point_strengths(totals + VIRTUAL_TIE / 2 * apart), place, level)
    strengths, helped = _resampled(found, draws=draws, seed=seed)
    samples = _moved(SCALE * strengths, place, level)
    spread = bool(len(samples)) and bool((np.ptp(samples, axis=0) > _SAME).any())
    groups = _groups(found, totals)
    return BradleyTerry(
        table=_table(found, ratings, samples, confidence=confidence),
        beats=_beats(found.models, ratings, samples),
        samples=pl.DataFrame(samples, schema=list(found.models)),
        instances=found.instances,
        undecided=found.undecided,
        groups=groups,
        virtual_tie=virtual_tie,
        virtual_draws=helped,
        anchor=model,
        level=level,
        draws=draws,
        seed=seed,
        confidence=confidence,
        notes=(
            *fit_notes(found, groups, virtual_tie=virtual_tie),
            *draw_notes(found, draws=draws, virtual_draws=helped, spread=spread, anchor=model),
        ),
    )


def _place(model: str | None, found: Battles) -> int | None:
    if model is None:
        return None
    if model not in found.models:
        known = ", ".join(sorted(found.models))
        raise DataError(f"the anchor {model!r} is none of the models", todo=f"There are: {known}.")
    return found.models.index(model)


def _moved(ratings: Matrix, place: int | None, level: float) -> Matrix:
    origin = ratings.mean(axis=-1, keepdims=True) if place is None else ratings[..., [place]]
    moved: Matrix = ratings - origin + level
    return moved


def _resampled(found: Battles, *, draws: int, seed: int) -> tuple[Matrix, int]:
    """Fit the resamples: shape (draws, models), no rows for a single instance, and how many needed virtual ties."""
    size = len(found.models)
    if found.instances < 2:
        return np.empty((0, size)), 0
    generator = np.random.default_rng([seed, size])
    fitted, helped = [], 0
    for counts in resampled_counts(found.instances, draws=draws, seed=seed):
        points = found.weighted(counts)
        apart = ~linked(points)
        won, lost = generator.gamma(VIRTUAL_TIE / 2, size=(2, len(counts), size))
        # Each has the mean of half a tie, so their product has to be divided by it.
        virtual = won[:, :, np.newaxis] * lost[:, np.newaxis, :] / (VIRTUAL_TIE / 2)
        fitted.append(log_strengths(points + np.where(apart, np.maximum(virtual, _LEAST), 0.0)))
        helped += int(apart.any(axis=(1, 2)).sum())
    return np.concatenate(fitted), helped


def _table(found: Battles, ratings: NDArray[np.float64], samples: Matrix, *, confidence: float) -> pl.DataFrame:
    ranks = (samples[:, np.newaxis, :] > samples[:, :, np.newaxis] + _SAME).sum(axis=2) + 1.0
    rows = []
    instances = found.instances
    for place, model in enumerate(found.models):
        spread = np.ptp(samples[:, place]) > _SAME if len(samples) else False
        interval = percentile_interval(samples[:, place], confidence=confidence, clusters=instances) if spread else None
        among = percentile_interval(ranks[:, place], confidence=confidence, clusters=instances)
        rows.append(
            {
                "rank": int((ratings > ratings[place] + _SAME).sum()) + 1,
                "model": model,
                "rating": float(ratings[place]),
                "low": interval.low if interval else None,
                "high": interval.high if interval else None,
                "rank_low": int(np.floor(among.low)) if among else None,
                "rank_high": int(np.ceil(among.high)) if among else None,
            }
        )
    integers = dict.fromkeys(("rank", "rank_low", "rank_high"), pl.Int64)
    floats = dict.fromkeys(("rating", "low", "high"), pl.Float64)
    table = pl.DataFrame(rows, schema_overrides={**integers, **floats}).join(found.counts, on="model")
    order = ("rank", "model", "rating", "low", "high", "n", "wins", "ties", "losses", "rank_low", "rank_high")
    return table.select(order).sort("rank", "model")


def _beats(models: tuple[str, ...], ratings: NDArray[np.float64], samples: Matrix) -> pl.DataFrame:
    rows = []
    for a, one in enumerate(models):
        for b, other in enumerate(models):
            if a == b:
                continue
            gaps = samples[:, a] - samples[:, b]
            above = float(np.mean((gaps > _SAME) + 0.5 * (np.abs(gaps) <= _SAME))) if len(samples) else None
            expected = float(0.5 * (1 + np.tanh((ratings[a] - ratings[b]) / SCALE / 2)))
            rows.append((one, other, expected, above))
    floats = dict.fromkeys(("expected", "probability"), pl.Float64)
    schema = {"model_a": pl.String, "model_b": pl.String, **floats}
    return pl.DataFrame(rows, schema=schema, orient="row").sort("model_a", "model_b")


def _groups(found: Battles, totals: Matrix) -> tuple[tuple[str, ...], ...]:
    count, label = connected_components(csr_array(totals + totals.T), directed=False)
    members = [[model for model, own in zip(found.models, label, strict=True) if own == one] for one in range(count)]
    return tuple(sorted(tuple(sorted(group)) for group in members))
