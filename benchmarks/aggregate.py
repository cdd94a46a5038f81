"""Item grades of a whole benchmark to scores, in ways that differ in what counts how much."""

from typing import Literal

import polars as pl

Averaging = Literal["mean", "median", "logit mean"]
"""How p_yes of the items becomes one number; the mean is RocketEval's."""

ITEM = ["instance_id", "number"]
"""The columns that say which item a row is about."""

LEAST = 1e-6
"""A probability is kept this far from 0 and 1 where its logit is taken: a judge's last digits decide nothing."""


def aggregate_scores(
    grades: pl.DataFrame,
    *,
    averaging: Averaging = "mean",
    weights: pl.DataFrame | None = None,
    dropped: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Make one score of the items of each response.

    Args:
        grades: One row an item and response: instance_id, model, number, p_yes (0-1, null where unscored).
        averaging: The mean, the median, or the mean of the logits put back between 0 and 1.
        weights: instance_id, number, weight (at least 0): how much each item counts; items without one count as the
            mean of those that have one in the same list, or 1. Not for the median.
        dropped: instance_id and number of items that count for nothing.

    Returns:
        instance_id, model, value (0-1), items, scored_items; sorted. value is null where fewer than half of the items
        that are left are scored, or where those that are have no weight together.

    Raises:
        ValueError: There are weights for the median.

    Source: RocketEval (arXiv 2503.05142), section 3.3, for the mean.
    """
    if weights is not None and averaging == "median":
        raise ValueError("a median takes no weights")
    left = grades.select(*ITEM, "model", pl.col("p_yes").cast(pl.Float64).fill_nan(None))
    if dropped is not None:
        left = left.join(dropped.select(ITEM), on=ITEM, how="anti")
    left = left.with_columns(weight=pl.lit(1.0)) if weights is None else _weighted(left, weights)
    p_yes, weight = pl.col("p_yes"), pl.col("weight")
    if averaging == "median":
        value = p_yes.median()
    elif averaging == "logit mean":
        clipped = p_yes.clip(LEAST, 1 - LEAST)
        logit = (clipped / (1 - clipped)).log()
        value = 1 / (1 + (-_weighted_mean(logit, weight)).exp())
    else:
        value = _weighted_mean(p_yes, weight)
    enough = 2 * pl.col("scored_items") >= pl.col("items")
    return (
        left.group_by("instance_id", "model")
        .agg(value=value, items=pl.len().cast(pl.Int64), scored_items=p_yes.count().cast(pl.Int64))
        .with_columns(value=pl.when(enough).then(pl.col("value").fill_nan(None)))
        .sort("instance_id", "model")
    )


def _weighted(grades: pl.DataFrame, weights: pl.DataFrame) -> pl.DataFrame:
    known = weights.select(*ITEM, pl.col("weight").cast(pl.Float64))
    usual = pl.col("weight").mean().over("instance_id")
    return grades.join(known, on=ITEM, how="left").with_columns(weight=pl.col("weight").fill_null(usual).fill_null(1.0))


def _weighted_mean(value: pl.Expr, weight: pl.Expr) -> pl.Expr:
    counted = pl.when(value.is_not_null()).then(weight)
    return (value * weight).sum() / counted.sum()


def penalise_length(scores: pl.DataFrame, lengths: pl.DataFrame, *, per_doubling: float) -> pl.DataFrame:
    """Take from longer responses, and give to shorter ones, since judges like length more than people do.

    Args:
        scores: instance_id, model, value (0-1, null where unscored), and what else; kept.
        lengths: instance_id, model, length (characters, at least 0).
        per_doubling: What twice the geometric mean length of the responses to an instance costs, in logits.

    Returns:
        The scores in their order, with other values, still between 0 and 1.
    """
    clipped = pl.col("value").clip(LEAST, 1 - LEAST)
    logit = (clipped / (1 - clipped)).log()
    doublings = pl.col("length").clip(1).log(2)
    above = doublings - doublings.mean().over("instance_id")
    punished = 1 / (1 + (per_doubling * above - logit).exp())
    joined = scores.join(
        lengths.select("instance_id", "model", "length"), on=["instance_id", "model"], how="left", maintain_order="left"
    )
    return joined.with_columns(value=pl.coalesce(punished, "value")).drop("length")


def correct_for_prior(grades: pl.DataFrame, priors: pl.DataFrame, *, strength: float) -> pl.DataFrame:
    """Take out of p_yes what the judge would say to an item before it has seen a response.

    Args:
        grades: One row an item and response: instance_id, number, p_yes (null where unscored), and what else; kept.
        priors: instance_id, number, p_yes of the same items for an empty response.
        strength: How much of the prior's logit is taken off: 0 nothing, 1 all.

    Returns:
        The grades in their order, with other p_yes; as they were where an item has no prior.
    """
    clipped, prior = pl.col("p_yes").clip(LEAST, 1 - LEAST), pl.col("prior").clip(LEAST, 1 - LEAST)
    logit = (clipped / (1 - clipped)).log() - strength * (prior / (1 - prior)).log()
    joined = grades.join(priors.select(*ITEM, prior="p_yes"), on=ITEM, how="left", maintain_order="left")
    return joined.with_columns(p_yes=pl.coalesce(1 / (1 + (-logit).exp()), "p_yes")).drop("prior")
