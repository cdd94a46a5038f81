"""Whether a judge agrees with people more than another judge does, or than people do: differences on the same votes."""

from dataclasses import dataclass

import polars as pl

from checkwise.bootstrap import Interval, ratio_intervals
from checkwise.errors import NothingJudgedError
from checkwise.ranking.pairs import PAIR
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


@dataclass(frozen=True)
class DifferenceFromPeople:
    """By how much a judge agrees with people more than people agree with each other."""

    value: float
    """The judge's rate less the people's, between -1 and 1."""
    interval: Interval | None
    """Of the difference, by resampling instances with their votes; None where there is only one instance."""
    judge: float
    """How often the judge agrees with one of two people who voted on the same pair of responses."""
    people: float
    """How often the two agree with each other."""
    votes: int
    """Pairs of votes of different people on one pair of responses that the judge has an outcome for."""
    instances: int
    """Instances that those votes are about."""
    left_out: int
    """Votes that are in no such pair of votes."""


def difference_from_people(
    outcomes: pl.DataFrame, votes: pl.DataFrame, *, draws: int = 1000, seed: int = 42, confidence: float = 0.95
) -> DifferenceFromPeople | None:
    """Compare a judge with people on the same pairs of responses, and on the same votes.

    Every two votes that different people cast on one pair of responses count once: the people agree in them or not, and
    the judge agrees with both, one, or neither. What is compared is thus a judge beside a person and a person beside a
    person. ``human_agreement`` counts alike; ``agreement`` counts each vote once, and so may differ from ``judge``.

    Args:
        outcomes: The judge's: instance_id, model_a, model_b, outcome, each pair at most once.
        votes: instance_id, model_a, model_b, winner, judge; votes of an unknown judge are left out.
        draws: Resamples of instances behind the interval.
        seed: Of the resamples.
        confidence: Of the interval, between 0 and 1.

    Returns:
        The difference with its interval; None where no two people voted on a pair that the judge decided.

    Raises:
        DataError: A column is missing, a value is none of the three outcomes, or a pair has two outcomes.

    Source: Zheng et al. (arXiv 2306.05685), section 4, ties included.
    """
    one = (
        with_outcomes(votes, outcome=outcomes)
        .with_row_index("vote")
        .select(*PAIR, "vote", "judge", "winner", "outcome")
    )
    two = one.join(one.drop("outcome"), on=PAIR, suffix="_other").filter(pl.col("judge") < pl.col("judge_other"))
    if two.is_empty():
        return None
    with_one, with_other = (pl.col("outcome") == pl.col(winner) for winner in ("winner", "winner_other"))
    counted = (
        two.group_by("instance_id")
        .agg(
            judge=(with_one.sum().cast(pl.Float64) + with_other.sum().cast(pl.Float64)) / 2,
            people=(pl.col("winner") == pl.col("winner_other")).sum().cast(pl.Float64),
            votes=pl.len().cast(pl.Float64),
        )
        .sort("instance_id")
    )
    judge, people, of = (counted.select(column).to_numpy() for column in ("judge", "people", "votes"))
    return DifferenceFromPeople(
        value=float((judge - people).sum() / of.sum()),
        interval=ratio_intervals(judge - people, of, draws=draws, seed=seed, confidence=confidence)[0],
        judge=float(judge.sum() / of.sum()),
        people=float(people.sum() / of.sum()),
        votes=two.height,
        instances=counted.height,
        left_out=votes.height - pl.concat([two["vote"], two["vote_other"]]).n_unique(),
    )
