"""How often a judge of pairs is right, how often it contradicts itself, and how far to believe either number."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from checkwise.bootstrap import percentile_interval, resampled_ratios
from checkwise.trust.figure import Figure, figure_columns, share_figure
from checkwise.trust.position import first_share
from checkwise.trust.verdicts import INCONSISTENT, checked_comparisons, orders_asked, pair_verdicts

Grouping = Literal["language", "subset"]
"""By which column of the comparisons to look at the pairs apart."""

_FIGURES = ("accuracy", "accuracy_consistent", "consistency", "first_share", "tie_share")
_COUNTS = ("pairs", "judged", "unscored", "unlabelled", "inconsistent")
_NOT_JUDGED = "no pair was judged"
_NO_LABEL = "no judged pair has a label"


@dataclass(frozen=True)
class PairMetrics:
    """What a judge made of pairs of responses. Intervals are over pairs, since the two orders of one belong together.

    Where every pair gives the same number, resampling could only repeat it; the interval is then the exact one of
    Clopper and Pearson, see ``constant_interval``.
    """

    accuracy: Figure
    """Mean credit of judged pairs with a label; a judge that guesses, or always names the first, reaches a half."""
    accuracy_consistent: Figure
    """The same over pairs whose two orders agree; ties count half."""
    consistency: Figure
    """Share of pairs, of those judged in both orders, whose orders agree."""
    first_share: Figure
    """Share of verdicts for the response shown first, of those that name a response; n counts verdicts."""
    tie_share: Figure
    """Share of judged pairs that end in a tie."""
    pairs: int
    """All there are."""
    judged: int
    """Pairs with an outcome: scored in every order that was asked."""
    unscored: int
    """The others."""
    unlabelled: int
    """Pairs without a label, judged or not."""
    inconsistent: int
    """Judged pairs whose orders disagree."""


def pair_metrics(
    comparisons: pl.DataFrame,
    *,
    orders: int | None = None,
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
) -> PairMetrics:
    """Measure a judge of pairs.

    Which response the data names A changes nothing, nor does the order of rows.

    Args:
        comparisons: One row a pair and order: pair_id, first (A, B; null where no order was shown), verdict (A, B, tie;
            null where unscored), label (A, B, tie; null where unknown). With a column status, pairs that rules decided
            (empty, identical) say nothing about consistency and places, but count for accuracy.
        orders: In how many orders each pair was asked, 1 or 2; None takes 2 where any pair has both.
        draws: Resamples of pairs behind each interval.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        The figures, each None with a reason where it is over nothing.

    Raises:
        DataError: The frame is not one of comparisons, or a pair has more orders than were asked.

    Source: CE-Judge (arXiv 2507.06774), accuracy on pairs; Zheng et al. (arXiv 2306.05685), section 3, position bias.
    """
    frame = checked_comparisons(comparisons)
    orders = orders_asked(frame) if orders is None else orders
    pairs = pair_verdicts(frame, orders)
    judged = pairs.drop_nulls("outcome")

    def mean(values: pl.Series, nothing: str) -> Figure:
        known = values.drop_nulls().cast(pl.Float64).to_numpy()
        ones = np.ones_like(known)
        return share_figure(known, ones, nothing=nothing, draws=draws, seed=seed, confidence=confidence)

    consistent = judged.filter(pl.col("consistent").fill_null(value=False))
    return PairMetrics(
        accuracy=mean(judged["credit"], _NO_LABEL if judged.height else _NOT_JUDGED),
        accuracy_consistent=mean(consistent["credit"], _NO_LABEL if consistent.height else _why_none(orders, "agrees")),
        consistency=mean(judged["consistent"], _why_none(orders, "was judged")),
        first_share=first_share(frame, orders=orders, draws=draws, seed=seed, confidence=confidence),
        tie_share=mean(judged["outcome"] == "tie", _NOT_JUDGED),
        pairs=pairs.height,
        judged=judged.height,
        unscored=pairs.height - judged.height,
        unlabelled=pairs["label"].null_count(),
        inconsistent=judged.filter(outcome=INCONSISTENT).height,
    )


def pair_metrics_by(
    comparisons: pl.DataFrame,
    by: Grouping,
    *,
    orders: int | None = None,
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Measure a judge of pairs in each group on its own.

    Args:
        comparisons: pair_id, first, verdict, label, and the column to group by; see ``pair_metrics``.
        by: The column, language or subset.
        orders: In how many orders each pair was asked, 1 or 2; None takes 2 where any pair of any group has both.
        draws: Resamples of pairs behind each interval.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        One row a group, sorted, pairs without one last: ``by``; for each figure of ``PairMetrics`` its value and,
        with its name before them, _low, _high and _n; then pairs, judged, unscored, unlabelled, inconsistent. A group
        in which nothing was judged keeps its row, without values.

    Raises:
        DataError: The frame is not one of comparisons, or the rows of a pair differ in the group.
    """
    frame = checked_comparisons(comparisons, by)
    orders = orders_asked(frame) if orders is None else orders
    rows = [
        _row(pair_metrics(group, orders=orders, draws=draws, seed=seed, confidence=confidence)) | {by: name}
        for name, group in _groups(frame, by)
    ]
    return pl.DataFrame(rows, schema=_schema(by))


def macro_accuracy(
    comparisons: pl.DataFrame,
    by: Grouping,
    *,
    orders: int | None = None,
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
) -> Figure:
    """Average the groups' accuracies, so that every language or subset weighs the same; ``pair_metrics`` is the micro.

    Args:
        comparisons: pair_id, first, verdict, label, and the column to group by; see ``pair_metrics``.
        by: The column, language or subset. Pairs without one are a group of their own.
        orders: In how many orders each pair was asked, 1 or 2; None takes 2 where any pair has both.
        draws: Resamples of pairs, drawn within each group, behind the interval.
        seed: Of the resamples.
        confidence: Of the interval, between 0 and 1.

    Returns:
        The mean over the groups that have an accuracy; n counts their pairs. No interval where a group has only one
        pair, or where no group's pairs differ: resampling would then claim certainty. A single group whose pairs are
        all alike adds nothing to its width.

    Raises:
        DataError: The frame is not one of comparisons, or the rows of a pair differ in the group.

    Source: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 8, several samples.
    """
    frame = checked_comparisons(comparisons, by)
    orders = orders_asked(frame) if orders is None else orders
    credits = [pair_verdicts(group, orders)["credit"].drop_nulls().to_numpy() for _, group in _groups(frame, by)]
    credits = [group for group in credits if group.size]
    if not credits:
        return Figure(None, None, 0, "no group has a judged pair with a label")
    value, n = float(np.mean([group.mean() for group in credits])), sum(group.size for group in credits)
    if min(group.size for group in credits) < 2:
        return Figure(value, None, n, "a group has only one pair, which says nothing about the spread")
    if all((group == group[0]).all() for group in credits):
        return Figure(value, None, n, "within each group all pairs count the same, so resampling shows no spread")
    samples = [
        # Groups of one size must not share their draws: their resampled means would move together.
        resampled_ratios(group[:, np.newaxis], np.ones((group.size, 1)), draws=draws, seed=seed + place)
        for place, group in enumerate(credits)
    ]
    means = np.hstack(samples).mean(axis=1)
    return Figure(value, percentile_interval(means, confidence=confidence, clusters=n, groups=len(credits)), n)


def _groups(frame: pl.DataFrame, by: str) -> list[tuple[str | None, pl.DataFrame]]:
    groups = frame.sort(by, "pair_id", nulls_last=True).partition_by(by, maintain_order=True)
    return [(group[by][0], group) for group in groups]


def _row(metrics: PairMetrics) -> dict[str, float | int | str | None]:
    row: dict[str, float | int | str | None] = {name: getattr(metrics, name) for name in _COUNTS}
    for name in _FIGURES:
        row |= figure_columns(name, getattr(metrics, name))
    return row


def _schema(by: str) -> dict[str, type[pl.DataType]]:
    schema: dict[str, type[pl.DataType]] = {by: pl.String}
    for name in _FIGURES:
        schema |= {name: pl.Float64, f"{name}_low": pl.Float64, f"{name}_high": pl.Float64, f"{name}_n": pl.Int64}
    return schema | dict.fromkeys(_COUNTS, pl.Int64)


def _why_none(orders: int, what: str) -> str:
    return f"no pair {what if orders == 2 else 'was asked'} in both orders"
