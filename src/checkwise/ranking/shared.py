"""The scores that models are compared by: those for instances that all of them have a score for."""

from dataclasses import dataclass

import polars as pl

from checkwise.errors import NothingJudgedError
from checkwise.ranking.matrix import checked_scores, score_matrix


@dataclass(frozen=True, eq=False)
class SharedScores:
    """Scores to compare models by."""

    scores: pl.DataFrame
    """instance_id, model, value and the frame's other columns; none is null."""
    notes: tuple[str, ...]
    """What was left out, or that the models were asked different things."""


def shared_scores(scores: pl.DataFrame, *, common_only: bool = True) -> SharedScores:
    """Keep what models can fairly be compared by, as ``leaderboard`` does.

    Args:
        scores: One row a response: instance_id, model, value (0-1, null where unscored).
        common_only: Whether to keep to the instances that all models with any score have one for.

    Returns:
        The scored rows, with notes on what is not among them.

    Raises:
        DataError: A column is missing, or two rows score the same response.
        NothingJudgedError: No response has a score, or no instance has one for every model.
    """
    scores = checked_scores(scores)
    matrix = score_matrix(scores)
    ranked = matrix.judged()
    if not ranked.models:
        raise NothingJudgedError(
            f"none of the {scores.height} responses has a score",
            todo="The reasons stand with the scores; put them right and run again.",
        )
    notes = []
    if unranked := sorted(set(matrix.models) - set(ranked.models)):
        notes.append(f"no response of these models has a score, so they are not compared: {', '.join(unranked)}")
    scored = scores.drop_nulls("value")
    if not common_only:
        notes.append("models are compared on all instances that two of them have a score for, not on the same for all")
        return SharedScores(scored, tuple(notes))
    common = ranked.common().instances
    if not common:
        raise NothingJudgedError(
            f"no instance has a score for each of the {len(ranked.models)} models",
            todo="Keep all instances instead, or leave out the model that lacks most.",
        )
    if left_out := len(ranked.instances) - len(common):
        notes.append(f"{left_out} instances are not compared, since not every model has a score there")
    return SharedScores(scored.filter(pl.col("instance_id").is_in(common)), tuple(notes))
