"""Which batch each request went into, kept on disk before anything waits for it: nothing is paid for twice."""

import json
from collections.abc import Iterable
from pathlib import Path

from checkwise.errors import DataError, Place


class BatchJournal:
    """A file with one line a batch.

    Args:
        path: The file; it need not exist. None keeps nothing on disk.

    Raises:
        DataError: The file cannot be read.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._batch_of: dict[str, str] = {}
        if path is not None and path.is_file():
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                self._read(line, Place(path, number))

    def batch_of(self, request: str) -> str | None:
        """Find the batch that a request went into last; None where it went into none."""
        return self._batch_of.get(request)

    def add(self, batch: str, requests: Iterable[str]) -> None:
        """Note that requests went into a batch; it is on disk when this returns."""
        sent = list(requests)
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"batch": batch, "requests": sent}) + "\n")
        self._batch_of.update(dict.fromkeys(sent, batch))

    def forget(self, request: str) -> None:
        """Take a request out of its batch, which had no answer to it, so that it can go into another."""
        self._batch_of.pop(request, None)

    def _read(self, line: str, place: Place) -> None:
        try:
            row = json.loads(line)
            self._batch_of.update(dict.fromkeys(row["requests"], row["batch"]))
        except (ValueError, KeyError, TypeError) as error:
            # The last line of a process that was killed while it wrote is no loss: its batch is asked for again.
            if line.endswith("}"):
                raise DataError(f"the line says nothing of a batch ({error})", where=place) from None
