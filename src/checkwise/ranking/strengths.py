"""Strengths in the Bradley-Terry model by maximum likelihood, for one table of results or for many at once."""

import numpy as np
from numpy.typing import NDArray

from checkwise.bootstrap import Matrix

_STEPS = 200
_ITERATIONS = 10_000
_LONGEST = 2.0
"""Newton's steps are cut to this, in natural logarithms: a full one may overshoot where results are lopsided."""
_CLOSE = 1e-7
"""A step this short ends the search; the one after it would be its square."""


def linked(points: Matrix) -> NDArray[np.bool_]:
    """Say which models' strengths the results hold against each other from both sides.

    Two models have a finite difference in strength just when each has taken something from the other, directly or
    through others.

    Args:
        points: Shape (tables, models, models): what the first model took from the second.

    Returns:
        Shape (tables, models, models), symmetric; True on the diagonal.

    Source: Ford, "Solution of a ranking problem from binary comparisons" (1957).
    """
    reach = (points > 0) | np.eye(points.shape[-1], dtype=bool)
    for _ in range(points.shape[-1].bit_length()):
        steps = reach.astype(np.float32)
        reach = steps @ steps > 0
    both: NDArray[np.bool_] = reach & reach.swapaxes(-1, -2)
    return both


def log_strengths(points: Matrix) -> Matrix:
    """Fit many tables at once by Newton's method.

    Args:
        points: Shape (tables, models, models), all models ``linked`` in each table.

    Returns:
        Shape (tables, models): natural logarithms of strengths, with mean 0.

    Raises:
        ArithmeticError: The search did not end, which it does for linked models.

    Source: Bradley and Terry (1952); Hunter, "MM algorithms for generalized Bradley-Terry models" (2004), section 4.
    """
    found = np.zeros(points.shape[:2])
    searching = np.arange(len(points))
    for _ in range(_STEPS):
        step = _newton_step(points[searching], found[searching])
        longest = np.abs(step).max(axis=1, initial=0.0)
        found[searching] += step * np.minimum(1.0, _LONGEST / np.maximum(longest, _LONGEST))[:, np.newaxis]
        searching = searching[longest > _CLOSE]
        if not searching.size:
            return found
    raise ArithmeticError(f"{searching.size} tables of results gave no strengths in {_STEPS} steps")


def _newton_step(points: Matrix, strengths: Matrix) -> Matrix:
    size = points.shape[-1]
    met = points + points.swapaxes(1, 2)
    differences = strengths[:, :, np.newaxis] - strengths[:, np.newaxis, :]
    # Written with tanh, the logistic function cannot overflow.
    expected = 0.5 * (1 + np.tanh(differences / 2))
    slope = points.sum(axis=2) - (met * expected).sum(axis=2)
    curvature = met * expected * expected.swapaxes(1, 2)
    hessian = np.eye(size) * curvature.sum(axis=2)[:, :, np.newaxis] - curvature
    # Moving all models together changes nothing; a constant makes the matrix regular without changing the step.
    hessian += curvature.sum(axis=(1, 2))[:, np.newaxis, np.newaxis] / size**2
    step = np.linalg.solve(hessian, slope[:, :, np.newaxis])[:, :, 0]
    centred: Matrix = step - step.mean(axis=1, keepdims=True)
    return centred


def point_strengths(points: Matrix) -> NDArray[np.float64]:
    """Fit one table with evalica, or by Newton's method where that does not come to an end.

    Args:
        points: Shape (models, models), all models ``linked``.

    Returns:
        Shape (models,): natural logarithms of strengths, with mean 0.

    Source: Newman, "Efficient computation of rankings from pairwise comparisons" (2023), as evalica has it.
    """
    import evalica  # noqa: PLC0415 - it brings pandas, which most commands can do without

    winners, losers = np.nonzero(points)
    found = evalica.bradley_terry(
        winners.tolist(),
        losers.tolist(),
        [evalica.Winner.X] * len(winners),
        weights=points[winners, losers].tolist(),
        tolerance=1e-12,
        limit=_ITERATIONS,
    )
    if found.iterations >= _ITERATIONS:
        # It creeps where little connects two groups of models, and would stop short of the top.
        (searched,) = log_strengths(points[np.newaxis])
        return np.asarray(searched)
    logs = np.log(found.scores.sort_index().to_numpy())
    centred: NDArray[np.float64] = logs - logs.mean()
    return centred
