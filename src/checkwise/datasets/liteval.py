"""Translations rated in a CSV file, in the layout of LitEval (Zhang et al., 2024), whose scale is 1 to 7.

Where a field names the systems, a source text is an instance and each translation of it a response. Where none does,
nothing says which translations belong to one system; so every row is an instance of its own, and its translation is by
the model ``translation``. The query is the source text alone; ``segments.py`` says why.
"""

from pathlib import Path

from checkwise.datasets.fields import Fields, as_name, as_text, language, optional_text, require
from checkwise.datasets.language_pairs import Languages, language_pair, pair_in_name
from checkwise.datasets.ratings import optional_number
from checkwise.datasets.reader import Reader, first_fields, name_of
from checkwise.datasets.segments import Segments, add_segment
from checkwise.datasets.tables import delimiter_of, is_csv, read_rows, table_name, tables_in
from checkwise.datasets.validate import Draft, few
from checkwise.errors import DataError, Place
from checkwise.records import Dataset, Response

NAME = "liteval"

_FIELDS = {"source", "tgt", "rating"}
_SYSTEMS = ("model", "system")
_PAIRS = ("lp", "lang_pair")
_ANY_SYSTEM = "translation"


def matches(path: Path) -> bool:
    """Say whether a CSV file, or one in a folder, has ``source``, ``tgt`` and ``rating``."""
    return any(first_fields(file) >= _FIELDS for file in _files(path))


def read(path: Path, responses: Path | None = None, turn: int | None = None) -> Dataset:
    """Read source texts, and their translations with the ratings.

    Rows have ``source``, ``tgt`` and ``rating`` (higher is better, or blank), and optionally ``model`` or ``system``;
    ``id``, that of the source text; and ``lp`` or ``lang_pair`` (``de-en``), or ``src_lang`` and ``tgt_lang`` (codes).
    A file whose rows do not say their languages may do so in its name, such as ``liteval_zh-en.csv``. Where semicolons
    separate the fields, a rating may be written ``5,5``. Ids are ``<file>/<pair>/<id>``, the pair being there where a
    field says it; without ``id``, the line takes its place.

    Args:
        path: A CSV file, or a folder of them.
        responses: Refused; the rows carry the translations.
        turn: Not used; a source text is one query.

    Raises:
        DataError: Something is missing, twice there or not as described; says where.
    """
    if responses is not None:
        raise DataError(f"the layout {NAME} has its translations in its own rows", where=Place(responses))
    files = _files(path)
    if not files:
        raise DataError("there is no CSV file", where=Place(path), todo="Give one with source, tgt and rating.")
    draft = Draft(name_of(path), NAME)
    for file in files:
        _add_file(file, draft)
    unrated = sum(response.rating is None for response, _ in draft.responses)
    if unrated:
        draft.notes.append(f"{unrated} of {len(draft.responses)} translations have no rating.")
    others = [file.name for file in tables_in(path) if file not in files]
    if others:
        draft.notes.append(f"Not read, since they are no CSV files: {few(others)}.")
    return draft.checked()


READER = Reader(
    name=NAME,
    layout="a .csv file, or a folder of them (source, tgt, rating; optional model or system, id, lp or lang_pair, "
    "src_lang and tgt_lang)",
    matches=matches,
    read=read,
)


def _files(path: Path) -> list[Path]:
    return [file for file in (tables_in(path) if path.is_dir() else [path]) if is_csv(file)]


def _add_file(file: Path, draft: Draft) -> None:
    rows, name = read_rows(file), table_name(file)
    system = next((field for field in _SYSTEMS if field in rows[0][0]), None)
    decimal_comma, in_name = delimiter_of(file) == ";", pair_in_name(name)
    segments: Segments = {}
    first: dict[tuple[str, str], int | None] = {}
    silent = 0
    for row, place in rows:
        said = _languages(row, place)
        silent += said is None
        source, target = said or in_name or (None, None)
        group = f"{name}/{source or 'und'}-{target or 'und'}" if said else name
        # Only where systems are named can it be told which translations of a source belong side by side.
        line = place.line if system is None else first.setdefault((group, str(row.get("source"))), place.line)
        own = optional_text(row, place, "id")
        here = Place(file, place.line, f"{group}/{line if own is None else own}")
        add_segment(row, here, source, target, segments)
        response = Response(
            instance_id=str(here.id),
            model=_ANY_SYSTEM if system is None else as_name(row[system], here, system),
            text=as_text(require(row, here, "tgt"), here, "tgt"),
            language=target,
            rating=optional_number(require(row, here, "rating"), here, "rating", decimal_comma=decimal_comma),
        )
        draft.responses.append((response, here))
    draft.instances += segments.values()
    draft.notes += _notes(file, system, silent, in_name)


def _languages(row: Fields, place: Place) -> tuple[str | None, str | None] | None:
    """Give the languages of the source and the translation, where the fields of the row say one or both."""
    for name in _PAIRS:
        text = optional_text(row, place, name)
        if text is not None:
            return language_pair(text, place, name)
    source, target = (language({"language": row.get(name)}, place) for name in ("src_lang", "tgt_lang"))
    return None if source is None and target is None else (source, target)


def _notes(file: Path, system: str | None, silent: int, in_name: Languages | None) -> list[str]:
    notes = []
    if system is None:
        notes.append(
            f"{file.name} names no systems; every row is an instance of its own, translated by {_ANY_SYSTEM!r}."
        )
    if silent and in_name:
        notes.append(
            f"{silent} rows of {file.name} are taken to be from {in_name[0]} into {in_name[1]}, as its name says."
        )
    elif silent:
        notes.append(f"{silent} rows of {file.name} do not say their languages, and neither does its name.")
    return notes
