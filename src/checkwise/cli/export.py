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
    from checkwise.runs import Result

What = Literal["scores", "grades", "leaderboard", "checklists"]
Format = Literal["jsonl", "csv", "parquet", "markdown"]
SUFFIXES: dict[str, Format] = {".jsonl": "jsonl", ".csv": "csv", ".parquet": "parquet", ".md": "markdown"}
STDOUT = Path("-")


def export(
    run: options.RunPath,
    *,
    what: Annotated[What, typer.Option(help="The table to write.")] = "scores",
    kind: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="The format; that of the suffix of --to if not given, else jsonl. Markdown is for leaderboards and "
            "checklists.",
        ),
    ] = None,
    to: Annotated[Path, typer.Option(metavar="FILE", help="Where to write it; - is standard output.")] = STDOUT,
) -> None:
    """Write the scores, grades, leaderboard or checklists of a run as a table.

    What is unscored is null in JSON Lines and Parquet, and an empty field in CSV.
    """
    from checkwise.files import write_whole
    from checkwise.runs import Result

    chosen = kind or SUFFIXES.get(to.suffix.lower(), "jsonl")
    data = _content(Result(run), what, chosen)
    if to != STDOUT:
        write_whole(to, data)
        note(f"{what}: {to}")
    elif chosen == "parquet" and sys.stdout.isatty():
        raise UserError("Parquet is not for terminals", todo="Name a file with --to.")
    else:
        sys.stdout.buffer.write(data)


def _content(result: "Result", what: What, kind: Format) -> bytes:
    from checkwise.store.export import checklists_table, items_table, table_bytes

    if kind == "markdown":
        return _markdown(result, what).encode("utf-8", "backslashreplace")
    if what == "checklists":
        lists = result.checklists.values()
        return table_bytes(
            items_table(lists) if kind == "csv" else checklists_table(lists, result.dataset.instances), kind
        )
    return table_bytes(getattr(result, what), kind)


def _markdown(result: "Result", what: What) -> str:
    from checkwise.datasets import checklist_markdown, query_openings
    from checkwise.report import leaderboard_markdown

    if what == "leaderboard":
        return leaderboard_markdown(result.leaderboard)
    if what == "checklists":
        return checklist_markdown.render(result.checklists.values(), query_openings(result.dataset.instances))
    raise UserError(
        f"{what} are not written as Markdown",
        where=Place(result.folder),
        todo="Use --format jsonl, csv or parquet; Markdown is for leaderboards and checklists.",
    )
