"""Tables of a run as files that other programs read: UTF-8, whole or not at all, and null stays null."""

import io
from collections.abc import Iterable
from typing import Literal

import polars as pl

from checkwise.datasets import query_openings
from checkwise.records import Checklist, Finding, Instance

TableFormat = Literal["jsonl", "csv", "parquet"]


def table_bytes(table: pl.DataFrame, kind: TableFormat) -> bytes:
    """Write a table.

    Args:
        table: Any table; for ``csv`` one without lists.
        kind: ``jsonl`` (null is null), ``csv`` (null is an empty field, an empty text is ``""``) or ``parquet``.

    Returns:
        The bytes of the file; text is UTF-8.
    """
    stream = io.BytesIO()
    if kind == "jsonl":
        table.write_ndjson(stream)
    elif kind == "csv":
        table.write_csv(stream)
    else:
        table.write_parquet(stream)
    return stream.getvalue()


def checklists_table(checklists: Iterable[Checklist], instances: Iterable[Instance]) -> pl.DataFrame:
    """Lay checklists out one a row, as ``--checklists`` reads them again.

    Args:
        checklists: In the order of the rows.
        instances: Where the first words of the queries come from.

    Returns:
        Columns id, query (its first words), checklist (a list of items), source, generator.
    """
    openings = query_openings(instances)
    rows = [(c.instance_id, openings.get(c.instance_id), list(c.items), c.source, c.generator) for c in checklists]
    return pl.DataFrame(rows, schema=_CHECKLISTS_SCHEMA, orient="row")


def items_table(checklists: Iterable[Checklist]) -> pl.DataFrame:
    """Lay checklists out one item a row, for formats that have no lists.

    Args:
        checklists: In the order of the rows.

    Returns:
        Columns id, number (from 1), item, source, generator.
    """
    rows = [
        (c.instance_id, number, item, c.source, c.generator)
        for c in checklists
        for number, item in enumerate(c.items, start=1)
    ]
    return pl.DataFrame(rows, schema=_ITEMS_SCHEMA, orient="row")


def findings_table(findings: Iterable[Finding]) -> pl.DataFrame:
    """Lay out what methods wrote down, one finding a row.

    Args:
        findings: In the order of the rows.

    Returns:
        Columns instance_id, model (null where it is about the instruction), first, step, text, reason.
    """
    names = list(Finding.model_fields)
    rows = [tuple(getattr(finding, name) for name in names) for finding in findings]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


_CHECKLISTS_SCHEMA = pl.Schema(
    {
        "id": pl.String(),
        "query": pl.String(),
        "checklist": pl.List(pl.String()),
        "source": pl.String(),
        "generator": pl.String(),
    }
)

_ITEMS_SCHEMA = pl.Schema(
    {"id": pl.String, "number": pl.Int64, "item": pl.String, "source": pl.String, "generator": pl.String}
)
