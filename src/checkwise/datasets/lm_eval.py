"""Samples that lm-evaluation-harness writes with ``--log_samples``: one file a task and model."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from checkwise.datasets.fields import Fields, as_name, rendered_prompt, require
from checkwise.datasets.reader import Reader, first_fields, name_of, response_files
from checkwise.datasets.tables import Row, is_table, read_rows, table_name, tables_in
from checkwise.datasets.validate import Draft
from checkwise.errors import DataError, Place
from checkwise.records import Dataset, Instance, Response

NAME = "lm-eval"
_FIELDS = {"doc_id", "arguments", "resps"}
_FILE = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT.*)?$")


def matches(path: Path) -> bool:
    """Say whether a file has ``doc_id``, ``arguments`` and ``resps``, or a folder has such ``samples_*`` files."""
    files = _samples(path)
    return bool(files) and first_fields(files[0]) >= _FIELDS


def read(path: Path, responses: Path | None = None, turn: int | None = None) -> Dataset:
    """Read the samples of tasks in which models write; what was scored by likelihood alone has no text to judge.

    Rows have ``doc_id``, ``arguments`` (the prompt), ``resps`` (what was written) and optionally ``target``, which is
    the reference where it is a text, and ``filter``: of several filters the first one's row counts, and the response is
    what the model wrote, before any filter. The model is the name of the file's folder, as the harness lays them out;
    the category is the task.

    Args:
        path: A file of samples, the folder of one model, or a folder of such folders.
        responses: More samples, a file or a folder, to read beside those in ``path``.
        turn: Not used; every row is one query.

    Raises:
        DataError: Something is missing, twice there or not as described, or nothing was written; says where.
    """
    draft = Draft(name_of(path), NAME)
    unwritten = 0
    for file in [*_samples(path), *(response_files(responses) if responses is not None else [])]:
        unwritten += _add_file(file, draft)
    if not draft.responses:
        raise DataError(
            "no sample has a text that a model wrote: these tasks were scored by likelihood",
            where=Place(path),
            todo="Judge tasks whose output type is generate_until.",
        )
    if unwritten:
        draft.notes.append(f"{unwritten} samples were scored by likelihood, and have no text to judge; left out.")
    return draft.checked()


READER = Reader(
    name=NAME,
    layout="samples_<task>_<time>.jsonl of lm-evaluation-harness (doc_id, arguments, resps; optional target), or the "
    "folder of a model or of several that has them",
    matches=matches,
    read=read,
)


def _samples(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path] if is_table(path) and path.exists() else []
    here = [file for file in tables_in(path) if _FILE.match(table_name(file))]
    below = [file for inner in sorted(path.iterdir()) if inner.is_dir() for file in tables_in(inner)]
    return here or [file for file in below if _FILE.match(table_name(file))]


def _add_file(file: Path, draft: Draft) -> int:
    """Add the samples of a file, and count those that have no text."""
    found = _FILE.match(table_name(file))
    task = found["task"] if found else table_name(file)
    model = file.resolve().parent.name
    seen: dict[str, Any] = {}
    unwritten = 0
    for row, place in read_rows(file):
        number = as_name(require(row, place, "doc_id"), place, "doc_id")
        here = Place(place.file, place.line, f"{task}-{number}")
        if seen.setdefault(number, row.get("filter")) != row.get("filter"):
            continue
        text = _written(row, here)
        if text is None:
            unwritten += 1
            continue
        draft.add_once(_instance((row, here), task), here)
        draft.responses.append((Response(instance_id=str(here.id), model=model, text=text), here))
    return unwritten


def _instance(row: Row, task: str) -> Instance:
    fields, place = row
    target = fields.get("target")
    reference = str(target) if isinstance(target, str | int | float) and str(target).strip() else None
    turns = rendered_prompt(_prompt(fields, place), place, "arguments")
    return Instance(id=str(place.id), turns=turns, reference=reference, category=task)


def _prompt(fields: Fields, place: Place) -> object:
    """Find the prompt: ``arguments`` is a list of requests, or an object that numbers them."""
    value = fields["arguments"]
    for _ in range(2):
        if isinstance(value, Mapping):
            value = next(iter(value.values()), None)
        elif isinstance(value, list):
            value = value[0] if value else None
    if value is None:
        raise DataError("`arguments` has no prompt in it", where=place, todo="Take the row out.")
    return value


def _written(fields: Fields, place: Place) -> str | None:
    """Give what was written, or None where the sample was scored by likelihood."""
    value = require(fields, place, "resps")
    while isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, str) and not _is_likelihood(fields) else None


def _is_likelihood(fields: Fields) -> bool:
    """Say whether the first answer is a pair of a log-probability and whether it is greedy, perhaps written as text."""
    value = fields["resps"]
    while isinstance(value, list) and value and isinstance(value[0], list):
        value = value[0]
    return isinstance(value, list) and len(value) == 2 and str(value[1]) in ("True", "False")
