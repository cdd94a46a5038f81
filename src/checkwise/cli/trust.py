"""``checkwise trust``: how far to trust the judge of a run."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from checkwise.cli import options
from checkwise.cli.console import print_json, say
from checkwise.cli.metrics_table import show_metrics
from checkwise.errors import UserError

if TYPE_CHECKING:
    import polars as pl

    from checkwise.report import TrustPage


def trust(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    *,
    votes: Annotated[
        Path | None,
        typer.Option(
            help="People's votes on pairs of responses: id, or question_id and turn; model_a, model_b, winner."
        ),
    ] = None,
    ratings: Annotated[
        Path | None,
        typer.Option(help="People's ratings of all responses or of some, on any scale: id, model, score."),
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            "--beside",
            metavar="NAME=PATH",
            help="Another judge to measure on the same votes: a run folder, or a file with its votes. May be repeated.",
        ),
    ] = None,
    margin: Annotated[float, typer.Option(min=0, help="Scores closer than this, from 1 to 10, are a tie.")] = 0.1,
    draws: Annotated[int, typer.Option(min=100, help="Resamples of instances behind each interval.")] = 1000,
    as_json: options.AsJson = False,
) -> None:
    """Say how far to trust the judge of a run, and keep the page in the run folder (trust.md, the report).

    With votes: how often the judge agrees with people, beside people with each other, the longer response and other
    judges, on the same votes, by category and language; whether its win probabilities come true. With ratings: rank
    correlation, and each model's mean rating where only some responses are rated. With checklists: items to look at.
    """
    from checkwise.datasets.labels import read_labels
    from checkwise.datasets.votes import read_votes
    from checkwise.files import write_whole
    from checkwise.report import trust_markdown
    from checkwise.runs import Result, open_result
    from checkwise.runs.trusting import Trusting, TrustSettings
    from checkwise.store import TRUST

    result = open_result(run)
    if not isinstance(result, Result):
        raise UserError(
            "this run compared pairs; its accuracy, consistency and position bias are in its report",
            todo="See checkwise report, or checkwise export --what metrics.",
        )
    page = Trusting(
        result=result,
        votes=None if votes is None else read_votes(votes),
        ratings=None if ratings is None else read_labels(ratings, scale=None),
        others={name: _outcomes(path, margin) for name, path in map(_named, beside or [])},
        settings=TrustSettings(margin=margin, draws=draws),
    ).page()
    write_whole(run / "trust.md", trust_markdown(page).encode())
    write_whole(run / TRUST, page.model_dump_json(indent=2).encode())
    # Now with what was found here.
    Result(run).report()
    if as_json:
        print_json(page.model_dump())
        return
    _show(page)
    say(f"Page: {run / 'trust.md'}")


def _show(page: "TrustPage") -> None:
    if page.verdict:
        say(page.verdict)
    show_metrics(page.tables)
    for note in page.notes:
        say(f"Note: {note}")
    if page.items_in_all:
        flagged = len({(item.instance_id, item.number) for item in page.items})
        say(f"Items to look at: {flagged} of {page.items_in_all}")
    for item in page.items[:_ITEMS_SHOWN]:
        say(f"  {item.instance_id}, item {item.number}: {item.flag}: {item.item}")
    if len(page.items) > _ITEMS_SHOWN:
        say(f"  and {len(page.items) - _ITEMS_SHOWN} more on the page")


_ITEMS_SHOWN = 5


def _named(text: str) -> tuple[str, Path]:
    name, sign, path = text.partition("=")
    if not sign or not name or not path:
        raise UserError(f"--beside {text!r} has no name", todo="Write NAME=PATH, such as --beside direct=runs/direct.")
    return name, Path(path)


def _outcomes(path: Path, margin: float) -> "pl.DataFrame":
    """Read what another judge decides, from its scores or its votes."""
    from checkwise.datasets.votes import read_votes
    from checkwise.ranking.pairs import pair_outcomes
    from checkwise.runs import Result
    from checkwise.trust.votes import votes_as_outcomes

    if path.is_dir():
        return pair_outcomes(Result(path).scores, margin=margin)
    return votes_as_outcomes(read_votes(path))
