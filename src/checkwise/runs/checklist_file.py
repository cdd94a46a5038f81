"""The run folder's checklists.jsonl: what is in it, and whose it is."""

from collections.abc import Iterable, Mapping

from checkwise.datasets import read_all_checklists, write_checklists
from checkwise.records import Instance
from checkwise.store import PlacedChecklist, RunFolder


def read_placed(folder: RunFolder) -> dict[str, PlacedChecklist]:
    """Read the lists of the run folder's file; one that checkwise did not put there is a person's.

    Args:
        folder: The run folder.

    Returns:
        The lists by instance, in the order of the file; none if there is no file yet.

    Raises:
        DataError: A person's edits have left the file unreadable; says where.
    """
    if not folder.checklists_path.is_file():
        return {}
    placed = {(p.checklist.instance_id, p.checklist.items): p for p in folder.database.placed_checklists()}
    return {
        identifier: placed.get((identifier, checklist.items))
        or PlacedChecklist(checklist.model_copy(update={"source": "edited"}), "person")
        for identifier, checklist in read_all_checklists(folder.checklists_path).items()
    }


def write_placed(folder: RunFolder, lists: Mapping[str, PlacedChecklist], instances: Iterable[Instance]) -> None:
    """Put lists into the run folder's file, so that ``read_placed`` tells them from a person's.

    Args:
        folder: The run folder.
        lists: All that the file will hold, by instance.
        instances: Where the first words of the queries come from.

    Raises:
        DataError: The file cannot be written.
    """
    with folder.database.placing(list(lists.values())):
        write_checklists(folder.checklists_path, [placed.checklist for placed in lists.values()], instances)
