"""Labels: what people or a strong judge gave to responses, as RocketEval publishes them or plainly."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from checkwise.datasets.fields import Fields, as_name, optional_text, require
from checkwise.datasets.ratings import optional_number
from checkwise.datasets.tables import Row, read_rows, table_name, tables_in
from checkwise.datasets.validate import refuse_twice
from checkwise.errors import DataError, Place

LABELS_SCHEMA = dict.fromkeys(("instance_id", "model"), pl.String) | {
    "label": pl.Float64,
    "labeler": pl.String,
    "reason": pl.String,
}
"""Columns of a frame of labels."""

NOT_GIVEN = "no label was given"
"""Why a row has no label, where its field is empty."""

OTHER_TEXT = "what was labelled is not the text of the response"
"""Why a row has no label, where ``judged_text_matches`` is false."""

_INSTANCES = ("instance_id", "id", "question_id", "session_id")
_MODELS = ("model", "model_test")
_LABELERS = ("labeler", "judge")

_Scale = tuple[float, float] | None


def read_labels(path: Path | str, *, scale: tuple[float, float] | None = (1, 10)) -> pl.DataFrame:
    """Read labels, one row a labelled response. The files are only ever read.

    A row has ``instance_id``, ``id``, ``question_id`` or ``session_id`` (with ``turn``, where a conversation has
    several); ``label`` or ``score``, a number on the scale, or nothing; and optionally ``model`` or ``model_test``
    (else the file is named after the model), ``labeler`` or ``judge``, and ``judged_text_matches``.

    Args:
        path: A table of a kind that ``read_rows`` knows; or a folder of them, such as RocketEval's ``score/gpt-4o``
            with a file a model; or a folder of such folders, each named after its labeler, such as ``score``.
        scale: The least and the highest label there is; None takes any number.

    Returns:
        instance_id, model, label (null where there is none), labeler (null where unknown) and reason (why there is no
        label), in the order of the files: no row is dropped.

    Raises:
        DataError: A file cannot be read, a field is missing, a label is no number on the scale, or a labeler has
            labelled a response twice; names the line.

    Source: README of RocketEval-ICLR, "Predicting Scores".
    """
    labels = [_label(row, source, scale) for source in _sources(Path(path)) for row in read_rows(source.file)]
    refuse_twice(((_key(label), label.place) for label in labels), "two labels for {} from one labeler")
    rows = [(label.instance_id, label.model, label.value, label.labeler, label.reason) for label in labels]
    return pl.DataFrame(rows, schema=LABELS_SCHEMA, orient="row")


@dataclass(frozen=True)
class _Source:
    """A file, and what its place says about its rows."""

    file: Path
    model: str | None = None
    labeler: str | None = None


@dataclass(frozen=True)
class _Label:
    """One row, and where it stands."""

    instance_id: str
    model: str
    value: float | None
    labeler: str | None
    reason: str | None
    place: Place


def _sources(path: Path) -> list[_Source]:
    if not path.is_dir():
        return [_Source(path)]
    folders = sorted(folder for folder in path.iterdir() if folder.is_dir() and tables_in(folder))
    if tables_in(path):
        found = _in_folder(path, labeler=None)
    else:
        found = [source for folder in folders for source in _in_folder(folder, labeler=folder.name)]
    if not found:
        raise DataError("the folder has no table of labels", where=Place(path), todo="Give one file a labelled model.")
    return found


def _in_folder(folder: Path, *, labeler: str | None) -> list[_Source]:
    # In the layout data/<benchmark>/score/<labeler>/, the folder's own name is the labeler's.
    if labeler is None and folder.resolve().parent.name == "score":
        labeler = folder.resolve().name
    return [_Source(file, table_name(file), labeler) for file in tables_in(folder)]


def _label(row: Row, source: _Source, scale: _Scale) -> _Label:
    fields, place = row
    instance = _instance(fields, place)
    here = Place(place.file, place.line, instance)
    value, reason = _value(fields, here, scale)
    labeler = next((name for name in (optional_text(fields, here, field) for field in _LABELERS) if name), None)
    return _Label(instance, _model(fields, here, source), value, labeler or source.labeler, reason, here)


def _instance(row: Fields, place: Place) -> str:
    instance = as_name(require(row, place, *_INSTANCES), place, "id")
    named = "instance_id" in row or "id" in row
    return instance if named or "turn" not in row else f"{instance}-{as_name(row['turn'], place, 'turn')}"


def _model(row: Fields, place: Place, source: _Source) -> str:
    model = next((row[name] for name in _MODELS if row.get(name) is not None), source.model)
    return as_name(model if model is not None else require(row, place, *_MODELS), place, "model")


def _value(row: Fields, place: Place, scale: _Scale) -> tuple[float | None, str | None]:
    name = "label" if "label" in row else "score"
    value = optional_number(require(row, place, "label", "score"), place, name)
    if value is not None and scale is not None and not scale[0] <= value <= scale[1]:
        low, high = scale
        todo = f"Labels lie between {low:g} and {high:g}; bring other scales to it first."
        raise DataError(f"`{name}` is {value:g}", where=place, todo=todo)
    if not _matches(row, place):
        return None, OTHER_TEXT
    return value, NOT_GIVEN if value is None else None


def _matches(row: Fields, place: Place) -> bool:
    value = row.get("judged_text_matches", True)
    if isinstance(value, str) and value.strip().casefold() in ("true", "false"):
        value = value.strip().casefold() == "true"
    if value is None or isinstance(value, bool):
        return value is not False
    raise DataError(f"`judged_text_matches` is {value!r}", where=place, todo="Write true or false.")


def _key(label: _Label) -> tuple[str, str]:
    return label.instance_id, f"{label.model} ({label.labeler})" if label.labeler else label.model
