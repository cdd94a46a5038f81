"""The run folder's SQLite database: every answer once, and the records of the last run."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypeVar

import polars as pl

from checkwise.errors import DataError, Place, UserError
from checkwise.questions import AskStep, Choice, Failure, Generation
from checkwise.records import (
    Checklist,
    Comparison,
    Dataset,
    Finding,
    Instance,
    ItemGrade,
    Pair,
    PairSet,
    Record,
    Response,
    Score,
)
from checkwise.store.database_errors import said_plainly
from checkwise.store.tables import COMPARISONS_SCHEMA, GRADES_SCHEMA, RUN_TABLES, SCORES_SCHEMA
from checkwise.store.used import USAGE, AnswerKind, Used

LAYOUT = 3
"""Number of the database's layout; raised when it changes."""

WITHOUT_STEPS = 2
"""The layout before this one, which it only adds a column to: read as it is, and brought up to date by a run."""

Answer = TypeVar("Answer", Generation, Choice)
Row = TypeVar("Row", bound=Record)


_ROWS_AT_A_TIME = 50_000
"""Rows of a table that are held as Python objects at once; a million would take a gigabyte."""

Origin = Literal["person", "file", "data", "generator"]
"""Who put a list into the run folder: a person who edited it there; a file that was given; the data; a generator."""


@dataclass(frozen=True)
class PlacedChecklist:
    """A checklist in the run folder's file."""

    checklist: Checklist
    """The list."""
    origin: Origin
    """Who put it there."""


class Database:
    """The database of one run folder.

    Args:
        path: The file.
        create: Whether the file is made if it is not there; otherwise it is only read.

    Raises:
        DataError: There is no run in the file, and none is to be made.
        UserError: The file cannot be opened or written, or is not one of this version of checkwise.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self._path = path
        if not create and not path.is_file():
            raise self._no_run()
        with said_plainly(path):
            # Answers arrive in worker threads' callbacks, one at a time.
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            with said_plainly(path):
                self._open(create=create)
        except UserError:
            self._connection.close()
            raise

    def _open(self, *, create: bool) -> None:
        layout = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if layout not in (0, WITHOUT_STEPS, LAYOUT):
            raise UserError(
                f"the run was made by another version of checkwise (layout {layout}, this one reads {LAYOUT})",
                where=Place(self._path),
                todo="Use that version, or another folder with --out.",
            )
        if create:
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            if layout == WITHOUT_STEPS:
                self._add_steps()
            self._connection.executescript(files("checkwise.store").joinpath("schema.sql").read_text(encoding="utf-8"))
            self._connection.execute(f"PRAGMA user_version = {LAYOUT}")
        elif layout == 0:
            raise self._no_run()
        self._has_steps = create or layout == LAYOUT

    def _add_steps(self) -> None:
        # Together, so that no other process finds the one without the other.
        with self._connection:
            self._connection.execute("BEGIN")
            self._connection.execute("ALTER TABLE completions ADD COLUMN step TEXT")
            self._connection.execute(f"PRAGMA user_version = {LAYOUT}")

    def _no_run(self) -> DataError:
        return DataError(
            "there is no run in this folder",
            where=Place(self._path.parent),
            todo="Make one: checkwise run DATA --out RUN",
        )

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def find_answer(self, key: str, kind: type[Answer]) -> Answer | None:
        """Look an answer up.

        Args:
            key: The key of the whole request.
            kind: ``Generation`` or ``Choice``.

        Returns:
            The stored answer, or None.
        """
        rows = self._read("SELECT answer FROM completions WHERE key = ?", key)
        return kind.model_validate_json(rows[0][0]) if rows else None

    def keep_answer(
        self,
        key: str,
        model: str,
        answer: Generation | Choice,
        kind: AnswerKind | None = None,
        *,
        step: AskStep | None = None,
    ) -> None:
        """Commit an answer; one that is there already stays.

        Args:
            key: The key of the whole request.
            model: The model that answered.
            answer: What it answered.
            kind: What it was asked for; text or a choice if None.
            step: What the question was for.
        """
        kind = kind or ("generate" if isinstance(answer, Generation) else "choose")
        self._write(
            "INSERT OR IGNORE INTO completions (key, model, kind, answer, step) VALUES (?, ?, ?, ?, ?)",
            [(key, model, kind, answer.model_dump_json(), step)],
        )

    def keep_failure(self, key: str, model: str, failure: Failure) -> None:
        """Record that a question had no answer."""
        self._write(
            "INSERT INTO failures (key, model, kind, reason) VALUES (?, ?, ?, ?)",
            [(key, model, failure.kind, failure.reason)],
        )

    def count_answers(self) -> int:
        """Count the stored answers."""
        count: int = self._read("SELECT count(*) FROM completions")[0][0]
        return count

    def used(self) -> list[Used]:
        """Add up what the stored answers took, by step, kind of question and model, in the order of the steps."""
        step = "step" if self._has_steps else "NULL"
        sums = ", ".join(f"sum(json_extract(answer, '$.usage.{name}'))" for name in USAGE)
        statement = f"SELECT {step}, kind, model, count(*), {sums} FROM completions GROUP BY 1, 2, 3"  # noqa: S608
        return sorted((Used(*row) for row in self._read(statement)), key=Used.place)

    def typical_text(self, model: str, step: AskStep) -> str | None:
        """Find the stored text of median length that a model wrote in a step; None if it has written none."""
        if not self._has_steps:
            return None
        written = "FROM completions WHERE model = ?1 AND step = ?2 AND kind = 'generate'"
        tokens = "json_extract(answer, '$.usage.generated_tokens')"
        middle = f"SELECT (count(*) - 1) / 2 {written}"
        statement = f"SELECT json_extract(answer, '$.text') {written} ORDER BY {tokens}, key LIMIT 1 OFFSET ({middle})"
        rows = self._read(statement, model, step)
        return rows[0][0] if rows else None

    def begin_run(
        self,
        dataset: Dataset,
        facts: Mapping[str, str],
        checklists: Iterable[Checklist] = (),
        *,
        pairs: Sequence[Pair] = (),
    ) -> None:
        """Start a run: its data, facts and checklists replace the last run's, whose grades, scores and verdicts go.

        They come back from the stored answers, without asking anyone, where a run is continued.

        Args:
            dataset: The data of the run.
            facts: What a reader of the results should know, such as the judge.
            checklists: The lists that responses are held against.
            pairs: The pairs, where responses are compared.
        """
        dataset_facts = {"dataset": dataset.name, "format": dataset.format, "notes": json.dumps(dataset.notes)}
        with self._transaction():
            for table in RUN_TABLES:
                self._connection.execute(f"DELETE FROM {table}")  # noqa: S608 - the names above
            self._write("INSERT INTO facts VALUES (?, ?)", (dataset_facts | dict(facts)).items())
            self._write("INSERT INTO instances (record) VALUES (?)", ((_text(i),) for i in dataset.instances))
            self._write("INSERT INTO responses (record) VALUES (?)", ((_text(r),) for r in dataset.responses))
            self._write("INSERT INTO checklists VALUES (?, ?)", ((c.instance_id, _text(c)) for c in checklists))
            self._write("INSERT INTO pairs (record) VALUES (?)", ((_text(pair),) for pair in pairs))

    def keep_checklists(self, checklists: Iterable[Checklist]) -> None:
        """Keep checklists outside a run, each in place of an earlier one of the same instance."""
        with self._transaction():
            rows = ((c.instance_id, _text(c)) for c in checklists)
            self._write("INSERT OR REPLACE INTO checklists VALUES (?, ?)", rows)

    def placed_checklists(self) -> list[PlacedChecklist]:
        """Read the lists that were put into the folder's file; an instance may have two if that was broken off."""
        rows = self._read("SELECT record, origin FROM placed_checklists ORDER BY instance_id")
        return [PlacedChecklist(_record(Checklist, text), origin) for text, origin in rows]

    @contextmanager
    def placing(self, lists: Sequence[PlacedChecklist]) -> Iterator[None]:
        """Remember the lists that are put into the folder's file while the block runs.

        Args:
            lists: All that the file will hold. Until the block has ended those of before are remembered too, for either
                may be found in the file if the process dies.
        """
        rows = [(p.checklist.instance_id, json.dumps(p.checklist.items), p.origin, _text(p.checklist)) for p in lists]
        insert = "INSERT OR REPLACE INTO placed_checklists VALUES (?, ?, ?, ?)"
        with self._transaction():
            self._write(insert, rows)
        yield
        with self._transaction():
            self._connection.execute("DELETE FROM placed_checklists")
            self._write(insert, rows)

    def keep_judgment(self, score: Score, grades: Sequence[ItemGrade], findings: Sequence[Finding] = ()) -> None:
        """Commit the score of one response together with the grades and findings behind it."""
        with self._transaction():
            self._insert("grades", grades)
            self._insert("scores", [score])
            self._add_findings(findings)

    def keep_comparisons(self, comparisons: Sequence[Comparison], findings: Sequence[Finding] = ()) -> None:
        """Commit the verdicts on one pair, in all its orders, together with the findings behind them."""
        with self._transaction():
            self._insert("comparisons", comparisons)
            self._add_findings(findings)

    def facts(self) -> dict[str, str]:
        """Read the facts of the run."""
        return dict(self._read("SELECT name, value FROM facts"))

    def dataset(self) -> Dataset:
        """Read the data of the run."""
        facts = self.facts()
        return Dataset(
            name=facts.get("dataset", ""),
            format=facts.get("format", ""),
            instances=tuple(self._records("instances", Instance)),
            responses=tuple(self._records("responses", Response)),
            notes=tuple(json.loads(facts.get("notes", "[]"))),
        )

    def pair_set(self) -> PairSet:
        """Read the pairs of the run; none where responses were judged alone."""
        facts = self.facts()
        return PairSet(
            name=facts.get("dataset", ""),
            format=facts.get("format", ""),
            pairs=tuple(self._records("pairs", Pair)),
            notes=tuple(json.loads(facts.get("notes", "[]"))),
        )

    def findings(self) -> list[Finding]:
        """Read what methods wrote down, in the order in which it was kept."""
        return self._records("findings", Finding)

    def comparisons_frame(self) -> pl.DataFrame:
        """Read all verdicts on pairs as a table, one row a pair and order."""
        return self._frame("comparisons", COMPARISONS_SCHEMA, order="pair_id, first")

    def checklists(self) -> dict[str, Checklist]:
        """Read the run's checklists, by instance."""
        return {checklist.instance_id: checklist for checklist in self._records("checklists", Checklist)}

    def grades(self) -> list[ItemGrade]:
        """Read all grades as records, by instance, model and item."""
        return [ItemGrade.model_validate(row) for row in self.grades_frame().iter_rows(named=True)]

    def scores(self) -> list[Score]:
        """Read all scores as records, by instance and model."""
        return [Score.model_validate(row) for row in self.scores_frame().iter_rows(named=True)]

    def grades_frame(self) -> pl.DataFrame:
        """Read all grades as a table, one row an item and response."""
        return self._frame("grades", GRADES_SCHEMA, order="instance_id, model, number")

    def scores_frame(self) -> pl.DataFrame:
        """Read all scores as a table, one row a response."""
        return self._frame("scores", SCORES_SCHEMA, order="instance_id, model")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with said_plainly(self._path), self._connection:
            self._connection.execute("BEGIN")
            yield

    def _read(self, statement: str, *parameters: str) -> list[Any]:
        with said_plainly(self._path):
            return self._connection.execute(statement, parameters).fetchall()

    def _write(self, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
        with said_plainly(self._path):
            self._connection.executemany(statement, rows)

    def _insert(self, table: str, records: Sequence[Record]) -> None:
        if not records:
            return
        names = list(type(records[0]).model_fields)
        marks = ", ".join("?" * len(names))
        self._write(
            f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) VALUES ({marks})",  # noqa: S608 - our own names
            [tuple(record.model_dump().values()) for record in records],
        )

    def _add_findings(self, findings: Iterable[Finding]) -> None:
        self._write("INSERT INTO findings (record) VALUES (?)", ((_text(finding),) for finding in findings))

    def _records(self, table: str, kind: type[Row]) -> list[Row]:
        order = "instance_id" if table == "checklists" else "position"
        rows = self._read(f"SELECT record FROM {table} ORDER BY {order}")  # noqa: S608 - our own names
        return [_record(kind, row[0]) for row in rows]

    def _frame(self, table: str, schema: pl.Schema, *, order: str) -> pl.DataFrame:
        stored = pl.Schema({name: pl.Int64 if kind == pl.Boolean else kind for name, kind in schema.items()})
        parts = [pl.DataFrame(schema=schema)]
        with said_plainly(self._path):
            columns = ", ".join(schema.names())
            cursor = self._connection.execute(f"SELECT {columns} FROM {table} ORDER BY {order}")  # noqa: S608 - our own
            while rows := cursor.fetchmany(_ROWS_AT_A_TIME):
                parts.append(pl.DataFrame(rows, schema=stored, orient="row").cast(schema))
        return pl.concat(parts)


def _text(record: Record) -> str:
    # Escaped: text from the wild may hold half of a surrogate pair, which is no UTF-8.
    return json.dumps(record.model_dump())


def _record(kind: type[Row], text: str) -> Row:
    return kind.model_validate(json.loads(text))
