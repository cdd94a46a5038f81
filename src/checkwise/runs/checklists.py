"""Where each instance's checklist comes from: a file, the user's edits, the data, or a generator."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from checkwise.datasets import read_all_checklists, read_checklists, write_checklists
from checkwise.errors import ChecklistError
from checkwise.methods import ChecklistMethod
from checkwise.questions import Ask
from checkwise.records import Checklist, Dataset, Instance
from checkwise.runs.progress import RunProgress, Step
from checkwise.store import RunFolder


@dataclass
class ChecklistsFound:
    """The checklists of a run, and what is to be known of them."""

    by_instance: dict[str, Checklist] = field(default_factory=dict)
    """The lists that there are."""
    missing: dict[str, str] = field(default_factory=dict)
    """Instances without a list, with the reason."""
    notes: list[str] = field(default_factory=list)
    """What a reader of the results should know."""


@dataclass(frozen=True)
class ChecklistSources:
    """Where lists are looked for before one is written."""

    file: Path | None = None
    """A file that the user names."""
    generate: bool = False
    """Whether lists that came with the data are passed over."""
    write: bool = True
    """Whether a generator writes the lists that are found nowhere."""


async def collect_checklists(
    dataset: Dataset,
    folder: RunFolder,
    method: ChecklistMethod,
    ask: Ask,
    *,
    sources: ChecklistSources,
    progress: RunProgress,
) -> ChecklistsFound:
    """Find or write the checklist of each instance, and keep all of them in the run folder, open to editing.

    A list is taken from the user's file; else from the run folder's own file, if a person has put or changed it there;
    else from the data; else the generator writes it, which costs nothing if it has written it before.

    Args:
        dataset: The instances, and the lists that came with them.
        folder: The run folder.
        method: Writes lists.
        ask: Puts questions to the generator.
        sources: Where to look.
        progress: Told after each instance.

    Returns:
        The lists, and the instances that have none.
    """
    found = ChecklistsFound()
    in_folder = read_all_checklists(folder.checklists_path) if folder.checklists_path.is_file() else {}
    given = _given(dataset, folder, in_folder, sources, found)
    written = 0
    for done, instance in enumerate(dataset.instances, start=1):
        if instance.id in given:
            found.by_instance[instance.id] = given[instance.id]
        elif not sources.write:
            found.missing[instance.id] = "it has no checklist"
        else:
            written += await _write(instance, method, ask, found)
        progress(Step("checklists", done, len(dataset.instances), written))
    if given and written:
        found.notes.append(f"{written} checklists were in no file; {ask.model} wrote them")
    if found.missing:
        without, all_of_them = len(found.missing), len(dataset.instances)
        found.notes.append(f"{without} of {all_of_them} instances have no checklist; their responses are unscored")
    folder.database.keep_checklists(found.by_instance.values())
    # A run over part of the data leaves the lists of the other instances, and a person's work on them, in the file.
    present = {instance.id for instance in dataset.instances}
    others = {identifier: checklist for identifier, checklist in in_folder.items() if identifier not in present}
    write_checklists(folder.checklists_path, (others | found.by_instance).values(), dataset.instances)
    return found


def _given(
    dataset: Dataset,
    folder: RunFolder,
    in_folder: Mapping[str, Checklist],
    sources: ChecklistSources,
    found: ChecklistsFound,
) -> Mapping[str, Checklist]:
    """The lists that nobody needs to write, the most deliberate one for each instance."""
    from_data = {} if sources.generate else {checklist.instance_id: checklist for checklist in dataset.checklists}
    if from_data:
        found.notes.append(f"{len(from_data)} checklists came with the data")
    if sources.file is None:
        # A generated list is asked for again, which finds it in the store, unless nobody may be asked.
        unchanged = {} if sources.write else folder.database.checklists()
        own = {identifier: unchanged[identifier] for identifier in in_folder if identifier in unchanged}
        return from_data | own | _edited(folder, in_folder)
    from_file, notes = read_checklists(sources.file, dataset)
    found.notes += notes
    return from_data | {checklist.instance_id: checklist for checklist in from_file}


def _edited(folder: RunFolder, in_folder: Mapping[str, Checklist]) -> dict[str, Checklist]:
    """Lists in the run folder that were not simply written there by a generator."""
    before = folder.database.checklists()
    edited = {}
    for identifier, checklist in in_folder.items():
        known = before.get(identifier)
        if known is None or known.items != checklist.items:
            edited[identifier] = checklist.model_copy(update={"source": "edited"})
        elif known.source != "generated":
            edited[identifier] = known
    return edited


async def _write(instance: Instance, method: ChecklistMethod, ask: Ask, found: ChecklistsFound) -> int:
    try:
        found.by_instance[instance.id] = await method.checklist(instance, ask)
    except ChecklistError as error:
        found.missing[instance.id] = error.what
        return 0
    return 1
