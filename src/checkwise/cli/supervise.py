"""``checkwise supervise``: scores that learn from labels of some models' responses."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from checkwise.cli import options
from checkwise.cli.console import print_json, say
from checkwise.cli.leaderboard_table import show_leaderboard
from checkwise.errors import Place, UserError

if TYPE_CHECKING:
    import polars as pl

    from checkwise.scoring.gain import Gain, HeldOut
    from checkwise.scoring.supervised import Supervised

PredictorName = Literal["auto", "forest", "ridge", "global", "none"]

LEARNING = "Learning"
"""The panel of the help with how scores are learned."""


def supervise(
    run: options.RunPath,
    *,
    labels: Annotated[
        Path | None,
        typer.Option(help="Labels from 1 to 10: a table with id, model, score, or RocketEval's folder score/LABELER."),
    ] = None,
    votes: Annotated[
        Path | None, typer.Option(help="People's votes on pairs, of which labels are made: how often a response wins.")
    ] = None,
    train: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Learn from these models' labels; from all but --test if not given."),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Learn nothing from these models; all without labels if not given."),
    ] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="As the RocketEval paper does; nothing is chosen.", rich_help_panel=LEARNING)
    ] = False,
    predictor: Annotated[
        PredictorName,
        typer.Option(
            help="What learns: trees or ridge regression for each instance, one forest for all (global), or what does "
            "best on models that were left out (auto).",
            rich_help_panel=LEARNING,
        ),
    ] = "auto",
    alpha: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, help="The weight of what was learned; chosen if not given.", rich_help_panel=LEARNING
        ),
    ] = None,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate", help="Bring unsupervised scores to the labels' scale first.", rich_help_panel=LEARNING
        ),
    ] = False,
    scores: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the scores: .csv, .jsonl or .parquet.")
    ] = None,
    weights: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what each item weighs: .csv, .jsonl or .parquet.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Learn from labels of some models' responses how to score the others, and say whether it is worth it.

    Training and test models are never the same. The leaderboard is of the test models; whether supervised scores beat
    unsupervised ones is measured on models that were left out of the learning. Label files are only ever read.
    """
    from checkwise.files import write_whole
    from checkwise.runs import Result, open_result
    from checkwise.scoring.settings import SupervisedSettings
    from checkwise.scoring.supervised import supervise as learn

    result = open_result(run)
    if not isinstance(result, Result):
        raise UserError("this run compared pairs, and has no item grades", where=Place(run))
    found = learn(
        result.grades,
        result.scores,
        _read(labels, votes),
        train_models=_names(train),
        test_models=_names(test),
        settings=SupervisedSettings(
            paper=paper, predictor=predictor, alpha="auto" if alpha is None else alpha, calibrate=calibrate
        ),
    )
    for table, path in ((found.table, scores), (found.weights, weights)):
        if path is not None:
            write_whole(path, _bytes(table, path))
    board = _board(found)
    if as_json:
        print_json(_document(found, board))
        return
    if board is not None:
        show_leaderboard(board)
    for line in _lines(found):
        say(line)


def _read(labels: Path | None, votes: Path | None) -> "pl.DataFrame":
    from checkwise.datasets.labels import read_labels
    from checkwise.datasets.votes import read_votes
    from checkwise.scoring.vote_labels import votes_as_labels

    if labels is not None and votes is None:
        return read_labels(labels)
    if votes is not None and labels is None:
        return votes_as_labels(read_votes(votes))
    raise UserError("there must be labels or votes, and not both", todo="Give --labels FILE or --votes FILE.")


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _bytes(table: "pl.DataFrame", path: Path) -> bytes:
    from checkwise.cli.export import SUFFIXES
    from checkwise.store.export import table_bytes

    kind = SUFFIXES.get(path.suffix.lower(), "jsonl")
    if kind == "markdown":
        raise UserError("scores and weights are not written as Markdown", where=Place(path), todo="Name a .csv file.")
    return table_bytes(table, kind)


def _board(found: "Supervised") -> "pl.DataFrame | None":
    """Rank the test models by their supervised scores; None where there are none."""
    import polars as pl

    from checkwise.ranking.leaderboard import leaderboard

    tested = found.table.filter(pl.col("role") == "test")
    return leaderboard(tested).table if tested["value"].count() else None


def _lines(found: "Supervised") -> list[str]:
    lines = [
        f"Learned from {len(found.training_models)} models: {', '.join(found.training_models)}",
        f"Chosen: {found.chosen}",
        *_gains("On models left out of the learning", found.held_out),
    ]
    if found.tested is not None:
        lines += _gains("On the test models' own labels", found.tested)
    return [*lines, *(f"Note: {note}" for note in found.notes)]


def _gains(where: str, held_out: "HeldOut") -> list[str]:
    return [
        f"{where}, pairs in the labels' order: {_gain(held_out.agreement, 100, '%')}",
        f"{where}, mean distance from the label: {_gain(held_out.error, 1, '')}",
    ]


def _gain(gain: "Gain", times: float, unit: str) -> str:
    if gain.supervised is None or gain.unsupervised is None or gain.gain is None:
        return f"not known: {gain.reason}"
    both = f"{times * gain.supervised:.2f}{unit} supervised, {times * gain.unsupervised:.2f}{unit} unsupervised"
    if gain.low is None or gain.high is None:
        return f"{both} (n = {gain.n}; {gain.reason})"
    return f"{both}; gain {times * gain.gain:+.2f} [{times * gain.low:+.2f}, {times * gain.high:+.2f}], {gain.verdict}"


def _document(found: "Supervised", board: "pl.DataFrame | None") -> dict[str, Any]:
    return {
        "leaderboard": None if board is None else board.to_dicts(),
        "chosen": found.chosen,
        "training_models": found.training_models,
        "test_models": found.test_models,
        "held_out": asdict(found.held_out),
        "tested": None if found.tested is None else asdict(found.tested),
        "weights": found.weights.to_dicts(),
        "notes": found.notes,
    }
