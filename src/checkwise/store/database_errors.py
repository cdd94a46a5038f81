"""What SQLite reports, said so that a user can act on it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from checkwise.errors import Place, UserError

_DAMAGED = (
    "the run's database is damaged",
    "Put the file away and run again: its answers are asked anew, and the checklists beside it are kept.",
)
_BUSY = ("another program holds the run's database", "Close that program, and run the same command again.")
_SAID = {
    sqlite3.SQLITE_FULL: (
        "the run cannot be stored any further, for the disk is full",
        "Free some space, and run the same command again; all answers that were stored are kept.",
    ),
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
}
_OTHERWISE = (
    "the run's database cannot be read or written",
    "Choose a folder that can be written with --out, on a disk with free space.",
)


@contextmanager
def said_plainly(path: Path) -> Iterator[None]:
    """Turn what SQLite raises about a file into an error that says what to do.

    Args:
        path: The database.

    Raises:
        UserError: The file is damaged, busy or out of reach, or the disk is full.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):
            raise
        # The extended codes keep the primary one in their lowest byte.
        what, todo = _SAID.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, _OTHERWISE)
        raise UserError(f"{what} ({error})", where=Place(path), todo=todo) from error
