"""Numbers against people's labels or ratings, as a person reads them in a terminal."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from collections.abc import Sequence
from typing import TYPE_CHECKING

from checkwise.cli.console import out, plain

if TYPE_CHECKING:
    from checkwise.report import MetricRow, MetricTable


def show_metrics(tables: Sequence["MetricTable"]) -> None:
    """Print tables of numbers with intervals and n; why one is missing stands in its place.

    Args:
        tables: The tables, one after another.
    """
    from rich.table import Table

    for table in tables:
        shown = Table(title=table.title, title_justify="left")
        if table.has_groups:
            shown.add_column("group", overflow="fold")
        shown.add_column("measure", overflow="fold")
        for header in ("value", "95% interval", "n"):
            shown.add_column(header, justify="right", no_wrap=header != "95% interval")
        for row in table.rows:
            cells = (row.label, *_numbers(row), str(row.n))
            shown.add_row(*([plain(row.group or "all")] if table.has_groups else []), *cells)
        out().print(shown)


def _numbers(row: "MetricRow") -> tuple[str, str]:
    from checkwise.report.numbers import DASH, measure, measure_interval

    if row.value is None:
        return DASH, row.reason or DASH
    return measure(row.value, row.kind), measure_interval(row.low, row.high, row.kind)
