"""The commands, and what ``checkwise --help`` says."""

from pathlib import Path
from typing import Annotated

import typer

from checkwise.cli import models, prompts
from checkwise.cli.checklist import checklist
from checkwise.cli.compare import compare
from checkwise.cli.console import note
from checkwise.cli.cost import cost
from checkwise.cli.doctor import doctor
from checkwise.cli.ending import Commands
from checkwise.cli.exit_codes import MEANINGS
from checkwise.cli.export import export
from checkwise.cli.gate import gate
from checkwise.cli.grade import grade
from checkwise.cli.init import init
from checkwise.cli.options import examples
from checkwise.cli.rank import rank
from checkwise.cli.report import report
from checkwise.cli.run import run
from checkwise.cli.settings import FILE, read_settings
from checkwise.cli.supervise import supervise
from checkwise.cli.trust import trust
from checkwise.cli.view import view
from checkwise.version import __version__

EXIT_CODES = "; ".join(f"{code.value} {meaning}" for code, meaning in MEANINGS.items())

app = typer.Typer(
    name="checkwise",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog=examples("checkwise run data/", "checkwise doctor") + f"\n\nExit codes: {EXIT_CODES}.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line."""
    app(prog_name="checkwise")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"checkwise {__version__}")
        raise typer.Exit


@app.callback()
def _checkwise(
    context: typer.Context,
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    settings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"A file with defaults of options; {FILE} here if there is one."),
    ] = None,
) -> None:
    """Judge what language models write, with checklists, on your own machine.

    An error is printed on standard error; with --json it is on standard output too, as {"error": ...}.
    """
    found = settings if settings is not None else Path(FILE)
    if settings is None and not found.is_file():
        return
    context.default_map = read_settings(found, context.command)
    note(f"Settings: {found}")


app.command(
    epilog=examples(
        "checkwise run data/",
        "checkwise run data/ --limit 16 --models gpt-4,llama-13b --checklists lists.jsonl",
        "cat rows.jsonl | checkwise run - --method direct --json",
    )
)(run)
app.command(
    epilog=examples(
        "checkwise compare pairs.jsonl",
        "checkwise compare pairs.jsonl --method direct --order given --limit 50",
        "checkwise compare pairs.jsonl --method rocketeval --checklists lists.jsonl --json",
    )
)(compare)
app.command(
    epilog=examples(
        "checkwise cost data/ --judge openai:gpt-4o-mini --against openai:gpt-4o",
        "checkwise cost data/ --machine-hour 0.50",
        "checkwise cost pairs.jsonl --pairs --price 0.15,0.60",
        "checkwise cost runs/mine",
    )
)(cost)
app.command(epilog=examples("checkwise checklist data/ --out runs/mine --to lists.md"))(checklist)
app.command(epilog=examples("checkwise grade data/ --out runs/mine --checklists lists.md"))(grade)
app.command(
    epilog=examples(
        "checkwise rank runs/mine --by category",
        "checkwise rank runs/mine --ratings --anchor gpt-4=1185 --head-to-head",
        "checkwise rank runs/mine --against elo.csv --margin human_votes.jsonl",
        "checkwise rank runs/mine --matches battles.json --json",
    )
)(rank)
app.command(
    epilog=examples(
        "checkwise trust runs/mine --votes human_votes.jsonl",
        "checkwise trust runs/mine --votes human_votes.jsonl --beside direct=runs/direct --beside gpt4=votes.jsonl",
        "checkwise trust runs/mine --ratings ratings.csv --json",
    )
)(trust)
app.command(
    epilog=examples(
        "checkwise supervise runs/mine --labels labels.csv --test new-model",
        "checkwise supervise runs/mine --labels score/gpt-4o --paper --scores supervised.csv --weights weights.csv",
        "checkwise supervise runs/mine --votes human_votes.jsonl --json",
    )
)(supervise)
app.command(
    epilog=examples(
        "checkwise gate runs/mine --baseline runs/main",
        "checkwise gate runs/mine --baseline runs/main --margin 0.02 --proof as-good --junit gate.xml",
        "checkwise gate runs/mine --min-score 0.7",
    )
)(gate)
app.command(epilog=examples("checkwise report runs/mine --to report.html"))(report)
app.command(epilog=examples("checkwise view", "checkwise view runs/mine --port 0 --no-open"))(view)
app.command(
    epilog=examples(
        "checkwise export runs/mine --what grades --to grades.parquet",
        "checkwise export runs/mine --what leaderboard --format markdown",
    )
)(export)
app.command(epilog=examples("checkwise init"))(init)
app.add_typer(models.app)
app.add_typer(prompts.app)
app.command(
    epilog=examples("checkwise doctor", "checkwise doctor --quick", "checkwise doctor --judge openai:gpt-4o-mini")
)(doctor)
