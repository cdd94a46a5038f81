"""Logs of Inspect: what models answered in an evaluation that has been run already."""

import json
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from checkwise.datasets.fields import as_query, checklist_items
from checkwise.datasets.reader import Reader, name_of
from checkwise.datasets.tables import read_text
from checkwise.datasets.validate import Draft
from checkwise.errors import DataError, MissingExtraError, Place
from checkwise.records import Checklist, Dataset, Instance, Response, Turn

NAME = "inspect"
_SUFFIX = ".eval"
_ROLES = ("system", "user", "assistant")


def matches(path: Path) -> bool:
    """Say whether a file is a log, by its suffix or as JSON, or a folder has logs."""
    return bool(_logs(path)) or _is_json_log(path)


def read(path: Path, responses: Path | None = None, turn: int | None = None) -> Dataset:
    """Read the samples of one or more logs.

    A sample's input is the query, its target the reference, the model's output the response. Its metadata may have
    ``category`` and ``checklist``. The category is else the task, where there are several. Of several epochs the first
    one counts; samples that failed have no response, and notes count both.

    Args:
        path: A log, or a folder of logs. Where two are of the same model, the names of the files tell them apart.
        responses: Not used.
        turn: Not used.

    Raises:
        MissingExtraError: Inspect is not installed.
        DataError: A log cannot be read, or a sample has no query.
    """
    logs = [(file, _read(file)) for file in _logs(path) or [path]]
    tasks = {log.eval.task for _, log in logs}
    same = Counter((log.eval.task, log.eval.model) for _, log in logs)
    reading = _Reading(Draft(name_of(path), NAME), names_tasks=len(tasks) > 1)
    for file, log in logs:
        model = log.eval.model if same[log.eval.task, log.eval.model] == 1 else f"{log.eval.model} · {file.stem}"
        for sample in log.samples or ():
            reading.add(sample, model, log.eval.task, file)
    return reading.checked()


READER = Reader(
    name=NAME,
    layout="logs of Inspect, *.eval or *.json, one or a folder of them",
    matches=matches,
    read=read,
)


def _logs(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.iterdir() if file.suffix == _SUFFIX)
    return [path] if path.suffix == _SUFFIX and path.is_file() else []


def _is_json_log(path: Path) -> bool:
    if not path.is_file() or path.suffix.lower() != ".json":
        return False
    try:
        whole = json.loads(read_text(path))
    except (ValueError, RecursionError):
        return False
    return isinstance(whole, dict) and {"version", "status", "eval"} <= set(whole)


def _read(file: Path) -> Any:  # noqa: ANN401 - of an extra
    if find_spec("inspect_ai") is None:
        raise MissingExtraError("reading logs of Inspect needs Inspect", todo='pip install "checkwise[inspect]"')
    from inspect_ai.log import read_eval_log  # noqa: PLC0415 - an extra

    try:
        return read_eval_log(str(file), resolve_attachments=True)
    except Exception as error:
        # A damaged zip, JSON or record; Inspect documents no errors of its own.
        raise DataError(f"this is no log of Inspect: {error}", where=Place(file)) from error


class _Reading:
    """What has been read of logs so far."""

    def __init__(self, draft: Draft, *, names_tasks: bool) -> None:
        self._draft = draft
        self._names_tasks = names_tasks
        self._seen: set[str] = set()
        self._left_out: Counter[str] = Counter()

    def add(self, sample: Any, model: str, task: str, file: Path) -> None:  # noqa: ANN401 - of an extra
        """Add a sample, or count it as left out."""
        identifier = f"{task}-{sample.id}" if self._names_tasks else str(sample.id)
        here = Place(file, None, identifier)
        if sample.epoch != 1:
            self._left_out["samples are of later epochs than the first, and left out"] += 1
            return
        self._add_instance(sample, task if self._names_tasks else None, here)
        if sample.error is not None:
            self._left_out["samples ended with an error, and have no response to judge"] += 1
            return
        response = Response(instance_id=identifier, model=model, text=sample.output.completion)
        self._draft.responses.append((response, here))

    def checked(self) -> Dataset:
        """Make the data set."""
        self._draft.notes += [f"{count} {what}." for what, count in sorted(self._left_out.items())]
        return self._draft.checked()

    def _add_instance(self, sample: Any, task: str | None, place: Place) -> None:  # noqa: ANN401 - of an extra
        metadata = sample.metadata or {}
        instance = Instance(
            id=str(place.id),
            turns=_turns(sample.input, place),
            reference=_reference(sample.target),
            category=str(metadata["category"]) if metadata.get("category") else task,
        )
        self._draft.add_once(instance, place)
        if metadata.get("checklist") and instance.id not in self._seen:
            items = checklist_items(metadata["checklist"], place, "metadata.checklist")
            self._draft.checklists.append((Checklist(instance_id=instance.id, items=items), place))
        self._seen.add(instance.id)


def _turns(given: Any, place: Place) -> tuple[Turn, ...]:  # noqa: ANN401 - of an extra
    if isinstance(given, str):
        return (Turn(role="user", content=as_query(given, place, "input")),)
    turns = tuple(Turn(role=message.role, content=message.text) for message in given if message.role in _ROLES)
    if not turns or turns[-1].role != "user":
        raise DataError("the input of the sample does not end with the user", where=place, todo="Take the sample out.")
    return turns


def _reference(target: str | Sequence[str]) -> str | None:
    text = target if isinstance(target, str) else "\n".join(target)
    return text if text.strip() else None
