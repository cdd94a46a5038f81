"""Whether a file is a whole GGUF file, told from its header alone, before llama.cpp is asked to load it.

Layout: magic, version, counts of tensors and of metadata entries, the metadata, a description of each tensor with the
offset of its data, then the data (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).
"""

import mmap
import struct
from pathlib import Path

from checkwise.errors import Place, WeightsError

MAGIC = b"GGUF"
VERSIONS = (2, 3)
DEFAULT_ALIGNMENT = 32

_STRING = 8
_ARRAY = 9
_UINT32 = 4
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, _UINT32: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of a metadata value of fixed size, by the number of its type."""


def check_gguf(path: Path) -> None:
    """Make sure that a file is a GGUF file that was not cut short.

    The end of the last tensor is not computed, as that would need the sizes of all quantizations: a file that lacks
    only a part of its last tensor passes.

    Args:
        path: The file; only its header is read.

    Raises:
        WeightsError: The file is missing, cannot be read, is no GGUF file, or is cut short.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            if size == 0:
                raise WeightsError("the file is empty", where=Place(path), todo="Fetch it again.")
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
                _check(data, path)
    except FileNotFoundError:
        raise WeightsError(
            "there is no such file", where=Place(path), todo="Check the path; it must lead to one .gguf file."
        ) from None
    except OSError as error:
        raise WeightsError(
            f"the file cannot be read: {error.strerror or error}",
            where=Place(path),
            todo="Check that the path leads to one .gguf file and that you may read it.",
        ) from error


def _check(data: mmap.mmap, path: Path) -> None:
    if data[:4] != MAGIC:
        raise WeightsError(
            f"not a GGUF file: it begins with {data[:4]!r}, not with {MAGIC!r}",
            where=Place(path),
            todo="Give a .gguf file. Other formats can be converted with llama.cpp's convert_hf_to_gguf.py.",
        )
    try:
        header = _Header(data)
        whole = header.last_tensor_at < len(data)
    except (struct.error, OverflowError):
        whole = False
    except ValueError as error:
        raise WeightsError(str(error), where=Place(path), todo="Fetch or convert the file again.") from error
    if not whole:
        raise WeightsError(
            f"the file is cut short: its header speaks of more than its {len(data):,} bytes",
            where=Place(path),
            todo="Fetch it again, and compare its size with the source's.",
        )


class _Header:
    """Reads a header from front to back; ``last_tensor_at`` is where the last tensor's data begins, in bytes."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self._at = len(MAGIC)
        version = self._number("<I")
        if version not in VERSIONS:
            raise ValueError(f"GGUF version {version} is not supported; known are {VERSIONS[0]} and {VERSIONS[1]}")
        tensors, entries = self._number("<Q"), self._number("<Q")
        alignment = DEFAULT_ALIGNMENT
        for _ in range(entries):
            key, kind = self._text(), self._number("<I")
            if key == b"general.alignment" and kind == _UINT32:
                alignment = self._number("<I") or DEFAULT_ALIGNMENT
            else:
                self._skip_value(kind)
        offset = max((self._tensor_offset() for _ in range(tensors)), default=0)
        self.last_tensor_at = -(-self._at // alignment) * alignment + offset

    def _number(self, layout: str) -> int:
        (value,) = struct.unpack_from(layout, self._data, self._at)
        self._at += struct.calcsize(layout)
        return int(value)

    def _text(self) -> bytes:
        length = self._number("<Q")
        start = self._at
        self._at += length
        return self._data[start : self._at]

    def _skip_value(self, kind: int) -> None:
        if kind == _STRING:
            self._text()
        elif kind == _ARRAY:
            inner, count = self._number("<I"), self._number("<Q")
            if inner in _SIZES:
                self._at += _SIZES[inner] * count
            else:
                for _ in range(count):
                    self._skip_value(inner)
        elif kind in _SIZES:
            self._at += _SIZES[kind]
        else:
            raise ValueError(f"the metadata holds a value of unknown type {kind}")

    def _tensor_offset(self) -> int:
        self._text()
        dimensions = self._number("<I")
        self._at += 8 * dimensions + 4
        return self._number("<Q")
