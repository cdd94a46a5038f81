"""Fields of a row, checked and turned into the parts of records."""

import json
import re
from collections.abc import Mapping
from typing import Any

from checkwise.errors import DataError, Place
from checkwise.records import Turn

Fields = Mapping[str, Any]
"""A row: field names with their values."""

_ROLES = ("system", "user", "assistant")


def require(row: Fields, place: Place, *names: str) -> Any:  # noqa: ANN401  (a cell may hold anything)
    """Give the value of the first of ``names`` that the row has.

    Raises:
        DataError: The row has none of them; lists the fields it has.
    """
    for name in names:
        if name in row:
            return row[name]
    wanted = " or ".join(f"`{name}`" for name in names)
    found = ", ".join(f"`{name}`" for name in row) or "none"
    raise DataError(f"the field {wanted} is missing; found: {found}", where=place, todo="Add or rename the field.")


def as_text(value: object, place: Place, name: str) -> str:
    """Check that a value is text that can be written as UTF-8, and give it back verbatim.

    Raises:
        DataError: It is something else, or has half a character in it.
    """
    if not isinstance(value, str):
        raise DataError(f"`{name}` is not text but {_kind(value)}", where=place, todo="Write it as a string.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        half = f"\\u{ord(value[error.start]):04x}"
        raise DataError(
            f"`{name}` has half a character, {half}, at position {error.start}",
            where=place,
            todo="The text was cut inside an emoji or another wide character; take that half out.",
        ) from error
    return value


def as_name(value: object, place: Place, name: str) -> str:
    """Check that a value is an id or a name: text that is not blank, or a whole number, which becomes text.

    Raises:
        DataError: It is something else.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        todo = "Write it as a string or a whole number."
        raise DataError(f"`{name}` is neither text nor a whole number but {_kind(value)}", where=place, todo=todo)
    if not value.strip():
        raise DataError(f"`{name}` is blank", where=place, todo="Give every row one.")
    return as_text(value, place, name)


def as_query(value: object, place: Place, name: str = "query") -> str:
    """Check that a value is a query: text that is not blank.

    Raises:
        DataError: It is blank or no text.
    """
    query = as_text(value, place, name)
    if not query.strip():
        raise DataError("the query is empty", where=place, todo=f"Fill in `{name}`, or leave the row out.")
    return query


def optional_text(row: Fields, place: Place, name: str) -> str | None:
    """Give the text of a field, or None where it is missing, null or blank."""
    value = row.get(name)
    if value is None:
        return None
    return as_text(value, place, name) if not isinstance(value, str) or value.strip() else None


def language(row: Fields, place: Place, name: str = "language") -> str | None:
    """Give a field where it is a BCP 47 code; WildBench writes names, such as "English"."""
    code = optional_text(row, place, name)
    return code if code is not None and re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", code) else None


def conversation(value: object, place: Place, name: str = "messages") -> tuple[Turn, ...]:
    """Read a conversation in OpenAI's form, a list of ``{"role": ..., "content": ...}``, whose last turn is the query.

    Args:
        value: The list, or its JSON text, as a CSV file has it.
        place: Where it stands.
        name: The field it comes from.

    Raises:
        DataError: It has another form, is empty, does not end with the user, or the query is blank.
    """
    said = messages(value, place, name)
    if not said:
        raise DataError(f"`{name}` is an empty list", where=place, todo="It must end with the user's query.")
    if said[-1].role != "user":
        raise DataError(
            f"`{name}` ends with the {said[-1].role}", where=place, todo="The last message must be the user's query."
        )
    as_query(said[-1].content, place, name)
    return tuple(said)


def messages(value: object, place: Place, name: str) -> list[Turn]:
    """Read a conversation as ``conversation`` does, whoever has the last word.

    Raises:
        DataError: It has another form.
    """
    return [_turn(message, place, f"{name}[{i}]") for i, message in enumerate(_messages(value, place, name))]


def turns(row: Fields, place: Place, *queries: str) -> tuple[Turn, ...]:
    """Give what was asked: the conversation in ``messages``, or else the query alone.

    Args:
        row: The row.
        place: Where it stands.
        queries: The fields that may hold the query; the first one that is filled in counts.

    Raises:
        DataError: There is neither, or they differ, or they have another form.
    """
    names = sorted((name for name in queries if name in row), key=lambda name: row[name] in (None, ""))
    if row.get("messages") in (None, ""):
        query = require(row, place, *(names or queries), "messages")
        return (Turn(role="user", content=as_query(query, place, [*names, "messages"][0])),)
    said = conversation(row["messages"], place)
    if names and row[names[0]] not in (None, "", said[-1].content):
        what = f"`{names[0]}` and the last of `messages` differ"
        raise DataError(what, where=place, todo="Leave one of the fields out.")
    return said


def first_text(value: object, place: Place, name: str) -> str:
    """Give a text, or the first one of a list of texts, as benchmarks write that sample several responses.

    Raises:
        DataError: It is something else, or an empty list.
    """
    if not isinstance(value, list):
        return as_text(value, place, name)
    if not value:
        raise DataError(f"`{name}` is an empty list", where=place, todo="Give the response, or take the row out.")
    return as_text(value[0], place, name)


def rendered_prompt(value: object, place: Place, name: str) -> tuple[Turn, ...]:
    """Read a prompt as it was sent: plain text, or a conversation as JSON text, as chat models are given it.

    Raises:
        DataError: It is no text, or blank.
    """
    text = as_query(value, place, name)
    if text.lstrip().startswith("["):
        try:
            return conversation(text, place, name)
        except DataError:
            pass  # A text may begin with a bracket.
    return (Turn(role="user", content=text),)


def said_in_turn(value: object, place: Place, name: str) -> tuple[Turn, ...]:
    """Read a conversation that is written as texts: the user's and the model's in turn, the last one the query.

    Raises:
        DataError: It is no such list, or the model has the last word.
    """
    if not isinstance(value, list) or len(value) % 2 == 0:
        raise DataError(
            f"`{name}` is not a list of texts that ends with the query",
            where=place,
            todo="Write the user's and the model's texts in turn.",
        )
    texts = [as_text(text, place, f"{name}[{number}]") for number, text in enumerate(value)]
    as_query(texts[-1], place, name)
    return tuple(Turn(role="assistant" if i % 2 else "user", content=text) for i, text in enumerate(texts))


def checklist_items(value: object, place: Place, name: str = "checklist") -> tuple[str, ...]:
    """Read the items of a checklist, verbatim: a list of texts, none of them blank.

    A cell of a CSV file, which holds text only, has the list as JSON or one item a line.

    Raises:
        DataError: It is no list, has no item, or has a blank one; names the item's number.
    """
    if isinstance(value, str):
        value = _listed(value)
    if not isinstance(value, list):
        raise DataError(f"`{name}` is not a list but {_kind(value)}", where=place, todo="Write a list of questions.")
    if not value:
        raise DataError("the checklist has no items", where=place, todo="Add a question, or take the list out.")
    for number, item in enumerate(value, start=1):
        if not as_text(item, place, f"{name}[{number - 1}]").strip():
            raise DataError(f"item {number} of the checklist is blank", where=place, todo="Fill it in, or take it out.")
    return tuple(value)


def _listed(text: str) -> object:
    if text.lstrip().startswith("["):
        try:
            return json.loads(text)
        except ValueError:
            pass  # An item may begin with a bracket.
    return [line.strip() for line in text.splitlines() if line.strip()]


def _messages(value: object, place: Place, name: str) -> list[object]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise DataError(f"`{name}` is not JSON: {error}", where=place) from error
    if not isinstance(value, list):
        todo = 'Write [{"role": "user", "content": "..."}].'
        raise DataError(f"`{name}` is not a list of messages but {_kind(value)}", where=place, todo=todo)
    return value


def _turn(message: object, place: Place, name: str) -> Turn:
    if not isinstance(message, dict):
        todo = 'Write {"role": "user", "content": "..."}.'
        raise DataError(f"`{name}` is not a message but {_kind(message)}", where=place, todo=todo)
    role = require(message, place, "role")
    if role not in _ROLES:
        raise DataError(f"`{name}` has the role {role!r}", where=place, todo=f"Known roles: {', '.join(_ROLES)}.")
    return Turn(role=role, content=as_text(require(message, place, "content"), place, f"{name}.content"))


def _kind(value: object) -> str:
    names = {type(None): "null", bool: "true or false", list: "a list", dict: "an object", str: "text"}
    return names.get(type(value), "a number" if isinstance(value, int | float) else type(value).__name__)
