"""What holds for every benchmark, whatever format it came in: checked once, each fault with its place."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from checkwise.errors import DataError, Place
from checkwise.records import Checklist, Dataset, Instance, Response

_SHOWN = 5
_Item = TypeVar("_Item")


@dataclass
class Draft:
    """What a reader has found, each record with its place, before it is checked."""

    name: str
    format: str
    instances: list[tuple[Instance, Place]] = field(default_factory=list)
    responses: list[tuple[Response, Place]] = field(default_factory=list)
    checklists: list[tuple[Checklist, Place]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _added: dict[str, tuple[Instance, Place]] = field(default_factory=dict)

    def add_once(self, instance: Instance, place: Place) -> None:
        """Add an instance that comes with every response to it.

        Raises:
            DataError: It differs from one of the same id that was added before.
        """
        earlier = self._added.setdefault(instance.id, (instance, place))
        if earlier[1] is place:
            self.instances.append((instance, place))
        elif earlier[0] != instance:
            differing = [name for name in Instance.model_fields if getattr(earlier[0], name) != getattr(instance, name)]
            raise DataError(
                f"{' and '.join(differing)} differ from those in {earlier[1]}".replace("turns", "query"),
                where=Place(place.file, place.line, instance.id),
                todo="Rows with the same id must have the same query.",
            )

    def checked(self) -> Dataset:
        """Make the data set.

        Raises:
            DataError: An instance, or a model's response to an instance, stands there twice; a response answers no
                instance.
        """
        refuse_twice(((i.id, place) for i, place in self.instances), "the instance {} stands twice")
        refuse_twice((((r.instance_id, r.model), place) for r, place in self.responses), "two responses for {}")
        known = {instance.id for instance, _ in self.instances}
        for response, place in self.responses:
            if response.instance_id not in known:
                raise DataError(
                    f"the response of {response.model} answers {response.instance_id!r}, and no query has that id",
                    where=Place(place.file, place.line, response.instance_id),
                    todo=f"Ids look like {few(i.id for i, _ in self.instances)}. Correct the id, or take the row out.",
                )
        return Dataset(
            name=self.name,
            format=self.format,
            instances=tuple(instance for instance, _ in self.instances),
            responses=tuple(response for response, _ in self.responses),
            checklists=tuple(checklist for checklist, _ in self.checklists),
            notes=tuple(self.notes),
        )


def select(dataset: Dataset, *, limit: int | None = None, models: Sequence[str] | None = None) -> Dataset:
    """Keep some instances and some models, and note what nobody answered.

    Args:
        dataset: All that was read.
        limit: How many instances to keep, at least 1: the first ones, or, where the data has categories, the first ones
            of each category in turn, so that every category has the same share. The order of the file stays.
        models: The models to keep; None keeps all.

    Raises:
        DataError: A model has no response, or the limit is below 1.
    """
    kept = spread(dataset.instances, limit, lambda instance: instance.category)
    ids = {instance.id for instance in kept}
    names = set(dataset.models if models is None else models)
    unknown = sorted(names - set(dataset.models))
    if unknown:
        known = ", ".join(dataset.models) or "none, since the data has no responses"
        raise DataError(f"no response is by {', '.join(unknown)}", where=Place(dataset.name), todo=f"Models: {known}.")
    chosen = tuple(r for r in dataset.responses if r.instance_id in ids and r.model in names)
    notes = list(dataset.notes)
    if len(kept) < len(dataset.instances):
        notes.append(f"Kept {len(kept)} of {len(dataset.instances)} instances (limit).")
    return dataset.model_copy(
        update={
            "instances": kept,
            "responses": chosen,
            "checklists": tuple(c for c in dataset.checklists if c.instance_id in ids),
            "notes": (*notes, *_gaps(kept, chosen, sorted(names))),
        }
    )


def few(names: Iterable[str]) -> str:
    """Write the first few names of many, and how many more there are."""
    listed = list(names)
    more = f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return ", ".join(listed[:_SHOWN]) + more


def spread(items: tuple[_Item, ...], limit: int | None, group: Callable[[_Item], Hashable]) -> tuple[_Item, ...]:
    """Keep the first items of each group in turn, so that every group has the same share.

    Args:
        items: In the order of the file, which stays.
        limit: How many to keep, at least 1; None keeps all.
        group: Names the group of an item.

    Raises:
        DataError: The limit is below 1.
    """
    if limit is None:
        return items
    if limit < 1:
        raise DataError(f"the limit is {limit}", todo="Keep at least 1.")
    seen: Counter[Hashable] = Counter()
    rounds = []
    for position, item in enumerate(items):
        rounds.append((seen[group(item)], position))
        seen[group(item)] += 1
    # Round k holds the k-th item of each group; within a round the order of the file decides.
    return tuple(items[position] for position in sorted(position for _, position in sorted(rounds)[:limit]))


def refuse_twice(keys: Iterable[tuple[str | tuple[str, str], Place]], what: str) -> None:
    """Refuse a key that comes a second time.

    Args:
        keys: Ids, or an id with a model, each with the place where it stands.
        what: What is wrong, with ``{}`` for the key.

    Raises:
        DataError: One does; names both places.
    """
    first: dict[str | tuple[str, str], Place] = {}
    for key, place in keys:
        if key in first:
            identifier, name = (key, key) if isinstance(key, str) else (key[0], f"{key[0]} by {key[1]}")
            earlier = first[key]
            file = "" if earlier.file == place.file else f"{earlier.file}, "
            raise DataError(
                f"{what.format(name)}; first in {file}line {earlier.line}",
                where=Place(place.file, place.line, identifier),
                todo="Take one of them out.",
            )
        first[key] = place


def _gaps(instances: tuple[Instance, ...], responses: tuple[Response, ...], models: list[str]) -> list[str]:
    answered = {(response.model, response.instance_id) for response in responses}
    missing = {model: [i.id for i in instances if (model, i.id) not in answered] for model in models}
    lacking = {model: ids for model, ids in missing.items() if ids}
    if len(lacking) > _SHOWN:
        shown = few(f"{model} ({len(ids)})" for model, ids in lacking.items())
        return [f"{len(lacking)} models have no response for some of the {len(instances)} queries: {shown}."]
    return [
        f"{model} has no response for {len(ids)} of {len(instances)} queries: {few(ids)}."
        for model, ids in lacking.items()
    ]
