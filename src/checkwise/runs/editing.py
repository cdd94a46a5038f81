"""Editing one checklist of a run folder, as a person would edit its file."""

from collections.abc import Sequence
from pathlib import Path

from checkwise.datasets import read_all_checklists, read_openings, write_checklists
from checkwise.errors import ChecklistError, Place
from checkwise.records import Checklist
from checkwise.runs.stored_run import StoredRun
from checkwise.store import CHECKLISTS


def edit_checklist(folder: Path, instance_id: str, items: Sequence[str]) -> None:
    """Replace the checklist of one instance in the run folder's file; nothing is graded.

    Args:
        folder: The run folder.
        instance_id: The instance.
        items: The questions, in order; blank ones are left out.

    Raises:
        ChecklistError: No question is left, or the run has no such instance.
        DataError: The file cannot be read or written.
    """
    path = folder / CHECKLISTS
    kept = [item.strip() for item in items if item.strip()]
    if not kept:
        raise ChecklistError("the checklist has no items", where=Place(path, id=instance_id), todo="Keep a question.")
    lists = read_all_checklists(path) if path.is_file() else dict(StoredRun(folder).checklists)
    if instance_id not in lists:
        raise ChecklistError("the run has no checklist for this instance", where=Place(path, id=instance_id))
    lists[instance_id] = Checklist(instance_id=instance_id, items=tuple(kept), source="edited")
    openings = read_openings(path) if path.is_file() else {}
    write_checklists(path, list(lists.values()), (), openings=openings)
