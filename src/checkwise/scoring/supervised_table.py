"""Supervised scores and item weights as tables, each missing number with its reason."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from checkwise.scoring.learners import Forest
from checkwise.scoring.material import RESPONSE, Material, Matrix
from checkwise.scoring.settings import Choice
from checkwise.scoring.teaching import Lesson
from checkwise.scoring.training import CrossValidated, Scored

NOT_LEFT_OUT = "its labels are learned from, and with so few training models nothing is learned without them"
"""Why a training model's score is not supervised."""

NO_GRADES = "no item of the response is graded"
"""Why the score of a response is not supervised."""

UNSPLIT = "no tree has split: the responses that are learned from have the same grades"
NO_TREES = "only trees for each instance have item weights"
UNGRADED_ITEM = "no response that is learned from has a grade for the item"
UNUSED = "no response to the instance could be learned from"

_FIRST = ("instance_id", "model", "value")
_MADE = ("unsupervised", "base", "predicted", "alpha", "role")


def score_table(lesson: Lesson, material: Material, scored: Scored, tried: CrossValidated | None) -> pl.DataFrame:
    """Put supervised scores in the place of unsupervised ones.

    Args:
        lesson: What was given.
        material: The responses that scores were made for.
        scored: Scores by what all training models teach, for test models.
        tried: Scores of training models by what was learned without them; None where there are none.

    Returns:
        See ``Supervised.table``.
    """
    ours = _by_role(lesson, material, scored, tried)
    known = lesson.scores.drop(*_MADE, strict=False).rename({"value": "unsupervised"})
    if "reason" not in known.columns:
        known = known.with_columns(reason=pl.lit(None, pl.String))
    joined = known.join(ours, on=RESPONSE, how="left", maintain_order="left")
    base, alpha = pl.coalesce("base", "unsupervised"), pl.col("alpha")
    blend = (alpha * pl.col("predicted") + (1 - alpha) * base).clip(0, 1)
    ungraded = pl.col("alpha").is_null() & pl.col("unsupervised").is_not_null() & pl.col("reason").is_null()
    made = joined.with_columns(
        value=pl.coalesce(blend, base),
        base=base,
        role=pl.when(pl.col("model").is_in(lesson.training)).then(pl.lit("train")).otherwise(pl.lit("test")),
        reason=pl.coalesce("reason", "why", pl.when(ungraded).then(pl.lit(NO_GRADES))),
    ).drop("why")
    return made.select(*_FIRST, *_MADE, pl.exclude(*_FIRST, *_MADE))


def _by_role(lesson: Lesson, material: Material, scored: Scored, tried: CrossValidated | None) -> pl.DataFrame:
    """Take each response's numbers from what was learned without its model, brought to 0-1."""
    base, predicted, alpha = (array.copy() for array in (scored.base, scored.learned.predicted, scored.alpha))
    why = _reasons(material, scored)
    if tried is None:
        here = material.of_models(lesson.training)
        base[here], predicted[here], alpha[here], why[here] = material.unsupervised[here], np.nan, 0.0, NOT_LEFT_OUT
    else:
        for number, fold in enumerate(tried.folds):
            here = tried.fold == number
            for ours, theirs in ((base, fold.base), (predicted, fold.learned.predicted), (alpha, fold.alpha)):
                ours[here] = theirs[here]
            why[here] = _reasons(material, fold)[here]
    # What was not calibrated is taken from the scores themselves, to the last digit.
    base = np.where(base == material.unsupervised, np.nan, base)
    return pl.DataFrame(
        {
            "instance_id": np.array(material.instances, dtype=object)[material.instance].tolist(),
            "model": np.array(material.models, dtype=object)[material.model].tolist(),
            "base": _between_0_and_1(base),
            "predicted": _between_0_and_1(predicted),
            "alpha": pl.Series(alpha),
            "why": pl.Series(why.tolist(), dtype=pl.String),
        }
    )


def _between_0_and_1(scores: Matrix) -> pl.Series:
    return pl.Series((scores - 1) / 9).fill_nan(None)


def _reasons(material: Material, scored: Scored) -> NDArray[np.object_]:
    each = [scored.learned.reasons.get(place) for place in range(len(material.instances))]
    return np.array(each, dtype=object)[material.instance]


def weight_table(lesson: Lesson, material: Material, scored: Scored, choice: Choice) -> pl.DataFrame:
    """List how much each item of each list decides.

    Args:
        lesson: What was given.
        material: The responses that scores were made for.
        scored: What all training models teach.
        choice: How it was learned.

    Returns:
        See ``Supervised.weights``.
    """
    items = lesson.grades.group_by("instance_id", "number").agg(pl.col("item").first()).sort("instance_id", "number")
    learned = [
        material.items[place].select(
            "number",
            instance_id=pl.lit(material.instances[place]),
            weight=pl.Series(weights).fill_nan(None),
            why=pl.when(pl.Series(np.isnan(weights))).then(pl.lit(UNGRADED_ITEM)),
        )
        for place, weights in scored.learned.weights.items()
    ]
    reasons = pl.DataFrame(
        {"instance_id": material.instances, "reason": _without_weights(material, scored, choice)},
        schema={"instance_id": pl.String, "reason": pl.String},
    )
    none = items.select("number", "instance_id", weight=pl.lit(None, pl.Float64), why=pl.lit(None, pl.String)).clear()
    known = pl.concat([none, *learned])
    return (
        items.join(known, on=["instance_id", "number"], how="left", maintain_order="left")
        .join(reasons, on="instance_id", how="left", maintain_order="left")
        .select(
            "instance_id",
            "number",
            "item",
            "weight",
            reason=pl.when(pl.col("weight").is_null()).then(pl.coalesce("why", "reason", pl.lit(UNUSED))),
        )
    )


def _without_weights(material: Material, scored: Scored, choice: Choice) -> list[str | None]:
    """Say for each instance why it has no weights, if it has none."""
    trees = isinstance(choice.learner, Forest) and not choice.everywhere
    return [
        scored.learned.reasons.get(place, UNSPLIT) if trees else NO_TREES for place in range(len(material.instances))
    ]
