"""Where each instance's checklist comes from: a file, a person's edits, the data, or a generator."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from checkwise.datasets import read_checklists
from checkwise.datasets.validate import few
from checkwise.errors import ChecklistError, Place
from checkwise.methods import ChecklistMethod
from checkwise.records import Checklist, Dataset, Instance
from checkwise.runs.ask import StoredAsk
from checkwise.runs.checklist_file import read_placed, refuse_other_queries, write_placed
from checkwise.runs.progress import RunProgress, Step
from checkwise.store import PlacedChecklist, RunFolder


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
    """Whether lists that came from files or with the data are passed over."""
    write: bool = True
    """Whether a generator writes the lists that are found nowhere."""


async def collect_checklists(
    dataset: Dataset,
    folder: RunFolder,
    method: ChecklistMethod,
    ask: StoredAsk,
    *,
    sources: ChecklistSources,
    progress: RunProgress,
) -> ChecklistsFound:
    """Find or write the checklist of each instance, and keep all of them in the run folder, open to editing.

    The first of these that has a list for an instance gives it:

    1. the file that the user names;
    2. the run folder's own file, where a person has put or changed the list there;
    3. the run folder's own file, where the list came from a file that was named for an earlier run;
    4. the data;
    5. the generator, which costs nothing if it has been asked the same before.

    With ``sources.generate``, 3 and 4 are passed over. Without ``sources.write`` nobody is asked, and the run folder's
    own file gives whatever list it has. Lists of other instances stay in that file.

    Args:
        dataset: The instances, and the lists that came with them.
        folder: The run folder.
        method: Writes lists.
        ask: Puts questions to the generator.
        sources: Where to look.
        progress: Told after each instance.

    Returns:
        The lists, and the instances that have none.

    Raises:
        ChecklistError: The file that the user names would replace lists that a person has edited in the run folder,
            or lists there were made for other queries than those of the data.
        DataError: A file of lists cannot be read.
    """
    found = ChecklistsFound()
    in_folder = read_placed(folder)
    given = _given(dataset, folder, in_folder, sources, found)
    placed: dict[str, PlacedChecklist] = {}
    fresh = 0
    for done, instance in enumerate(dataset.instances, start=1):
        if instance.id in given:
            placed[instance.id] = given[instance.id]
        elif not sources.write:
            found.missing[instance.id] = "it has no checklist"
        else:
            before = ask.asked.questions
            await _write(instance, method, ask, placed, found)
            fresh += ask.asked.questions > before
        progress(Step("checklists", done, len(dataset.instances), fresh))
    found.by_instance = {identifier: each.checklist for identifier, each in placed.items()}
    found.notes += _notes(dataset, placed, found.missing, ask.model, sources)
    # A run over part of the data leaves the lists of the other instances, and a person's work on them, in the file.
    present = {instance.id for instance in dataset.instances}
    others = {identifier: each for identifier, each in in_folder.items() if identifier not in present}
    write_placed(folder, others | placed, dataset.instances)
    return found


def _given(
    dataset: Dataset,
    folder: RunFolder,
    in_folder: Mapping[str, PlacedChecklist],
    sources: ChecklistSources,
    found: ChecklistsFound,
) -> Mapping[str, PlacedChecklist]:
    """The lists that nobody needs to write, the most deliberate one for each instance."""
    from_data = {c.instance_id: PlacedChecklist(c, "data") for c in dataset.checklists if not sources.generate}
    from_files = {i: each for i, each in in_folder.items() if each.origin == "file" and not sources.generate}
    edited = {i: each for i, each in in_folder.items() if each.origin == "person"}
    # A generated list is asked for again, which finds it in the store, unless nobody may be asked.
    whatever = {} if sources.write else in_folder
    if sources.file is None:
        refuse_other_queries(folder, {**whatever, **from_files, **edited}, dataset.instances)
        return {**whatever, **from_data, **from_files, **edited}
    lists, notes = read_checklists(sources.file, dataset)
    found.notes += notes
    from_file = {c.instance_id: PlacedChecklist(_as_edited(c, in_folder), "file") for c in lists}
    _refuse_to_replace(edited, from_file, folder, sources.file)
    refuse_other_queries(folder, edited.keys() - from_file.keys(), dataset.instances)
    return {**from_data, **edited, **from_file}


def _as_edited(checklist: Checklist, in_folder: Mapping[str, PlacedChecklist]) -> Checklist:
    """Call a list edited that says it was generated, but is not what the generator wrote here."""
    here = in_folder.get(checklist.instance_id)
    if here is None or here.origin != "generator" or here.checklist.items == checklist.items:
        return checklist
    return checklist.model_copy(update={"source": "edited"}) if checklist.source == "generated" else checklist


def _refuse_to_replace(
    edited: Mapping[str, PlacedChecklist], from_file: Mapping[str, PlacedChecklist], folder: RunFolder, file: Path
) -> None:
    lost = [i for i in edited if i in from_file and edited[i].checklist.items != from_file[i].checklist.items]
    if lost:
        raise ChecklistError(
            f"{len(lost)} checklists that a person has edited here would be replaced by those of {file}: {few(lost)}",
            where=Place(folder.checklists_path),
            todo="Leave out --checklists to use the edited lists, or choose another folder with --out.",
        )


async def _write(
    instance: Instance,
    method: ChecklistMethod,
    ask: StoredAsk,
    placed: dict[str, PlacedChecklist],
    found: ChecklistsFound,
) -> None:
    try:
        placed[instance.id] = PlacedChecklist(await method.checklist(instance, ask), "generator")
    except ChecklistError as error:
        found.missing[instance.id] = error.what


def _notes(
    dataset: Dataset,
    placed: Mapping[str, PlacedChecklist],
    missing: Mapping[str, str],
    generator: str,
    sources: ChecklistSources,
) -> list[str]:
    origins = [each.origin for each in placed.values()]
    notes = []
    if from_data := origins.count("data"):
        notes.append(f"{from_data} checklists came with the data")
    if sources.file is not None and (written := origins.count("generator")):
        notes.append(f"{written} checklists are not in {sources.file.name}; {generator} wrote them")
    if missing:
        all_of_them = len(dataset.instances)
        notes.append(f"{len(missing)} of {all_of_them} instances have no checklist; their responses are unscored")
    return notes
