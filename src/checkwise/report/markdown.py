"""Tables in Markdown: the leaderboard, and what holds a judge against people."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from checkwise.report.metrics import MetricTable
from checkwise.report.numbers import DASH, decimal, interval, measure, measure_interval, percent

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
    return markdown_table([head, alignment, *rows])


def metrics_markdown(tables: Sequence[MetricTable]) -> str:
    """Write tables of metrics as GitHub-flavoured Markdown, each under its title.

    Args:
        tables: The tables, in order.

    Returns:
        The text, ending with a newline; empty without tables. What is not known is a dash, with its reason in the last
        column; markup and line breaks in names are plain text.
    """
    return "\n".join(f"### {escaped(table.title)}\n\n{_metric_table(table)}" for table in tables)


def _metric_table(table: MetricTable) -> str:
    """Leave out the columns that would be empty in every row."""
    reasons = [escaped(row.reason) if row.reason else "" for row in table.rows]
    columns = [
        ("Measure", ":--", [escaped(row.label) for row in table.rows]),
        ("Of", ":--", [escaped(row.group or "all") for row in table.rows] if table.has_groups else None),
        ("Value", "--:", [measure(row.value, row.kind) for row in table.rows]),
        ("Interval", ":-:", [measure_interval(row.low, row.high, row.kind) for row in table.rows]),
        ("n", "--:", [str(row.n) for row in table.rows]),
        ("Reason", ":--", reasons if any(reasons) else None),
    ]
    shown = [(head, alignment, *cells) for head, alignment, cells in columns if cells is not None]
    return markdown_table(list(zip(*shown, strict=True)))


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Write rows of cells, the head and the alignments first."""
    return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def _cells(record: Mapping[str, Any], *, with_category: bool) -> tuple[str, ...]:
    cells = (
        _count(record["rank"]),
        escaped(record["model"]),
        decimal(record["score"]),
        interval(record["low"], record["high"]),
        _count(record["n"]),
        percent(record["coverage"]),
        _count(record["unscored"]),
        _count(record["empty"]),
        decimal(record["mean_mass"]),
        _count(record["low_mass_items"]),
    )
    return (escaped(record["category"]), *cells) if with_category else cells


def _count(value: int | None) -> str:
    return DASH if value is None else str(value)


def escaped(text: str | None) -> str:
    """Write text so that nothing in it is markup; None is a dash."""
    if text is None:
        return DASH
    return _MARKUP.sub(r"\\\1", _LINE_BREAK.sub(" ", text)).strip()
