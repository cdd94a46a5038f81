"""What a reader of one published layout consists of."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from checkwise.datasets.tables import STDIN, read_rows, table_name, tables_in
from checkwise.errors import DataError, Place
from checkwise.records import Dataset


@dataclass(frozen=True)
class Reader:
    """A layout, how to know it, and how to read it."""

    name: str
    """What the layout is called, as in ``load(format=...)``."""
    layout: str
    """Its files and fields on one line, for a person whose data nothing fits."""
    matches: Callable[[Path], bool]
    """Says whether a file or folder has this layout, from its name and its first row."""
    read: Callable[[Path, Path | None, int | None], Dataset]
    """Reads a path, responses that lie elsewhere, and one turn only (None: all)."""
    has_turns: bool = False
    """Whether one turn can be asked for."""


def first_fields(path: Path) -> set[str]:
    """Name the fields of a table's first row."""
    return set(read_rows(path)[0][0])


def name_of(path: Path) -> str:
    """Name a data set after its folder, or after its file without the suffix."""
    if str(path) == STDIN:
        return "stdin"
    return path.resolve().name if path.is_dir() else table_name(path)


def response_files(path: Path) -> list[Path]:
    """List the tables of responses that the user has named: a file, or all in a folder.

    Raises:
        DataError: The folder has none.
    """
    if not path.is_dir():
        return [path]
    files = tables_in(path)
    if not files:
        raise DataError("the folder has no table of responses", where=Place(path), todo="Give one file a model.")
    return files
