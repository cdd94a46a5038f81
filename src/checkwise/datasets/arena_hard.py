"""Arena-Hard-Auto's layout: prompts with a ``uid``, and answers as conversations (Li et al., 2024).

The layout of its first version, with ``turns`` and ``choices``, is that of MT-Bench.
"""

from pathlib import Path

from checkwise.datasets.fields import Fields, as_name, as_query, as_text, optional_text, require
from checkwise.datasets.reader import Reader, first_fields, name_of, response_files
from checkwise.datasets.tables import Row, find_table, is_table, read_rows, table_name, tables_in
from checkwise.datasets.validate import Draft
from checkwise.errors import DataError, Place
from checkwise.records import Dataset, Instance, Response, Turn

NAME = "arena-hard"
_QUESTIONS = ("question", "questions")
_IDS = ("uid", "question_id")
_TABLE, _FOLDER = "model_answers", "model_answer"


def matches(path: Path) -> bool:
    """Say whether a table of questions has ``uid`` or ``question_id``, and ``prompt``."""
    questions = find_table(path, *_QUESTIONS) if path.is_dir() else path
    if questions is None or not questions.is_file() or not is_table(questions):
        return False
    fields = first_fields(questions)
    return "prompt" in fields and not fields.isdisjoint(_IDS)


def read(path: Path, responses: Path | None = None, turn: int | None = None) -> Dataset:
    """Read prompts and answers.

    Prompts have ``uid`` (or ``question_id``), ``prompt``, and optionally ``subcategory`` or ``category``, and
    ``cluster``. Answers have the same id, ``model`` (else the name of the file) and ``messages``, whose last one is the
    answer: a text, or an object with ``answer``; or instead of ``messages`` the text in ``output``.

    Args:
        path: A folder with ``question.jsonl``, and ``model_answer/`` with one file a model, or one table
            ``model_answers.*``; or the table of prompts.
        responses: A table of answers, or a folder of them, to read in place of those in ``path``.
        turn: Not used; every row is one query.

    Raises:
        DataError: Something is missing, twice there or not as described; says where.
    """
    draft = Draft(name_of(path), NAME)
    for row, place in read_rows(_questions(path)):
        here = _id(row, place)
        query = as_query(require(row, here, "prompt"), here, "prompt")
        instance = Instance(id=str(here.id), turns=(Turn(role="user", content=query),), category=_category(row, here))
        draft.instances.append((instance, here))
    for file in response_files(responses) if responses is not None else _answers(path):
        draft.responses += [_response(row, table_name(file)) for row in read_rows(file)]
    return draft.checked()


READER = Reader(
    name=NAME,
    layout="a folder with question.jsonl (uid, prompt; optional category, subcategory) and model_answer/*.jsonl "
    "(uid, model, messages)",
    matches=matches,
    read=read,
)


def _questions(path: Path) -> Path:
    found = find_table(path, *_QUESTIONS) if path.is_dir() else path
    if found is None:
        raise DataError("the folder has no question.jsonl", where=Place(path), todo="Add the prompts.")
    return found


def _answers(path: Path) -> list[Path]:
    if not path.is_dir():
        return []
    table = find_table(path, _TABLE)
    return [table] if table is not None else tables_in(path / _FOLDER)


def _id(row: Fields, place: Place) -> Place:
    return Place(place.file, place.line, as_name(require(row, place, *_IDS), place, _IDS[0]))


def _category(row: Fields, place: Place) -> str | None:
    """Take the finest that is not the same for a whole version: ``category`` often names the benchmark."""
    return optional_text(row, place, "subcategory") or optional_text(row, place, "category")


def _response(row: Row, named: str) -> tuple[Response, Place]:
    fields, place = row
    here = _id(fields, place)
    model = fields.get("model")
    name = named if model is None else as_name(model, here, "model")
    text = as_text(fields["output"], here, "output") if "output" in fields else _answer(fields, here)
    return Response(instance_id=str(here.id), model=name, text=text), here


def _answer(fields: Fields, place: Place) -> str:
    messages = require(fields, place, "messages", "output")
    if not isinstance(messages, list) or not messages or not isinstance(messages[-1], dict):
        raise DataError("`messages` has no answer in it", where=place, todo="Its last message must be the answer.")
    if messages[-1].get("role") != "assistant":
        raise DataError("the last of `messages` is not the assistant's", where=place, todo="Put the answer last.")
    content = messages[-1].get("content")
    if isinstance(content, dict):
        content = content.get("answer")
    return as_text(content, place, "messages")
