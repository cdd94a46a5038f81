"""Checklists in and out: JSON Lines for programs, Markdown for a person who edits them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import get_args

from checkwise.datasets import checklist_markdown
from checkwise.datasets.checklist_markdown import Section
from checkwise.datasets.fields import Fields, as_name, checklist_items, optional_text, require
from checkwise.datasets.tables import read_rows, read_text
from checkwise.datasets.validate import few
from checkwise.errors import DataError, Place
from checkwise.files import write_whole
from checkwise.records import Checklist, ChecklistSource, Dataset, Instance

_MARKDOWN = (".md", ".markdown", ".txt")
_OPENING = 80


def read_checklists(path: Path, dataset: Dataset) -> tuple[list[Checklist], list[str]]:
    """Read checklists for the instances of a data set.

    A table (JSON Lines, JSON, Parquet) has the instance's ``id`` (or ``session_id``, or ``question_id`` with a
    ``turn``, where question 81, turn 2 is the instance ``81-2``) and its ``checklist`` (or ``items``), and optionally
    ``source`` and ``generator``; other fields are ignored. Markdown has a heading ``## <id>`` above each list.
    One list without an id holds for all instances (the *fixed checklist*).

    Args:
        path: The file; .md, .markdown and .txt are Markdown.
        dataset: The data that the lists are for.

    Returns:
        The lists, in the order of the instances, and notes: how many lists are for other instances, how many instances
        have no list.

    Raises:
        DataError: A list has no items or a blank one, stands there twice, or none is for the data.
    """
    path = Path(path)
    sections = _sections(path)
    if any(section.place.id is None for section in sections):
        return _fixed(sections, dataset), []
    return _for_instances(path, _by_id(sections), dataset)


def read_all_checklists(path: Path) -> dict[str, Checklist]:
    """Read the checklists of a file whatever data they are for, such as those that a run has kept.

    Args:
        path: A file as for ``read_checklists``.

    Returns:
        The lists by instance id, in the order of the file; none where the file is empty, as ``write_checklists`` leaves
        it when there was nothing to write.

    Raises:
        DataError: A list has no id, no items or a blank one, or stands there twice.
    """
    path = Path(path)
    sections = [] if path.is_file() and path.stat().st_size == 0 else _sections(path)
    for section in sections:
        if section.place.id is None:
            raise DataError("this list has no id", where=section.place, todo="Give it the id of its instance.")
    return {name: _checklist(name, section) for name, section in _by_id(sections).items()}


def write_checklists(
    path: Path,
    checklists: Iterable[Checklist],
    instances: Iterable[Instance],
    *,
    openings: Mapping[str, str] | None = None,
) -> None:
    """Write checklists, so that ``read_checklists`` gives the same ones again; all of the file or nothing of it.

    Args:
        path: The file to write, .md, .markdown (Markdown) or .jsonl (JSON Lines). Its folder is made if need be.
        checklists: In the order in which they shall stand.
        instances: Where the first words of the queries come from, which stand beside the lists for orientation.
        openings: Those words for instances that are not among these, by id.

    Raises:
        UserError: The file cannot be written, or its suffix is another.
    """
    path = Path(path)
    openings = dict(openings or {}) | query_openings(instances)
    suffix = path.suffix.lower()
    if suffix in (".md", ".markdown"):
        text = checklist_markdown.render(checklists, openings)
    elif suffix == ".jsonl":
        text = "".join(_json_line(checklist, openings.get(checklist.instance_id)) for checklist in checklists)
    else:
        raise DataError("checklists are not written in this kind of file", where=Place(path), todo="Use .jsonl or .md.")
    write_whole(path, text.encode("utf-8"))


def _sections(path: Path) -> list[Section]:
    return _markdown_sections(path) if path.suffix.lower() in _MARKDOWN else _table_sections(path)


def _by_id(sections: list[Section]) -> dict[str, Section]:
    found: dict[str, Section] = {}
    for section in sections:
        earlier = found.setdefault(str(section.place.id), section)
        if earlier is not section:
            what = f"the instance has two checklists; the first is in line {earlier.place.line}"
            raise DataError(what, where=section.place, todo="Take one of them out.")
    return found


def _markdown_sections(path: Path) -> list[Section]:
    sections = checklist_markdown.parse(read_text(path), Place(path))
    if not sections:
        raise DataError("the file has no checklist", where=Place(path), todo="Write `## <id>` and `1. question` lines.")
    for section in sections:
        checklist_items(section.items, section.place)
    return sections


def _table_sections(path: Path) -> list[Section]:
    return [_table_section(row, place) for row, place in read_rows(path)]


def _table_section(row: Fields, place: Place) -> Section:
    here = Place(place.file, place.line, _id(row, place))
    items = checklist_items(require(row, here, "checklist", "items"), here)
    source: ChecklistSource | None = row["source"] if row.get("source") in get_args(ChecklistSource) else None
    return Section(here, list(items), source, optional_text(row, here, "generator"))


def _id(row: Fields, place: Place) -> str | None:
    for name in ("id", "session_id", "question_id"):
        if row.get(name) is not None:
            identifier = as_name(row[name], place, name)
            turn = row.get("turn") if name == "question_id" else None
            return identifier if turn is None else f"{identifier}-{as_name(turn, place, 'turn')}"
    return None


def _fixed(sections: list[Section], dataset: Dataset) -> list[Checklist]:
    without = next(section for section in sections if section.place.id is None)
    if len(sections) > 1:
        raise DataError(
            f"this list has no id, and the file has {len(sections)} lists",
            where=without.place,
            todo="Give every list the id of its instance, or keep this one only: then it holds for all instances.",
        )
    items = tuple(without.items)
    return [
        Checklist(instance_id=instance.id, items=items, source="fixed", generator=without.generator)
        for instance in dataset.instances
    ]


def _for_instances(path: Path, found: dict[str, Section], dataset: Dataset) -> tuple[list[Checklist], list[str]]:
    ids = [instance.id for instance in dataset.instances]
    others, lacking = [name for name in found if name not in set(ids)], [name for name in ids if name not in found]
    if len(lacking) == len(ids):
        raise DataError(
            f"none of the {len(found)} checklists is for an instance of {dataset.name}",
            where=Place(path),
            todo=f"Ids in this file: {few(found)}. Ids in the data: {few(ids)}.",
        )
    notes = []
    if others:
        notes.append(
            f"{len(others)} checklists in {path.name} are for instances that are not in the data: {few(others)}."
        )
    if lacking:
        notes.append(f"{len(lacking)} of {len(ids)} instances have no checklist in {path.name}: {few(lacking)}.")
    return [_checklist(name, found[name]) for name in ids if name in found], notes


def _checklist(name: str, section: Section) -> Checklist:
    source = section.source if section.source is not None else "imported"
    return Checklist(instance_id=name, items=tuple(section.items), source=source, generator=section.generator)


def query_openings(instances: Iterable[Instance]) -> dict[str, str]:
    """Take the first words of each query, on one line, by the instance's id."""
    return {instance.id: _opening(instance.query) for instance in instances}


def read_openings(path: Path) -> dict[str, str]:
    """Read the first words of the query that stand beside each list of a JSON Lines file of ``write_checklists``.

    Args:
        path: The file.

    Returns:
        The words by the instance's id, where they stand there.
    """
    if not path.stat().st_size:
        return {}
    rows = [(row, _id(row, place)) for row, place in read_rows(path)]
    return {name: row["query"] for row, name in rows if name is not None and isinstance(row.get("query"), str)}


def _opening(query: str) -> str:
    # Cut at a character, not at a word: many scripts have no spaces.
    words = " ".join(query.split())
    return words if len(words) <= _OPENING else words[:_OPENING].rstrip() + "…"


def _json_line(checklist: Checklist, opening: str | None) -> str:
    row: dict[str, object] = {"id": checklist.instance_id}
    if opening is not None:
        row["query"] = opening
    row |= {"checklist": list(checklist.items), "source": checklist.source}
    if checklist.generator is not None:
        row["generator"] = checklist.generator
    return json.dumps(row, ensure_ascii=False) + "\n"
