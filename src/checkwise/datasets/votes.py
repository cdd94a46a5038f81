"""Votes on pairs of responses, as MT-Bench and Chatbot Arena publish them."""

from pathlib import Path

import polars as pl

from checkwise.datasets.fields import Fields, as_name, require
from checkwise.datasets.tables import read_rows
from checkwise.errors import DataError, Place

_WINNERS = {
    "model_a": "model_a",
    "model_b": "model_b",
    "tie": "tie",
    "tie (bothbad)": "tie",
    "tie (inconsistent)": "tie",
    # FastChat's word for a verdict that could not be read; no vote, and no tie.
    "error": None,
}

_SCHEMA = dict.fromkeys(("instance_id", "model_a", "model_b", "winner", "judge"), pl.String)


def read_votes(path: Path | str) -> pl.DataFrame:
    """Read votes from a table, one row a vote.

    Args:
        path: A file of a kind that ``read_rows`` knows. Its fields are model_a, model_b, winner (model_a, model_b, tie
            or one of Arena's kinds of tie), and either question_id, with turn where a conversation has several, or one
            of instance_id and id. judge is optional.

    Returns:
        instance_id (``81-1`` for question 81, turn 1), model_a, model_b, winner (model_a, model_b, tie; null where the
        judge gave no verdict) and judge (null where unknown), in the order of the file.

    Raises:
        DataError: The file cannot be read, a field is missing, or a winner is unknown; names the line.
    """
    return pl.DataFrame([_vote(row, place) for row, place in read_rows(path)], schema=_SCHEMA, orient="row")


def _vote(row: Fields, place: Place) -> tuple[str, str, str, str | None, str | None]:
    instance = _instance(row, place)
    here = Place(place.file, place.line, instance)
    first, second = (as_name(require(row, here, name), here, name) for name in ("model_a", "model_b"))
    judge = row.get("judge")
    return instance, first, second, _winner(row, here), as_name(judge, here, "judge") if judge else None


def _instance(row: Fields, place: Place) -> str:
    if "question_id" not in row:
        return as_name(require(row, place, "instance_id", "id", "question_id"), place, "id")
    question = as_name(row["question_id"], place, "question_id")
    return f"{question}-{as_name(row['turn'], place, 'turn')}" if "turn" in row else question


def _winner(row: Fields, place: Place) -> str | None:
    winner = require(row, place, "winner")
    if winner is None:
        return None
    if not isinstance(winner, str) or winner.strip().casefold() not in _WINNERS:
        raise DataError(
            f"the winner is {winner!r}", where=place, todo=f"It must be one of {', '.join(_WINNERS)}, or null."
        )
    return _WINNERS[winner.strip().casefold()]
