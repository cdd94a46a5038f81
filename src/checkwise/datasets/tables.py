"""Rows of JSON Lines, JSON, CSV and Parquet files, each with the place it stands at."""

import csv
import gzip
import io
import json
import re
import sys
import zlib
from pathlib import Path
from typing import Any

import polars as pl

from checkwise.errors import DataError, Place

Row = tuple[dict[str, Any], Place]
"""Field names with their values, and where they stand."""

STDIN = "-"
"""The path that means standard input."""

_SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
_SPACE = " \t\r\n"
_KINDS = "JSON Lines (.jsonl, .ndjson), JSON (.json), CSV (.csv, .tsv) or Parquet (.parquet), also with .gz behind"


def is_table(path: Path) -> bool:
    """Say whether the name of a file is one that ``read_rows`` understands."""
    return not path.name.startswith(".") and table_name(path) != path.name.removesuffix(".gz")


def table_name(path: Path) -> str:
    """Name a file without the suffixes of its kind; the dots of ``gpt-3.5-turbo.jsonl.gz`` stay in the name."""
    name = path.name.removesuffix(".gz")
    suffix = next((suffix for suffix in _SUFFIXES if name.lower().endswith(suffix)), "")
    return name[: len(name) - len(suffix)]


def tables_in(folder: Path) -> list[Path]:
    """List the tables of a folder, by name; none where there is no such folder."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.is_file() and is_table(path))


def find_table(folder: Path, *names: str) -> Path | None:
    """Find the one table of a folder that has one of the names, whatever its kind.

    Raises:
        DataError: There are several.
    """
    found = [path for path in tables_in(folder) if table_name(path) in names]
    if len(found) > 1:
        listed = ", ".join(path.name for path in found)
        raise DataError(f"several files could be meant: {listed}", where=Place(folder), todo="Keep one of them.")
    return found[0] if found else None


def read_rows(path: Path | str) -> list[Row]:
    """Read all rows of a table.

    Text stays text: an id ``007`` in a CSV file is not made a number. Lines count from 1, and the line of a row is the
    one it begins on; for Parquet, which has no lines, it is the number of the row.

    Args:
        path: A file whose suffix tells its kind, or ``-`` for JSON Lines from standard input. UTF-8, with or without a
            byte order mark.

    Returns:
        At least one row, in the order of the file.

    Raises:
        DataError: The file is missing, empty, not UTF-8 or broken; names the line and what is wrong with it.
    """
    place = Place("standard input") if str(path) == STDIN else Place(Path(path))
    if isinstance(place.file, Path) and place.file.is_file() and not is_table(place.file):
        raise DataError("the suffix tells no kind of table", where=place, todo=f"Use {_KINDS}.")
    data = _read_bytes(place)
    name = str(place.file).lower().removesuffix(".gz")
    if name.endswith(".parquet"):
        rows = _parquet_rows(data, place)
    elif name.endswith((".csv", ".tsv")):
        rows = _csv_rows(_decode(data, place), place)
    elif name.endswith(".json"):
        rows = _json_rows(_decode(data, place), place)
    else:
        rows = _json_lines(_decode(data, place), place)
    if not rows:
        raise DataError("the file is empty", where=place, todo="It must have at least one row.")
    return rows


def read_text(path: Path) -> str:
    """Read a file that is UTF-8, with or without a byte order mark, and leave its line ends as they are.

    Raises:
        DataError: It is missing or not UTF-8.
    """
    return _decode(_read_bytes(Place(path)), Place(path))


def is_csv(path: Path) -> bool:
    """Say whether the name of a file is that of a CSV file."""
    return is_table(path) and path.name.lower().removesuffix(".gz").endswith((".csv", ".tsv"))


def delimiter_of(path: Path) -> str:
    """Name what separates the fields of a CSV file: a comma, a semicolon or a tab.

    Raises:
        DataError: The file is missing or not UTF-8.
    """
    return _delimiter(read_text(path))


def _read_bytes(place: Place) -> bytes:
    if not isinstance(place.file, Path):
        return sys.stdin.buffer.read()
    if not place.file.exists():
        raise DataError("there is no such file", where=place, todo="Check the path.")
    try:
        data = place.file.read_bytes()
        return gzip.decompress(data) if place.file.suffix == ".gz" else data
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"the file cannot be read: {error}", where=place) from error


def _decode(data: bytes, place: Place) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # utf-8-sig counts from behind the byte order mark.
        start = error.start + len(data) - len(error.object)
        line = data.count(b"\n", 0, start) + 1
        raise DataError(
            f"the file is not UTF-8: byte 0x{data[start]:02x} at offset {start} ({error.reason})",
            where=Place(place.file, line),
            todo="Save it as UTF-8.",
        ) from error


def _object(value: object, place: Place) -> Row:
    if not isinstance(value, dict):
        raise DataError(
            f"this is not an object: {_excerpt(value)}", where=place, todo='A row is written {"field": value, ...}.'
        )
    return value, place


def _excerpt(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:60] + "…"


def _json_lines(text: str, place: Place) -> list[Row]:
    rows = []
    # str.splitlines would also split at the separators U+2028 and U+0085, which may stand inside a JSON string.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip(_SPACE):
            continue
        here = Place(place.file, number)
        try:
            rows.append(_object(json.loads(line), here))
        except json.JSONDecodeError as error:
            raise DataError(
                f"this line is not JSON: {error.msg}, at column {error.colno}",
                where=here,
                todo="In JSON Lines, as standard input must be, every line is one whole object.",
            ) from error
        except (ValueError, RecursionError) as error:
            raise DataError(f"this line is not JSON: {error}", where=here) from error
    return rows


def _json_rows(text: str, place: Place) -> list[Row]:
    if not text.strip(_SPACE):
        return []
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(
            f"this is not JSON: {error.msg}, at column {error.colno}",
            where=Place(place.file, error.lineno),
            todo="If every line is an object of its own, name the file .jsonl.",
        ) from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"this is not JSON: {error}", where=place) from error
    if not isinstance(whole, list):
        raise DataError(
            "the file does not hold a list", where=place, todo="It must be a list of objects: [{...}, ...]."
        )
    return [_object(value, Place(place.file, line)) for value, line in zip(whole, _lines_of(text), strict=True)]


def _lines_of(text: str) -> list[int]:
    """Find the line on which each value of a well-formed JSON list begins."""
    decoder = json.JSONDecoder()
    lines: list[int] = []
    line, counted, position = 1, 0, text.index("[") + 1
    while True:
        while text[position] in _SPACE + ",":
            position += 1
        if text[position] == "]":
            return lines
        line += text.count("\n", counted, position)
        counted = position
        lines.append(line)
        _, position = decoder.raw_decode(text, position)


def _csv_rows(text: str, place: Place) -> list[Row]:
    delimiter = _delimiter(text)
    # The module refuses fields over 131,072 characters unless told otherwise, and only for the whole process.
    limit = csv.field_size_limit(len(text) + 1)
    try:
        return _csv_records(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), place)
    finally:
        csv.field_size_limit(limit)


def _delimiter(text: str) -> str:
    """Find what separates the names in the header; what stands inside quotes separates nothing."""
    header = re.match(r'[\r\n]*((?:"[^"]*"|[^"\r\n])*)', text)
    names = re.sub(r'"[^"]*"', "", header[1]) if header else ""
    return max(",;\t", key=names.count)


def _csv_records(reader: Any, place: Place) -> list[Row]:  # noqa: ANN401  (the csv module names no type for it)
    rows: list[Row] = []
    header: list[str] | None = None
    while True:
        here = Place(place.file, reader.line_num + 1)
        try:
            record = next(reader, None)
        except csv.Error as error:
            raise DataError(
                f"this is not CSV: {error}", where=here, todo="The record begins on this line; check its quotes."
            ) from error
        if record is None:
            return rows
        if not record:
            continue
        if header is None:
            header = record
        elif len(record) != len(header):
            raise DataError(
                f"the row has {len(record)} fields and the header {len(header)}",
                where=here,
                todo="Put fields with commas, quotes or line breaks in double quotes.",
            )
        else:
            rows.append((dict(zip(header, record, strict=True)), here))


def _parquet_rows(data: bytes, place: Place) -> list[Row]:
    if not data:
        return []
    try:
        frame = pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"this is not Parquet: {error}", where=place) from error
    return [(row, Place(place.file, number)) for number, row in enumerate(frame.iter_rows(named=True), start=1)]
