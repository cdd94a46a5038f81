"""Writing files so that a crash leaves the old one or the new one, never half of one."""

import os
from pathlib import Path

from checkwise.errors import Place, UserError


def write_whole(path: Path, data: bytes) -> None:
    """Write a file; a reader of it sees the old one or the new one, never a part.

    Args:
        path: The file; its folder is made if need be.
        data: All of it.

    Raises:
        UserError: It cannot be written.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            draft.write_bytes(data)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(
            f"the file cannot be written: {error.strerror or error}",
            where=Place(path),
            todo="Choose a folder that you may write to, on a disk with free space.",
        ) from error
