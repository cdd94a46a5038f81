"""Outcomes of pairs of responses to one instance, as scores decide them."""

import polars as pl

from checkwise.errors import DataError, Place
from checkwise.ranking.matrix import checked_scores, require_columns

OUTCOMES = ("model_a", "model_b", "tie")
"""What a pair can end in, named as Chatbot Arena and MT-Bench name the winner of a vote."""

PAIR = ["instance_id", "model_a", "model_b"]
"""The columns that say which pair of responses a row is about."""

TIE_MARGIN = 0.1
"""Scores closer than this on the 1-10 scale are a tie (RocketEval's margin)."""


def paired(values: pl.DataFrame, column: str) -> pl.DataFrame:
    """Set every two models' values for one instance side by side.

    Args:
        values: Columns instance_id, model and ``column``, one row at most for an instance and model.
        column: The numbers to compare.

    Returns:
        instance_id, model_a, model_b and delta (the first's value less the second's, null where either is null);
        each pair once, models in the order of their names, sorted.
    """
    one = values.select("instance_id", model_a="model", a=column)
    other = values.select("instance_id", model_b="model", b=column)
    return (
        one.join(other, on="instance_id")
        .filter(pl.col("model_a") < pl.col("model_b"))
        .select(*PAIR, delta=pl.col("a") - pl.col("b"))
        .sort(PAIR)
    )


def decided(pairs: pl.DataFrame, *, margin: float = 0.0) -> pl.DataFrame:
    """Name the winner of each pair.

    Args:
        pairs: Columns instance_id, model_a, model_b, delta.
        margin: A smaller difference than this is a tie; so is none at all.

    Returns:
        instance_id, model_a, model_b, outcome (model_a, model_b, tie; null where delta is null), delta.
    """
    delta = pl.col("delta")
    outcome = (
        pl.when(delta.is_null())
        .then(None)
        .when((delta.abs() < margin) | (delta == 0))
        .then(pl.lit("tie"))
        .when(delta > 0)
        .then(pl.lit("model_a"))
        .otherwise(pl.lit("model_b"))
    )
    return pairs.select(*PAIR, outcome=outcome.cast(pl.String), delta=delta)


def pair_outcomes(scores: pl.DataFrame, *, margin: float = TIE_MARGIN) -> pl.DataFrame:
    """Decide every pair of responses to the same instance by their scores.

    Args:
        scores: One row a response: instance_id, model, value (0-1, null where unscored).
        margin: Scores closer than this on the 1-10 scale are a tie.

    Returns:
        instance_id, model_a, model_b, outcome, delta (difference on the 1-10 scale); each pair once, models in order of
        their names. outcome and delta are null where a score is missing: that is no tie.

    Raises:
        DataError: A column is missing, or two rows score the same response.

    Source: RocketEval (arXiv 2503.05142), agreement with human votes on MT-Bench.
    """
    on_ten = checked_scores(scores).with_columns(on_ten=9 * pl.col("value") + 1)
    return decided(paired(on_ten, "on_ten"), margin=margin)


def in_name_order(pairs: pl.DataFrame, winner: str) -> pl.DataFrame:
    """Turn pairs round so that model_a comes before model_b by name: (b, a) and (a, b) are the same pair.

    Args:
        pairs: Columns instance_id, model_a, model_b and ``winner``; delta changes its sign, others stay.
        winner: The column that holds model_a, model_b, tie or null.

    Returns:
        The same rows, in their order.

    Raises:
        DataError: A column is missing, a model is paired with itself, or a winner is none of the three.
    """
    require_columns(pairs, (*PAIR, winner), of="pairs")
    _require_sound(pairs, winner)
    turned = pl.col("model_a") > pl.col("model_b")
    swapped = pl.col(winner).replace({"model_a": "model_b", "model_b": "model_a"})
    columns = [
        pl.min_horizontal("model_a", "model_b").alias("model_a"),
        pl.max_horizontal("model_a", "model_b").alias("model_b"),
        pl.when(turned).then(swapped).otherwise(pl.col(winner)).alias(winner),
    ]
    if "delta" in pairs.columns:
        columns.append(pl.when(turned).then(-pl.col("delta")).otherwise(pl.col("delta")).alias("delta"))
    return pairs.with_columns(columns)


def _require_sound(pairs: pl.DataFrame, winner: str) -> None:
    unknown = pairs.filter(pl.col(winner).is_not_null() & ~pl.col(winner).is_in(OUTCOMES))
    if unknown.height:
        raise DataError(
            f"{unknown.height} pairs have a {winner} such as {unknown[winner][0]!r}",
            where=Place(id=str(unknown["instance_id"][0])),
            todo=f"It must be one of {', '.join(OUTCOMES)}.",
        )
    alone = pairs.filter(pl.col("model_a") == pl.col("model_b"))
    if alone.height:
        raise DataError(
            f"{alone.height} pairs set a model against itself, such as {alone['model_a'][0]}",
            where=Place(id=str(alone["instance_id"][0])),
            todo="Remove them: they say nothing.",
        )
