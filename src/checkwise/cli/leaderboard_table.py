"""The leaderboard as a person reads it in a terminal."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from typing import TYPE_CHECKING

from checkwise.cli.console import out, plain

if TYPE_CHECKING:
    import polars as pl

ROOM_FOR_ALL = 90
"""Columns of a terminal that coverage and mean mass have room in."""


def show_leaderboard(table: "pl.DataFrame", *, by: str | None = None) -> None:
    """Print models in order: rank, score and interval, and what stands behind them.

    Args:
        table: The table of a ``Leaderboard``.
        by: The column that it is split by.
    """
    from rich.table import Table

    from checkwise.report.numbers import DASH, decimal, interval, percent

    console = out()
    # What a narrow terminal can do without comes last and goes first; all of it is in the report and in the exports.
    extras = [name for name in ("unscored", "empty") if table[name].sum()]
    extras += ["coverage", "mean mass"] if console.width >= ROOM_FOR_ALL + 10 * len(extras) else []
    shown = Table()
    if by is not None:
        shown.add_column(by, overflow="fold")
    shown.add_column("rank", justify="right", no_wrap=True)
    shown.add_column("model", overflow="fold", min_width=12)
    for header in ("score", "95% interval", "n", *extras):
        shown.add_column(header, justify="right", no_wrap=True)
    earlier = None
    for row in table.iter_rows(named=True):
        if by is not None and earlier not in (None, row[by]):
            shown.add_section()
        earlier = row[by] if by is not None else None
        cells = {
            "unscored": str(row["unscored"]),
            "empty": str(row["empty"]),
            "coverage": percent(row["coverage"]),
            "mean mass": decimal(row["mean_mass"]),
        }
        shown.add_row(
            *([plain(row[by])] if by is not None else []),
            DASH if row["rank"] is None else str(row["rank"]),
            plain(row["model"]),
            decimal(row["score"]),
            interval(row["low"], row["high"]),
            str(row["n"]),
            *(cells[name] for name in extras),
        )
    console.print(shown)
