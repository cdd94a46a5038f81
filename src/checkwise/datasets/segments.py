"""Source texts that were translated, as instances.

The query is the source text alone, without a word that asks for its translation: CE-Judge says in its prompts for the
task ``translation`` that the text has to be translated, and makes concepts and a translation of exactly that text. The
instance's category, ``translation``, is what chooses these prompts.
"""

from checkwise.datasets.fields import Fields, as_query, require
from checkwise.errors import DataError, Place
from checkwise.records import Instance, Turn

Segments = dict[str, tuple[Instance, Place]]
"""Instances by their id, each with the place where it stands first."""

CATEGORY = "translation"
"""The category of every segment."""


def add_segment(row: Fields, place: Place, language: str | None, segments: Segments) -> None:
    """Add the ``source`` of a row to the segments, unless it is there.

    Args:
        row: What holds the source text.
        place: Where it stands; its id is the segment's.
        language: BCP 47 code of the source text.
        segments: What is known so far.

    Raises:
        DataError: The source is missing or blank, or another one has the same id.
    """
    query = as_query(require(row, place, "source"), place, "source")
    instance = Instance(
        id=str(place.id), turns=(Turn(role="user", content=query),), category=CATEGORY, language=language
    )
    first, earlier = segments.setdefault(instance.id, (instance, place))
    if first != instance:
        raise DataError(
            f"`source` differs from that in line {earlier.line}",
            where=place,
            todo="Translations of one segment must repeat the same source.",
        )
