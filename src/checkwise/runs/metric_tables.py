"""From what was measured against people to the tables that a report and a terminal show."""

from collections.abc import Iterable

import polars as pl

from checkwise.report import MetricRow, MetricTable
from checkwise.trust.correlation import average_correlation, rank_correlation, rank_correlation_by
from checkwise.trust.figure import Figure
from checkwise.trust.pair_metrics import Grouping, macro_accuracy, pair_metrics, pair_metrics_by
from checkwise.trust.position import published_protocol, worse_first

HALF = 0.5
"""What guessing reaches."""

_GROUPED = {"accuracy": "Accuracy", "consistency": "Consistency", "first_share": "Share of the first position"}


def pair_tables(comparisons: pl.DataFrame, *, orders: int) -> list[MetricTable]:
    """Measure verdicts on pairs: over all of them, by language and by subset where there are several.

    Args:
        comparisons: As ``PairResult.comparisons``.
        orders: How many times each pair was shown.

    Returns:
        Tables with intervals and n; a number that does not exist has its reason.
    """
    measured = pair_metrics(comparisons, orders=orders)
    rows = [
        figure_row("Accuracy", measured.accuracy, chance=HALF),
        figure_row("Accuracy of consistent pairs", measured.accuracy_consistent, chance=HALF),
        figure_row("Consistency", measured.consistency),
        figure_row("Share of the first position", measured.first_share, chance=HALF),
        figure_row("Share of ties", measured.tie_share),
    ]
    if orders == 2:
        rows += [
            figure_row("Accuracy, better response first", published_protocol(comparisons), chance=HALF),
            figure_row("Accuracy, worse response first", worse_first(comparisons), chance=HALF),
        ]
    tables = [MetricTable(title="All pairs", rows=tuple(rows))]
    for by in ("language", "subset"):
        if comparisons[by].n_unique() > 1:
            tables.append(_by_group(comparisons, by, measured.accuracy, orders=orders))
    return tables


def rating_tables(scores: pl.DataFrame, *, by: str) -> list[MetricTable]:
    """Hold scores against the ratings that people gave.

    Args:
        scores: Columns instance_id, value (null where unscored), rating (null where nobody rated), and ``by``.
        by: The column to look at apart, such as the language pair.

    Returns:
        One table with Kendall's tau-b and Spearman's rho, by group and on average where there are several groups;
        none where nothing is rated.
    """
    if scores["rating"].null_count() == scores.height:
        return []
    over_all = rank_correlation(scores)
    rows = [
        figure_row("Kendall τ-b", over_all.kendall, kind="correlation"),
        figure_row("Spearman ρ", over_all.spearman, kind="correlation"),
    ]
    if scores[by].n_unique() > 1:
        mean = average_correlation(scores, by)
        rows += [
            figure_row("Kendall τ-b, mean of the groups", mean.kendall, kind="correlation"),
            figure_row("Spearman ρ, mean of the groups", mean.spearman, kind="correlation"),
        ]
        for row in rank_correlation_by(scores, by).iter_rows(named=True):
            for name, label in (("kendall", "Kendall τ-b"), ("spearman", "Spearman ρ")):
                rows.append(_group_row(label, name, row, by, kind="correlation"))
    return [MetricTable(title="Rank correlation", rows=tuple(rows))]


def metrics_frame(tables: Iterable[MetricTable]) -> pl.DataFrame:
    """Lay tables of metrics out as one.

    Args:
        tables: The tables.

    Returns:
        Columns table, measure, group (null for all), value, low, high, n, reason.
    """
    rows = [(t.title, r.label, r.group, r.value, r.low, r.high, r.n, r.reason) for t in tables for r in t.rows]
    return pl.DataFrame(rows, schema=_METRICS_SCHEMA, orient="row")


_METRICS_SCHEMA = pl.Schema(
    {
        "table": pl.String,
        "measure": pl.String,
        "group": pl.String,
        "value": pl.Float64,
        "low": pl.Float64,
        "high": pl.Float64,
        "n": pl.Int64,
        "reason": pl.String,
    }
)


def _by_group(comparisons: pl.DataFrame, by: Grouping, micro: Figure, *, orders: int) -> MetricTable:
    rows = [
        figure_row("Accuracy, every pair the same (micro)", micro, chance=HALF),
        figure_row(
            f"Accuracy, every {by} the same (macro)", macro_accuracy(comparisons, by, orders=orders), chance=HALF
        ),
    ]
    for row in pair_metrics_by(comparisons, by, orders=orders).iter_rows(named=True):
        for name, label in _GROUPED.items():
            chance = None if name == "consistency" else HALF
            rows.append(_group_row(label, name, row, by, chance=chance))
    return MetricTable(title=f"By {by}", rows=tuple(rows))


def figure_row(label: str, figure: Figure, **more: object) -> MetricRow:
    """Write a figure as a row of a table; ``more`` are further fields of the row."""
    interval = figure.interval
    return MetricRow.model_validate(
        {
            "label": label,
            "value": figure.value,
            "low": interval.low if interval else None,
            "high": interval.high if interval else None,
            "n": figure.n,
            "reason": figure.reason,
            **more,
        }
    )


def _why(row: dict[str, object], name: str) -> str | None:
    if row[name] is None:
        return "nothing to measure"
    return None if row[f"{name}_low"] is not None else "too few to say how far chance goes"


def _group_row(label: str, name: str, row: dict[str, object], by: str, **more: object) -> MetricRow:
    return MetricRow.model_validate(
        {
            "label": label,
            "group": row[by] if row[by] is not None else "(none)",
            "value": row[name],
            "low": row[f"{name}_low"],
            "high": row[f"{name}_high"],
            "n": row[f"{name}_n"],
            "reason": row.get("reason") or _why(row, name),
            **more,
        }
    )
