"""Which models teach and which are tested, which labels fit, and what took no part."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import polars as pl

from checkwise.errors import DataError, Place
from checkwise.scoring.alpha import BINS
from checkwise.scoring.material import RESPONSE, refuse_doubled, require

Counts = tuple[tuple[str, int], ...]
"""Names with how often they came up, sorted."""

_SHOWN = 5


@dataclass(frozen=True)
class LeftOut:
    """What took no part in learning, in counts."""

    unscored: int
    """Responses without a score."""
    empty: int
    """Empty responses: they keep the score of their rule."""
    ungraded: int
    """Scored responses of which no item was graded."""
    filled: int
    """Unscored items of scored responses: they get the item's mean over the responses that are learned from."""
    missing: int
    """Rows of labels that hold no label."""
    averaged: int
    """Responses with several labels, which were averaged."""
    unknown_models: Counts
    """Models that have labels, but no response."""
    unknown_instances: Counts
    """Instances that have labels, but no response."""
    unanswered: int
    """Labels of a known model on a known instance that it has no response to."""
    unusable: int
    """Labels of responses that are empty, unscored or ungraded."""
    test: int
    """Labels of test models, which nothing was learned from."""
    untaught: tuple[str, ...]
    """Models that were named as training models and have no label to learn from; they are scored like test models."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Say each count that is not 0 in a sentence."""
        models, instances = _listed(self.unknown_models), _listed(self.unknown_instances)
        said = (
            (self.unscored, "responses are unscored, and stay so"),
            (self.empty, "responses are empty, and keep the score 0"),
            (self.ungraded, "responses have a score and no graded item; they keep their score"),
            (self.filled, "unscored items count as the item's mean over the responses that were learned from"),
            (self.missing, "rows of labels hold no label"),
            (self.averaged, "responses have several labels, which were averaged"),
            (sum(count for _, count in self.unknown_models), f"labels are about models without a response: {models}"),
            (
                sum(count for _, count in self.unknown_instances),
                f"labels are about instances without a response: {instances}",
            ),
            (self.unanswered, "labels are about responses that are not here"),
            (self.unusable, "labels are about responses that are empty, unscored or ungraded"),
            (self.test, "labels are about test models; nothing was learned from them"),
            (
                len(self.untaught),
                f"training models have no label that can be learned from: {_few(self.untaught)}",
            ),
        )
        return tuple(f"{count} {what}." for count, what in said if count)


@dataclass(frozen=True, eq=False)
class Lesson:
    """What there is to learn from."""

    grades: pl.DataFrame
    """All of them, with ids as text and NaN as null."""
    scores: pl.DataFrame
    """The same."""
    usable: pl.DataFrame
    """Scores of responses that are graded, and neither empty nor unscored."""
    labels: pl.DataFrame
    """instance_id, model, label of such responses."""
    training: tuple[str, ...]
    """Models whose labels are learned from, sorted."""
    test: tuple[str, ...]
    """All others that have responses, sorted."""
    left_out: LeftOut


def make_lesson(
    grades: pl.DataFrame,
    scores: pl.DataFrame,
    labels: pl.DataFrame,
    *,
    train_models: Collection[str] | None,
    test_models: Collection[str] | None,
) -> Lesson:
    """Check what was given, and part what is learned from and what is not.

    Raises:
        DataError: See ``supervise``.
    """
    grades, scores, labels = _checked_grades(grades), _checked_scores(scores), _checked_labels(labels)
    known = tuple(scores["model"].unique().sort())
    _check_roles(known, train_models, test_models)
    usable = scores.filter(pl.col("value").is_not_null() & ~_empty(scores)).join(
        grades.drop_nulls("p_yes"), on=RESPONSE, how="semi"
    )
    given = labels.drop_nulls("label").sort(*RESPONSE, "label").group_by(RESPONSE, maintain_order=True)
    one_each = given.agg(pl.col("label").mean(), several=pl.len() > 1)
    fitting = one_each.join(usable, on=RESPONSE, how="semi")
    training = _training(fitting, train_models, test_models)
    if not training:
        _refuse(labels, one_each, scores, fitting)
    test = tuple(name for name in known if name not in training)
    left_out = LeftOut(
        unscored=scores["value"].null_count(),
        empty=scores.filter(_empty(scores)).height,
        ungraded=scores["value"].count() - scores.filter(_empty(scores))["value"].count() - usable.height,
        filled=grades.join(usable, on=RESPONSE, how="semi")["p_yes"].null_count(),
        missing=labels["label"].null_count(),
        averaged=one_each.filter("several").height,
        **_strays(one_each, scores),
        unusable=one_each.join(scores, on=RESPONSE, how="semi").height - fitting.height,
        test=fitting.filter(pl.col("model").is_in(test)).height,
        untaught=tuple(sorted(set(train_models or ()) - set(training))),
    )
    return Lesson(grades, scores, usable, fitting, training, test, left_out)


def _empty(scores: pl.DataFrame) -> pl.Expr:
    return pl.col("status").eq_missing("empty") if "status" in scores.columns else pl.lit(value=False)


def _training(
    fitting: pl.DataFrame, train_models: Collection[str] | None, test_models: Collection[str] | None
) -> tuple[str, ...]:
    labelled = fitting["model"].unique().sort().to_list()
    return tuple(
        name
        for name in labelled
        if (train_models is None or name in train_models) and (test_models is None or name not in test_models)
    )


def _check_roles(
    known: tuple[str, ...], train_models: Collection[str] | None, test_models: Collection[str] | None
) -> None:
    both = sorted(set(train_models or ()) & set(test_models or ()))
    if both:
        raise DataError(
            f"{_few(both)} would be both training and test models",
            todo="What a model's labels have taught says nothing about that model; take it out of one of the two.",
        )
    strangers = sorted({*(train_models or ()), *(test_models or ())} - set(known))
    if strangers:
        raise DataError(f"no response is by {_few(strangers)}", todo=f"Models: {_few(known)}.")


def _refuse(labels: pl.DataFrame, one_each: pl.DataFrame, scores: pl.DataFrame, fitting: pl.DataFrame) -> None:
    """Say why no label can be learned from."""
    if one_each.is_empty():
        raise DataError(f"none of the {labels.height} rows of labels holds a label", todo="Give some labels.")
    if fitting.is_empty():
        model, instance = one_each["model"][0], one_each["instance_id"][0]
        raise DataError(
            f"none of the {one_each.height} labels is about a scored response; they look like {instance} by {model}",
            todo=f"Scored are responses like {scores['instance_id'][0]} by {scores['model'][0]}; name them alike.",
        )
    raise DataError(
        f"all {fitting.height} labels are about test models ({_few(fitting['model'].unique().sort())})",
        todo="Nothing may be learned from a test model. Label other models, or test fewer.",
    )


def _strays(labels: pl.DataFrame, scores: pl.DataFrame) -> dict[str, Any]:
    known_model = pl.col("model").is_in(scores["model"].unique().implode())
    known_instance = pl.col("instance_id").is_in(scores["instance_id"].unique().implode())
    of_known = labels.filter(known_model & known_instance)
    return {
        "unknown_models": _counted(labels.filter(~known_model)["model"]),
        "unknown_instances": _counted(labels.filter(known_model & ~known_instance)["instance_id"]),
        "unanswered": of_known.join(scores, on=RESPONSE, how="anti").height,
    }


def _counted(names: pl.Series) -> Counts:
    return tuple(sorted(Counter(names.to_list()).items()))


def _listed(counts: Counts) -> str:
    return _few(f"{name} ({count})" for name, count in counts)


def _few(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:_SHOWN]) + (f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else "")


def _checked_grades(grades: pl.DataFrame) -> pl.DataFrame:
    require(grades, (*RESPONSE, "number", "item", "p_yes"), of="grades")
    mass = pl.col("mass") if "mass" in grades.columns else pl.lit(None)
    kept = grades.select(
        pl.col(RESPONSE).cast(pl.String),
        "number",
        "item",
        pl.col("p_yes").cast(pl.Float64).fill_nan(None),
        mass=mass.cast(pl.Float64).fill_nan(None),
    )
    refuse_doubled(kept, [*RESPONSE, "number"], of="grades")
    return kept


def _checked_scores(scores: pl.DataFrame) -> pl.DataFrame:
    require(scores, (*RESPONSE, "value"), of="scores")
    kept = scores.with_columns(pl.col(RESPONSE).cast(pl.String), pl.col("value").cast(pl.Float64).fill_nan(None))
    refuse_doubled(kept, RESPONSE, of="scores")
    return kept


def _checked_labels(labels: pl.DataFrame) -> pl.DataFrame:
    require(labels, (*RESPONSE, "label"), of="labels")
    kind = labels["label"].dtype
    if not kind.is_numeric() and kind != pl.Null:
        raise DataError(f"the labels are not numbers but {kind}", todo="Give numbers between 1 and 10.")
    kept = labels.select(pl.col(RESPONSE).cast(pl.String), pl.col("label").cast(pl.Float64).fill_nan(None))
    outside = kept.filter(~pl.col("label").is_between(1, BINS)).sort(RESPONSE)
    if outside.height:
        instance, model, label = outside.row(0)
        raise DataError(
            f"the label of {model} is {label:g}",
            where=Place(id=instance),
            todo="Labels lie between 1 and 10; bring other scales to it first.",
        )
    return kept
