"""One folder a run: the database, the checklists that a person can edit, the report. One process at a time."""

import errno
from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout

from checkwise.errors import Place, RunBusyError, UserError
from checkwise.store.database import Database

DATABASE, CHECKLISTS, REPORT, LOCK = "run.sqlite", "checklists.jsonl", "report.html", ".lock"
TRUST = "trust.json"


class RunFolder:
    """A run folder that this process works in; a context manager that holds the folder's lock.

    Args:
        path: The folder; made if it is not there.

    Raises:
        RunBusyError: Another process works in it.
        UserError: It cannot be made or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(path / LOCK, timeout=0)
            self._lock.acquire()
        except Timeout as error:
            raise RunBusyError(
                "another process is working in this run folder",
                where=Place(path),
                todo="Wait until it has finished, or choose another folder with --out.",
            ) from error
        except OSError as error:
            raise UserError(
                f"the run folder cannot be written: {_plain(error)}",
                where=Place(path),
                todo="Choose a folder that can be written with --out.",
            ) from error
        try:
            self.database = Database(path / DATABASE)
        except UserError:
            self._lock.release()
            raise

    @property
    def checklists_path(self) -> Path:
        """The checklists, one a line: made by a run, read back by the next one, meant to be edited."""
        return self.path / CHECKLISTS

    def __enter__(self) -> Self:
        """Work in the folder."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave the folder to others."""
        self.database.close()
        self._lock.release()


def _plain(error: OSError) -> str:
    if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
        return "no permission to write there"
    return error.strerror or str(error)
