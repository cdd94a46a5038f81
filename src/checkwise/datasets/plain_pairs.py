"""The plain layout of pairs: ``id``, ``query``, ``response_a``, ``response_b`` and ``label``.

LLMBar's published form (Zeng et al., 2024) is understood too: ``input``, ``output_1``, ``output_2``, and 1 or 2 as
``label``, without ids.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from checkwise.datasets.fields import Fields, as_name, optional_text, require, turns
from checkwise.datasets.pair_reader import PairDraft, PairReader, instance, response_text
from checkwise.datasets.tables import Row
from checkwise.errors import DataError, Place
from checkwise.records import Pair, Winner

NAME = "pairs"


@dataclass(frozen=True)
class _Form:
    """How fields and labels are called."""

    queries: tuple[str, ...]
    responses: tuple[str, str]
    labels: Mapping[str, Winner]


_PLAIN = _Form(
    queries=("query", "instruction"),
    responses=("response_a", "response_b"),
    labels={"A": "A", "B": "B", "tie": "tie", "model_a": "A", "model_b": "B"},
)
_LLMBAR = _Form(queries=("input",), responses=("output_1", "output_2"), labels={"1": "A", "2": "B"})


def matches(fields: Set[str]) -> bool:
    """Say whether rows with these fields hold two responses, side by side."""
    return _form(fields) is not None


def read(rows: list[Row], draft: PairDraft, seed: int) -> None:
    """Read pairs.

    Rows have ``id``, ``query`` or ``messages`` or ``instruction``, ``response_a``, ``response_b``, and optionally
    ``label`` (A, B or tie; also model_a, model_b), ``model_a``, ``model_b``, ``language`` or ``lang``, ``category``,
    ``subset`` and ``reference``. Rows of LLMBar's form need no id: they are called after the file and their number.

    Args:
        rows: All of the file.
        draft: Where the pairs go.
        seed: Not used; the data says which response is A.

    Raises:
        DataError: Something is missing or not as described; says where.
    """
    form = _form(rows[0][0].keys()) or _PLAIN
    is_numbered = form is _LLMBAR and not any("id" in row for row, _ in rows)
    if is_numbered:
        draft.notes.append(f"Pairs have no id; they are called {draft.name}-1 and so on, in the order of the file.")
    for number, (row, place) in enumerate(rows, start=1):
        name = f"{draft.name}-{number}" if is_numbered else as_name(require(row, place, "id"), place, "id")
        here = Place(place.file, place.line, name)
        pair = _pair(row, here, form)
        if pair is None:
            draft.left_out.append(name)
        else:
            draft.pairs.append((pair, here))


READER = PairReader(
    name=NAME,
    layout="id, query or messages or instruction, response_a, response_b (optional label, model_a, model_b, language, "
    "category, subset, reference); or LLMBar's input, output_1, output_2, label",
    matches=matches,
    read=read,
)


def _form(fields: Set[str]) -> _Form | None:
    return next((form for form in (_PLAIN, _LLMBAR) if fields >= set(form.responses)), None)


def _pair(row: Fields, place: Place, form: _Form) -> Pair | None:
    a, b = (response_text(row, place, name) for name in form.responses)
    if a is None or b is None:
        return None
    return Pair(
        instance=instance(row, place, turns(row, place, *form.queries)),
        a=a,
        b=b,
        label=_label(row, place, form),
        subset=optional_text(row, place, "subset"),
        model_a=optional_text(row, place, "model_a"),
        model_b=optional_text(row, place, "model_b"),
    )


def _label(row: Fields, place: Place, form: _Form) -> Winner | None:
    label = row.get("label")
    if label is None or (isinstance(label, str) and not label.strip()):
        return None
    text = str(label).strip().casefold()
    known = next((winner for name, winner in form.labels.items() if name.casefold() == text), None)
    if known is None:
        raise DataError(
            f"`label` is {str(label)[:60]!r}",
            where=place,
            todo=f"It must be one of {', '.join(form.labels)}, or empty where nobody knows.",
        )
    return known
