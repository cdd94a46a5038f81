"""Translations rated segment by segment, such as those of WMT with MQM penalties (Freitag et al., 2021).

Every source segment is an instance, with the id ``<lp>/<doc>/<seg_id>``, and every system's translation a response. The
query is the source text alone; ``segments.py`` says why.
"""

from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from checkwise.datasets.fields import Fields, as_name, as_text, require
from checkwise.datasets.language_pairs import language_pair
from checkwise.datasets.ratings import optional_number
from checkwise.datasets.reader import Reader, first_fields, name_of
from checkwise.datasets.segments import Segments, add_segment
from checkwise.datasets.tables import find_table, is_table, read_rows
from checkwise.datasets.validate import Draft
from checkwise.errors import DataError, Place
from checkwise.records import Dataset, Response

NAME = "mt-quality"

_FIELDS = {"lp", "system", "doc", "seg_id", "source", "translation"}
_PENALTY = "mqm_penalty"
_RATINGS = (_PENALTY, "score", "rating")


@dataclass(frozen=True)
class _Rated:
    """One row: a translation, and what one rater made of it."""

    segment: str
    system: str
    text: str
    language: str
    rating: float | None
    rater: str | None
    place: Place


def matches(path: Path) -> bool:
    """Say whether a file, or ``segments.*`` in a folder, is a table of systems' translations of segments."""
    found = find_table(path, "segments") if path.is_dir() else path
    return found is not None and is_table(found) and first_fields(found) >= _FIELDS


def read(path: Path, responses: Path | None = None, turn: int | None = None) -> Dataset:
    """Read segments, and each system's translation of them with its rating.

    Rows have ``lp`` (``ende``, ``en-de`` or ``en_de``), ``system``, ``doc``, ``seg_id``, ``source`` and
    ``translation``; a null translation counts as not given. The rating is minus ``mqm_penalty``, of which 0 is the
    best; in a file without that field, ``score`` or else ``rating`` as it is. Where several raters, named by ``rater``,
    rated one translation, their mean counts. Other fields are ignored.

    Args:
        path: A table, or a folder with ``segments.*``.
        responses: Refused; the rows carry the translations.
        turn: Not used; a segment is one query.

    Raises:
        DataError: Something is missing, twice there or not as described; says where.
    """
    if responses is not None:
        raise DataError(f"the layout {NAME} has its translations in its own rows", where=Place(responses))
    draft = Draft(name_of(path), NAME)
    rows = read_rows(_segments(path))
    field = next((name for name in _RATINGS if any(name in row for row, _ in rows)), _PENALTY)
    segments: Segments = {}
    rated = [_rated(row, place, field, segments) for row, place in rows]
    draft.instances += segments.values()
    given = [one for one in rated if one is not None]
    if len(given) < len(rows):
        draft.notes.append(f"{len(rows) - len(given)} rows have a null translation, which counts as not given.")
    draft.responses += _responses(given, draft.notes)
    return draft.checked()


READER = Reader(
    name=NAME,
    layout="a table, or a folder with segments.* (lp, system, doc, seg_id, source, translation; "
    "mqm_penalty, score or rating; optional rater)",
    matches=matches,
    read=read,
)


def _segments(path: Path) -> Path:
    found = find_table(path, "segments") if path.is_dir() else path
    if found is None:
        raise DataError("the folder has no segments.*", where=Place(path), todo="Add the rated translations.")
    return found


def _rated(row: Fields, place: Place, field: str, segments: Segments) -> _Rated | None:
    """Read one row, and add its segment to those that are known; None where there is no translation."""
    lp, doc, number = (as_name(require(row, place, name), place, name) for name in ("lp", "doc", "seg_id"))
    here = Place(place.file, place.line, f"{lp}/{doc}/{number}")
    languages = language_pair(lp, here, "lp")
    add_segment(row, here, *languages, segments)
    text = require(row, here, "translation")
    if text is None:
        return None
    return _Rated(
        segment=str(here.id),
        system=as_name(require(row, here, "system"), here, "system"),
        text=as_text(text, here, "translation"),
        language=languages[1],
        rating=_rating(row, here, field),
        rater=as_name(row["rater"], here, "rater") if row.get("rater") not in (None, "") else None,
        place=here,
    )


def _rating(row: Fields, place: Place, field: str) -> float | None:
    number = optional_number(row.get(field), place, field)
    if number is None or field != _PENALTY:
        return number
    if number < 0:
        raise DataError(
            f"`{_PENALTY}` is negative: {number:g}",
            where=place,
            todo="0 is perfect and more is worse; name the field `score` where more is better.",
        )
    # 0 - 0 is 0, and -0 would be written with its sign.
    return 0 - number


def _responses(rated: list[_Rated], notes: list[str]) -> list[tuple[Response, Place]]:
    """Make a response of each translation, from all who rated it."""
    groups: dict[tuple[str, str], list[_Rated]] = {}
    for one in rated:
        groups.setdefault((one.segment, one.system), []).append(one)
    found, means = [], 0
    for group in groups.values():
        raters = {one.rater for one in group}
        if None in raters or len(raters) < len(group):
            # Rows that no raters tell apart stay as many responses, of which the draft refuses the second.
            found += [(_response(one, one.rating), one.place) for one in group]
            continue
        means += len(group) > 1
        found.append((_response(group[0], _mean(group)), group[0].place))
    unrated = sum(response.rating is None for response, _ in found)
    if means:
        notes.append(f"{means} of {len(found)} translations were rated by several people; the mean counts.")
    if unrated:
        notes.append(f"{unrated} of {len(found)} translations have no rating.")
    return found


def _response(one: _Rated, rating: float | None) -> Response:
    return Response(instance_id=one.segment, model=one.system, text=one.text, language=one.language, rating=rating)


def _mean(group: list[_Rated]) -> float | None:
    """Give the mean of the ratings that there are.

    Raises:
        DataError: The raters saw different translations.
    """
    for one in group[1:]:
        if one.text != group[0].text:
            raise DataError(
                f"the translation of {one.system} differs from that in line {group[0].place.line}",
                where=one.place,
                todo="Raters must have seen the same text.",
            )
    ratings = [one.rating for one in group if one.rating is not None]
    return fmean(ratings) if ratings else None
