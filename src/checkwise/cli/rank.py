"""``checkwise rank``: the leaderboard of a run that has been made."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from checkwise.cli import options
from checkwise.cli.console import note, print_json, say
from checkwise.cli.leaderboard_table import show_leaderboard
from checkwise.errors import Place, UserError

if TYPE_CHECKING:
    from checkwise.ranking.leaderboard import Leaderboard


def rank(
    run: options.RunPath,
    *,
    by: Annotated[Literal["category", "language"] | None, typer.Option(help="Make one ranking for each.")] = None,
    keep_all: Annotated[
        bool,
        typer.Option("--keep-all", help="Average over all that a model answered, not only what all models answered."),
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Print the leaderboard of a run."""
    from checkwise.runs import Result, open_result

    result = open_result(run)
    if not isinstance(result, Result):
        raise UserError(
            "this run compared pairs, which ranks no models",
            where=Place(run),
            todo="See its report, or checkwise export --what metrics.",
        )
    if by is not None and result.scores[by].null_count() == result.scores.height:
        raise UserError(f"the data of this run has no {by}", where=Place(run), todo="Leave --by out.")
    ranking = result.rank(common_only=not keep_all, by=by)
    notes = [*result.dataset.notes, *_notes(ranking)]
    if as_json:
        about = ("instances", "common_instances", "common_only", "confidence", "draws", "seed", "by")
        print_json(
            {name: getattr(ranking, name) for name in about} | {"leaderboard": ranking.table.to_dicts(), "notes": notes}
        )
    else:
        show_leaderboard(ranking.table, by=by)
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
