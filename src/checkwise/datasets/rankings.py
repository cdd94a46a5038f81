"""Rankings of models from elsewhere, such as Chatbot Arena's: a number a model, and where it may lie."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from checkwise.datasets.fields import Fields, as_name, optional_text, require
from checkwise.datasets.ratings import optional_number
from checkwise.datasets.tables import read_rows, table_name
from checkwise.datasets.validate import few
from checkwise.errors import DataError, Place

RANKING_SCHEMA = {"model": pl.String, "rating": pl.Float64, "low": pl.Float64, "high": pl.Float64}
"""Columns of a ranking."""

_RATINGS = ("rating", "elo", "score")
_LOWS = ("low", "lower", "rating_q025")
_HIGHS = ("high", "upper", "rating_q975")


@dataclass(frozen=True, eq=False)
class Ranking:
    """What another ranking says of models; higher is better."""

    name: str
    """What it is called, after its file."""
    table: pl.DataFrame
    """model, rating, low, high (null where the file has none); one row a model, in the order of the file."""
    column: str
    """The field that the ratings come from."""
    stands_for: Mapping[str, str] = field(default_factory=dict)
    """Models whose rating is that of another one, by name, where the two differ in more than spelling."""
    notes: tuple[str, ...] = ()
    """What was left out."""


def read_ranking(path: Path | str, *, column: str | None = None) -> Ranking:
    """Read a ranking, one row a model.

    A row has ``model`` or ``name``; ``rating``, ``elo``, ``score`` or a field such as ``elo_20240329``; and optionally
    ``lower`` and ``upper``. Where it also has ``arena_model`` (RocketEval's and this project's tables of Elo), the
    rating is that model's, and ``stands_for`` holds the rows in which the two names differ in more than spelling. Rows
    that say the same of one model, as tables over several benchmarks do, count once.

    Args:
        path: A table of a kind that ``read_rows`` knows.
        column: The field with the ratings, where it shall not be found out.

    Returns:
        The ranking; models without a rating are left out, and noted.

    Raises:
        DataError: The file cannot be read, a field is missing, a rating is no number, or a model has two ratings; names
            the line.

    Source: README of RocketEval-ICLR, ``data/*_rankings``, fields ``name``, ``arena_model``, ``rating``.
    """
    rows = read_rows(path)
    column = column or _rating_column(*rows[0])
    found: dict[str, tuple[float, float | None, float | None]] = {}
    repeated, unrated, stands_for = 0, [], {}
    for row, place in rows:
        model = as_name(require(row, place, "model", "name"), place, "model")
        here = Place(place.file, place.line, model)
        rating = optional_number(require(row, here, column), here, column)
        if rating is None:
            unrated.append(model)
            continue
        if model in found:
            _refuse_another(found[model][0], rating, here)
            repeated += 1
            continue
        found[model] = rating, _optional(row, here, _LOWS), _optional(row, here, _HIGHS)
        if (other := _another_model(row, here, model)) is not None:
            stands_for[model] = other
    notes = [
        f"{repeated} rows repeat the rating of a model, and count once" if repeated else None,
        f"models without a rating are left out: {few(unrated)}" if unrated else None,
    ]
    table = pl.DataFrame([(model, *numbers) for model, numbers in found.items()], schema=RANKING_SCHEMA, orient="row")
    return Ranking(table_name(Path(path)), table, column, stands_for, tuple(note for note in notes if note))


def _rating_column(row: Fields, place: Place) -> str:
    dated = [name for name in row if name.startswith("elo_")]
    known = next(([name] for name in _RATINGS if name in row), dated)
    if len(known) > 1:
        todo = "Name one of them."
        raise DataError(f"several fields could be the rating: {', '.join(known)}", where=place, todo=todo)
    if not known:
        require(row, place, *_RATINGS, "elo_DATE")
    return known[0]


def _optional(row: Fields, place: Place, names: tuple[str, ...]) -> float | None:
    for name in names:
        if name in row:
            return optional_number(row[name], place, name)
    return None


def _refuse_another(earlier: float, rating: float, place: Place) -> None:
    if rating != earlier:
        raise DataError(
            f"the model has the ratings {earlier:g} and {rating:g}", where=place, todo="Keep one row a model."
        )


def _another_model(row: Fields, place: Place, model: str) -> str | None:
    other = optional_text(row, place, "arena_model")
    return None if other is None or _spelling(other) == _spelling(model) else other


def _spelling(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
