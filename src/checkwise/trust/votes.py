"""Votes on pairs of responses: which of two is better, as a person or another judge sees it."""

import polars as pl

from checkwise.ranking.matrix import require_columns, require_unique
from checkwise.ranking.pairs import PAIR, in_name_order


def ordered_votes(votes: pl.DataFrame) -> pl.DataFrame:
    """Bring votes on (b, a) and on (a, b) together: they are about the same pair.

    Args:
        votes: One row a vote: instance_id, model_a, model_b, winner (model_a, model_b, tie; null where the judge gave
            no verdict) and judge (null where unknown).

    Returns:
        The same votes, with model_a before model_b by name and the winner turned round where they were.

    Raises:
        DataError: A column is missing, a model is set against itself, or a winner is none of the three.
    """
    require_columns(votes, (*PAIR, "winner", "judge"), of="votes")
    return in_name_order(votes.with_columns(pl.col(*PAIR, "winner", "judge").cast(pl.String)), "winner")


def votes_as_outcomes(votes: pl.DataFrame) -> pl.DataFrame:
    """Treat one judge's votes as outcomes, to measure that judge against people.

    Args:
        votes: Votes of a single judge, such as GPT-4's on MT-Bench; see ``ordered_votes``.

    Returns:
        instance_id, model_a, model_b, outcome; each pair once, sorted.

    Raises:
        DataError: The frame is not one of votes, or holds two votes on one pair: which of them is the judge's outcome?
    """
    votes = ordered_votes(votes)
    require_unique(votes, PAIR, of="votes of one judge")
    return votes.select(*PAIR, outcome="winner").sort(PAIR)


def with_outcomes(votes: pl.DataFrame, **judges: pl.DataFrame) -> pl.DataFrame:
    """Put beside each vote what judges decide, and keep the votes for which nothing is missing.

    Args:
        votes: instance_id, model_a, model_b, winner, judge.
        judges: For each judge, by name: instance_id, model_a, model_b, outcome (null where a score is missing), each
            pair at most once, in either order.

    Returns:
        The votes that name a winner and that every judge has an outcome for, in name order, with a column a judge.

    Raises:
        DataError: A column is missing, a value is none of the three outcomes, or a judge has two outcomes for a pair.
    """
    votes = ordered_votes(votes).filter(pl.col("winner").is_not_null())
    for name, outcomes in judges.items():
        require_columns(outcomes, (*PAIR, "outcome"), of="outcomes")
        ordered = in_name_order(outcomes.with_columns(pl.col(*PAIR, "outcome").cast(pl.String)), "outcome")
        require_unique(ordered, PAIR, of="outcomes")
        known = ordered.filter(pl.col("outcome").is_not_null()).select(*PAIR, pl.col("outcome").alias(name))
        votes = votes.join(known, on=PAIR)
    return votes
