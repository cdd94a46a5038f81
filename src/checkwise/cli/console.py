"""Where a command writes: results on standard output, everything else on standard error."""

import io
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

WIDE = 200
"""Columns of a table that goes to a file or a pipe, where nothing says how wide it may be."""

_CONTROLS = (*range(9), *range(11, 32), *range(127, 160))
# Overrides of the text's direction make a text look like another one.
_OVERRIDES = (0x202D, 0x202E)
_VISIBLE = {code: f"\\x{code:02x}" for code in _CONTROLS} | {code: f"\\u{code:04x}" for code in _OVERRIDES}


def prepare_streams() -> None:
    """Make sure that no character can stop a command: UTF-8 for files and pipes; a terminal keeps its encoding."""
    # A stream that was closed before the start is None.
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as long as the process
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def out() -> "Console":
    """Open standard output for text that a person reads."""
    return _console(sys.stdout)


def err() -> "Console":
    """Open standard error."""
    return _console(sys.stderr)


def say(text: str) -> None:
    """Write a line of text to standard output."""
    out().print(plain(text), soft_wrap=True)


def note(text: str) -> None:
    """Write a line of text to standard error."""
    err().print(plain(text), soft_wrap=True)


def print_json(document: object) -> None:
    """Write the one JSON document of a command to standard output."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def plain(text: str) -> str:
    """Make control characters visible: names and texts come from files and models, and may try to steer a terminal.

    Args:
        text: Any text.

    Returns:
        The text; line feeds and tabs stay.
    """
    return text.translate(_VISIBLE)


def _console(stream: TextIO) -> "Console":
    from rich.console import Console  # noqa: PLC0415 - help must not wait for it

    width = None if stream.isatty() else WIDE
    return Console(file=stream, width=width, markup=False, highlight=False, emoji=False)
