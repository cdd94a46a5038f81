"""Whether one judge agrees with people more than another: the difference, on the same votes."""

from dataclasses import dataclass

import polars as pl

from checkwise.errors import NothingJudgedError
from checkwise.ranking.bootstrap import Interval, ratio_intervals
from checkwise.trust.votes import with_outcomes


@dataclass(frozen=True)
class AgreementDifference:
    """By how much one judge agrees with the same votes more than another does."""

    value: float
    """The first's rate of agreement less the second's, between -1 and 1."""
    interval: Interval | None
    """Of the difference, by resampling instances with their votes; None where there is only one instance."""
    votes: int
    """Votes that both judges have an outcome for."""
    instances: int
    """Instances that those votes are about."""
    left_out: int
    """Votes that at least one of the judges has no outcome for, or that name no winner."""


def agreement_difference(
    first: pl.DataFrame,
    second: pl.DataFrame,
    votes: pl.DataFrame,
    *,
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
) -> AgreementDifference:
    """Compare two judges on the votes that both have an outcome for.

    Two intervals that overlap say little about the difference, since instances that are hard for one judge tend to be
    hard for the other; this interval is of the difference itself.

    Args:
        first: Outcomes of one judge: instance_id, model_a, model_b, outcome, each pair at most once.
        second: Outcomes of the other.
        votes: instance_id, model_a, model_b, winner, judge.
        draws: Resamples of instances behind the interval.
        seed: Of the resamples.
        confidence: Of the interval, between 0 and 1.

    Returns:
        The first's rate less the second's, with its interval.

    Raises:
        DataError: A column is missing, a value is none of the three outcomes, or a pair has two outcomes.
        NothingJudgedError: There is no vote that both judges have an outcome for.
    """
    compared = with_outcomes(votes, first=first, second=second)
    if compared.is_empty():
        raise NothingJudgedError(
            f"none of the {votes.height} votes is about a pair that both judges decided",
            todo="See that votes and both judges' scores name instances and models alike.",
        )
    winner = pl.col("winner")
    ahead = (pl.col("first") == winner).sum().cast(pl.Float64) - (pl.col("second") == winner).sum().cast(pl.Float64)
    counted = compared.group_by("instance_id").agg(ahead=ahead, votes=pl.len().cast(pl.Float64)).sort("instance_id")
    by_how_much, of = (counted.select(column).to_numpy() for column in ("ahead", "votes"))
    return AgreementDifference(
        value=float(by_how_much.sum() / of.sum()),
        interval=ratio_intervals(by_how_much, of, draws=draws, seed=seed, confidence=confidence)[0],
        votes=compared.height,
        instances=counted.height,
        left_out=votes.height - compared.height,
    )
