"""Where weights come from: Python packages that carry them, and the Hugging Face hub.

A source writes the bytes to a file and says what they hash to. Whether the hash is right, the caller decides.
"""

import errno
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Protocol

from huggingface_hub import constants, errors, get_session, hf_hub_download, try_to_load_from_cache

from checkwise.models.checksums import chunks, hashed
from checkwise.models.progress import Progress
from checkwise.models.registry import DataPackages, HubFile, ModelEntry

PROBE_SECONDS = 4.0
"""How long the hub has to answer; its own client would try for half a minute on a machine without network."""

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)

# The hub client's transport has changed from release to release; its HTTPError is the root of what that one raises.
HUB_ERRORS = (OSError, RuntimeError, errors.HTTPError)  # type: ignore[attr-defined]


class SourceError(Exception):
    """Why a source does not give a file; one line."""


class Source(Protocol):
    """A place that weights can be had from."""

    def __call__(self, entry: ModelEntry, target: Path, progress: Progress, *, offline: bool) -> str:
        """Write the file's bytes to ``target``, in a folder that is the source's alone, and return their sha256.

        Raises:
            SourceError: The source does not have the file or cannot be reached.
            OSError: ``target`` cannot be written.
        """


def from_packages(entry: ModelEntry, target: Path, progress: Progress, *, offline: bool) -> str:
    """Join the pieces that installed data packages carry. None of the packages is imported: only its file is read."""
    if entry.packages is None:
        raise SourceError("data packages: there are none for this model")
    pieces = _installed_pieces(entry.packages)
    with target.open("wb") as copy:
        return hashed(_joined(pieces), total=entry.size, what=f"joining {entry.file}", progress=progress, copy_to=copy)


def from_hub_cache(entry: ModelEntry, target: Path, progress: Progress, *, offline: bool) -> str:
    """Copy what the hub's own client has downloaded before, for whatever program."""
    hub = _hub_file(entry)
    had = try_to_load_from_cache(hub.repo, hub.file, revision=hub.revision)
    if not isinstance(had, str):
        raise SourceError(f"{constants.HF_HUB_CACHE}: {hub.repo} was not downloaded before")
    with Path(had).open("rb") as stream, target.open("wb") as copy:
        return hashed(chunks(stream), total=entry.size, what=f"copying {entry.file}", progress=progress, copy_to=copy)


def from_hub(entry: ModelEntry, target: Path, progress: Progress, *, offline: bool) -> str:
    """Download from the hub with its own client."""
    hub = _hub_file(entry)
    at = f"{constants.ENDPOINT}/{hub.repo}"
    if offline or constants.HF_HUB_OFFLINE:
        raise SourceError(f"{at}: not asked, as working offline was asked for")
    # The client would ask for more than the file, and tell the hub what else is installed and running here.
    constants.HF_HUB_DISABLE_TELEMETRY = True
    _probe(at)
    _download(hub, at, target.parent).replace(target)
    with target.open("rb") as stream:
        return hashed(chunks(stream), total=entry.size, what=f"checking {entry.file}", progress=progress)


SOURCES: dict[str, Source] = {
    "Hugging Face cache": from_hub_cache,
    "Hugging Face hub": from_hub,
    "data packages": from_packages,
}
"""In the order they are asked: first the publisher, last the copies of others."""


def _installed_pieces(packages: DataPackages) -> list[Path]:
    pieces: list[Path] = []
    problems: list[str] = []
    for name, file in packages.pieces():
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            problems.append(f"{name} is not installed")
            continue
        path = Path(str(distribution.locate_file(file)))
        if distribution.version != packages.version:
            problems.append(f"{name} is installed as {distribution.version}, {packages.version} is needed")
        elif not path.is_file():
            problems.append(f"{name} lacks {file}")
        pieces.append(path)
    if problems:
        more = f" (and {len(problems) - 1} more of {packages.count} packages)" if len(problems) > 1 else ""
        raise SourceError(f"data packages: {problems[0]}{more}")
    return pieces


def _joined(pieces: list[Path]) -> Iterator[bytes]:
    for piece in pieces:
        with piece.open("rb") as stream:
            yield from chunks(stream)


def _hub_file(entry: ModelEntry) -> HubFile:
    if entry.hub is None:
        raise SourceError("Hugging Face: no repository is known to hold this file")
    return entry.hub


def _probe(at: str) -> None:
    try:
        get_session().head(constants.ENDPOINT, timeout=PROBE_SECONDS)
    except HUB_ERRORS as error:
        raise SourceError(f"{at}: out of reach ({_first_line(error)})") from error


def _download(hub: HubFile, at: str, folder: Path) -> Path:
    try:
        # An empty cache of its own: the client's usual one has been looked at, and may hold a damaged copy.
        cache = folder / "hub-cache"
        return Path(hf_hub_download(hub.repo, hub.file, revision=hub.revision, local_dir=folder, cache_dir=cache))
    except HUB_ERRORS as error:
        if isinstance(error, OSError) and error.errno in DISK_FULL:
            raise
        raise SourceError(f"{at}: {hub.file} cannot be downloaded ({_first_line(error)})") from error


def _first_line(error: Exception) -> str:
    # The client wraps what happened in advice that fits its own cache.
    happened = error.__cause__ or error
    return (str(happened).strip() or type(happened).__name__).splitlines()[0]
