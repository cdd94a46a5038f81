r"""Checklists as Markdown, which a person reads and edits, and which comes back as it was written.

    ## q7

    <!-- {"source": "generated", "generator": "gpt-4o"} -->
    > The first words of the query

    1. Is it short?
    2. Does it name
       both years?

A further line of an item is indented to where its text begins. A file without ``##`` headings is one list for all
instances; there, lists with ``-``, and lines without any marker, are read too.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import get_args

from checkwise.errors import DataError, Place
from checkwise.records import Checklist, ChecklistSource

_ITEM = re.compile(r"(?P<marker>(?:\d+[.)]|[-*•])(?: |$))(?P<text>.*)", re.DOTALL)
_OUTSIDE = re.compile(r">|#|<!--|```|---+$")
_SOURCES = get_args(ChecklistSource)


@dataclass
class Section:
    """One list of a file, before it is held against the data."""

    place: Place
    items: list[str] = field(default_factory=list)
    source: ChecklistSource | None = None
    generator: str | None = None


def render(checklists: Iterable[Checklist], openings: Mapping[str, str]) -> str:
    """Write checklists as Markdown.

    Args:
        checklists: In the order in which they shall stand.
        openings: For an instance id the first words of its query, on one line.

    Raises:
        DataError: An id cannot stand in a heading, because it has a line break or white space around it.
    """
    return "\n".join(_section(checklist, openings.get(checklist.instance_id)) for checklist in checklists)


def parse(text: str, place: Place) -> list[Section]:
    """Read the lists of a Markdown file; the one list without an id, where there are no headings.

    Raises:
        DataError: A line belongs to no item, or an item is blank; names the line.
    """
    lines = text.split("\n")
    # An editor may have changed every line end; a \r before only some of them is text.
    if all(line.endswith("\r") for line in lines[:-1]):
        lines = [line.removesuffix("\r") for line in lines]
    has_headings = any(line.startswith("## ") for line in lines)
    has_markers = any(_ITEM.match(line.lstrip(" ")) for line in lines)
    reader = _Sections(place, is_open=not has_headings, bare=not has_headings and not has_markers)
    for number, line in enumerate(lines, start=1):
        reader.take(line, Place(place.file, number))
    return reader.sections


def _section(checklist: Checklist, opening: str | None) -> str:
    name = checklist.instance_id
    if name != name.strip() or len(name.splitlines()) != 1:
        raise DataError(f"the id {name!r} cannot stand in a heading", todo="Write the checklists as .jsonl instead.")
    about: dict[str, str] = {"source": checklist.source}
    if checklist.generator is not None:
        about["generator"] = checklist.generator
    comment = json.dumps(about, ensure_ascii=False).replace(">", "\\u003e")
    lines = [
        f"## {name}",
        "",
        f"<!-- {comment} -->",
        *([f"> {opening}"] if opening else []),
        "",
    ]
    for number, item in enumerate(checklist.items, start=1):
        marker = f"{number}. "
        lines.append(marker + item.replace("\n", "\n" + " " * len(marker)))
    return "\n".join(lines) + "\n"


class _Sections:
    """Takes the lines of a file one by one."""

    def __init__(self, place: Place, *, is_open: bool, bare: bool) -> None:
        self.sections = [Section(place)] if is_open else []
        self._is_open, self._bare = is_open, bare
        self._indent, self._blank_lines, self._in_item = 0, 0, False

    def take(self, line: str, here: Place) -> None:
        text = line.lstrip(" ")
        lead = len(line) - len(text)
        if line.startswith("## "):
            self.sections.append(Section(Place(here.file, here.line, line[3:].strip())))
            self._in_item = False
        elif not self.sections:
            return
        elif (item := _ITEM.match(text)) and lead < (self._indent if self._in_item else 4):
            self._begin(item["text"], lead + len(item["marker"]))
        elif self._in_item and self._indent and self._goes_on(line):
            self._continue(line)
        elif not text.strip():
            self._blank_lines += 1
        elif _OUTSIDE.match(line):
            self._in_item = False
            self._read_comment(line)
        elif self._bare:
            self._begin(line.strip(), 0)
        elif not self._is_open or self.sections[-1].items:
            raise DataError(
                f"this line belongs to no question: {line[:60]}",
                where=Place(here.file, here.line, self.sections[-1].place.id),
                todo="Number it (1. ...), or indent it if it goes on with the question above.",
            )

    def _goes_on(self, line: str) -> bool:
        # White space alone belongs to the item where it is fully indented: so is a blank line in an item written.
        return line.startswith((" ", "\t")) and (bool(line.strip()) or line.startswith(" " * self._indent))

    def _begin(self, text: str, indent: int) -> None:
        self.sections[-1].items.append(text)
        self._indent, self._blank_lines, self._in_item = indent, 0, True

    def _continue(self, line: str) -> None:
        rest = line[self._indent :] if line.startswith(" " * self._indent) else line.lstrip(" \t")
        # Editors take the white space off blank lines, so that a blank line counts if the item goes on behind it.
        self.sections[-1].items[-1] += "\n" * (self._blank_lines + 1) + rest
        self._blank_lines = 0

    def _read_comment(self, line: str) -> None:
        section = self.sections[-1]
        if not line.startswith("<!-- {") or section.items:
            return
        try:
            about = json.loads(line.removeprefix("<!-- ").rstrip().removesuffix("-->"))
        except ValueError:
            return
        section.source = about.get("source") if about.get("source") in _SOURCES else None
        section.generator = about["generator"] if isinstance(about.get("generator"), str) else None
