"""``checkwise rank``: the leaderboard of a run that has been made, and what else its scores say of the models."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from checkwise.cli import options
from checkwise.cli.console import note, print_json, say
from checkwise.cli.leaderboard_table import show_leaderboard
from checkwise.cli.model_comparison import Comparison, Wanted, compare_models, comparison_document, refuse_groups
from checkwise.errors import Place, UserError
from checkwise.files import write_whole

if TYPE_CHECKING:
    from checkwise.ranking.leaderboard import Leaderboard
    from checkwise.runs import Result

PAIRS = "Pairs"
"""The panel of the help with what rests on pairs of responses."""


def rank(
    run: options.RunPath,
    *,
    by: Annotated[Literal["category", "language"] | None, typer.Option(help="Make one ranking for each.")] = None,
    keep_all: Annotated[
        bool,
        typer.Option("--keep-all", help="Average over all that a model answered, not only what all models answered."),
    ] = False,
    ratings: Annotated[
        bool,
        typer.Option("--ratings", help="Rate models by Bradley-Terry, from pairs of responses.", rich_help_panel=PAIRS),
    ] = False,
    anchor: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL[=1000]",
            help="Ratings relative to a model, whose rating is given; else their mean is 1000.",
            rich_help_panel=PAIRS,
        ),
    ] = None,
    head_to_head: Annotated[
        bool,
        typer.Option("--head-to-head", help="Count wins, ties and losses of every two models.", rich_help_panel=PAIRS),
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Correlate the order of models with another ranking, such as Arena's: a table with model and elo, "
            "rating or score.",
            rich_help_panel=PAIRS,
        ),
    ] = None,
    margin: Annotated[
        str | None,
        typer.Option(
            metavar="X|VOTES",
            help="Scores closer than this on the 1-10 scale are a tie, 0.1 if not given; or a file with people's "
            "votes, to fit it to their ties.",
            rich_help_panel=PAIRS,
        ),
    ] = None,
    matches: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write every pair as a match in Chatbot Arena's form, to a .json or .jsonl file.",
            rich_help_panel=PAIRS,
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Print the leaderboard of a run; with further options, ratings and what else pairs of responses say.

    Two responses to the same instance make a pair, which the better score wins.
    """
    wanted = Wanted(ratings, anchor, head_to_head, against, margin, matches, common_only=not keep_all)
    refuse_groups(by, wanted, run)
    result = _opened(run)
    if by is not None and result.scores[by].null_count() == result.scores.height:
        raise UserError(f"the data of this run has no {by}", where=Place(run), todo="Leave --by out.")
    ranking = result.rank(common_only=not keep_all, by=by)
    comparison = compare_models(result, wanted) if wanted.anything else None
    notes = [*result.dataset.notes, *_notes(ranking), *(comparison.notes if comparison else ())]
    _show(ranking, comparison, notes, as_json=as_json)
    if comparison is not None and comparison.matches is not None and matches is not None:
        write_whole(matches, comparison.matches)
        note(f"matches: {matches}")


def _opened(run: Path) -> "Result":
    from checkwise.runs import Result, open_result

    result = open_result(run)
    if not isinstance(result, Result):
        raise UserError(
            "this run compared pairs, which ranks no models",
            where=Place(run),
            todo="See its report, or checkwise export --what metrics.",
        )
    return result


def _show(ranking: "Leaderboard", comparison: Comparison | None, notes: list[str], *, as_json: bool) -> None:
    from checkwise.cli.comparison_tables import show_comparison

    if as_json:
        about = ("instances", "common_instances", "common_only", "confidence", "draws", "seed", "by")
        document = {name: getattr(ranking, name) for name in about} | {"leaderboard": ranking.table.to_dicts()}
        print_json(document | (comparison_document(comparison) if comparison else {}) | {"notes": notes})
    else:
        show_leaderboard(ranking.table, by=ranking.by)
        if comparison is not None:
            show_comparison(comparison)
    for line in notes:
        (note if as_json else say)(f"Note: {line}")


def _notes(ranking: "Leaderboard") -> list[str]:
    """Say what the means leave out."""
    notes = []
    unscored = int(ranking.table["unscored"].sum())
    if unscored:
        notes.append(f"{unscored} responses are unscored, and in no mean")
    if not ranking.common_only:
        notes.append("each mean is over all instances that the model has a score for, which differ from model to model")
    elif ranking.left_out:
        notes.append(f"{ranking.left_out} instances are not in the means, since not every model has a score there")
    return notes
