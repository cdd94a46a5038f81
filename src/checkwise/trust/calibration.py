"""Whether probabilities mean what they say: of answers given 70%, seven in ten should be right.

A *forecast* is a probability with what came of it: ``item_forecasts`` makes them of items and people's answers,
``pair_forecasts`` of pairs and votes; ``calibration`` measures either kind.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from checkwise.bootstrap import Interval, Matrix, percentile_interval, resampled_counts
from checkwise.errors import DataError, Place
from checkwise.ranking.matrix import require_columns, require_unique
from checkwise.ranking.pairs import PAIR
from checkwise.trust.figure import Figure, share_figure
from checkwise.trust.votes import ordered_votes

FEWEST = 5
"""Instances below which no interval is given: that of fewer misses the truth far more often than it says."""

Vector = NDArray[np.float64]
Bins = Literal["width", "count"]
"""How probabilities are put into bins: of equal width, or of about equally many."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """How good probabilities are, and what stands behind it. Intervals come from resampling instances."""

    curve: pl.DataFrame
    """One row a bin that is not empty, in order: low_edge, high_edge, n (forecasts in it; a vote on a pair is two, one
    from either side), mean (of the probabilities), observed (share of Yes, or of wins), low and high (of observed)."""
    brier: Figure
    """Mean squared distance of the probabilities from what came; 0 is perfect."""
    brier_of_base_rate: Figure
    """The same for somebody who always says how often Yes, or a win, comes about."""
    brier_gain: Figure
    """The base rate's Brier score less the probabilities' own; above 0 they say more than the base rate does."""
    expected_error: Figure
    """Expected calibration error: how far mean and observed are apart, on average over forecasts."""
    error_by_chance: float | None
    """What the expected error of a perfectly calibrated judge would be on average with data like these: by chance no
    bin comes out even. None where there is no interval."""
    instances: int
    """Instances that the forecasts are about."""
    left_out: int
    """Rows without a probability, or without a label."""


def item_forecasts(grades: pl.DataFrame) -> pl.DataFrame:
    """Take a judge's answers to items as forecasts of people's answers.

    Args:
        grades: One row an item and response: instance_id, model, number, p_yes (null where unscored), label (1 or true
            for Yes, 0 or false for No; null where there is none).

    Returns:
        instance_id, p, outcome, weight; one row a grade.

    Raises:
        DataError: A column is missing, a row is doubled, or a label is neither Yes nor No.
    """
    require_columns(grades, ("instance_id", "model", "number", "p_yes", "label"), of="grades")
    require_unique(grades, ["instance_id", "model", "number"], of="grades")
    forecasts = grades.select("instance_id", p="p_yes", outcome=pl.col("label").cast(pl.Float64), weight=pl.lit(1.0))
    unclear = forecasts.filter(~pl.col("outcome").is_in([0.0, 1.0]))
    if unclear.height:
        raise DataError(
            f"{unclear.height} labels are neither 0 nor 1, such as {unclear['outcome'][0]}",
            where=Place(id=str(unclear["instance_id"][0])),
            todo="Write 1 for Yes, 0 for No, and nothing where nobody answered.",
        )
    return forecasts


def pair_forecasts(pairs: pl.DataFrame, votes: pl.DataFrame) -> pl.DataFrame:
    """Take win probabilities as forecasts of votes; a tie is half a win.

    Which response is called A is chance. Each vote is therefore seen from both sides, with half the weight each, so
    that turning pairs round changes no figure; the base rate is one half.

    Args:
        pairs: instance_id, model_a, model_b, p_a (the probability that A wins, null where unknown); each pair once, in
            either order. See ``recalibration.win_probabilities``.
        votes: instance_id, model_a, model_b, winner, judge; any number a pair, in either order.

    Returns:
        instance_id, p, outcome, weight; two rows a vote. p is null for votes on pairs that were not judged.

    Raises:
        DataError: A column is missing, a winner is none of the three outcomes, or a pair has two probabilities.
    """
    require_columns(pairs, (*PAIR, "p_a"), of="pairs")
    named = pairs.with_columns(pl.col(*PAIR).cast(pl.String), pl.col("p_a").cast(pl.Float64))
    turned = pl.col("model_a") > pl.col("model_b")
    ordered = named.select(
        "instance_id",
        model_a=pl.min_horizontal("model_a", "model_b"),
        model_b=pl.max_horizontal("model_a", "model_b"),
        p=pl.when(turned).then(1 - pl.col("p_a")).otherwise(pl.col("p_a")),
    )
    require_unique(ordered, PAIR, of="pairs")
    won = pl.col("winner").replace_strict({"model_a": 1.0, "tie": 0.5, "model_b": 0.0}, return_dtype=pl.Float64)
    one = ordered_votes(votes).join(ordered, on=PAIR, how="left").select("instance_id", "p", outcome=won, weight=0.5)
    return pl.concat([one, one.with_columns(p=1 - pl.col("p"), outcome=1 - pl.col("outcome"))])


def calibration(
    forecasts: pl.DataFrame,
    *,
    bins: int = 10,
    by: Bins = "width",
    draws: int = 1000,
    seed: int = 42,
    confidence: float = 0.95,
) -> Calibration:
    """Measure forecasts against what came of them.

    A judge's expected error is never 0, however well it is calibrated: see ``error_by_chance``. Resampling adds as much
    chance again, so its interval is reflected at the value, and begins at 0 unless the value is beyond what chance
    alone gives. In simulations, one of 95% holds the truth between 88 and 95 times in a hundred.

    Args:
        forecasts: instance_id, p, outcome, weight; rows without p or outcome are left out and counted.
        bins: How many bins of probabilities; empty ones do not count.
        by: Whether they are of equal width, or hold about equally many forecasts.
        draws: Resamples of instances behind the intervals.
        seed: Of the resamples.
        confidence: Of the intervals, between 0 and 1.

    Returns:
        The figures; no value where there is no forecast, no interval where fewer than five instances stand behind it.

    Raises:
        DataError: A column is missing, or a probability or outcome is not between 0 and 1.
        ValueError: There is no bin, or the confidence is not between 0 and 1.

    Source: Brier, "Verification of forecasts expressed in terms of probability" (1950); Naeini, Cooper and Hauskrecht,
        "Obtaining well calibrated probabilities using Bayesian binning" (2015).
    """
    if bins < 1:
        raise ValueError(f"at least one bin is needed, not {bins}")
    checked = checked_forecasts(forecasts)
    rows = checked.drop_nulls(["p", "outcome"]).sort("instance_id", "p", "outcome")
    edges = _edges(rows["p"].to_numpy(), bins, by)
    binned = rows.with_columns(bin=np.searchsorted(edges[1:-1], rows["p"].to_numpy()))
    (brier, of_base_rate, gain, error), by_chance = _figures(_Sums.of(binned), draws, seed, confidence)
    return Calibration(
        curve=_curve(binned, edges, draws=draws, seed=seed, confidence=confidence),
        brier=brier,
        brier_of_base_rate=of_base_rate,
        brier_gain=gain,
        expected_error=error,
        error_by_chance=by_chance,
        instances=rows["instance_id"].n_unique(),
        left_out=round(checked.filter(pl.any_horizontal(pl.col("p", "outcome").is_null()))["weight"].sum()),
    )


def checked_forecasts(forecasts: pl.DataFrame) -> pl.DataFrame:
    """See that a frame holds forecasts.

    Args:
        forecasts: instance_id, p, outcome, weight.

    Returns:
        The frame with ids as text and NaN as null.

    Raises:
        DataError: A column is missing, or a probability or outcome is not between 0 and 1.
    """
    require_columns(forecasts, ("instance_id", "p", "outcome", "weight"), of="forecasts")
    numbers = pl.col("p", "outcome", "weight").cast(pl.Float64).fill_nan(None)
    checked = forecasts.with_columns(pl.col("instance_id").cast(pl.String), numbers)
    for column in ("p", "outcome"):
        beyond = checked.filter(~pl.col(column).is_between(0, 1))
        if beyond.height:
            raise DataError(
                f"{beyond.height} forecasts have a {column} such as {beyond[column][0]}",
                where=Place(id=str(beyond["instance_id"][0])),
                todo="Probabilities and outcomes lie between 0 and 1.",
            )
    return checked


def _edges(p: Vector, bins: int, by: Bins) -> Vector:
    if by == "width" or not p.size:
        return np.linspace(0.0, 1.0, bins + 1)
    return np.asarray(np.percentile(p, np.linspace(0.0, 100.0, bins + 1)), dtype=np.float64)


def _curve(binned: pl.DataFrame, edges: Vector, *, draws: int, seed: int, confidence: float) -> pl.DataFrame:
    rows = []
    for (place,), group in binned.sort("bin").group_by("bin", maintain_order=True):
        weight, came = pl.col("weight"), (pl.col("weight") * pl.col("outcome")).sum()
        by_instance = group.group_by("instance_id").agg(came=came, of=weight.sum()).sort("instance_id")
        observed = share_figure(
            *(by_instance[column].to_numpy() for column in ("came", "of")),
            nothing="no forecast",
            draws=draws,
            seed=seed,
            confidence=confidence,
        )
        low, high = (observed.interval.low, observed.interval.high) if observed.interval else (None, None)
        mean = float(np.average(group["p"], weights=group["weight"]))
        at = int(str(place))
        rows.append((edges[at], edges[at + 1], group.height, mean, observed.value, low, high))
    return pl.DataFrame(rows, schema=_CURVE, orient="row")


_CURVE = {
    "low_edge": pl.Float64,
    "high_edge": pl.Float64,
    "n": pl.Int64,
    "mean": pl.Float64,
    "observed": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums of weights, one row an instance or a resample."""

    weight: Vector
    came: Vector
    """Of outcomes."""
    came_squared: Vector
    error_squared: Vector
    gaps: Matrix
    """Of outcomes less probabilities, a column a bin."""

    @classmethod
    def of(cls, binned: pl.DataFrame) -> "_Sums":
        instance = binned["instance_id"].rank("dense").cast(pl.Int64).to_numpy() - 1
        p, came, weight = (binned[column].to_numpy() for column in ("p", "outcome", "weight"))
        place = binned["bin"].to_numpy()
        size = (int(instance.max()) + 1, int(place.max()) + 1) if instance.size else (0, 0)
        gaps = np.zeros(size)
        np.add.at(gaps, (instance, place), weight * (came - p))

        def added(values: Vector) -> Vector:
            return np.bincount(instance, values, size[0]).astype(np.float64)

        squares = added(weight * came**2), added(weight * (came - p) ** 2)
        return cls(added(weight), added(weight * came), *squares, gaps)

    def added(self, counts: Matrix) -> "_Sums":
        """Add instances up, each as often as it was drawn."""
        squares = counts @ self.came_squared, counts @ self.error_squared
        return _Sums(counts @ self.weight, counts @ self.came, *squares, counts @ self.gaps)

    def measures(self) -> Matrix:
        """Give the Brier score, the base rate's, the gain and the expected error: shape (rows, 4)."""
        brier = self.error_squared / self.weight
        of_base_rate = self.came_squared / self.weight - (self.came / self.weight) ** 2
        error = np.abs(self.gaps).sum(axis=1) / self.weight
        return np.stack([brier, of_base_rate, of_base_rate - brier, error], axis=1)


def _figures(sums: _Sums, draws: int, seed: int, confidence: float) -> tuple[list[Figure], float | None]:
    """Give the figures of the four measures, and the expected error by chance."""
    instances = sums.weight.size
    if not instances:
        return [Figure(None, None, 0, "no forecast has both a probability and an outcome")] * 4, None
    total = sums.added(np.ones((1, instances)))
    values, n = total.measures()[0].tolist(), round(total.weight[0])
    if instances < FEWEST:
        few = f"{instances} instances are too few for an interval; {FEWEST} are needed"
        return [Figure(value, None, n, few) for value in values], None
    resampled = [sums.added(counts) for counts in resampled_counts(instances, draws=draws, seed=seed)]
    samples = np.concatenate([one.measures() for one in resampled])
    # By how much the gaps move, whatever they are: the error that is left where in truth there is none.
    chance = np.concatenate([np.abs(one.gaps - total.gaps).sum(axis=1) / total.weight for one in resampled])
    intervals = [percentile_interval(column, confidence=confidence, clusters=instances) for column in samples.T]
    intervals[3] = _reflected(values[3], intervals[3], beyond=float(np.quantile(chance, confidence)))
    figures = [_figure(value, interval, n) for value, interval in zip(values, intervals, strict=True)]
    return figures, float(chance.mean())


def _reflected(value: float, interval: Interval | None, *, beyond: float) -> Interval | None:
    """Turn the interval round the value: resamples err by more than it, as it errs by more than the truth."""
    if interval is None:
        return None
    low = max(0.0, 2 * value - interval.high) if value > beyond else 0.0
    return Interval(low, max(value, 2 * value - interval.low))


def _figure(value: float, interval: Interval | None, n: int) -> Figure:
    if interval is None or interval.high - interval.low < _SPREAD:
        return Figure(value, None, n, "all instances are alike, so resampling shows no spread")
    return Figure(value, interval, n)


_SPREAD = 1e-12
