"""The run folder's checklists.jsonl: what is in it, and whose it is."""

from collections.abc import Iterable, Mapping

from checkwise.datasets import query_openings, read_all_checklists, read_openings, write_checklists
from checkwise.datasets.validate import few
from checkwise.errors import ChecklistError, Place
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
    openings = read_openings(folder.checklists_path) if folder.checklists_path.is_file() else {}
    checklists = [placed.checklist for placed in lists.values()]
    with folder.database.placing(list(lists.values())):
        write_checklists(folder.checklists_path, checklists, instances, openings=openings)


def refuse_other_queries(folder: RunFolder, kept: Iterable[str], instances: Iterable[Instance]) -> None:
    """Make sure that lists of the run folder's file are used for the queries they were made for.

    Args:
        folder: The run folder.
        kept: The ids of the instances whose list is taken from the file as it is.
        instances: The instances as they are now.

    Raises:
        ChecklistError: The words that stand beside a list are not those of its instance's query.
    """
    if not folder.checklists_path.is_file():
        return
    before, now, kept = read_openings(folder.checklists_path), query_openings(instances), set(kept)
    changed = [name for name, words in now.items() if name in kept and before.get(name, words) != words]
    if changed:
        raise ChecklistError(
            f"{len(changed)} checklists here were made for other queries: {few(changed)}",
            where=Place(folder.checklists_path, id=changed[0]),
            todo="Take their lines out to have new ones made; or, if they fit, take out the field `query`.",
        )
