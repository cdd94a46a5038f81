"""Labels that nothing was learned from, and how scores do on them."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from checkwise.scoring.material import Mask, Material, Matrix

Places = NDArray[np.int64]

_EQUAL = 1e-9
"""Scores that differ by less are equal: rounding decides no pair."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Labelled responses, and pairs of them to one instance that were left out together and have different labels.

    Pairs left out apart are not compared. What is learned without the better response of a pair has seen one good label
    less, and so comes out lower than what is learned without the worse one: even a predictor that always gives the mean
    label would then put every pair the wrong way round.
    """

    rows: Places
    """The places of the responses."""
    labels: Matrix
    """Their labels."""
    better: Places
    """Of each pair, the place of the response with the higher label."""
    worse: Places
    """Of each pair, the place of the other one."""

    def within(self, mask: Mask) -> "Evidence":
        """Keep to some of the responses; pairs are wholly inside or outside."""
        rows, pairs = mask[self.rows], mask[self.better]
        return Evidence(self.rows[rows], self.labels[rows], self.better[pairs], self.worse[pairs])

    def errors(self, scores: Matrix) -> Matrix:
        """How far the score of each response is from its label."""
        return np.abs(scores[self.rows] - self.labels)

    def ordered(self, scores: Matrix) -> Matrix:
        """Whether scores order each pair as its labels do: 1, 0, or 0.5 for equal scores."""
        ahead = scores[self.better] - scores[self.worse]
        return np.where(np.abs(ahead) < _EQUAL, 0.5, (ahead > 0).astype(np.float64))

    def standing(self, scores: Matrix) -> tuple[float, float]:
        """Sum up how scores do: the share of pairs in order, then the mean error, such that more is better."""
        pairs, errors = self.ordered(scores), self.errors(scores)
        share = math.fsum(pairs) / pairs.size if pairs.size else 0.5
        # Rounded, since exact sums of differently rounded scores may still differ in the last digit.
        return share, -round(math.fsum(errors) / errors.size, 9) if errors.size else 0.0


def gather(material: Material, rows: Mask, group: Places) -> Evidence:
    """Find the pairs among labelled responses.

    Args:
        material: All responses.
        rows: Which of them to look at; they have labels.
        group: Shape (rows,): responses with the same number were left out together.
    """
    pairs = [_pairs(material, rows, group, span) for span in material.spans]
    better, worse = np.concatenate([np.empty((2, 0), dtype=np.int64), *pairs], axis=1)
    places = np.flatnonzero(rows)
    return Evidence(places, material.labels[places], better, worse)


def _pairs(material: Material, rows: Mask, group: Places, span: slice) -> Places:
    places = np.flatnonzero(rows[span]) + span.start
    labels, groups = material.labels[places], group[places]
    above = (labels[:, np.newaxis] > labels) & (groups[:, np.newaxis] == groups)
    found: Places = places[np.array(np.nonzero(above))]
    return found
