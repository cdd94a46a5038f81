"""How much better or worse models score than before, on the instances that both runs have."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from checkwise.bootstrap import Interval, constant_interval, ratio_intervals
from checkwise.errors import DataError
from checkwise.ranking.matrix import require_columns


@dataclass(frozen=True)
class Change:
    """What became of one model's mean score."""

    model: str
    """The model, as the later run calls it."""
    before: float | None
    """Its mean on the common instances, 0-1; None where there is none."""
    after: float | None
    """The same, later."""
    difference: float | None
    """Later minus before."""
    interval: Interval | None
    """95%, by resampling instances; None with fewer than two of them."""
    instances: int
    """How many have a score in both runs."""
    left_out: int
    """How many of the instances in either run have not."""


def changes(
    before: pl.DataFrame,
    after: pl.DataFrame,
    *,
    models: Mapping[str, str] | None = None,
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
) -> list[Change]:
    """Compare the scores of two runs, instance by instance.

    Args:
        before: instance_id, model, value (0-1, null where unscored).
        after: The same, later.
        models: For each model of the later run, whose scores of the earlier one it is held against; each model against
            itself if None.
        draws: Resamples of instances.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        One change a model that is held against one, in order of their names.

    Raises:
        DataError: A frame lacks a column, or a run has not the model that is named.
    """
    for frame, name in ((before, "the earlier scores"), (after, "the later scores")):
        require_columns(frame, ("instance_id", "model", "value"), of=name)
    earlier, later = (set(frame["model"].unique()) for frame in (before, after))
    pairs = {model: model for model in earlier & later} if models is None else dict(models)
    for model, known, run in (
        *((model, later, "later") for model in pairs),
        *((model, earlier, "earlier") for model in pairs.values()),
    ):
        if model not in known:
            raise DataError(f"the {run} run has no model {model}", todo=f"It has {', '.join(sorted(known))}.")
    return [
        _change(model, _of(before, pairs[model]), _of(after, model), draws=draws, seed=seed, confidence=confidence)
        for model in sorted(pairs)
    ]


def _of(scores: pl.DataFrame, model: str) -> pl.DataFrame:
    return scores.filter(pl.col("model") == model).select("instance_id", "value")


def _change(
    model: str, before: pl.DataFrame, after: pl.DataFrame, *, draws: int, seed: int, confidence: float
) -> Change:
    joined = before.join(after, on="instance_id", how="full", suffix="_after", coalesce=True)
    both = joined.drop_nulls(["value", "value_after"]).sort("instance_id")
    left_out = joined.height - both.height
    if not both.height:
        return Change(model, None, None, None, None, 0, left_out)
    one, other = (both[column].to_numpy() for column in ("value", "value_after"))
    apart = other - one
    return Change(
        model,
        float(one.mean()),
        float(other.mean()),
        float(apart.mean()),
        _interval(apart, draws=draws, seed=seed, confidence=confidence),
        both.height,
        left_out,
    )


def _interval(apart: np.ndarray, *, draws: int, seed: int, confidence: float) -> Interval | None:
    if len(apart) < 2:
        return None
    if (apart == apart[0]).all():
        # Equal everywhere: resampling would claim certainty. The difference lies on a scale from -1 to 1.
        share = constant_interval((float(apart[0]) + 1) / 2, len(apart), confidence=confidence)
        return Interval(2 * share.low - 1, 2 * share.high - 1)
    column = apart[:, np.newaxis]
    (found,) = ratio_intervals(column, np.ones_like(column), draws=draws, seed=seed, confidence=confidence)
    return found
