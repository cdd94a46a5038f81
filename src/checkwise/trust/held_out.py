"""Choosing how to score by people's votes without looking at the votes that the choice is measured on."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from checkwise.errors import DataError, NothingJudgedError
from checkwise.ranking.matrix import require_columns
from checkwise.trust.agreement import agreement

Folds = Mapping[str, int]
"""The number of the fold that each instance is in, from 0."""


@dataclass(frozen=True)
class Candidate:
    """A way to decide pairs that may learn from votes."""

    name: str
    """What it is called."""
    outcomes: Callable[[pl.DataFrame], pl.DataFrame]
    """From the votes that it may learn from to the outcomes of all pairs, also of other instances: instance_id,
    model_a, model_b, outcome. One that learns nothing gives the same for any votes."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """What the candidate that did best on other questions says of each question."""

    outcomes: pl.DataFrame
    """instance_id, model_a, model_b, outcome; every instance is decided by a candidate that was chosen, and has
    learned, without its votes."""
    times: Mapping[str, int]
    """In how many folds each candidate was chosen."""


def question_folds(questions: Mapping[str, str], *, folds: int = 5, seed: int = 42) -> Folds:
    """Deal instances into folds, so that all turns of a question are in the same.

    Args:
        questions: The question that each instance belongs to; an instance that is a question of its own has its own id.
        folds: How many, at least 2.
        seed: Of the shuffle.

    Returns:
        The fold of each instance; questions are dealt as evenly as can be.

    Raises:
        DataError: There are fewer questions than folds.
    """
    names = sorted(set(questions.values()))
    if folds < 2 or len(names) < folds:
        raise DataError(
            f"{len(names)} questions cannot be dealt into {folds} folds",
            todo="Take at least two folds, and no more than there are questions.",
        )
    order = np.random.default_rng(seed).permutation(len(names))
    place = {names[int(number)]: position % folds for position, number in enumerate(order)}
    return {instance: place[question] for instance, question in questions.items()}


def held_out_outcomes(candidate: Candidate, votes: pl.DataFrame, folds: Folds) -> pl.DataFrame:
    """Decide the pairs of each fold by what was learned on the other folds.

    Args:
        candidate: Decides pairs.
        votes: instance_id, model_a, model_b, winner, judge.
        folds: The fold of each instance that has votes.

    Returns:
        instance_id, model_a, model_b, outcome of all instances that are in a fold.

    Raises:
        DataError: A vote is about an instance that is in no fold.
    """
    placed = _placed(votes, folds)
    decided = []
    for fold in sorted(set(folds.values())):
        seen = placed.filter(pl.col("fold") != fold).drop("fold")
        decided.append(_of_fold(candidate.outcomes(seen), folds, fold))
    return pl.concat(decided)


def chosen_on_other_folds(candidates: Sequence[Candidate], votes: pl.DataFrame, folds: Folds) -> Chosen:
    """Choose a candidate for each fold by cross-validation on the other folds: nested cross-validation.

    Args:
        candidates: Ways to decide pairs, the simplest first: where two do equally well the earlier one is taken.
        votes: instance_id, model_a, model_b, winner, judge.
        folds: The fold of each instance that has votes; at least three folds.

    Returns:
        What the chosen ones decide, and how often each was chosen.

    Raises:
        DataError: A vote is about an instance that is in no fold.
        NothingJudgedError: No candidate has an outcome for any vote of the other folds.
    """
    placed = _placed(votes, folds)
    decided, times = [], Counter[str]()
    for fold in sorted(set(folds.values())):
        seen = placed.filter(pl.col("fold") != fold).drop("fold")
        inner = {instance: number for instance, number in folds.items() if number != fold}
        rates = [_rate(held_out_outcomes(candidate, seen, inner), seen) for candidate in candidates]
        best = candidates[int(np.argmax(rates))]
        times[best.name] += 1
        decided.append(_of_fold(best.outcomes(seen), folds, fold))
    return Chosen(pl.concat(decided), dict(times))


def _placed(votes: pl.DataFrame, folds: Folds) -> pl.DataFrame:
    require_columns(votes, ("instance_id",), of="votes")
    table = pl.DataFrame({"instance_id": list(folds), "fold": list(folds.values())})
    placed = votes.join(table, on="instance_id", how="left", maintain_order="left")
    lost = placed.filter(pl.col("fold").is_null())
    if lost.height:
        raise DataError(f"{lost.height} votes are about instances in no fold, such as {lost['instance_id'][0]}")
    return placed


def _of_fold(outcomes: pl.DataFrame, folds: Folds, fold: int) -> pl.DataFrame:
    inside = pl.Series([instance for instance, number in folds.items() if number == fold], dtype=pl.String)
    kept = outcomes.filter(pl.col("instance_id").is_in(inside.implode()))
    return kept.select("instance_id", "model_a", "model_b", "outcome")


def _rate(outcomes: pl.DataFrame, votes: pl.DataFrame) -> float:
    # The interval is not looked at here.
    try:
        return agreement(outcomes, votes, draws=1).rate
    except NothingJudgedError:
        return -1.0
