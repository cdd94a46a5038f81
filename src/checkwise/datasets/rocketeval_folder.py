"""RocketEval's layout, which is mostly WildBench's (Wei et al., 2025; README of RocketEval-ICLR, "Preparing Data")."""

from pathlib import Path

from checkwise.datasets.fields import (
    Fields,
    as_name,
    as_text,
    checklist_items,
    conversation,
    first_text,
    language,
    optional_text,
    require,
)
from checkwise.datasets.reader import Reader, first_fields, name_of, response_files
from checkwise.datasets.tables import Row, find_table, is_table, read_rows, table_name, tables_in
from checkwise.datasets.validate import Draft
from checkwise.errors import DataError, Place
from checkwise.records import Checklist, Dataset, Instance, Response, Turn

NAME = "rocketeval"
_QUERIES = ("queries", "query")


def matches(path: Path) -> bool:
    """Say whether a folder has queries with ``session_id``, or a file is a table of such queries."""
    if path.is_dir():
        queries = find_table(path, *_QUERIES)
        return queries is not None and ((path / "response").is_dir() or "session_id" in first_fields(queries))
    return is_table(path) and path.exists() and first_fields(path) >= {"session_id", "conversation_input"}


def read(path: Path, responses: Path | None = None, turn: int | None = None) -> Dataset:
    """Read queries, their checklists, and responses where there are any.

    Queries have ``session_id``, ``conversation_input`` (messages), and optionally ``references`` (by model; the first
    one is used), ``checklist``, ``primary_tag`` (the category) and ``language``. Responses have ``session_id``,
    ``output`` (a list; the first one is used), and optionally ``generator`` (the model; else the name of the file) and
    ``chat_history`` (texts, the user's and the model's in turn, ending with the query).

    Args:
        path: A folder with ``queries.jsonl`` or ``query.jsonl`` and a folder ``response/``; or the table of queries.
        responses: A table of responses, or a folder of them, to read in place of ``response/``.
        turn: Not used; every row is one query.

    Raises:
        DataError: Something is missing, twice there or not as described; says where.
    """
    draft = Draft(name_of(path), NAME)
    for row, place in read_rows(_queries(path)):
        _add_instance(row, place, draft)
    history = {instance.id: instance.history for instance, _ in draft.instances}
    for file in response_files(responses) if responses is not None else tables_in(path / "response"):
        draft.responses += [_response(row, table_name(file), history) for row in read_rows(file)]
    return draft.checked()


READER = Reader(
    name=NAME,
    layout="a folder with queries.jsonl or query.jsonl (session_id, conversation_input; optional references, "
    "checklist, primary_tag) and response/*.jsonl (session_id, output, generator)",
    matches=matches,
    read=read,
)


def _queries(path: Path) -> Path:
    found = find_table(path, *_QUERIES) if path.is_dir() else path
    if found is None:
        raise DataError(
            "the folder has no queries.jsonl and no query.jsonl", where=Place(path), todo="Add the queries."
        )
    return found


def _session(row: Fields, place: Place) -> Place:
    return Place(place.file, place.line, as_name(require(row, place, "session_id"), place, "session_id"))


def _add_instance(row: Fields, place: Place, draft: Draft) -> None:
    here = _session(row, place)
    instance = Instance(
        id=str(here.id),
        turns=conversation(require(row, here, "conversation_input"), here, "conversation_input"),
        reference=_reference(row, here),
        category=optional_text(row, here, "primary_tag"),
        language=language(row, here),
    )
    draft.instances.append((instance, here))
    # RocketEval writes an empty list where a query has no checklist yet.
    if row.get("checklist") not in (None, []):
        items = checklist_items(row["checklist"], here)
        draft.checklists.append((Checklist(instance_id=instance.id, items=items, source="imported"), here))


def _reference(row: Fields, place: Place) -> str | None:
    references = row.get("references") or {}
    if not isinstance(references, dict):
        raise DataError("`references` is not an object", where=place, todo='Write {"<model>": "<response>"}.')
    given = (optional_text(references, place, name) for name in references)
    return next((text for text in given if text is not None), None)


def _response(row: Row, named: str, history: dict[str, tuple[Turn, ...]]) -> tuple[Response, Place]:
    fields, place = row
    here = _session(fields, place)
    generator = fields.get("generator")
    return Response(
        instance_id=str(here.id),
        model=as_name(named if generator is None else generator, here, "generator"),
        text=first_text(require(fields, here, "output"), here, "output"),
        history=_own_history(fields.get("chat_history"), here, history.get(str(here.id), ())),
    ), here


def _own_history(chat: object, place: Place, given: tuple[Turn, ...]) -> tuple[Turn, ...] | None:
    """Give the conversation that the model itself has had, where it differs from the one in the queries."""
    if not isinstance(chat, list) or len(chat) % 2 == 0:
        return None
    texts = [as_text(text, place, "chat_history") for text in chat[:-1]]
    if texts == [turn.content for turn in given if turn.role != "system"]:
        return None
    system = tuple(turn for turn in given if turn.role == "system")
    said = tuple(Turn(role="assistant" if i % 2 else "user", content=text) for i, text in enumerate(texts))
    return system + said
