"""How often a judge says the same of the same item when its answer is sampled again."""

from dataclasses import dataclass

import polars as pl

from checkwise.ranking.matrix import require_columns
from checkwise.trust.figure import Figure, share_figure


@dataclass(frozen=True)
class Steadiness:
    """Agreement of a judge's repeated answers with one another."""

    agreement: Figure
    """The probability that two answers to the same item of the same response are the same; n counts pairs of them."""
    unanimous: Figure
    """The share of items whose answers are all the same; n counts items of responses."""
    items: int
    """Items of responses with at least two answers."""
    left_out: int
    """Items of responses with fewer: nothing was sampled, or most samples were neither Yes nor No."""


def item_steadiness(grades: pl.DataFrame) -> pl.DataFrame:
    """Give the agreement among the repeated answers to each item of each response.

    Of n answers, k of them Yes, two different ones are the same with probability (k(k-1) + (n-k)(n-k-1)) / (n(n-1)).

    Args:
        grades: One row an item and response: instance_id, model, number, answers, yes_answers (null where none was
            sampled).

    Returns:
        instance_id, model, number, answers, yes_answers, agreement (0-1); sorted, without the rows that have fewer than
        two answers.

    Raises:
        DataError: A column is missing.

    Source: RocketEval (arXiv 2503.05142), section 2.4.
    """
    columns = ("instance_id", "model", "number", "answers", "yes_answers")
    require_columns(grades, columns, of="grades")
    n, k = pl.col("answers"), pl.col("yes_answers")
    same = (k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1))
    return grades.filter(n >= 2).select(*columns, agreement=same).sort("instance_id", "model", "number")


def steadiness(grades: pl.DataFrame, *, draws: int = 1000, seed: int = 42, confidence: float = 0.95) -> Steadiness:
    """Measure how steady a judge is over all items.

    Args:
        grades: One row an item and response; see ``item_steadiness``.
        draws: Resamples of instances behind the intervals.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        The figures, with how many items they are over.

    Raises:
        DataError: A column is missing.
    """
    items = item_steadiness(grades)
    pairs = pl.col("answers") * (pl.col("answers") - 1) / 2
    by_instance = (
        items.group_by("instance_id")
        .agg(
            same=(pl.col("agreement") * pairs).sum(),
            pairs=pairs.sum(),
            unanimous=(pl.col("agreement") == 1).sum().cast(pl.Float64),
            items=pl.len().cast(pl.Float64),
        )
        .sort("instance_id")
    )
    nothing = "no item has two sampled answers"

    def share(of: str, over: str) -> Figure:
        above, below = by_instance[of].to_numpy(), by_instance[over].to_numpy()
        return share_figure(above, below, nothing=nothing, draws=draws, seed=seed, confidence=confidence)

    return Steadiness(share("same", "pairs"), share("unanimous", "items"), items.height, grades.height - items.height)
