"""Turning scores into probabilities, and probabilities into better ones, with a curve fitted on other questions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from checkwise.errors import DataError, Place
from checkwise.ranking.matrix import require_columns
from checkwise.ranking.pairs import PAIR
from checkwise.trust.calibration import Calibration, Vector, calibration, checked_forecasts, pair_forecasts

TURN = r"-\d+$"
"""What in an instance's id says which turn of a conversation it is: all turns of one are the same question."""

Method = Literal["isotonic", "logistic"]
"""How probabilities are put right: by any curve that rises, or by Platt's, which has two parameters."""

_UNREGULARISED = 1e6
"""All but no penalty: just enough for a finite curve where probabilities tell Yes from No without a mistake."""
_LEAST_SLOPE = 1e-6
"""A slope from here down is none, but for rounding."""


def win_probability(delta: Vector, scale: float) -> Vector:
    """Turn differences of scores into the probability that the first response is the better one.

    Args:
        delta: The first's scores less the second's.
        scale: The difference at which the first wins 73% of the time; see ``fitted_scale``.

    Returns:
        1 / (1 + exp(-delta / scale)): one half for equal scores; NaN where delta is.

    Raises:
        ValueError: The scale is not above 0.

    Source: Bradley and Terry, "Rank analysis of incomplete block designs" (1952), with scores for the strengths.
    """
    if not scale > 0:
        raise ValueError(f"the scale must be above 0, not {scale}")
    return np.asarray(expit(delta / scale), dtype=np.float64)


def win_probabilities(outcomes: pl.DataFrame, scale: float) -> pl.DataFrame:
    """Give the win probabilities of pairs that scores decide.

    Args:
        outcomes: instance_id, model_a, model_b, delta (null where a score is missing); see ``pair_outcomes``.
        scale: See ``fitted_scale``.

    Returns:
        instance_id, model_a, model_b, p_a (null where delta is).

    Raises:
        DataError: A column is missing.
        ValueError: The scale is not above 0.
    """
    require_columns(outcomes, (*PAIR, "delta"), of="outcomes")
    p_a = win_probability(outcomes["delta"].cast(pl.Float64).to_numpy(), scale)
    return outcomes.select(*PAIR, p_a=pl.Series(p_a, dtype=pl.Float64).fill_nan(None))


def fitted_scale(outcomes: pl.DataFrame, votes: pl.DataFrame) -> float:
    """Find the scale that makes votes likeliest. Fit it on other questions than those that are reported.

    Args:
        outcomes: instance_id, model_a, model_b, delta; each pair once, in name order. See ``pair_outcomes``.
        votes: instance_id, model_a, model_b, winner, judge; a tie is half a win.

    Returns:
        The scale, for ``win_probability``.

    Raises:
        DataError: A column is missing, no vote is about a pair with two scores, or scores do not go with votes.
    """
    require_columns(outcomes, (*PAIR, "delta"), of="outcomes")
    # With the widest difference as a scale, no probability comes so near to 0 or 1 that it loses the difference.
    widest = outcomes.select(pl.col("delta").cast(pl.Float64).abs().max()).item() or 1.0
    forecasts = pair_forecasts(win_probabilities(outcomes, widest), votes).drop_nulls(["p", "outcome"])
    if forecasts.is_empty():
        raise DataError("no vote is about a pair whose responses both have a score", todo="Give votes on such pairs.")
    p, came, weight = (forecasts[column].to_numpy() for column in ("p", "outcome", "weight"))
    slope = float(_logistic(_logit(p), came, weight, intercept=False).coef_[0, 0])
    if slope <= _LEAST_SLOPE:
        raise DataError(
            f"the scores do not go with the {round(weight.sum())} votes: the better one wins no more often",
            todo="Give more votes, or do not turn these scores into probabilities.",
        )
    return float(widest / slope)


def split_by_question(
    frame: pl.DataFrame, *, train: float = 0.5, seed: int = 42, suffix: str = TURN
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Split rows into two parts without a common question, so that what is fitted on one can be tried on the other.

    Args:
        frame: Any rows with an instance_id.
        train: The first part's share of questions, between 0 and 1.
        seed: Of the draw.
        suffix: A regular expression for the end of an id that is no part of the question's name; empty for none.

    Returns:
        The rows to fit on, and the rows to report, each in their order. Each part has a question at least.

    Raises:
        DataError: The column is missing, or there are fewer than two questions.
        ValueError: The share is not between 0 and 1.
    """
    if not 0 < train < 1:
        raise ValueError(f"the share must lie between 0 and 1, not {train}")
    questions = _questions(frame, suffix).unique().sort()
    if len(questions) < 2:
        raise DataError(
            f"the rows are about {len(questions)} question, and cannot be split by question",
            todo="Give more questions; or, where ids end in numbers that are no turns, give another suffix.",
        )
    size = min(max(round(train * len(questions)), 1), len(questions) - 1)
    drawn = questions.gather(np.random.default_rng(seed).permutation(len(questions))[:size])
    first = _questions(frame, suffix).is_in(drawn)
    return frame.filter(first), frame.filter(~first)


def _questions(frame: pl.DataFrame, suffix: str) -> pl.Series:
    require_columns(frame, ("instance_id",), of="rows")
    return frame["instance_id"].cast(pl.String).str.replace(suffix, "")


@dataclass(frozen=True, eq=False)
class Recalibration:
    """What probabilities are worth before and after they were put right, on questions that nothing was fitted on."""

    before: Calibration
    """Of the probabilities as they are."""
    after: Calibration
    """Of the same, put right."""
    put_right: Callable[[Vector], Vector]
    """What was fitted: from probabilities to better ones."""


def recalibrated(
    train: pl.DataFrame,
    test: pl.DataFrame,
    *,
    method: Method = "isotonic",
    suffix: str = TURN,
    bins: int = 10,
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
) -> Recalibration:
    """Fit a curve from probabilities to what came of them, and try it on other questions.

    Args:
        train: Forecasts to fit on: instance_id, p, outcome, weight; see ``split_by_question``.
        test: Forecasts to report, of other questions.
        method: ``isotonic`` needs some hundred forecasts; ``logistic`` makes do with fewer.
        suffix: What in an id is no part of the question's name; see ``split_by_question``.
        bins: Of equal width; see ``calibration``.
        draws: Resamples of instances behind the intervals.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        Calibration of the test forecasts before and after.

    Raises:
        DataError: A column is missing, the two share a question, or the outcomes to fit on are all alike.

    Source: Platt, "Probabilistic outputs for support vector machines" (1999); Zadrozny and Elkan, "Transforming
        classifier scores into accurate multiclass probability estimates" (2002).
    """
    shared = _questions(train, suffix).filter(_questions(train, suffix).is_in(_questions(test, suffix).implode()))
    if len(shared):
        raise DataError(
            f"{shared.n_unique()} questions are both fitted on and reported",
            where=Place(id=str(shared.sort()[0])),
            todo="Split by question: a curve is always good on what it was fitted on.",
        )
    put_right = _fitted(checked_forecasts(train).drop_nulls(["p", "outcome"]), method)
    known = checked_forecasts(test).with_columns(pl.col("p").map_batches(lambda p: _mapped(p, put_right), pl.Float64))
    before, after = (
        calibration(one, bins=bins, draws=draws, seed=seed, confidence=confidence) for one in (test, known)
    )
    return Recalibration(before, after, put_right)


def _mapped(p: pl.Series, put_right: Callable[[Vector], Vector]) -> pl.Series:
    known = p.is_not_null()
    better = np.full(len(p), np.nan)
    if known.any():
        better[known.to_numpy()] = put_right(p.drop_nulls().to_numpy())
    return pl.Series(better).fill_nan(None)


def _fitted(train: pl.DataFrame, method: Method) -> Callable[[Vector], Vector]:
    p, came, weight = (train[column].to_numpy() for column in ("p", "outcome", "weight"))
    if not p.size or np.ptp(came) == 0:
        raise DataError(
            f"the {p.size} outcomes to fit on are all alike", todo="Fit on questions with labels of both kinds."
        )
    if method == "isotonic":
        curve = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(p, came, sample_weight=weight)
        return lambda given: np.asarray(curve.predict(given), dtype=np.float64)
    line = _logistic(_logit(p), came, weight, intercept=True)
    slope, start = float(line.coef_[0, 0]), float(line.intercept_[0])
    return lambda given: np.asarray(expit(slope * _logit(given) + start), dtype=np.float64)


def _logit(p: Vector) -> Vector:
    # A probability of 0 or 1 would be infinitely far out.
    return np.asarray(logit(np.clip(p, 1e-6, 1 - 1e-6)), dtype=np.float64)


def _logistic(x: Vector, came: Vector, weight: Vector, *, intercept: bool) -> LogisticRegression:
    """Fit a logistic curve; an outcome between 0 and 1 is that much of a Yes, and the rest of a No."""
    line = LogisticRegression(C=_UNREGULARISED, fit_intercept=intercept, tol=1e-8, max_iter=1000)
    both = np.concatenate([weight * came, weight * (1 - came)])
    return line.fit(np.tile(x, 2)[:, np.newaxis], np.repeat([1, 0], x.size), sample_weight=both)
