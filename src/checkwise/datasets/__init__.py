"""Benchmarks and checklists in, whatever layout they were published in."""

from collections.abc import Sequence
from pathlib import Path

from checkwise.datasets import (
    alpaca_eval,
    arena_hard,
    inspect_log,
    liteval,
    lm_eval,
    mt_bench,
    mt_quality,
    plain,
    promptfoo,
    rocketeval_folder,
    wildbench,
)
from checkwise.datasets.checklists import (
    query_openings,
    read_all_checklists,
    read_checklists,
    read_openings,
    write_checklists,
)
from checkwise.datasets.pairs import PAIR_READERS, load_pairs, refuse_pairs
from checkwise.datasets.reader import Reader, first_fields
from checkwise.datasets.tables import STDIN, is_table, read_rows
from checkwise.datasets.validate import few, select
from checkwise.errors import DataError, Place
from checkwise.records import Dataset

__all__ = [
    "PAIR_READERS",
    "READERS",
    "load",
    "load_pairs",
    "query_openings",
    "read_all_checklists",
    "read_checklists",
    "read_openings",
    "write_checklists",
]

READERS: tuple[Reader, ...] = (
    inspect_log.READER,
    promptfoo.READER,
    arena_hard.READER,
    mt_bench.READER,
    rocketeval_folder.READER,
    wildbench.READER,
    alpaca_eval.READER,
    lm_eval.READER,
    mt_quality.READER,
    liteval.READER,
    plain.READER,
)
"""The layouts that are understood, in the order in which they are tried."""


def load(
    path: str | Path,
    *,
    responses: Path | None = None,
    turn: int | None = None,
    limit: int | None = None,
    models: Sequence[str] | None = None,
    format: str | None = None,
) -> Dataset:
    """Read a benchmark; its layout is found out.

    Args:
        path: A folder, a file, or ``-`` for rows with query and response on standard input.
        responses: A table of responses, or a folder of them, that lies elsewhere.
        turn: Keep this turn of each question only, from 1; MT-Bench has turns.
        limit: Keep this many instances, at least 1. Where the data has categories, every category gives the same share,
            its first ones: 16 of MT-Bench are 2 of each of the 8 categories. The order of the file stays.
        models: Keep the responses of these models only.
        format: The name of the layout, where it shall not be found out: ``plain``, ``rocketeval``, ``mt-bench``,
            ``mt-quality``, ``liteval``, ``alpaca-eval``, ``arena-hard``, ``wildbench``, ``lm-eval``,
            ``promptfoo`` or ``inspect``.

    Returns:
        The data set; ``notes`` says what a user should know, such as queries that some model did not answer.

    Raises:
        DataError: Nothing fits the path, or the data is broken; says where, and what to do.
    """
    place = Path(path)
    reader = _reader(place, format)
    if turn is not None and not reader.has_turns:
        raise DataError(
            f"the layout {reader.name} has no turns to choose from", where=Place(place), todo="Leave it out."
        )
    return select(reader.read(place, responses, turn), limit=limit, models=models)


def _reader(path: Path, name: str | None) -> Reader:
    if str(path) != STDIN and not path.exists():
        raise DataError("there is no such file or folder", where=Place(path), todo="Check the path.")
    if name is not None:
        known = {reader.name: reader for reader in READERS}
        if name not in known:
            raise DataError(f"no layout is called {name!r}", todo=f"Layouts: {', '.join(known)}.")
        return known[name]
    for reader in READERS:
        if reader.matches(path):
            return reader
    if path.is_file() and is_table(path):
        refuse_pairs(read_rows(path))
    layouts = "\n".join(f"- {reader.name}: {reader.layout}" for reader in READERS)
    raise DataError(f"no known layout fits; {_found(path)}", where=Place(path), todo=f"Layouts:\n{layouts}")


def _found(path: Path) -> str:
    if path.is_dir():
        names = sorted(entry.name + "/" * entry.is_dir() for entry in path.iterdir())
        return f"the folder has {few(names)}" if names else "the folder is empty"
    if not is_table(path):
        return "the suffix tells no kind of table"
    return f"the first row has the fields {', '.join(sorted(first_fields(path))) or '(none)'}"
