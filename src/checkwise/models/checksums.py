"""The sha256 of large files, computed once and remembered for as long as the file stays as it is.

What is remembered lies in checkwise's own cache, never beside the file. A file whose size or time of change differs
from the remembered ones is read again, so that one that was cut short or changed later does not pass for the old one.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from platformdirs import user_cache_path
from pydantic import ValidationError

from checkwise.models.progress import Progress, silent
from checkwise.records import Record

CHUNK = 4 * 1024 * 1024


class _Remembered(Record):
    """A checksum and the state of the file it was computed for."""

    size: int
    mtime_ns: int
    sha256: str


def default_cache_dir() -> Path:
    """Name the folder of everything that can be fetched or computed again.

    Returns:
        ``CHECKWISE_CACHE`` where that is set, else ``checkwise`` in the user's cache folder.
    """
    chosen = os.environ.get("CHECKWISE_CACHE")
    return Path(chosen).expanduser() if chosen else user_cache_path("checkwise", appauthor=False)


def file_sha256(path: Path, *, cache_dir: Path | None = None, progress: Progress = silent, afresh: bool = False) -> str:
    """Compute a file's sha256, or recall it if the file has not changed since.

    Args:
        path: The file; it is only read.
        cache_dir: Where checksums are remembered; the default cache if None.
        progress: Told how far the reading is.
        afresh: Read the file even if its checksum is remembered.

    Returns:
        64 hexadecimal digits.

    Raises:
        OSError: The file cannot be read.
    """
    cache_dir = cache_dir or default_cache_dir()
    known = None if afresh else recalled_sha256(path, cache_dir=cache_dir)
    if known is not None:
        return known
    before = path.stat()
    with path.open("rb") as stream:
        sha256 = hashed(chunks(stream), total=before.st_size, what=f"checking {path.name}", progress=progress)
    _remember(path, sha256, before, cache_dir)
    return sha256


def recalled_sha256(path: Path, *, cache_dir: Path) -> str | None:
    """Recall a file's sha256 without reading the file.

    Args:
        path: The file.
        cache_dir: Where checksums are remembered.

    Returns:
        The checksum, or None if none is remembered for the file as it is now.
    """
    try:
        record = _Remembered.model_validate_json(_record_path(path, cache_dir).read_bytes())
    except (OSError, ValidationError):
        return None
    now = path.stat()
    return record.sha256 if (record.size, record.mtime_ns) == (now.st_size, now.st_mtime_ns) else None


def remember_sha256(path: Path, sha256: str, *, cache_dir: Path) -> None:
    """Keep a checksum that was computed while the file was written.

    Args:
        path: The finished file.
        sha256: Its checksum.
        cache_dir: Where checksums are remembered.
    """
    _remember(path, sha256, path.stat(), cache_dir)


def forget_sha256(path: Path, *, cache_dir: Path) -> None:
    """Drop what is remembered about a file."""
    _record_path(path, cache_dir).unlink(missing_ok=True)


def chunks(stream: BinaryIO) -> Iterator[bytes]:
    """Read a stream to its end, a few megabytes at a time."""
    while chunk := stream.read(CHUNK):
        yield chunk


def hashed(
    pieces: Iterable[bytes],
    *,
    total: int,
    what: str,
    progress: Progress = silent,
    copy_to: BinaryIO | None = None,
) -> str:
    """Hash bytes that pass by, and copy them on the way.

    Args:
        pieces: The bytes, in order.
        total: How many there should be, for the progress.
        what: What is being done, for the progress.
        progress: Told how far it is.
        copy_to: Where each piece is written to as well.

    Returns:
        The sha256 in 64 hexadecimal digits.
    """
    digest = hashlib.sha256()
    done = 0
    for piece in pieces:
        digest.update(piece)
        if copy_to is not None:
            copy_to.write(piece)
        done += len(piece)
        progress(done, total, what)
    return digest.hexdigest()


def _record_path(path: Path, cache_dir: Path) -> Path:
    key = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()
    return cache_dir / "checksums" / f"{key}.json"


def _remember(path: Path, sha256: str, state: os.stat_result, cache_dir: Path) -> None:
    record = _Remembered(size=state.st_size, mtime_ns=state.st_mtime_ns, sha256=sha256)
    target = _record_path(path, cache_dir)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=target.parent, suffix=".tmp", delete=False
        ) as stream:
            stream.write(record.model_dump_json())
        Path(stream.name).replace(target)
    except OSError:
        # A cache that cannot be written costs another reading next time, nothing else.
        return
