"""AlpacaEval's ``model_outputs.json``: one file a model, with the instruction in every row (Dubois et al., 2023)."""

from pathlib import Path

from checkwise.datasets.fields import Fields, as_name, as_query, first_text, optional_text, require
from checkwise.datasets.reader import Reader, first_fields, name_of, response_files
from checkwise.datasets.tables import Row, is_table, read_rows, table_name, tables_in
from checkwise.datasets.validate import Draft
from checkwise.records import Dataset, Instance, Response, Turn

NAME = "alpaca-eval"
_FIELDS = {"instruction", "output"}
_PLAIN_NAME = "model_outputs"
"""What the file is called in a folder that is named after the model."""


def matches(path: Path) -> bool:
    """Say whether a file has ``instruction`` and ``output``, or a folder has only such files."""
    if is_table(path) and path.is_file():
        return first_fields(path) >= _FIELDS
    files = _outputs(path)
    return bool(files) and all(first_fields(file) >= _FIELDS for file in files)


def read(path: Path, responses: Path | None = None, turn: int | None = None) -> Dataset:
    """Read outputs of one or more models.

    Rows have ``instruction`` and ``output`` (a text, or a list whose first one is used), and optionally ``input``,
    which belongs to the instruction, ``generator`` (the model; else the name of the file or of its folder) and
    ``dataset`` (the category). They have no id: instructions are numbered in the order in which they come, and the same
    text in another file is the same instance.

    Args:
        path: A file of outputs, or a folder of them, or a folder with one folder a model that has
            ``model_outputs.json``.
        responses: More outputs, a file or a folder, to read beside those in ``path``.
        turn: Not used; every row is one query.

    Raises:
        DataError: Something is missing, twice there or not as described; says where.
    """
    draft = Draft(name_of(path), NAME)
    numbers: dict[tuple[str, str], str] = {}
    files = [path] if path.is_file() else _outputs(path)
    for file in [*files, *(response_files(responses) if responses is not None else [])]:
        for row in read_rows(file):
            _add(row, _model(file), numbers, draft)
    return draft.checked()


READER = Reader(
    name=NAME,
    layout="model_outputs.json (instruction, output; optional generator, dataset, input), one a model, or a folder of "
    "them",
    matches=matches,
    read=read,
)


def _outputs(folder: Path) -> list[Path]:
    """List the tables in a folder, or else the ``model_outputs.*`` in the folders below it."""
    below = [file for inner in _folders(folder) for file in tables_in(inner) if table_name(file) == _PLAIN_NAME]
    return tables_in(folder) or below


def _folders(folder: Path) -> list[Path]:
    return sorted(inner for inner in folder.iterdir() if inner.is_dir()) if folder.is_dir() else []


def _model(file: Path) -> str:
    name = table_name(file)
    return file.resolve().parent.name if name == _PLAIN_NAME else name


def _add(row: Row, named: str, numbers: dict[tuple[str, str], str], draft: Draft) -> None:
    fields, place = row
    query = _query(fields, row)
    category = optional_text(fields, place, "dataset")
    number = numbers.setdefault((query, category or ""), str(len(numbers) + 1))
    draft.add_once(Instance(id=number, turns=(Turn(role="user", content=query),), category=category), place)
    model = fields.get("generator")
    response = Response(
        instance_id=number,
        model=named if model is None else as_name(model, place, "generator"),
        text=first_text(require(fields, place, "output"), place, "output"),
    )
    draft.responses.append((response, place))


def _query(fields: Fields, row: Row) -> str:
    place = row[1]
    instruction = as_query(require(fields, place, "instruction"), place, "instruction")
    extra = optional_text(fields, place, "input")
    return instruction if extra is None else f"{instruction}\n\n{extra}"
