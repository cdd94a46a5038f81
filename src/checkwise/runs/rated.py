"""Scores beside what people gave the same responses, for all of them or for some."""

import polars as pl

from checkwise.errors import NothingJudgedError
from checkwise.report import MetricRow, MetricTable
from checkwise.runs.metric_tables import rating_tables
from checkwise.trust.prediction_powered import prediction_powered_by

_RESPONSE = ["instance_id", "model"]


def rated_tables(scores: pl.DataFrame, ratings: pl.DataFrame) -> tuple[list[MetricTable], list[str]]:
    """Hold scores against ratings; where only some responses are rated, estimate what people would give each model.

    Args:
        scores: instance_id, model, language, value (null where unscored).
        ratings: instance_id, model, label (null where there is none); several labelers of a response are averaged.

    Returns:
        The tables, and notes on ratings that are about nothing in the run.

    Raises:
        MissingExtraError: Only some responses are rated, and ``ppi-python`` is not installed.
        NothingJudgedError: No rating is about a response of the run.
    """
    given = ratings.drop_nulls("label").group_by(_RESPONSE).agg(pl.col("label").mean())
    beside = scores.drop("rating", strict=False).join(given, on=_RESPONSE, how="left", maintain_order="left")
    notes = []
    strange = given.join(scores, on=_RESPONSE, how="anti").sort(_RESPONSE)
    if strange.height:
        shown = ", ".join(f"{model} on {instance}" for instance, model in strange.select(_RESPONSE).head(3).rows())
        notes.append(f"{strange.height} rated responses are not in the run, such as {shown}")
    silent = ratings["label"].null_count()
    if silent:
        notes.append(f"{silent} rows of the ratings have no number")
    if not beside["label"].count():
        raise NothingJudgedError(
            f"none of the {ratings.height} ratings is about a response of the run",
            todo="See that ratings and run name instances and models alike.",
        )
    tables = rating_tables(beside.rename({"label": "rating"}), by="language")
    if beside["label"].null_count():
        tables.append(_powered(beside))
    return tables, notes


def _powered(beside: pl.DataFrame) -> MetricTable:
    """Each model's mean rating, from the rated responses alone and with the judge's scores of the others."""
    rows = []
    for row in prediction_powered_by(beside).iter_rows(named=True):
        for name, label in (("labelled", "Mean rating, rated responses alone"), ("powered", "With the judge's scores")):
            rows.append(
                MetricRow(
                    label=label,
                    group=row["model"],
                    value=row[name],
                    low=row[f"{name}_low"],
                    high=row[f"{name}_high"],
                    n=row[f"{name}_n"],
                    reason=row["reason"],
                    kind="number",
                )
            )
    return MetricTable(title="Mean rating of each model, where only some responses are rated", rows=tuple(rows))
