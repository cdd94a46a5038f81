"""Pairs of a chosen and a rejected response, as MM-Eval and RewardBench publish them (Son et al., 2024).

Such data has no order of the two responses. Which one is called A is decided by a hash of a seed and the pair's id, so
that no label is tied to a side, and the order of the rows changes nothing.
"""

import hashlib
from collections.abc import Set

from checkwise.datasets.fields import Fields, as_name, as_query, conversation, messages, optional_text, require
from checkwise.datasets.pair_reader import PairDraft, PairReader, instance, response_text
from checkwise.datasets.tables import Row
from checkwise.errors import DataError, Place
from checkwise.records import Pair, Side, Turn

NAME = "chosen-rejected"


def matches(fields: Set[str]) -> bool:
    """Say whether rows with these fields hold a chosen and a rejected response to a prompt."""
    return fields >= {"prompt", "chosen", "rejected"}


def read(rows: list[Row], draft: PairDraft, seed: int) -> None:
    """Read pairs.

    Rows have ``id``, ``prompt`` (the query, or a list of messages that ends with it), ``chosen`` and ``rejected``
    (text, or the whole conversation as a list of messages), and optionally ``chosen_model``, ``rejected_model``,
    ``language`` or ``lang``, ``subset``, ``category`` and ``reference``. Where an id is used in several subsets or
    languages, all pairs are called ``subset/language/id``.

    Args:
        rows: All of the file.
        draft: Where the pairs go.
        seed: Decides, with the id, which response is called A.

    Raises:
        DataError: Something is missing or not as described; says where.
    """
    for (row, place), name in zip(rows, _ids(rows, draft.notes), strict=True):
        here = Place(place.file, place.line, name)
        pair = _pair(row, here, _side_of_chosen(seed, name))
        if pair is None:
            draft.left_out.append(name)
        else:
            draft.pairs.append((pair, here))


READER = PairReader(
    name=NAME,
    layout="id, prompt, chosen, rejected (optional chosen_model, rejected_model, language, subset, category, "
    "reference), as in MM-Eval and RewardBench",
    matches=matches,
    read=read,
    has_sides=False,
)


def _ids(rows: list[Row], notes: list[str]) -> list[str]:
    own = [as_name(require(row, place, "id"), place, "id") for row, place in rows]
    if len(set(own)) == len(own):
        return own
    longer = ["/".join([*_part_of(*row), name]) for row, name in zip(rows, own, strict=True)]
    if len(set(longer)) < len(longer):
        return own
    notes.append("Ids repeat between subsets or languages; pairs are called subset/language/id.")
    return longer


def _part_of(row: Fields, place: Place) -> list[str]:
    named = [optional_text(row, place, name) for name in ("subset", "language", "lang")]
    return [name for name in named if name is not None]


def _side_of_chosen(seed: int, name: str) -> Side:
    return "A" if hashlib.sha256(f"{seed}\n{name}".encode()).digest()[0] % 2 == 0 else "B"


def _pair(row: Fields, place: Place, side: Side) -> Pair | None:
    asked = _prompt(row, place)
    chosen, rejected = (_response(row, place, name, asked) for name in ("chosen", "rejected"))
    if chosen is None or rejected is None:
        return None
    models = [optional_text(row, place, name) for name in ("chosen_model", "rejected_model")]
    texts = [chosen, rejected]
    if side == "B":
        models.reverse()
        texts.reverse()
    return Pair(
        instance=instance(row, place, asked),
        a=texts[0],
        b=texts[1],
        label=side,
        subset=optional_text(row, place, "subset"),
        model_a=models[0],
        model_b=models[1],
    )


def _prompt(row: Fields, place: Place) -> tuple[Turn, ...]:
    prompt = require(row, place, "prompt")
    if isinstance(prompt, list):
        return conversation(prompt, place, "prompt")
    return (Turn(role="user", content=as_query(prompt, place, "prompt")),)


def _response(row: Fields, place: Place, name: str, asked: tuple[Turn, ...]) -> str | None:
    if not isinstance(row.get(name), list):
        return response_text(row, place, name)
    said = messages(row[name], place, name)
    if not said or said[-1].role != "assistant":
        raise DataError(
            f"`{name}` does not end with the assistant", where=place, todo="The last message must be the response."
        )
    if said[:-1] not in ([], list(asked)):
        raise DataError(
            f"`{name}` goes on from another conversation than `prompt`",
            where=place,
            todo="Give the whole conversation up to the query as `prompt`, a list of messages.",
        )
    return said[-1].content
