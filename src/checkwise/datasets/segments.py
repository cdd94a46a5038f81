"""Source texts that were translated, as instances.

The query is the source text alone, since CE-Judge makes concepts and a translation of exactly that text; what asks for
its translation stands before it, as a conversation's system message, so that other methods see that it is asked for.
The category, ``translation``, chooses CE-Judge's prompts.
"""

from checkwise.datasets.fields import Fields, as_query, require
from checkwise.errors import DataError, Place
from checkwise.records import Instance, Turn

Segments = dict[str, tuple[Instance, Place]]
"""Instances by their id, each with the place where it stands first."""

CATEGORY = "translation"
"""The category of every segment."""


def add_segment(row: Fields, place: Place, source: str | None, target: str | None, segments: Segments) -> None:
    """Add the ``source`` of a row to the segments, unless it is there.

    Args:
        row: What holds the source text.
        place: Where it stands; its id is the segment's.
        source: BCP 47 code of the source text, where it is known.
        target: The same of its translations.
        segments: What is known so far.

    Raises:
        DataError: The source is missing or blank, or another one has the same id.
    """
    query = as_query(require(row, place, "source"), place, "source")
    between = (f" from {source}" if source else "") + (f" into {target}" if target else "")
    instance = Instance(
        id=str(place.id),
        turns=(
            Turn(role="system", content=f"Translate the user's text{between}, and write nothing else."),
            Turn(role="user", content=query),
        ),
        category=CATEGORY,
        language=source,
    )
    first, earlier = segments.setdefault(instance.id, (instance, place))
    if first != instance:
        raise DataError(
            f"`source` differs from that in line {earlier.line}",
            where=place,
            todo="Translations of one segment must repeat the same source.",
        )
