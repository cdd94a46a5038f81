"""The run folder's SQLite database: every answer once, and the records of the last run."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import polars as pl

from checkwise.errors import DataError, Place, UserError
from checkwise.questions import Choice, Failure, Generation
from checkwise.records import Checklist, Dataset, Instance, ItemGrade, Record, Response, Score

LAYOUT = 1
"""Number of the database's layout; raised when it changes."""

Answer = TypeVar("Answer", Generation, Choice)
Row = TypeVar("Row", bound=Record)


class Database:
    """The database of one run folder.

    Args:
        path: The file; made if it is not there and ``create`` is set.
        create: Whether a missing file is made.

    Raises:
        UserError: The file cannot be opened or written, or is not a run of checkwise.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        if not create and not path.is_file():
            raise DataError(
                "there is no run in this folder",
                where=Place(path.parent),
                todo="Make one: checkwise run DATA --out RUN",
            )
        try:
            # Answers arrive in worker threads' callbacks, one at a time.
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            layout = self._connection.execute("PRAGMA user_version").fetchone()[0]
            self._connection.executescript(files("checkwise.store").joinpath("schema.sql").read_text(encoding="utf-8"))
            self._connection.execute(f"PRAGMA user_version = {LAYOUT}")
        except sqlite3.Error as error:
            raise UserError(
                f"the run's database cannot be opened: {error}",
                where=Place(path),
                todo="Choose a folder that can be written with --out, on a disk with free space.",
            ) from error
        if layout not in (0, LAYOUT):
            raise UserError(
                f"the run was made by another version of checkwise (layout {layout}, this one reads {LAYOUT})",
                where=Place(path),
                todo="Use that version, or another folder with --out.",
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
        row = self._connection.execute("SELECT answer FROM completions WHERE key = ?", (key,)).fetchone()
        return kind.model_validate_json(row[0]) if row else None

    def keep_answer(self, key: str, model: str, answer: Generation | Choice) -> None:
        """Commit an answer; one that is there already stays.

        Args:
            key: The key of the whole request.
            model: The model that answered.
            answer: What it answered.
        """
        kind = "generate" if isinstance(answer, Generation) else "choose"
        self._connection.execute(
            "INSERT OR IGNORE INTO completions (key, model, kind, answer) VALUES (?, ?, ?, ?)",
            (key, model, kind, answer.model_dump_json()),
        )

    def keep_failure(self, key: str, model: str, failure: Failure) -> None:
        """Record that a question had no answer."""
        self._connection.execute(
            "INSERT INTO failures (key, model, kind, reason) VALUES (?, ?, ?, ?)",
            (key, model, failure.kind, failure.reason),
        )

    def count_answers(self) -> int:
        """Count the stored answers."""
        count: int = self._connection.execute("SELECT count(*) FROM completions").fetchone()[0]
        return count

    def begin_run(self, dataset: Dataset, facts: Mapping[str, str]) -> None:
        """Start a run: its data and facts replace the last run's, whose grades and scores go.

        Grades of a run that is continued come back from the stored answers without asking anyone.

        Args:
            dataset: The data of the run.
            facts: What a reader of the results should know, such as the judge.
        """
        with self._connection:
            self._connection.execute("BEGIN")
            for table in ("facts", "instances", "responses", "grades", "scores"):
                self._connection.execute(f"DELETE FROM {table}")  # noqa: S608 - the names above
            dataset_facts = {"dataset": dataset.name, "format": dataset.format, "notes": json.dumps(dataset.notes)}
            self._connection.executemany("INSERT INTO facts VALUES (?, ?)", [*(dataset_facts | dict(facts)).items()])
            for table, records in (("instances", dataset.instances), ("responses", dataset.responses)):
                self._connection.executemany(
                    f"INSERT INTO {table} (record) VALUES (?)",  # noqa: S608 - the names above
                    [(record.model_dump_json(),) for record in records],
                )

    def add_fact(self, name: str, value: str) -> None:
        """Add a fact to the run, or replace it."""
        self._connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def keep_checklists(self, checklists: Iterable[Checklist]) -> None:
        """Keep checklists, each in place of an earlier one of the same instance."""
        rows = [(checklist.instance_id, checklist.model_dump_json()) for checklist in checklists]
        with self._connection:
            self._connection.execute("BEGIN")
            self._connection.executemany("INSERT OR REPLACE INTO checklists VALUES (?, ?)", rows)

    def keep_judgment(self, score: Score, grades: Sequence[ItemGrade]) -> None:
        """Commit the score of one response together with the grades behind it."""
        with self._connection:
            self._connection.execute("BEGIN")
            self._insert("grades", grades)
            self._insert("scores", [score])

    def facts(self) -> dict[str, str]:
        """Read the facts of the run."""
        return dict(self._connection.execute("SELECT name, value FROM facts"))

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
        return self._frame("grades", GRADES_SCHEMA)

    def scores_frame(self) -> pl.DataFrame:
        """Read all scores as a table, one row a response."""
        return self._frame("scores", SCORES_SCHEMA)

    def _insert(self, table: str, records: Sequence[Record]) -> None:
        if not records:
            return
        names = list(type(records[0]).model_fields)
        marks = ", ".join("?" * len(names))
        self._connection.executemany(
            f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) VALUES ({marks})",  # noqa: S608 - our own names
            [tuple(record.model_dump().values()) for record in records],
        )

    def _records(self, table: str, kind: type[Row]) -> list[Row]:
        order = "instance_id" if table == "checklists" else "position"
        rows = self._connection.execute(f"SELECT record FROM {table} ORDER BY {order}")  # noqa: S608 - our own names
        return [kind.model_validate_json(row[0]) for row in rows]

    def _frame(self, table: str, schema: pl.Schema) -> pl.DataFrame:
        columns = ", ".join(schema.names())
        rows = self._connection.execute(f"SELECT {columns} FROM {table}").fetchall()  # noqa: S608 - our own names
        stored = pl.Schema({name: pl.Int64 if kind == pl.Boolean else kind for name, kind in schema.items()})
        return pl.DataFrame(rows, schema=stored, orient="row").cast(schema)


GRADES_SCHEMA = pl.Schema(
    {
        "instance_id": pl.String,
        "model": pl.String,
        "number": pl.Int64,
        "item": pl.String,
        "p_yes": pl.Float64,
        "mass": pl.Float64,
        "mode": pl.String,
        "bounded": pl.Boolean,
        "low_mass": pl.Boolean,
        "reason": pl.String,
    }
)
"""Columns of ``grades_frame``."""

SCORES_SCHEMA = pl.Schema(
    {
        "instance_id": pl.String,
        "model": pl.String,
        "value": pl.Float64,
        "status": pl.String,
        "items": pl.Int64,
        "scored_items": pl.Int64,
        "low_mass_items": pl.Int64,
        "mean_mass": pl.Float64,
        "reason": pl.String,
    }
)
"""Columns of ``scores_frame``."""
