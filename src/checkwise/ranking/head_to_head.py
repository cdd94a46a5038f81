"""How each model did against each other one."""

import numpy as np
import polars as pl

from checkwise.bootstrap import Interval, Matrix, constant_interval, ratio_intervals
from checkwise.ranking.battles import both_ways, count_battles, known_outcomes


def head_to_head(
    outcomes: pl.DataFrame, *, draws: int = 1000, seed: int = 42, confidence: float = 0.95
) -> pl.DataFrame:
    """Count wins, ties and losses for every two models that met.

    Args:
        outcomes: instance_id, model_a, model_b, outcome (model_a, model_b, tie; null where unknown), any number a pair,
            in either order.
        draws: Resamples of instances behind the intervals.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        One row for each model against each other, sorted: model_a, model_b, n, wins (of model_a), ties, losses,
        win_rate (ties counted half), low, high. The ends are null where the two met on one instance only; where all
        instances have the same share they are those of ``constant_interval``, since resampling would show no spread.

    Raises:
        DataError: The outcomes are not as described.
        NothingJudgedError: No pair has an outcome.
    """
    seen = both_ways(known_outcomes(outcomes))
    counted = count_battles(seen, "model", "opponent")
    points, met = (_spread(seen, values) for values in (pl.col("points").sum(), pl.len()))
    intervals = _intervals(points, met, draws=draws, seed=seed, confidence=confidence)
    return counted.select(
        "n",
        "wins",
        "ties",
        "losses",
        model_a="model",
        model_b="opponent",
        win_rate=(pl.col("wins") + 0.5 * pl.col("ties")) / pl.col("n"),
        low=pl.Series([interval.low if interval else None for interval in intervals], dtype=pl.Float64),
        high=pl.Series([interval.high if interval else None for interval in intervals], dtype=pl.Float64),
    ).select("model_a", "model_b", "n", "wins", "ties", "losses", "win_rate", "low", "high")


def _spread(seen: pl.DataFrame, values: pl.Expr) -> Matrix:
    """Lay a sum out by instance and pair: rows and columns sorted, 0 where the two did not meet."""
    pair = pl.struct("model", "opponent").rank("dense").cast(pl.Int64) - 1
    row = pl.col("instance_id").rank("dense").cast(pl.Int64) - 1
    summed = seen.with_columns(row=row, pair=pair).group_by("row", "pair").agg(values=values.cast(pl.Float64))
    places = summed.select(pl.col("row", "pair").max() + 1).row(0)
    laid_out: Matrix = np.zeros(places)
    laid_out[summed["row"].to_numpy(), summed["pair"].to_numpy()] = summed["values"].to_numpy()
    return laid_out


def _intervals(points: Matrix, met: Matrix, *, draws: int, seed: int, confidence: float) -> list[Interval | None]:
    found = ratio_intervals(points, met, draws=draws, seed=seed, confidence=confidence)
    for pair, (above, below) in enumerate(zip(points.T, met.T, strict=True)):
        shares = above[below > 0] / below[below > 0]
        if shares.size > 1 and (shares == shares[0]).all():
            found[pair] = constant_interval(float(shares[0]), shares.size, confidence=confidence)
    return found
