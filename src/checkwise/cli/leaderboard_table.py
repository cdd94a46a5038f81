"""The leaderboard as a person reads it in a terminal."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from typing import TYPE_CHECKING

from checkwise.cli.console import out, plain

if TYPE_CHECKING:
    import polars as pl


def show_leaderboard(table: "pl.DataFrame", *, by: str | None = None) -> None:
    """Print models in order: rank, score and interval, and what stands behind them.

    Args:
        table: The table of a ``Leaderboard``.
        by: The column that it is split by.
    """
    from rich.table import Table

    from checkwise.report.numbers import DASH, decimal, interval, percent

    shown = Table()
    if by is not None:
        shown.add_column(by, overflow="fold")
    shown.add_column("rank", justify="right")
    shown.add_column("model", overflow="fold")
    for header in ("score", "95% interval", "n", "coverage", "mean mass"):
        shown.add_column(header, justify="right", no_wrap=True)
    earlier = None
    for row in table.iter_rows(named=True):
        if by is not None and earlier not in (None, row[by]):
            shown.add_section()
        earlier = row[by] if by is not None else None
        shown.add_row(
            *([plain(row[by])] if by is not None else []),
            DASH if row["rank"] is None else str(row["rank"]),
            plain(row["model"]),
            decimal(row["score"]),
            interval(row["low"], row["high"]),
            str(row["n"]),
            percent(row["coverage"]),
            decimal(row["mean_mass"]),
        )
    out().print(shown)
