"""Percentile intervals by resampling instances: what a figure could have been with other questions of the same kind.

Everything here is a ratio of two sums over instances; a mean is the ratio of values to their number. All columns of one
call see the same resamples, so the difference of two columns is a paired difference.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, t

Matrix = NDArray[np.float64]

FEW = 8
"""Instances below which resampling tells too little: in simulations, 95% intervals of means held the truth in 67-75% of
cases with 3 instances, in 87-91% with 5, and in 93-97% with 8 to 50. Those of Bradley-Terry ratings held it in 99% with
5, 92% with 10, 94% with 20 and 30, and 95-96% with 50 and 100."""

_CELLS = 1_000_000
"""The most drawn indices held at once: 8 MB, whatever the number of instances and draws."""


@dataclass(frozen=True)
class Interval:
    """Between what a figure lies, at the confidence that was asked for."""

    low: float
    """The lower end."""
    high: float
    """The upper end."""


def resampled_counts(instances: int, *, draws: int, seed: int) -> Iterator[Matrix]:
    """Draw instances with replacement, and count how often each one came up.

    Args:
        instances: How many there are to draw from, at least 1; each resample has as many.
        draws: How many resamples, at least 1.
        seed: Of the random generator; equal seeds give equal resamples.

    Yields:
        Blocks of shape (resamples, instances), ``draws`` resamples in all; each row sums to ``instances``.

    Raises:
        ValueError: There is nothing to draw from, or nothing to draw.

    Source: Efron, "Bootstrap methods: another look at the jackknife" (1979).
    """
    if instances < 1 or draws < 1:
        raise ValueError(f"at least one instance and one draw are needed, not {instances} and {draws}")
    generator = np.random.default_rng(seed)
    block = max(1, _CELLS // instances)
    for start in range(0, draws, block):
        rows = min(block, draws - start)
        drawn = generator.integers(0, instances, size=(rows, instances))
        drawn += instances * np.arange(rows)[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=rows * instances)
        yield counts.reshape(rows, instances).astype(np.float64)


def resampled_ratios(numerators: Matrix, denominators: Matrix, *, draws: int = 1000, seed: int = 42) -> Matrix:
    """Recompute each column's ratio of sums on resampled instances.

    Args:
        numerators: Shape (instances, columns). A draw picks rows by their place: sort them by instance id, so that the
            order of a file changes nothing.
        denominators: Shape (instances, columns), not negative; 0 where an instance says nothing about a column.
        draws: How many resamples.
        seed: Of the random generator.

    Returns:
        Shape (draws, columns); NaN where a resample holds nothing about a column.
    """
    sums = [
        (counts @ numerators, counts @ denominators)
        for counts in resampled_counts(len(numerators), draws=draws, seed=seed)
    ]
    above = np.concatenate([top for top, _ in sums])
    below = np.concatenate([bottom for _, bottom in sums])
    ratios: Matrix = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
    return ratios


def few_note(count: int, what: str = "instances") -> str | None:
    """Say so where intervals rest on too few instances to mean what they say; None where they do not."""
    if not 2 <= count < FEW:
        return None
    return f"{count} {what} are few: intervals are rough, and may hold the truth less often than they say"


def percentile_interval(
    samples: NDArray[np.float64], *, confidence: float = 0.95, clusters: int | None = None, groups: int = 1
) -> Interval | None:
    """Cut equal tails off resampled figures, smaller ones where few instances stand behind them.

    Resamples of n instances spread less than the truth asks for: by the factor sqrt((n - 1) / n), and as a normal
    distribution where Student's t with n - 1 degrees of freedom would be right. So each tail has what a normal
    distribution has beyond sqrt(n / (n - 1)) times the quantile of t: for 95%, 0.1% with 5 instances, 1.9% with 30.

    Args:
        samples: Shape (draws,); NaN is left out.
        confidence: Share of the truths that the interval shall hold, between 0 and 1.
        clusters: How many instances were drawn from, at least 1; None cuts the plain tails.
        groups: In how many groups the instances were drawn, each for itself.

    Returns:
        The interval; None where no sample is a number.

    Raises:
        ValueError: The confidence is not between 0 and 1.

    Source: Hesterberg, "What Teachers Should Know About the Bootstrap" (2015), on expanded percentile intervals.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    known = samples[~np.isnan(samples)]
    if not known.size:
        return None
    tail = 100 * _tail((1 - confidence) / 2, clusters, groups)
    low, high = np.percentile(known, [tail, 100 - tail])
    return Interval(float(low), float(high))


def _tail(plain: float, clusters: int | None, groups: int) -> float:
    free = None if clusters is None else clusters - groups
    if clusters is None or free is None:
        return plain
    return float(norm.cdf(np.sqrt(clusters / free) * t.ppf(plain, free))) if free > 0 else 0.0


def ratio_intervals(
    numerators: Matrix, denominators: Matrix, *, draws: int = 1000, seed: int = 42, confidence: float = 0.95
) -> list[Interval | None]:
    """Put an interval on each column's ratio of sums.

    Args:
        numerators: Shape (instances, columns), rows sorted by instance id.
        denominators: Shape (instances, columns), 0 where an instance says nothing about a column.
        draws: How many resamples.
        seed: Of the random generator.
        confidence: Share of the truths that the interval shall hold, between 0 and 1.

    Returns:
        One interval a column; None where fewer than two instances stand behind it, because resampling a single one
        would give an interval without width, which claims certainty.
    """
    behind = (denominators > 0).sum(axis=0)
    if not (behind >= 2).any():
        return [None] * numerators.shape[1]
    samples = resampled_ratios(numerators, denominators, draws=draws, seed=seed)
    return [
        percentile_interval(column, confidence=confidence, clusters=int(known)) if known >= 2 else None
        for column, known in zip(samples.T, behind, strict=True)
    ]


def mean_intervals(
    values: Matrix, *, draws: int = 1000, seed: int = 42, confidence: float = 0.95
) -> list[Interval | None]:
    """Put an interval on each column's mean.

    Args:
        values: Shape (instances, columns), rows sorted by instance id; NaN where there is no value.
        draws: How many resamples.
        seed: Of the random generator.
        confidence: Share of the truths that the interval shall hold, between 0 and 1.

    Returns:
        One interval a column; None where it has fewer than two values.
    """
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    return ratio_intervals(filled, known.astype(np.float64), draws=draws, seed=seed, confidence=confidence)


def constant_interval(value: float, clusters: int, *, confidence: float = 0.95) -> Interval:
    """Put an interval on a share that is the same in every cluster.

    As many clusters as these would, by chance, hold no other share even if others made up a part u of all, where
    (1 - u)^clusters is half of what the confidence leaves over. The ends are where the mean would lie if all of that
    part had the share 0, or 1. For a proportion of 0 or 1 this is the interval of Clopper and Pearson.

    Args:
        value: The share, between 0 and 1.
        clusters: How many there are, at least 1.
        confidence: Between 0 and 1.

    Returns:
        The interval; it holds the value.

    Raises:
        ValueError: The confidence is not between 0 and 1.

    Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial"
        (1934).
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    unseen = 1 - ((1 - confidence) / 2) ** (1 / clusters)
    return Interval(value * (1 - unseen), value + (1 - value) * unseen)
