"""The columns of the tables that are read as data frames; they are those of schema.sql."""

import polars as pl

GRADES_SCHEMA = pl.Schema(
    {
        "instance_id": pl.String,
        "model": pl.String,
        "number": pl.Int64,
        "item": pl.String,
        "p_yes": pl.Float64,
        "mass": pl.Float64,
        "answers": pl.Int64,
        "yes_answers": pl.Int64,
        "mode": pl.String,
        "bounded": pl.Boolean,
        "low_mass": pl.Boolean,
        "reason": pl.String,
    }
)
"""Columns of ``grades_frame``."""

SCORES_SCHEMA = pl.Schema(
    {
        "instance_id": pl.String,
        "model": pl.String,
        "value": pl.Float64,
        "status": pl.String,
        "items": pl.Int64,
        "scored_items": pl.Int64,
        "low_mass_items": pl.Int64,
        "mean_mass": pl.Float64,
        "verdict": pl.Float64,
        "retried": pl.Boolean,
        "reason": pl.String,
    }
)
"""Columns of ``scores_frame``."""

COMPARISONS_SCHEMA = pl.Schema(
    {
        "pair_id": pl.String,
        "first": pl.String,
        "verdict": pl.String,
        "p_a": pl.Float64,
        "mass": pl.Float64,
        "status": pl.String,
        "retried": pl.Boolean,
        "reason": pl.String,
    }
)
"""Columns of ``comparisons_frame``."""

RUN_TABLES = (
    "facts",
    "instances",
    "responses",
    "checklists",
    "grades",
    "scores",
    "pairs",
    "comparisons",
    "findings",
)
"""The tables that describe the last run."""
