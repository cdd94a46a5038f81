"""What a reader of pairs consists of, and what all of them do alike."""

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from pathlib import Path

from checkwise.datasets.fields import Fields, as_text, language, optional_text, require
from checkwise.datasets.tables import Row
from checkwise.datasets.validate import few, refuse_twice
from checkwise.errors import DataError, Place
from checkwise.records import Instance, Pair, PairSet, Turn


@dataclass
class PairDraft:
    """What a reader has found, each pair with its place, before it is checked."""

    name: str
    format: str
    pairs: list[tuple[Pair, Place]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Ids of pairs of which a response is null."""
    notes: list[str] = field(default_factory=list)

    def checked(self, file: Path | str | None) -> PairSet:
        """Make the set of pairs.

        Args:
            file: Where they come from, for messages.

        Raises:
            DataError: A pair stands there twice, or none has two responses.
        """
        refuse_twice(((pair.id, place) for pair, place in self.pairs), "the pair {} stands twice")
        if not self.pairs:
            raise DataError(
                f"no pair has two responses; one is null in all {len(self.left_out)}: {few(self.left_out)}",
                where=Place(file),
                todo="Give both; an empty response is an empty text, not null.",
            )
        notes = list(self.notes)
        if self.left_out:
            total = len(self.pairs) + len(self.left_out)
            notes.append(
                f"Left out {len(self.left_out)} of {total} pairs, since a response is null: {few(self.left_out)}."
            )
        return PairSet(
            name=self.name, format=self.format, pairs=tuple(pair for pair, _ in self.pairs), notes=tuple(notes)
        )


@dataclass(frozen=True)
class PairReader:
    """A layout of pairs, how to know it, and how to read it."""

    name: str
    """What the layout is called, as in ``load_pairs(format=...)``."""
    layout: str
    """Its fields on one line, for a person whose data nothing fits."""
    matches: Callable[[Set[str]], bool]
    """Says whether rows have this layout, from the fields of the first one."""
    read: Callable[[list[Row], PairDraft, int], None]
    """Adds the pairs of rows to a draft; the seed decides what is called A where the data does not."""
    has_sides: bool = True
    """Whether the data itself says which response is A and which is B."""


def instance(row: Fields, place: Place, turns: tuple[Turn, ...]) -> Instance:
    """Make the instance of a pair from what all layouts share.

    Args:
        row: May have ``reference``, ``category`` (else its ``subset`` is the category) and ``language`` or ``lang``.
        place: Where it stands; its id is the pair's.
        turns: What was asked.

    Raises:
        DataError: A field is not text.
    """
    return Instance(
        id=str(place.id),
        turns=turns,
        reference=optional_text(row, place, "reference"),
        category=optional_text(row, place, "category") or optional_text(row, place, "subset"),
        language=language(row, place) or language(row, place, "lang"),
    )


def response_text(row: Fields, place: Place, name: str) -> str | None:
    """Give a response verbatim, or None where it is null.

    Raises:
        DataError: The field is missing, or not text.
    """
    value = require(row, place, name)
    return None if value is None else as_text(value, place, name)
