"""Ratings, head-to-head counts and rank correlations as a person reads them in a terminal."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from typing import TYPE_CHECKING

from checkwise.cli.console import out, plain

if TYPE_CHECKING:
    import polars as pl

    from checkwise.cli.model_comparison import Comparison
    from checkwise.ranking.bradley_terry import BradleyTerry
    from checkwise.report import MetricRow
    from checkwise.trust.figure import Figure
    from checkwise.trust.rank_agreement import RankAgreement


def show_comparison(found: "Comparison") -> None:
    """Print what was found, a table a part.

    Args:
        found: Ratings, counts of pairs and correlations, as far as they were asked for.
    """
    if found.ratings is not None:
        _show_ratings(found.ratings)
    if found.head_to_head is not None:
        _show_head_to_head(found.head_to_head)
    if found.against is not None:
        _show_against(found.against)


def _show_ratings(ratings: "BradleyTerry") -> None:
    from rich.table import Table

    from checkwise.report.numbers import decimal, interval

    shown = Table(title="Bradley-Terry ratings", title_justify="left")
    shown.add_column("rank", justify="right", no_wrap=True)
    shown.add_column("model", overflow="fold", min_width=12)
    for header in ("rating", "95% interval", "ranks", "battles", "won", "tied", "lost"):
        shown.add_column(header, justify="right", no_wrap=True)
    for row in ratings.table.iter_rows(named=True):
        counts = (str(row[name]) for name in ("n", "wins", "ties", "losses"))
        ends = interval(row["low"], row["high"], 0)
        ranks = _ranks(row["rank_low"], row["rank_high"])
        shown.add_row(str(row["rank"]), plain(row["model"]), decimal(row["rating"], 0), ends, ranks, *counts)
    out().print(shown)


def _ranks(low: int | None, high: int | None) -> str:
    from checkwise.report.numbers import DASH

    if low is None:
        return DASH
    return str(low) if low == high else f"{low}–{high}"


def _show_head_to_head(table: "pl.DataFrame") -> None:
    from rich.table import Table

    from checkwise.report.numbers import measure_interval, percent

    shown = Table(title="Head to head", title_justify="left")
    for header in ("model", "against"):
        shown.add_column(header, overflow="fold", min_width=8)
    for header in ("won", "tied", "lost", "win rate", "95% interval"):
        shown.add_column(header, justify="right", no_wrap=True)
    earlier = None
    for row in table.iter_rows(named=True):
        if earlier not in (None, row["model_a"]):
            shown.add_section()
        earlier = row["model_a"]
        counts = (str(row[name]) for name in ("wins", "ties", "losses"))
        ends = measure_interval(row["low"], row["high"], "share")
        shown.add_row(plain(row["model_a"]), plain(row["model_b"]), *counts, percent(row["win_rate"]), ends)
    out().print(shown)


def _show_against(agreements: "dict[str, RankAgreement]") -> None:
    from checkwise.cli.metrics_table import show_metrics
    from checkwise.report import MetricTable

    rows = [
        _row(f"{coefficient} of the {name}", figure)
        for name, agreement in agreements.items()
        for coefficient, figure in (("Spearman", agreement.spearman), ("Kendall tau-b", agreement.kendall))
    ]
    show_metrics([MetricTable(title="Against the other ranking; n counts models", rows=tuple(rows))])


def _row(label: str, figure: "Figure") -> "MetricRow":
    from checkwise.report import MetricRow

    low, high = (figure.interval.low, figure.interval.high) if figure.interval else (None, None)
    reason = figure.reason
    return MetricRow(label=label, value=figure.value, low=low, high=high, n=figure.n, reason=reason, kind="correlation")
