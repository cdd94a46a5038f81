"""Labels from votes on pairs: how often a response wins."""

import polars as pl

from checkwise.errors import DataError, Place

LABELER = "votes"
"""Whom labels made of votes are from."""

NO_VERDICT = "no vote on it names a winner"
"""Why a response has no label, although there are votes on it."""

_WINNERS = ("model_a", "model_b", "tie")
_COLUMNS = ("instance_id", "model_a", "model_b", "winner")


def votes_as_labels(votes: pl.DataFrame) -> pl.DataFrame:
    """Turn votes into labels: a response's share of won votes on its instance, brought to 1-10; a tie is half a win.

    Args:
        votes: One row a vote: instance_id, model_a, model_b, winner (model_a, model_b, tie; null where the judge gave
            no verdict).

    Returns:
        instance_id, model, label (1 if it never won, 10 if always; null where no vote names a winner), labeler, reason
        (why there is no label); a row for every response that is voted on, sorted.

    Raises:
        DataError: A column is missing, a winner is none of the three, or a model is set against itself.
    """
    _check(votes)
    named = votes.select(pl.col(_COLUMNS).cast(pl.String))
    sides = [
        named.select("instance_id", model=pl.col(side), won=_won(side), rival=pl.col(other))
        for side, other in (("model_a", "model_b"), ("model_b", "model_a"))
    ]
    return (
        pl.concat(sides)
        .group_by("instance_id", "model")
        .agg(label=1 + 9 * pl.col("won").mean())
        .with_columns(
            labeler=pl.lit(LABELER), reason=pl.when(pl.col("label").is_null()).then(pl.lit(NO_VERDICT)).otherwise(None)
        )
        .sort("instance_id", "model")
    )


def _won(side: str) -> pl.Expr:
    winner = pl.col("winner")
    share = pl.when(winner == side).then(1.0).when(winner == "tie").then(0.5).otherwise(0.0)
    return pl.when(winner.is_not_null()).then(share)


def _check(votes: pl.DataFrame) -> None:
    missing = [column for column in _COLUMNS if column not in votes.columns]
    if missing:
        raise DataError(f"the votes lack {', '.join(missing)}", todo=f"There are: {', '.join(votes.columns)}.")
    odd = votes.filter(~pl.col("winner").cast(pl.String).is_in(_WINNERS) & pl.col("winner").is_not_null())
    if odd.height:
        place = Place(id=str(odd["instance_id"][0]))
        raise DataError(f"the winner is {odd['winner'][0]!r}", where=place, todo=f"Known: {', '.join(_WINNERS)}.")
    alone = votes.filter(pl.col("model_a") == pl.col("model_b"))
    if alone.height:
        place = Place(id=str(alone["instance_id"][0]))
        raise DataError(f"a vote sets {alone['model_a'][0]} against itself", where=place, todo="Take the vote out.")
