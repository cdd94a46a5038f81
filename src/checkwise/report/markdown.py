"""The leaderboard as a Markdown table."""

import re
from collections.abc import Mapping
from typing import Any

import polars as pl

from checkwise.report.numbers import DASH, decimal, interval, percent

_HEADERS = ("Rank", "Model", "Score", "Interval", "n", "Coverage", "Unscored", "Empty", "Mean mass", "Low-mass items")
_ALIGNMENT = ("--:", ":--", "--:", ":-:", "--:", "--:", "--:", "--:", "--:", "--:")
_MARKUP = re.compile(r"([\\`*\[\]<>|&~])")
_LINE_BREAK = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+\s*")


def leaderboard_markdown(table: pl.DataFrame) -> str:
    """Write a leaderboard as a GitHub-flavoured Markdown table.

    Args:
        table: Columns rank, model, score, low, high, n, coverage, unscored, empty, mean_mass, low_mass_items, and
            category before them in a table by category; scores and shares between 0 and 1.

    Returns:
        The table, ending with a newline. What is not known is a dash; markup and line breaks in names are plain text.
    """
    with_category = "category" in table.columns
    head = ("Category", *_HEADERS) if with_category else _HEADERS
    alignment = (":--", *_ALIGNMENT) if with_category else _ALIGNMENT
    rows = [_cells(record, with_category=with_category) for record in table.iter_rows(named=True)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (head, alignment, *rows))


def _cells(record: Mapping[str, Any], *, with_category: bool) -> tuple[str, ...]:
    cells = (
        _count(record["rank"]),
        _name(record["model"]),
        decimal(record["score"]),
        interval(record["low"], record["high"]),
        _count(record["n"]),
        percent(record["coverage"]),
        _count(record["unscored"]),
        _count(record["empty"]),
        decimal(record["mean_mass"]),
        _count(record["low_mass_items"]),
    )
    return (_name(record["category"]), *cells) if with_category else cells


def _count(value: int | None) -> str:
    return DASH if value is None else str(value)


def _name(text: str | None) -> str:
    if text is None:
        return DASH
    return _MARKUP.sub(r"\\\1", _LINE_BREAK.sub(" ", text)).strip()
