"""The supervised score: what labels of some models' responses teach about grading the responses of others."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import polars as pl

from checkwise.errors import DataError
from checkwise.scoring.evidence import Evidence, gather
from checkwise.scoring.gain import HeldOut, measure, nothing_held_out
from checkwise.scoring.learning import learn
from checkwise.scoring.material import Mask, Material, Matrix, make_material
from checkwise.scoring.settings import SupervisedSettings
from checkwise.scoring.supervised_table import score_table, weight_table
from checkwise.scoring.teaching import LeftOut, make_lesson
from checkwise.scoring.training import FEWEST_MODELS, CrossValidated, Scored, cross_validate, score_with

_DEFAULTS = SupervisedSettings()


@dataclass(frozen=True, eq=False)
class Supervised:
    """Supervised scores, what they rest on, and whether they are worth it."""

    table: pl.DataFrame
    """The scores in their order, with ``value`` the supervised score (0-1; the unsupervised one where nothing could be
    learned; null where unscored), and value = alpha · predicted + (1 - alpha) · base. Between value and what else the
    scores hold: unsupervised (as it was); base (the same, calibrated where that was asked for); predicted (what was
    learned alone; null with a reason where that is nothing); alpha; role (train or test). A training model's scores
    are learned without it. ``reason`` also says why a score is not supervised."""
    weights: pl.DataFrame
    """instance_id, number, item, weight (mean decrease in impurity, summing to 1 over an instance; null without trees),
    reason (why there is no weight)."""
    settings: SupervisedSettings
    """What was asked for."""
    chosen: str
    """How scores are learned, in words."""
    training_models: tuple[str, ...]
    """Whose labels are learned from."""
    test_models: tuple[str, ...]
    """All others; not one of their labels is learned from."""
    left_out: LeftOut
    """What took no part, in counts."""
    held_out: HeldOut
    """Whether supervised scores beat unsupervised ones on training models that were left out."""
    tested: HeldOut | None
    """The same on test models; None where they have no labels."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the scores should know, in sentences."""
        return self.left_out.notes


def supervise(
    grades: pl.DataFrame,
    scores: pl.DataFrame,
    labels: pl.DataFrame,
    *,
    test_models: Collection[str] | None = None,
    train_models: Collection[str] | None = None,
    settings: SupervisedSettings = _DEFAULTS,
) -> Supervised:
    """Learn from labels of training models how to score the responses of all.

    Items that are unscored get the item's mean over the responses that are learned from. Empty and unscored responses
    keep their scores, and nothing is learned from them.

    Args:
        grades: One row an item and response: instance_id, model, number, item, p_yes (0-1, null where unscored), and
            optionally mass.
        scores: One row a response: instance_id, model, value (0-1, null where unscored), and optionally status, reason
            and what else; kept.
        labels: instance_id, model, label (1-10, null where there is none). Several labels of a response are averaged.
        test_models: Models whose labels must not be learned from; if None, all that are no training models.
        train_models: Models whose labels are learned from; if None, all that have labels and are no test models.
        settings: How to learn.

    Returns:
        The scores and what they rest on. Names, and the order of models, instances and items, decide nothing; as
        published (``paper``), the order of items does.

    Raises:
        DataError: A frame lacks a column or has two rows for one thing; a label is not between 1 and 10; a model is
            both a training and a test model, or unknown; no label can be learned from; there are fewer than three
            training models and something is to be chosen.

    Source: RocketEval (arXiv 2503.05142), section 3.3.
    """
    lesson = make_lesson(grades, scores, labels, train_models=train_models, test_models=test_models)
    material = make_material(lesson.grades, lesson.usable, lesson.labels)
    training = material.of_models(lesson.training)
    taught = material.labelled & training
    tried = cross_validate(material, taught, settings)
    if tried is None and len(settings.choices) > 1:
        raise DataError(
            f"settings cannot be chosen with {len(lesson.training)} training models; {FEWEST_MODELS} are needed",
            todo="Label responses of more models; or fix the predictor and alpha, or use the published settings.",
        )
    choice = tried.choice if tried is not None else settings.choices[0]
    learned = learn(material, taught, choice, range(len(material.instances)))
    scored = score_with(material, taught, choice, calibrate=settings.calibrate, learned=learned)
    return Supervised(
        table=score_table(lesson, material, scored, tried),
        weights=weight_table(lesson, material, scored, choice),
        settings=settings,
        chosen=str(choice),
        training_models=lesson.training,
        test_models=lesson.test,
        left_out=lesson.left_out,
        held_out=_held_out(material, tried, settings),
        tested=_tested(material, material.labelled & ~training, scored, settings),
    )


def _held_out(material: Material, tried: CrossValidated | None, settings: SupervisedSettings) -> HeldOut:
    if tried is None:
        return nothing_held_out(f"fewer than {FEWEST_MODELS} training models: none can be left out")
    return _measured(material, tried.evidence, tried.final, settings)


def _tested(material: Material, rows: Mask, scored: Scored, settings: SupervisedSettings) -> HeldOut | None:
    if not rows.any():
        return None
    together = np.zeros(len(rows), dtype=np.int64)
    return _measured(material, gather(material, rows, together), scored.final, settings)


def _measured(material: Material, evidence: Evidence, final: Matrix, settings: SupervisedSettings) -> HeldOut:
    draws, seed, confidence = settings.draws, settings.seed, settings.confidence
    return measure(material, evidence, final, draws=draws, seed=seed, confidence=confidence)
