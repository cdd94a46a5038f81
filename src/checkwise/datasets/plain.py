"""The plain layout: queries with ``id`` and ``query``, responses with ``id``, ``model`` and ``response``."""

from pathlib import Path

from checkwise.datasets.fields import Fields, as_name, as_text, checklist_items, optional_text, require, turns
from checkwise.datasets.pairs import refuse_pairs
from checkwise.datasets.ratings import optional_number
from checkwise.datasets.reader import Reader, first_fields, name_of, response_files
from checkwise.datasets.tables import STDIN, Row, find_table, is_table, read_rows, table_name, tables_in
from checkwise.datasets.validate import Draft
from checkwise.errors import DataError, Place
from checkwise.records import Checklist, Dataset, Instance, Response

NAME = "plain"
_QUERIES = ("queries", "instances")


def matches(path: Path) -> bool:
    """Say whether a path is standard input, a table of queries, or a folder that has one."""
    if str(path) == STDIN:
        return True
    if path.is_dir():
        return find_table(path, *_QUERIES) is not None
    return is_table(path) and not first_fields(path).isdisjoint({"id", "query", "messages"})


def read(path: Path, responses: Path | None = None, turn: int | None = None) -> Dataset:
    """Read queries, and responses where there are any.

    Queries have ``id`` (text or a whole number), ``query`` or ``messages`` (a list of ``{"role", "content"}`` whose
    last message is the query), and optionally ``reference``, ``category``, ``language`` and ``checklist``, a list of
    questions. Responses have ``id``, ``model`` and ``response``; a null response counts as not given. They may have
    ``rating``, a number that a person gave (higher is better; null or blank where nobody did), and
    ``response_language``, which in a table of responses alone may also be called ``language``. Other fields are
    ignored.

    Args:
        path: A folder with ``queries.*`` or ``instances.*``, and ``responses.*`` or a folder ``responses/``, in which a
            file without the field ``model`` is named after its model; or one table, whose rows may carry the
            responses too, the query being repeated for every model; or ``-``, such a table on standard input.
        responses: A table of responses, or a folder of them, to read in place of those in ``path``.
        turn: Not used; a plain row has its whole conversation.

    Raises:
        DataError: Something is missing, twice there or not as described; says where.
    """
    draft = Draft(name_of(path), NAME)
    files = response_files(responses) if responses is not None else _responses_beside(path)
    rows = read_rows(_queries(path))
    refuse_pairs(rows)
    if not files and any("response" in row for row, _ in rows):
        _add_both(rows, draft)
    else:
        for row in rows:
            _add_instance(*row, draft)
    folder = responses if responses is not None else path / "responses"
    for file in files:
        named = table_name(file) if folder.is_dir() and file.parent == folder else None
        _add_responses(read_rows(file), draft, named, ("response_language", "language"))
    return draft.checked()


READER = Reader(
    name=NAME,
    layout="a folder with queries.* (id, query or messages; optional reference, category, language, checklist) and "
    "responses.* or responses/<model>.* (id, model, response; optional rating, response_language); or one file with "
    "id, query, model, response; .jsonl, .json, .csv or .parquet",
    matches=matches,
    read=read,
)


def _queries(path: Path) -> Path:
    if str(path) == STDIN or not path.is_dir():
        return path
    found = find_table(path, *_QUERIES)
    if found is None:
        raise DataError("the folder has no queries.* and no instances.*", where=Place(path), todo="Add the queries.")
    return found


def _responses_beside(path: Path) -> list[Path]:
    if str(path) == STDIN or not path.is_dir():
        return []
    table, folder = find_table(path, "responses"), tables_in(path / "responses")
    if table is not None and folder:
        raise DataError(f"there are both {table.name} and responses/", where=Place(path), todo="Keep one of them.")
    return [table] if table is not None else folder


def _instance(row: Fields, place: Place) -> tuple[Instance, Place]:
    identifier = as_name(require(row, place, "id"), place, "id")
    here = Place(place.file, place.line, identifier)
    return Instance(
        id=identifier,
        turns=turns(row, here, "query"),
        reference=optional_text(row, here, "reference"),
        category=optional_text(row, here, "category"),
        language=optional_text(row, here, "language"),
    ), here


def _checklist(row: Fields, here: Place) -> Checklist | None:
    if row.get("checklist") in (None, "", []):
        return None
    return Checklist(instance_id=str(here.id), items=checklist_items(row["checklist"], here))


def _add_instance(row: Fields, place: Place, draft: Draft) -> None:
    instance, here = _instance(row, place)
    draft.instances.append((instance, here))
    checklist = _checklist(row, here)
    if checklist is not None:
        draft.checklists.append((checklist, here))


def _add_both(rows: list[Row], draft: Draft) -> None:
    first: dict[str, tuple[Instance, Checklist | None, Place]] = {}
    for row, place in rows:
        instance, here = _instance(row, place)
        checklist = _checklist(row, here)
        earlier, listed, line = first.setdefault(instance.id, (instance, checklist, here))
        if (earlier, listed) != (instance, checklist):
            differing = [name for name in Instance.model_fields if getattr(earlier, name) != getattr(instance, name)]
            differing += ["checklist"] if listed != checklist else []
            raise DataError(
                f"{' and '.join(differing)} differ from those in line {line.line}".replace("turns", "query"),
                where=here,
                todo="Rows with the same id must repeat the same query.",
            )
        if line == here or "response" not in row:
            _add_instance(row, place, draft)
    _add_responses([(row, place) for row, place in rows if "response" in row], draft, None, ("response_language",))


def _add_responses(rows: list[Row], draft: Draft, named: str | None, languages: tuple[str, ...]) -> None:
    not_given = 0
    for row, place in rows:
        identifier = as_name(require(row, place, "id"), place, "id")
        here = Place(place.file, place.line, identifier)
        text = require(row, here, "response")
        if text is None:
            not_given += 1
            continue
        model = row.get("model")
        if model is None:
            model = named if named is not None else require(row, here, "model")
        response = Response(
            instance_id=identifier,
            model=as_name(model, here, "model"),
            text=as_text(text, here, "response"),
            language=next((code for name in languages if (code := optional_text(row, here, name))), None),
            rating=optional_number(row.get("rating"), here, "rating"),
        )
        draft.responses.append((response, here))
    if not_given:
        draft.notes.append(f"{not_given} rows of {rows[0][1].file} have a null response, which counts as not given.")
