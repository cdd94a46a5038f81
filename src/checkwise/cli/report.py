"""``checkwise report``: the HTML report of a run."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from pathlib import Path
from typing import Annotated

import typer

from checkwise.cli import options
from checkwise.cli.console import print_json, say


def report(
    run: options.RunPath,
    *,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write it; report.html in the run folder if not given.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Write the report of a run: one HTML file that needs nothing else."""
    from checkwise.runs import open_result

    path = open_result(run).report(to)
    if as_json:
        print_json({"report": str(path)})
    else:
        say(str(path))
