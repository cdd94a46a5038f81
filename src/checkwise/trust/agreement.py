"""How often a judge decides a pair of responses as people did: three outcomes, counted per vote."""

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from checkwise.bootstrap import Interval, ratio_intervals
from checkwise.errors import NothingJudgedError
from checkwise.ranking.matrix import require_columns, require_unique
from checkwise.ranking.pairs import PAIR
from checkwise.trust.kappa import cohen_kappa
from checkwise.trust.votes import ordered_votes, with_outcomes


@dataclass(frozen=True)
class Agreement:
    """The share of votes that a judge agrees with, and what stands behind it."""

    rate: float
    """Votes agreed with, of those compared; a judge that guesses reaches a third."""
    interval: Interval | None
    """Of the rate, by resampling instances with their votes; None where there is only one instance."""
    kappa: float | None
    """Cohen's kappa; None where both sides say nothing but tie."""
    votes: int
    """Votes compared; for people with each other, pairs of votes."""
    instances: int
    """Instances that the compared votes are about."""
    left_out: int
    """Votes not compared: a score is missing, the vote names no winner, or nobody else voted on the pair."""


def agreement(
    outcomes: pl.DataFrame, votes: pl.DataFrame, *, draws: int = 1000, seed: int = 42, confidence: float = 0.95
) -> Agreement:
    """Measure a judge against votes.

    Args:
        outcomes: The judge's: instance_id, model_a, model_b, outcome (model_a, model_b, tie; null where a score is
            missing), each pair at most once, in either order. See ``pair_outcomes`` and ``votes_as_outcomes``.
        votes: instance_id, model_a, model_b, winner, judge; any number a pair, in either order.
        draws: Resamples of instances behind the interval.
        seed: Of the resamples.
        confidence: Of the interval, between 0 and 1.

    Returns:
        The rate over votes that the judge has an outcome for, with a count of the others.

    Raises:
        DataError: A column is missing, a value is none of the three outcomes, or a pair has two outcomes.
        NothingJudgedError: There is no vote that the judge has an outcome for.

    Source: Zheng et al. (arXiv 2306.05685), section 4, ties included; RocketEval (arXiv 2503.05142), section 4.
    """
    compared = with_outcomes(votes, outcome=outcomes)
    if compared.is_empty():
        raise NothingJudgedError(
            f"none of the {votes.height} votes is about a pair that was judged",
            todo="See that votes and scores name instances and models alike.",
        )
    agreeing = _per_instance(compared, pl.col("outcome") == pl.col("winner"))
    return Agreement(
        rate=_rate(agreeing),
        interval=_interval(agreeing, draws=draws, seed=seed, confidence=confidence),
        kappa=cohen_kappa(compared["outcome"], compared["winner"]),
        votes=compared.height,
        instances=agreeing.height,
        left_out=votes.height - compared.height,
    )


def human_agreement(votes: pl.DataFrame, *, draws: int = 1000, seed: int = 42, confidence: float = 0.95) -> Agreement:
    """Measure people against each other: the ceiling for a judge that is measured against them.

    The rate is over pairs of votes: every two votes that different people cast on the same pair of responses, each such
    two once. A pair of responses on which n people voted therefore counts n·(n - 1) / 2 times.

    Args:
        votes: instance_id, model_a, model_b, winner, judge; votes of an unknown judge are left out.
        draws: Resamples of instances behind the interval.
        seed: Of the resamples.
        confidence: Of the interval, between 0 and 1.

    Returns:
        The rate, with the number of pairs of votes as ``votes``. Of two votes neither is the measure of the other, so
        kappa takes them both ways round.

    Raises:
        DataError: A column is missing, or a winner is none of the three outcomes.
        NothingJudgedError: No two people voted on the same pair of responses.

    Source: Zheng et al. (arXiv 2306.05685), section 4, ties included.
    """
    cast = ordered_votes(votes).with_row_index("vote").filter(pl.col("winner").is_not_null())
    one = cast.select(*PAIR, "vote", "judge", "winner")
    two = one.join(one, on=PAIR, suffix="_other").filter(pl.col("judge") < pl.col("judge_other"))
    if two.is_empty():
        raise NothingJudgedError(
            f"no two people voted on the same pair of responses in {votes.height} votes",
            todo="Agreement among people needs pairs that several of them judged, and a name for each.",
        )
    agreeing = _per_instance(two, pl.col("winner") == pl.col("winner_other"))
    winners, others = two["winner"], two["winner_other"]
    return Agreement(
        rate=_rate(agreeing),
        interval=_interval(agreeing, draws=draws, seed=seed, confidence=confidence),
        kappa=cohen_kappa(pl.concat([winners, others]), pl.concat([others, winners])),
        votes=two.height,
        instances=agreeing.height,
        left_out=votes.height - pl.concat([two["vote"], two["vote_other"]]).n_unique(),
    )


def _per_instance(compared: pl.DataFrame, agrees: pl.Expr) -> pl.DataFrame:
    """Count votes by instance, sorted: draws pick rows by place, and the order of a file must change nothing."""
    return compared.group_by("instance_id").agg(agreeing=agrees.sum(), votes=pl.len()).sort("instance_id")


def _rate(counted: pl.DataFrame) -> float:
    return int(counted["agreeing"].sum()) / int(counted["votes"].sum())


def _interval(counted: pl.DataFrame, *, draws: int, seed: int, confidence: float) -> Interval | None:
    agreeing, votes = (counted.select(pl.col(name).cast(pl.Float64)).to_numpy() for name in ("agreeing", "votes"))
    return ratio_intervals(agreeing, votes, draws=draws, seed=seed, confidence=confidence)[0]


_BY_CATEGORY = {
    "category": pl.String,
    "rate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "kappa": pl.Float64,
    "votes": pl.Int64,
    "instances": pl.Int64,
    "left_out": pl.Int64,
}


def agreement_by_category(
    votes: pl.DataFrame, categories: pl.DataFrame, measure: Callable[[pl.DataFrame], Agreement]
) -> pl.DataFrame:
    """Measure agreement for each category on its own.

    Args:
        votes: instance_id, model_a, model_b, winner, judge.
        categories: instance_id and category, each instance once.
        measure: What to do with the votes of one category, such as ``lambda votes: agreement(outcomes, votes)``.

    Returns:
        category, rate, low, high, kappa, votes, instances, left_out; sorted by category, instances without one last.
        A category with nothing to compare keeps its row, without a rate.

    Raises:
        DataError: A column is missing, or an instance has two categories.
    """
    require_columns(categories, ("instance_id", "category"), of="categories")
    categories = categories.select(pl.col("instance_id", "category").cast(pl.String)).unique()
    require_unique(categories, ["instance_id"], of="categories")
    placed = ordered_votes(votes).join(categories, on="instance_id", how="left").sort("category", nulls_last=True)
    groups = placed.partition_by("category", maintain_order=True)
    rows = [{"category": group["category"][0], **_row(group.drop("category"), measure)} for group in groups]
    return pl.DataFrame(rows, schema=_BY_CATEGORY)


def _row(votes: pl.DataFrame, measure: Callable[[pl.DataFrame], Agreement]) -> dict[str, float | None]:
    try:
        found = measure(votes)
    except NothingJudgedError:
        return {"votes": 0, "instances": 0, "left_out": votes.height}
    return {
        "rate": found.rate,
        "low": found.interval.low if found.interval else None,
        "high": found.interval.high if found.interval else None,
        "kappa": found.kappa,
        "votes": found.votes,
        "instances": found.instances,
        "left_out": found.left_out,
    }
