"""MT-Bench in FastChat's layout: questions of several turns, and each model's answers to them (Zheng et al., 2023).

Every turn is an instance of its own, with the id ``<question_id>-<turn>``: question 81 gives ``81-1`` and ``81-2``.
What a model answered in the first turn is part of its conversation in the second, and differs from model to model; so
the instance ``81-2`` holds the user's two turns only, and ``Response.history`` the conversation as that model had it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from checkwise.datasets.fields import Fields, as_name, as_query, as_text, optional_text, require
from checkwise.datasets.reader import Reader, first_fields, name_of, response_files
from checkwise.datasets.tables import find_table, is_table, read_rows, table_name, tables_in
from checkwise.datasets.validate import Draft
from checkwise.errors import DataError, Place
from checkwise.records import Dataset, Instance, Response, Turn

NAME = "mt-bench"

_Queries = dict[str, list[str]]


def matches(path: Path) -> bool:
    """Say whether a folder has a table ``question.*``, or a file is a table with ``question_id`` and ``turns``."""
    if path.is_dir():
        return find_table(path, "question") is not None
    return is_table(path) and path.exists() and first_fields(path) >= {"question_id", "turns"}


def read(path: Path, responses: Path | None = None, turn: int | None = None) -> Dataset:
    """Read questions, references and answers.

    A question's reference is the one in ``reference_answer/``, or else in its own field ``reference``. Of several
    choices the first is used, and a note says so.

    Args:
        path: A folder with ``question.jsonl``, and optionally ``reference_answer/`` and ``model_answer/``; or the table
            of questions.
        responses: A table of answers, or a folder of them, to read in place of ``model_answer/``.
        turn: Keep this turn only, from 1; None keeps all.

    Raises:
        DataError: Something is missing, twice there or not as described; says where.
    """
    draft = Draft(name_of(path), NAME)
    references = _references(path / "reference_answer")
    queries: _Queries = {}
    for row, place in read_rows(_questions(path)):
        here = _question(row, place)
        queries[str(here.id)] = _texts(require(row, here, "turns"), here)
        reference = references.get(str(here.id), [])
        found = _instances(row, here, queries[str(here.id)], reference)
        draft.instances += [pair for number, pair in enumerate(found, start=1) if turn in (None, number)]
    if not draft.instances:
        raise DataError(f"no question has a turn {turn}", where=Place(path), todo="Turns count from 1.")
    for file in response_files(responses) if responses is not None else tables_in(path / "model_answer"):
        _add_answers(file, queries, turn, draft)
    return draft.checked()


READER = Reader(
    name=NAME,
    layout="a folder with question.jsonl (question_id, turns; optional category, reference), "
    "model_answer/*.jsonl (question_id, model_id, choices) and reference_answer/*.jsonl",
    matches=matches,
    read=read,
    has_turns=True,
)


def _questions(path: Path) -> Path:
    found = find_table(path, "question") if path.is_dir() else path
    if found is None:
        raise DataError("the folder has no question.jsonl", where=Place(path), todo="Add the questions.")
    return found


def _question(row: Fields, place: Place) -> Place:
    return Place(place.file, place.line, as_name(require(row, place, "question_id"), place, "question_id"))


def _texts(turns: Any, place: Place) -> list[str]:  # noqa: ANN401  (a cell may hold anything)
    """Give the texts of turns; Arena-Hard wraps each in an object with ``content``."""
    if not isinstance(turns, list) or not turns:
        raise DataError("`turns` is not a list of texts", where=place, todo="Give one text a turn.")
    return [as_text(turn.get("content") if isinstance(turn, dict) else turn, place, "turns") for turn in turns]


def _instances(row: Fields, place: Place, queries: list[str], reference: list[str]) -> Iterator[tuple[Instance, Place]]:
    own = row.get("reference")
    fallback = [as_text(text, place, "reference") for text in own] if isinstance(own, list) else []
    turns = [Turn(role="user", content=as_query(query, place, "turns")) for query in queries]
    for number in range(1, len(turns) + 1):
        instance = Instance(
            id=f"{place.id}-{number}",
            turns=tuple(turns[:number]),
            reference=_at(reference, number) or _at(fallback, number),
            category=optional_text(row, place, "category"),
        )
        yield instance, Place(place.file, place.line, instance.id)


def _at(texts: list[str], number: int) -> str | None:
    return texts[number - 1] if number <= len(texts) and texts[number - 1].strip() else None


def _references(folder: Path) -> _Queries:
    found: _Queries = {}
    for file in tables_in(folder):
        for row, place in read_rows(file):
            here = _question(row, place)
            found.setdefault(str(here.id), _first_choice(row, here)[0])
    return found


def _first_choice(row: Fields, place: Place) -> tuple[list[str], int]:
    choices = require(row, place, "choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise DataError("`choices` has no answer in it", where=place, todo='Write [{"index": 0, "turns": ["..."]}].')
    return _texts(require(choices[0], place, "turns"), place), len(choices)


def _add_answers(file: Path, queries: _Queries, turn: int | None, draft: Draft) -> None:
    several = 0
    for row, place in read_rows(file):
        here = _question(row, place)
        model = row.get("model_id")
        model = as_name(table_name(file) if model is None else model, here, "model_id")
        answers, choices = _first_choice(row, here)
        several += choices > 1
        history: list[Turn] = []
        for number, answer in enumerate(answers, start=1):
            if turn in (None, number):
                identifier = f"{here.id}-{number}"
                own = tuple(history) if history else None
                response = Response(instance_id=identifier, model=model, text=answer, history=own)
                draft.responses.append((response, Place(place.file, place.line, identifier)))
            query = _at(queries.get(str(here.id), []), number) or ""
            history += [Turn(role="user", content=query), Turn(role="assistant", content=answer)]
    if several:
        draft.notes.append(f"{several} answers in {file.name} have several choices; the first of each is used.")
