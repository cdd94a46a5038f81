"""Learning scores from labelled responses, and giving them to others."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from sklearn.isotonic import IsotonicRegression

from checkwise.scoring.alpha import BINS, label_alpha
from checkwise.scoring.canonical import as_given, canonical
from checkwise.scoring.material import Mask, Material, Matrix, filled
from checkwise.scoring.settings import Alpha, Choice

EQUAL = "all labels of the instance are equal, so they teach no difference"
UNTAUGHT = "too few responses to the instance have labels that may be learned from"
UNGRADED = "no item has a grade in the responses that may be learned from"
UNLEARNED = "nothing is learned with these settings; the score is the unsupervised one"


@dataclass(frozen=True, eq=False)
class Learned:
    """What was learned of each instance, and what it says of all responses."""

    predicted: Matrix
    """Shape (rows,): between 1 and 10; NaN where nothing could be learned."""
    reasons: dict[int, str]
    """Why nothing could be learned, by the place of the instance."""
    weights: dict[int, Matrix]
    """By the place of the instance: shape (items,), NaN for an item that no taught response has a grade for."""


def learn(material: Material, taught: Mask, choice: Choice, instances: Iterable[int]) -> Learned:
    """Learn labels from grades.

    Args:
        material: All responses.
        taught: Which of them are learned from; they have labels.
        choice: How.
        instances: The places of the instances to learn and predict.
    """
    learned = Learned(np.full(len(material.labels), np.nan), {}, {})
    if choice.learner is None:
        learned.reasons.update(dict.fromkeys(instances, UNLEARNED))
    elif choice.everywhere:
        _learn_everywhere(material, taught, choice, learned)
    else:
        for place in instances:
            reason = _learn_instance(material, taught, choice, place, learned)
            if reason is not None:
                learned.reasons[place] = reason
    return learned


def _learn_instance(material: Material, taught: Mask, choice: Choice, place: int, into: Learned) -> str | None:
    """Learn one instance; the reason where that cannot be done."""
    span = material.spans[place]
    rows, labels = taught[span], material.labels[span]
    if rows.sum() < choice.fewest:
        return UNTAUGHT
    if np.ptp(labels[rows]) == 0:
        return EQUAL
    table, kept = filled(material.grades[place], rows)
    if not kept.size or choice.learner is None:
        return UNGRADED
    ordered = (canonical if choice.by_content else as_given)(table[rows], labels[rows])
    fitted = choice.learner.fit(ordered.cells, ordered.labels)
    into.predicted[span] = np.clip(fitted.predict(ordered.of(table)), 1, BINS)
    if fitted.importances is not None:
        weights = np.full(material.grades[place].shape[1], np.nan)
        weights[kept] = ordered.shared(fitted.importances)
        into.weights[place] = weights
    return None


def _learn_everywhere(material: Material, taught: Mask, choice: Choice, into: Learned) -> None:
    """Learn once from all responses, by features that do not depend on the list of items."""
    features, kept = filled(material.features, taught)
    if choice.learner is not None and kept.size:
        ordered = as_given(features[taught], material.labels[taught])
        into.predicted[:] = np.clip(choice.learner.fit(ordered.cells, ordered.labels).predict(features), 1, BINS)


def alphas(material: Material, taught: Mask, alpha: Alpha) -> Matrix:
    """Weigh what was learned of each instance.

    Args:
        material: All responses.
        taught: Which of them are learned from.
        alpha: The same number for all, or by the entropy of each instance's labels.

    Returns:
        Shape (rows,).
    """
    if alpha != "entropy":
        return np.full(len(material.labels), float(alpha))
    each = [label_alpha(material.labels[span][taught[span]]) for span in material.spans]
    return np.array(each)[material.instance]


def calibrated(material: Material, taught: Mask) -> Matrix:
    """Bring unsupervised scores to the labels' scale, keeping their order: isotonic regression over all instances.

    Args:
        material: All responses.
        taught: Which of them are learned from.

    Returns:
        Shape (rows,), between 1 and 10.
    """
    ordered = np.lexsort((material.labels[taught], material.unsupervised[taught]))
    scores, labels = material.unsupervised[taught][ordered], material.labels[taught][ordered]
    model = IsotonicRegression(y_min=1, y_max=BINS, out_of_bounds="clip").fit(scores, labels)
    return np.asarray(model.predict(material.unsupervised), dtype=np.float64)


def blended(predicted: Matrix, base: Matrix, weight: Matrix) -> Matrix:
    """Mix the two parts: alpha · predicted + (1 - alpha) · base, or base alone where nothing was learned.

    Source: RocketEval (arXiv 2503.05142), section 3.3.
    """
    return np.where(np.isnan(predicted), base, weight * predicted + (1 - weight) * base)
