"""How far the labels of an instance are to be relied on: the more they differ, the more they teach."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from checkwise.errors import DataError

BINS = 10
"""Labels lie between 1 and 10, a bin a whole number."""


def label_shares(labels: Iterable[float | None]) -> NDArray[np.float64]:
    """Say what share of labels is in each bin.

    A label between two whole numbers goes to the nearer one, and a half-point goes up: 7.5 is in the bin of 8. (The
    reference code counts every distinct number as a bin of its own, and stops at more than ten of them.)

    Args:
        labels: Numbers between 1 and 10; None and NaN are no labels, and are left out.

    Returns:
        Shape (10,), summing to 1; all 0 where there is no label.

    Raises:
        DataError: A label is not between 1 and 10.
    """
    given = np.array([np.nan if label is None else label for label in labels], dtype=np.float64)
    known = given[~np.isnan(given)]
    outside = known[(known < 1) | (known > BINS)]
    if outside.size:
        raise DataError(f"a label is {outside[0]:g}", todo="Labels lie between 1 and 10; bring other scales to it.")
    if not known.size:
        return np.zeros(BINS)
    counts = np.bincount(np.floor(known + 0.5).astype(np.int64) - 1, minlength=BINS)
    return counts / known.size


def label_alpha(labels: Iterable[float | None]) -> float:
    """Weigh what labels teach: the entropy of their distribution over ten bins, as a share of the largest there is.

    This is (ε - KL(P ‖ U)) / ε, where P are the labels' shares, U is uniform and ε = ln 10 is the largest KL there is.

    Args:
        labels: As in ``label_shares``.

    Returns:
        Between 0 (all in one bin, or no label) and 1 (as many in each bin).

    Raises:
        DataError: A label is not between 1 and 10.

    Source: RocketEval (arXiv 2503.05142), section 3.3.
    """
    shares = label_shares(labels)
    held = shares[shares > 0]
    # Rounding may leave a hair below 0 or above 1.
    return min(1.0, max(0.0, math.fsum(-held * np.log(held)) / math.log(BINS)))
