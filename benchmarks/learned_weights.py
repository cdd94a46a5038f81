"""How much items should count, learned from votes on other questions by what the items have in common.

A list's items are its own, so that votes on one question say nothing of the items of another. What carries over is what
kind of item weighs: here how evenly it is answered, how well it goes with its list, whether it repeats another item,
where it stands, and how long it is.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_expit

from checkwise.bootstrap import Matrix
from checkwise.errors import NothingJudgedError
from checkwise.trust.votes import ordered_votes

FEATURES = ("evenness", "discrimination", "redundancy", "position", "length")
"""What is known of an item before anybody has voted."""

_ITEM = ["instance_id", "number"]
_RESPONSE = ["instance_id", "model"]
_PENALTY = 0.02
"""Pull of each coefficient towards 0, a vote: with few votes all items count alike."""

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class LearnedWeights:
    """What was learned, and what it makes of every item."""

    coefficients: dict[str, float]
    """For each feature what one standard deviation more of it does to the logarithm of an item's weight."""
    weights: pl.DataFrame
    """instance_id, number, weight: mean 1 in each list."""
    votes: int
    """Votes that it was learned from."""


def learn_item_weights(grades: pl.DataFrame, statistics: pl.DataFrame, votes: pl.DataFrame) -> LearnedWeights:
    """Fit item weights so that weighted means of p_yes predict votes.

    The weight of an item is exp(features · coefficients); the probability that A beats B is a logistic function of the
    difference of weighted means, and a tie counts as half a win of each. Coefficients are fitted by maximum likelihood
    with a quadratic penalty.

    Args:
        grades: One row an item and response: instance_id, model, number, p_yes (null where unscored).
        statistics: Of all items that want a weight; see ``item_statistics``.
        votes: To learn from: instance_id, model_a, model_b, winner, judge.

    Returns:
        The weights of all items in ``statistics``, also of instances without votes.

    Raises:
        NothingJudgedError: No vote is about two responses that have scored items.
    """
    items = statistics.select(*_ITEM, *_features()).sort(_ITEM).with_row_index("item")
    features = _standardised(items.select(FEATURES).to_numpy())
    loss, count = _loss(grades, items, features, votes)
    fitted = minimize(loss, np.zeros(len(FEATURES) + 1), method="L-BFGS-B", bounds=[(-2, 2)] * len(FEATURES) + [(0, 5)])
    coefficients = fitted.x[:-1]
    raw = items.select(_ITEM).with_columns(weight=pl.Series(np.exp(features @ coefficients)))
    weights = raw.with_columns(pl.col("weight") / pl.col("weight").mean().over("instance_id"))
    return LearnedWeights(dict(zip(FEATURES, map(float, coefficients), strict=True)), weights, count)


def _features() -> list[pl.Expr]:
    last = pl.col("number").max().over("instance_id")
    mean = pl.col("mean_p_yes").fill_null(0.5)
    return [
        (4 * mean * (1 - mean)).alias("evenness"),
        pl.col("discrimination").fill_null(0.0).alias("discrimination"),
        pl.col("redundancy").abs().fill_null(0.0).alias("redundancy"),
        ((pl.col("number") - 1) / (last - 1).clip(1)).alias("position"),
        pl.col("item").str.len_chars().cast(pl.Float64).log1p().alias("length"),
    ]


def _standardised(features: Matrix) -> Matrix:
    """Give every feature mean 0 and standard deviation 1; a constant one says nothing and becomes 0."""
    centred = features - features.mean(axis=0)
    spread = centred.std(axis=0)
    standardised: Matrix = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 1e-12)
    return standardised


def _loss(
    grades: pl.DataFrame, items: pl.DataFrame, features: Matrix, votes: pl.DataFrame
) -> tuple[Callable[[Vector], float], int]:
    """Make the function that is minimised, of the coefficients and the logarithm of the scale."""
    scored = grades.select(*_ITEM, "model", "p_yes").drop_nulls("p_yes").join(items.select(*_ITEM, "item"), on=_ITEM)
    responses = scored.select(_RESPONSE).unique().sort(_RESPONSE).with_row_index("response")
    rows = scored.join(responses, on=_RESPONSE)
    of_response, of_item = rows["response"].to_numpy(), rows["item"].to_numpy()
    p_yes = rows["p_yes"].to_numpy()
    cast = _numbered(votes, responses)
    if cast.is_empty():
        raise NothingJudgedError(
            f"none of the {votes.height} votes is about two responses with scored items",
            todo="See that votes and grades name instances and models alike.",
        )
    first, second, won = (cast[name].to_numpy() for name in ("a", "b", "won"))

    def loss(parameters: Vector) -> float:
        weight = np.exp(features @ parameters[:-1])[of_item]
        sums = np.bincount(of_response, weight * p_yes, responses.height)
        means = sums / np.bincount(of_response, weight, responses.height)
        margin = np.exp(parameters[-1]) * (means[first] - means[second])
        likelihood = won * log_expit(margin) + (1 - won) * log_expit(-margin)
        return float(-likelihood.mean() + _PENALTY * (parameters[:-1] ** 2).sum())

    return loss, cast.height


def _numbered(votes: pl.DataFrame, responses: pl.DataFrame) -> pl.DataFrame:
    won = pl.col("winner").replace_strict({"model_a": 1.0, "tie": 0.5, "model_b": 0.0}, return_dtype=pl.Float64)
    named = responses.select("instance_id", "model", "response")
    return (
        ordered_votes(votes)
        .drop_nulls("winner")
        .join(named.rename({"model": "model_a", "response": "a"}), on=["instance_id", "model_a"])
        .join(named.rename({"model": "model_b", "response": "b"}), on=["instance_id", "model_b"])
        .select("a", "b", won=won)
    )
