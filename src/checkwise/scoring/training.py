"""Choosing how to learn by leaving out training models, and scoring each of them by what was learned without it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from checkwise.scoring.evidence import Evidence, gather
from checkwise.scoring.learning import Learned, alphas, blended, calibrated, learn
from checkwise.scoring.material import Mask, Material, Matrix
from checkwise.scoring.settings import Choice, SupervisedSettings

FEWEST_MODELS = 3
"""Training models without which nothing can be left out and still be learned."""


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores of all responses by one way of learning; every figure between 1 and 10."""

    learned: Learned
    base: Matrix
    """Shape (rows,): the unsupervised part, calibrated where that was asked for."""
    alpha: Matrix
    """Shape (rows,): the weight of the learned part, 0 where there is none."""
    final: Matrix
    """Shape (rows,)."""


@dataclass(frozen=True, eq=False)
class CrossValidated:
    """What leaving out training models has shown."""

    choice: Choice
    """What did best over all folds."""
    fold: NDArray[np.int64]
    """Shape (rows,): the fold of each response's model; -1 for models that are no training models."""
    folds: tuple[Scored, ...]
    """For each fold, scores by what was learned without it, with what did best in the other folds."""
    evidence: Evidence
    """The labels of the training models, each left out in its fold."""

    @property
    def final(self) -> Matrix:
        """Shape (rows,): scores learned without the response's own fold; NaN for other models."""
        final = np.full(len(self.fold), np.nan)
        for number, scored in enumerate(self.folds):
            final[self.fold == number] = scored.final[self.fold == number]
        return final


def score_with(material: Material, taught: Mask, choice: Choice, *, calibrate: bool, learned: Learned) -> Scored:
    """Mix what was learned with the unsupervised score.

    Args:
        material: All responses.
        taught: Which of them it was learned from.
        choice: How.
        calibrate: Whether to bring the unsupervised score to the labels' scale.
        learned: What was learned.
    """
    base = calibrated(material, taught) if calibrate and taught.any() else material.unsupervised
    alpha = np.where(np.isnan(learned.predicted), 0.0, alphas(material, taught, choice.alpha))
    return Scored(learned, base, alpha, blended(learned.predicted, base, alpha))


def cross_validate(material: Material, taught: Mask, settings: SupervisedSettings) -> CrossValidated | None:
    """Choose a way to learn, and score every training model by what was learned without it.

    Where there is a choice, that of a fold is made by the labels of the other folds, so that no model's score is chosen
    by how near it comes to its own labels. The scores that are compared with those labels were learned from the fold's
    own among others; to learn them anew without it would cost as many times more as there are folds.

    Args:
        material: All responses.
        taught: Those of training models that have labels.
        settings: What there is to choose from.

    Returns:
        None where there are fewer than three training models.
    """
    fold = _dealt(material, taught, settings.folds)
    if fold.max(initial=-1) < 1 or len(set(material.model[taught].tolist())) < FEWEST_MODELS:
        return None
    evidence, count = gather(material, taught, fold), int(fold.max()) + 1
    choices = settings.choices
    finals = _finals(material, taught, fold, settings) if len(choices) > 1 else []
    chosen = [_best(choices, finals, evidence.within(fold != number)) for number in range(count)]
    folds = []
    for number, choice in enumerate(chosen):
        seen = taught & (fold != number)
        learned = learn(material, seen, choice, range(len(material.instances)))
        folds.append(score_with(material, seen, choice, calibrate=settings.calibrate, learned=learned))
    return CrossValidated(_best(choices, finals, evidence), fold, tuple(folds), evidence)


def _dealt(material: Material, taught: Mask, folds: int) -> NDArray[np.int64]:
    """Deal training models into folds: at least two each where that can be, and in each both good and bad ones.

    The order in which they are dealt follows from their labels and scores, so that names decide nothing.
    """
    models = sorted(set(material.model[taught].tolist()), key=lambda model: _standing(material, taught, model))
    count = min(folds, len(models) // 2) if len(models) > FEWEST_MODELS else len(models)
    fold = np.full(len(material.models), -1, dtype=np.int64)
    for position, model in enumerate(models):
        fold[model] = position % count
    return fold[material.model]


def _standing(material: Material, taught: Mask, model: int) -> tuple[float, list[tuple[float, float]]]:
    rows = taught & (material.model == model)
    held = sorted(zip(material.labels[rows].tolist(), material.unsupervised[rows].tolist(), strict=True))
    return math.fsum(label for label, _ in held) / len(held), held


def _finals(material: Material, taught: Mask, fold: NDArray[np.int64], settings: SupervisedSettings) -> list[Matrix]:
    """Score each training model without its fold: one array a choice, NaN for instances that are not sampled."""
    choices, instances = settings.choices, _sampled(material, taught, settings.sample)
    asked = np.isin(material.instance, instances)
    finals = [np.full(len(material.labels), np.nan) for _ in choices]
    for number in range(int(fold.max()) + 1):
        seen, here = taught & (fold != number), asked & (fold == number)
        known: dict[Choice, Learned] = {}
        for choice, final in zip(choices, finals, strict=True):
            # Ways that differ in alpha alone learn the same.
            key = Choice(choice.learner, 1.0, choice.everywhere, choice.fewest, choice.by_content)
            if key not in known:
                known[key] = learn(material, seen, key, instances.tolist())
            scored = score_with(material, seen, choice, calibrate=settings.calibrate, learned=known[key])
            final[here] = scored.final[here]
    return finals


def _sampled(material: Material, taught: Mask, most: int) -> NDArray[np.int64]:
    """Take instances at even distances in an order that follows from their labels and scores."""
    order = sorted(range(len(material.instances)), key=lambda place: _signature(material, taught, place))
    if len(order) <= most:
        return np.array(order, dtype=np.int64)
    return np.array(order, dtype=np.int64)[np.linspace(0, len(order) - 1, most).round().astype(np.int64)]


def _signature(material: Material, taught: Mask, place: int) -> list[tuple[float, float]]:
    span = material.spans[place]
    rows = taught[span]
    return sorted(zip(material.labels[span][rows].tolist(), material.unsupervised[span][rows].tolist(), strict=True))


def _best(choices: Sequence[Choice], finals: Sequence[Matrix], evidence: Evidence) -> Choice:
    """Find what orders most pairs as labels do; among equals what is nearest to the labels, then the simplest."""
    if len(choices) == 1:
        return choices[0]
    known = evidence.within(~np.isnan(finals[0]))
    standings = [known.standing(final) for final in finals]
    return choices[standings.index(max(standings))]
