"""WildBench's results: one file a model, with the conversation in every row (Lin et al., 2024).

Its queries, with references and checklists, are read with RocketEval's layout, which adds a folder of responses.
"""

from pathlib import Path

from checkwise.datasets.fields import as_name, first_text, optional_text, require, said_in_turn
from checkwise.datasets.reader import Reader, first_fields, name_of, response_files
from checkwise.datasets.tables import Row, is_table, read_rows, table_name, tables_in
from checkwise.datasets.validate import Draft
from checkwise.errors import Place
from checkwise.records import Dataset, Instance, Response

NAME = "wildbench"
_FIELDS = {"session_id", "chat_history", "output"}


def matches(path: Path) -> bool:
    """Say whether a file has ``session_id``, ``chat_history`` and ``output``, or a folder has only such files."""
    files = [path] if path.is_file() and is_table(path) else tables_in(path)
    return bool(files) and all(first_fields(file) >= _FIELDS for file in files)


def read(path: Path, responses: Path | None = None, turn: int | None = None) -> Dataset:
    """Read results of one or more models.

    Rows have ``session_id``, ``chat_history`` (texts, the user's and the model's in turn, ending with the query),
    ``output`` (a list; the first one is used), and optionally ``generator`` (the model; else the name of the file) and
    ``primary_tag`` (the category).

    Args:
        path: A file of results, or a folder of them.
        responses: More results, a file or a folder, to read beside those in ``path``.
        turn: Not used; every row is one query.

    Raises:
        DataError: Something is missing, twice there or not as described; says where.
    """
    draft = Draft(name_of(path), NAME)
    files = [path] if path.is_file() else tables_in(path)
    for file in [*files, *(response_files(responses) if responses is not None else [])]:
        for row in read_rows(file):
            _add(row, table_name(file), draft)
    return draft.checked()


READER = Reader(
    name=NAME,
    layout="a folder of results, one file a model (session_id, chat_history, output; optional generator, primary_tag)",
    matches=matches,
    read=read,
)


def _add(row: Row, named: str, draft: Draft) -> None:
    fields, place = row
    identifier = as_name(require(fields, place, "session_id"), place, "session_id")
    here = Place(place.file, place.line, identifier)
    instance = Instance(
        id=identifier,
        turns=said_in_turn(require(fields, here, "chat_history"), here, "chat_history"),
        category=optional_text(fields, here, "primary_tag"),
    )
    draft.add_once(instance, here)
    model = fields.get("generator")
    response = Response(
        instance_id=identifier,
        model=named if model is None else as_name(model, here, "generator"),
        text=first_text(require(fields, here, "output"), here, "output"),
    )
    draft.responses.append((response, here))
