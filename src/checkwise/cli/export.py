"""``checkwise export``: the tables of a run, for other programs."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from checkwise.cli import options
from checkwise.cli.console import note
from checkwise.errors import Place, UserError

if TYPE_CHECKING:
    import polars as pl

    from checkwise.runs import PairResult, Result

What = Literal["scores", "grades", "leaderboard", "checklists", "verdicts", "comparisons", "findings", "metrics"]
Format = Literal["jsonl", "csv", "parquet", "markdown"]
SUFFIXES: dict[str, Format] = {".jsonl": "jsonl", ".csv": "csv", ".parquet": "parquet", ".md": "markdown"}
STDOUT = Path("-")


def export(
    run: options.RunPath,
    *,
    what: Annotated[
        What | None,
        typer.Option(help="The table to write; scores if not given, of a run over pairs verdicts."),
    ] = None,
    kind: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="The format; that of the suffix of --to if not given, else jsonl. Markdown is for leaderboards, "
            "metrics and checklists.",
        ),
    ] = None,
    to: Annotated[Path, typer.Option(metavar="FILE", help="Where to write it; - is standard output.")] = STDOUT,
) -> None:
    """Write a table of a run: scores, grades, leaderboard, checklists; of pairs their verdicts and comparisons.

    Verdicts are one a pair, comparisons one a pair and order. Findings are what a method wrote down on its way, metrics
    the numbers against the data's own labels or ratings. What is unscored is null in JSON Lines and Parquet, and an
    empty field in CSV.
    """
    from checkwise.files import write_whole
    from checkwise.runs import PairResult, open_result

    chosen = kind or SUFFIXES.get(to.suffix.lower(), "jsonl")
    result = open_result(run)
    what = what or ("verdicts" if isinstance(result, PairResult) else "scores")
    data = _content(result, what, chosen)
    if to != STDOUT:
        write_whole(to, data)
        note(f"{what}: {to}")
    elif chosen == "parquet" and sys.stdout.isatty():
        raise UserError("Parquet is not for terminals", todo="Name a file with --to.")
    else:
        sys.stdout.buffer.write(data)


def _content(result: "Result | PairResult", what: What, kind: Format) -> bytes:
    from checkwise.store.export import checklists_table, items_table, table_bytes

    if kind == "markdown":
        return _markdown(result, what).encode("utf-8", "backslashreplace")
    if what == "checklists":
        lists = result.checklists.values()
        instances = result.dataset.instances
        return table_bytes(items_table(lists) if kind == "csv" else checklists_table(lists, instances), kind)
    return table_bytes(_table(result, what), kind)


def _table(result: "Result | PairResult", what: What) -> "pl.DataFrame":
    from checkwise.runs import Result
    from checkwise.runs.metric_tables import metrics_frame
    from checkwise.store.export import findings_table

    if what == "findings":
        return findings_table(result.findings)
    if what == "metrics":
        return metrics_frame(result.tables())
    table: pl.DataFrame | None = getattr(result, what, None)
    if table is None or (what in ("scores", "grades") and not isinstance(result, Result) and table.is_empty()):
        raise UserError(
            f"this run has no {what}",
            where=Place(result.folder),
            todo="Scores and leaderboards are of runs that judge responses alone, verdicts and comparisons of runs "
            "over pairs.",
        )
    return table


def _markdown(result: "Result | PairResult", what: What) -> str:
    from checkwise.datasets import checklist_markdown, query_openings
    from checkwise.report import leaderboard_markdown, metrics_markdown

    if what == "leaderboard":
        return leaderboard_markdown(_table(result, what))
    if what == "metrics":
        return metrics_markdown(result.tables())
    if what == "checklists":
        return checklist_markdown.render(result.checklists.values(), query_openings(result.dataset.instances))
    raise UserError(
        f"{what} are not written as Markdown",
        where=Place(result.folder),
        todo="Use --format jsonl, csv or parquet; Markdown is for leaderboards, metrics and checklists.",
    )
