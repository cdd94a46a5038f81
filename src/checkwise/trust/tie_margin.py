"""A tie margin fitted to people's votes: scores so close that people would call the pair a tie."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from checkwise.errors import NothingJudgedError
from checkwise.ranking.pairs import PAIR, TIE_MARGIN, decided, pair_outcomes
from checkwise.trust.agreement import Agreement, agreement
from checkwise.trust.held_out import Candidate, held_out_outcomes, question_folds
from checkwise.trust.votes import ordered_votes, with_outcomes

EVERYTHING = 10.0
"""A margin that makes every pair a tie: scores on the 1-10 scale differ by 9 at most."""

_TURN = re.compile(r"-[12]$")
_DECIMALS = 9
"""Differences that differ by less are the same: what is left is the rounding of sums."""


@dataclass(frozen=True)
class TieMargin:
    """A margin, and what it does on questions that it was not fitted to."""

    margin: float
    """On the 1-10 scale, fitted to all votes."""
    vote_tie_rate: float
    """Share of votes that are a tie."""
    tie_rate: float
    """Share of the same votes whose pair the judge calls a tie with this margin."""
    votes: int
    """Votes that the margin was fitted to."""
    questions: int
    """Questions that they are about."""
    left_out: int
    """Votes left out: a score is missing, or the vote names no winner."""
    folds: int
    """Groups of questions that a margin was held out from; 0 where there are fewer than two questions."""
    held_out: Agreement | None
    """Agreement with votes of each fold, by a margin fitted to the other folds."""
    held_out_tie_rate: float | None
    """Share of votes whose pair is then a tie."""
    published: Agreement
    """Agreement with the same votes by the published margin, 0.1."""


def fit_tie_margin(
    scores: pl.DataFrame,
    votes: pl.DataFrame,
    *,
    questions: Mapping[str, str] | None = None,
    folds: int = 5,
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
) -> TieMargin:
    """Choose the margin with which the judge calls as many pairs a tie as people do, on the pairs that they voted on.

    Args:
        scores: One row a response: instance_id, model, value (0-1, null where unscored).
        votes: instance_id, model_a, model_b, winner (model_a, model_b, tie, null), judge; any number a pair.
        questions: The question that each instance belongs to, where ids do not tell it: ``81-1`` and ``81-2`` are two
            turns of question 81, and are never in two folds.
        folds: Into how many the questions are dealt; as many as there are questions where those are fewer.
        draws: Resamples of instances behind the intervals.
        seed: Of the folds and the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        The margin, lying midway between two differences that occur, so that it hangs on no rounding; the least one
        where several do equally well.

    Raises:
        DataError: A column is missing, or scores or votes are not as described.
        NothingJudgedError: No vote is about a pair with scores.

    Source: RocketEval (arXiv 2503.05142), ties on MT-Bench.
    """
    pairs = pair_outcomes(scores)
    voted = with_outcomes(votes, judged=pairs).select(*PAIR, "winner", "judge").join(pairs, on=PAIR)
    if voted.is_empty():
        raise NothingJudgedError(
            f"none of the {votes.height} votes is about a pair that was judged",
            todo="See that votes and scores name instances and models alike.",
        )
    about = {instance: (questions or {}).get(instance, _TURN.sub("", instance)) for instance in voted["instance_id"]}
    margin = _fitted(voted)
    of_votes = voted.select(*PAIR, "winner", "judge")
    measure = partial(agreement, votes=of_votes, draws=draws, seed=seed, confidence=confidence)
    parts = min(folds, len(set(about.values())))
    held_out = _held_out(pairs, of_votes, question_folds(about, folds=parts, seed=seed)) if parts > 1 else None
    return TieMargin(
        margin=margin,
        vote_tie_rate=_share_of_ties(voted["winner"]),
        tie_rate=_tie_rate(decided(pairs, margin=margin), of_votes),
        votes=voted.height,
        questions=len(set(about.values())),
        left_out=votes.height - voted.height,
        folds=parts if held_out is not None else 0,
        held_out=None if held_out is None else measure(held_out),
        held_out_tie_rate=None if held_out is None else _tie_rate(held_out, of_votes),
        published=measure(decided(pairs, margin=TIE_MARGIN)),
    )


def _held_out(pairs: pl.DataFrame, votes: pl.DataFrame, folds: Mapping[str, int]) -> pl.DataFrame:
    def decide(seen: pl.DataFrame) -> pl.DataFrame:
        return decided(pairs, margin=_fitted(seen.join(pairs, on=PAIR)))

    return held_out_outcomes(Candidate("tie margin", decide), votes, folds)


def _fitted(voted: pl.DataFrame) -> float:
    """Find the margin, given the vote (winner) and the difference (delta) of each row."""
    wanted = int((voted["winner"] == "tie").sum())
    gaps = np.sort(np.round(np.abs(voted["delta"].to_numpy()), _DECIMALS))
    distinct = np.unique(gaps)
    margins = np.array([0.0, *(distinct[:-1] + distinct[1:]) / 2, EVERYTHING])
    # Equal scores are a tie whatever the margin.
    below = np.maximum(np.searchsorted(gaps, margins), np.searchsorted(gaps, 0.0, side="right"))
    return float(margins[np.argmin(np.abs(below - wanted))])


def _tie_rate(outcomes: pl.DataFrame, votes: pl.DataFrame) -> float:
    return _share_of_ties(with_outcomes(ordered_votes(votes), judged=outcomes)["judged"])


def _share_of_ties(ends: pl.Series) -> float:
    return int((ends == "tie").sum()) / len(ends)
