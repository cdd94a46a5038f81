"""What supervision gains on labels that nothing was learned from, with an interval."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from checkwise.bootstrap import ratio_intervals
from checkwise.scoring.evidence import Evidence
from checkwise.scoring.material import Material, Matrix

FEWEST = 5
"""Instances below which no interval is given."""

Verdict = Literal["better", "worse", "no clear difference", "unknown"]
"""How supervised scores compare with unsupervised ones; unknown without an interval."""


@dataclass(frozen=True)
class Gain:
    """One figure for supervised and unsupervised scores on the same labels. What is not known is None, never NaN."""

    supervised: float | None
    """The figure of the supervised scores."""
    unsupervised: float | None
    """The same of the unsupervised ones."""
    gain: float | None
    """By how much the supervised ones are better; below 0 they are worse."""
    low: float | None
    """The lower end of the gain's interval, by resampling instances."""
    high: float | None
    """The upper end."""
    n: int
    """Responses or pairs that the figures are over."""
    instances: int
    """Instances that those are about."""
    reason: str | None = None
    """Why there is no figure, or no interval; None where there are both."""

    @property
    def verdict(self) -> Verdict:
        """Whether supervised scores are better, beyond chance."""
        if self.low is None or self.high is None:
            return "unknown"
        if self.low > 0:
            return "better"
        return "worse" if self.high < 0 else "no clear difference"


@dataclass(frozen=True)
class HeldOut:
    """Whether supervised scores beat unsupervised ones on labels of models that nothing was learned from."""

    agreement: Gain
    """The share of pairs of responses to an instance that scores order as their labels do; equal scores are half."""
    error: Gain
    """The mean distance between score and label, on the 1-10 scale. Unsupervised scores are not made to have small ones
    unless they are calibrated."""
    models: int
    """Models that have such labels."""


def measure(
    material: Material, evidence: Evidence, supervised: Matrix, *, draws: int, seed: int, confidence: float
) -> HeldOut:
    """Compare supervised with unsupervised scores.

    Args:
        material: All responses.
        evidence: The labels.
        supervised: Shape (rows,): scores between 1 and 10 that were learned without those labels.
        draws: Resamples of instances.
        seed: Of the resamples.
        confidence: Of the intervals.
    """
    both = (supervised, material.unsupervised)
    errors = -np.column_stack([evidence.errors(scores) for scores in both])
    ordered = np.column_stack([evidence.ordered(scores) for scores in both])
    gain = partial(_gain, draws=draws, seed=seed, confidence=confidence)
    return HeldOut(
        gain(ordered, material.instance[evidence.better], nothing="no two labels to compare differ"),
        _positive(gain(errors, material.instance[evidence.rows], nothing="there is no label to compare with")),
        len(set(material.model[evidence.rows].tolist())),
    )


def nothing_held_out(reason: str) -> HeldOut:
    """Say why there is no comparison."""
    nothing = Gain(None, None, None, None, None, 0, 0, reason)
    return HeldOut(nothing, nothing, 0)


def _gain(
    values: Matrix, instance: NDArray[np.int64], *, draws: int, seed: int, confidence: float, nothing: str
) -> Gain:
    """Compare two columns, of which more is better, by means over rows that come in instances."""
    if not len(values):
        return Gain(None, None, None, None, None, 0, 0, nothing)
    _, number = np.unique(instance, return_inverse=True)
    columns = (*values.T, np.ones(len(values)))
    sums = np.column_stack([np.bincount(number, column).astype(np.float64) for column in columns])
    # Draws pick instances by their place: it must not depend on what they are called.
    sums = sums[np.lexsort(np.round(sums.T, 9))]
    counted = len(sums)
    ours, theirs, n = sums.sum(axis=0)
    figures = float(ours / n), float(theirs / n), float((ours - theirs) / n)
    if counted < FEWEST:
        few = f"{counted} instances are too few for an interval; {FEWEST} are needed"
        return Gain(*figures, None, None, len(values), counted, few)
    (interval,) = ratio_intervals(
        sums[:, [0]] - sums[:, [1]], sums[:, [2]], draws=draws, seed=seed, confidence=confidence
    )
    if interval is None or interval.high - interval.low < 1e-9:
        same = "every resample gives the same, so resampling shows no spread"
        return Gain(*figures, None, None, len(values), counted, same)
    return Gain(*figures, interval.low, interval.high, len(values), counted)


def _positive(errors: Gain) -> Gain:
    """Turn means of negated errors back into errors; the gain stays: less error is more."""
    if errors.supervised is None or errors.unsupervised is None:
        return errors
    return Gain(
        -errors.supervised,
        -errors.unsupervised,
        errors.gain,
        errors.low,
        errors.high,
        errors.n,
        errors.instances,
        errors.reason,
    )
