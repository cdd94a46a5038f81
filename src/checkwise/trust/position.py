"""What the place in which a response is shown does to a judge's verdicts."""

import polars as pl

from checkwise.trust.figure import Figure, share_figure
from checkwise.trust.verdicts import checked_comparisons, orders_asked, pair_verdicts


def first_share(
    comparisons: pl.DataFrame,
    *,
    orders: int | None = None,
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
) -> Figure:
    """Measure how often a judge names the response that it was shown first.

    Where both orders were asked, only pairs that were judged in both count: each response is then first once, and a
    judge that does not look at places gives exactly one half. With one order, half is expected only if the better
    responses are first as often as second.

    Args:
        comparisons: pair_id, first, verdict, label; see ``pair_verdicts``.
        orders: In how many orders each pair was asked, 1 or 2; None takes what is there.
        draws: Resamples of pairs behind the interval.
        seed: Of the resamples.
        confidence: Of the interval, between 0 and 1.

    Returns:
        The share of verdicts for the response shown first, of those that name a response; n counts verdicts.

    Raises:
        DataError: The frame is not one of comparisons, or a pair has more orders than were asked.
    """
    frame = checked_comparisons(comparisons)
    orders = orders_asked(frame) if orders is None else orders
    judged = pair_verdicts(frame, orders).drop_nulls("outcome")
    shown = frame.drop_nulls("first").join(judged, on="pair_id", how="semi")
    counted = (
        shown.filter(pl.col("verdict") != "tie")
        .group_by("pair_id")
        .agg(first=(pl.col("verdict") == pl.col("first")).sum().cast(pl.Float64), named=pl.len().cast(pl.Float64))
        .sort("pair_id")
    )
    return share_figure(
        counted["first"].to_numpy(),
        counted["named"].to_numpy(),
        nothing=_why_no_first_share(frame, judged, shown),
        draws=draws,
        seed=seed,
        confidence=confidence,
    )


def published_protocol(
    comparisons: pl.DataFrame, *, draws: int = 1000, seed: int = 42, confidence: float = 0.95
) -> Figure:
    """Measure accuracy as the reference experiments did: with the better response always shown first.

    A judge that always names the first is right every time; see ``worse_first`` for the other half of the truth.

    Args:
        comparisons: pair_id, first, verdict, label; see ``pair_verdicts``.
        draws: Resamples of pairs behind the interval.
        seed: Of the resamples.
        confidence: Of the interval, between 0 and 1.

    Returns:
        The share of right verdicts among the comparisons that show the better response first; ties count half. Pairs
        whose label is a tie say nothing here.

    Raises:
        DataError: The frame is not one of comparisons.

    Source: CE-Judge (arXiv 2507.06774), its reference experiments.
    """
    frame = checked_comparisons(comparisons)
    return _accuracy(frame, pl.col("first") == pl.col("label"), "better", draws=draws, seed=seed, confidence=confidence)


def worse_first(comparisons: pl.DataFrame, *, draws: int = 1000, seed: int = 42, confidence: float = 0.95) -> Figure:
    """Measure accuracy where the worse response is shown first: what ``published_protocol`` does not see.

    Args:
        comparisons: pair_id, first, verdict, label; see ``pair_verdicts``.
        draws: Resamples of pairs behind the interval.
        seed: Of the resamples.
        confidence: Of the interval, between 0 and 1.

    Returns:
        The share of right verdicts among the comparisons that show the worse response first; ties count half.

    Raises:
        DataError: The frame is not one of comparisons.
    """
    frame = checked_comparisons(comparisons)
    return _accuracy(frame, pl.col("first") != pl.col("label"), "worse", draws=draws, seed=seed, confidence=confidence)


def _accuracy(frame: pl.DataFrame, shown: pl.Expr, which: str, *, draws: int, seed: int, confidence: float) -> Figure:
    verdict = pl.col("verdict")
    credit = pl.when(verdict == pl.col("label")).then(1.0).when(verdict == "tie").then(0.5).otherwise(0.0)
    named = frame.filter(pl.col("label").is_in(["A", "B"]), shown).drop_nulls("verdict").sort("pair_id")
    credits = named.select(credit=credit)["credit"].to_numpy()
    return share_figure(
        credits,
        credits * 0 + 1,
        nothing=f"no verdict was given on a pair with the {which} response first",
        draws=draws,
        seed=seed,
        confidence=confidence,
    )


def _why_no_first_share(frame: pl.DataFrame, judged: pl.DataFrame, shown: pl.DataFrame) -> str:
    if frame["first"].null_count() == frame.height:
        return "no order was shown"
    if judged.is_empty() or shown.is_empty():
        return "no pair was judged in the orders asked"
    return "every verdict is a tie"
