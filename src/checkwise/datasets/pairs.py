"""Benchmarks of pairs in, whatever layout they were published in."""

from pathlib import Path

from checkwise.datasets import chosen_rejected, plain_pairs
from checkwise.datasets.fields import language, optional_text
from checkwise.datasets.pair_reader import PairDraft, PairReader
from checkwise.datasets.reader import name_of
from checkwise.datasets.tables import Row, find_table, read_rows
from checkwise.datasets.validate import few, spread
from checkwise.errors import DataError, Place
from checkwise.records import Pair, PairSet

PAIR_READERS: tuple[PairReader, ...] = (plain_pairs.READER, chosen_rejected.READER)
"""The layouts of pairs that are understood, in the order in which they are tried."""

_RUN = "Single responses are judged with `checkwise run`."
_SINGLE = {"response", "query", "messages", "turns", "choices", "conversation_input", "output", "translation", "tgt"}
_PAIRED = {"response_a", "response_b", "output_1", "output_2", "chosen", "rejected"}


def load_pairs(path: str | Path, *, format: str | None = None, seed: int = 42, limit: int | None = None) -> PairSet:
    """Read a benchmark of pairs; its layout is found out.

    Args:
        path: A file, a folder with one called ``pairs.*``, or ``-`` for JSON Lines on standard input.
        format: The name of the layout, where it shall not be found out: ``pairs`` or ``chosen-rejected``.
        seed: Decides which response is called A in data that only says which one was chosen; so does the id of the
            pair, and nothing else.
        limit: Keep this many pairs, at least 1: the first ones of every language and subset in turn, so that each has
            the same share. The order of the file stays.

    Returns:
        The pairs; ``notes`` says what a user should know, such as pairs without a second response.

    Raises:
        DataError: No layout fits the file, or the data is broken; says where, and what to do.
    """
    place = Path(path)
    rows = read_rows(_table(place))
    reader = _reader(rows, format)
    draft = PairDraft(name_of(place), reader.name)
    reader.read(rows, draft, seed)
    draft.notes += _unknown_languages(rows)
    return _selected(draft.checked(rows[0][1].file), reader, seed, limit)


def refuse_pairs(rows: list[Row]) -> None:
    """Refuse rows that hold pairs, where single responses are read.

    Raises:
        DataError: They do; says how to compare them.
    """
    fields, place = rows[0]
    if any(reader.matches(fields.keys()) for reader in PAIR_READERS):
        raise DataError(
            "the file holds pairs of responses",
            where=Place(place.file),
            todo="Compare them with `checkwise compare`; in Python, read them with load_pairs().",
        )


def _table(path: Path) -> Path:
    if not path.is_dir():
        return path
    found = find_table(path, "pairs")
    if found is None:
        raise DataError("the folder has no file pairs.*", where=Place(path), todo=f"Name the file. {_RUN}")
    return found


def _reader(rows: list[Row], name: str | None) -> PairReader:
    known = {reader.name: reader for reader in PAIR_READERS}
    if name is not None:
        if name not in known:
            raise DataError(f"no layout of pairs is called {name!r}", todo=f"Layouts: {', '.join(known)}. {_RUN}")
        return known[name]
    first, place = rows[0]
    for reader in PAIR_READERS:
        if reader.matches(first.keys()):
            return reader
    where = Place(place.file)
    if not first.keys().isdisjoint(_SINGLE) and first.keys().isdisjoint(_PAIRED):
        kind = "single responses" if "response" in first else "queries or single responses"
        raise DataError(f"the file holds {kind}, not pairs", where=where, todo=_RUN)
    found = ", ".join(sorted(first)) or "(none)"
    layouts = "\n".join(f"- {reader.name}: {reader.layout}" for reader in PAIR_READERS)
    raise DataError(
        f"no known layout of pairs fits; the first row has the fields {found}", where=where, todo=f"Layouts:\n{layouts}"
    )


def _unknown_languages(rows: list[Row]) -> list[str]:
    named = [(name, row, place) for row, place in rows for name in ("language", "lang")]
    unknown = {optional_text(row, place, name) for name, row, place in named if language(row, place, name) is None}
    listed = sorted(name for name in unknown if name is not None)
    return [f"Languages that are not written as BCP 47 codes count as unknown: {few(listed)}."] if listed else []


def _selected(pairs: PairSet, reader: PairReader, seed: int, limit: int | None) -> PairSet:
    kept = spread(pairs.pairs, limit, _group)
    notes = list(pairs.notes)
    if len(kept) < len(pairs.pairs):
        notes.append(f"Kept {len(kept)} of {len(pairs.pairs)} pairs (limit).")
    if not reader.has_sides:
        first = sum(pair.label == "A" for pair in kept)
        notes.append(f"The seed {seed} decided which response is A: the better one in {first} of {len(kept)} pairs.")
    return pairs.model_copy(update={"pairs": kept, "notes": tuple(notes)})


def _group(pair: Pair) -> tuple[str | None, str | None]:
    return pair.instance.language, pair.subset
