"""What a run over pairs found, read from its folder."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from checkwise.bootstrap import few_note
from checkwise.errors import NothingJudgedError, Place
from checkwise.records import Comparison, Dataset, PairSet
from checkwise.report import MetricTable, PairReportContent, build_pair_content, write_pair_html
from checkwise.runs.metric_tables import pair_tables
from checkwise.runs.result import Result
from checkwise.runs.stored_run import StoredRun, short
from checkwise.store import REPORT, Database
from checkwise.trust.pair_metrics import Grouping, PairMetrics, pair_metrics, pair_metrics_by
from checkwise.trust.verdicts import pair_verdicts

NOT_JUDGED = "it is not judged yet; run again to go on"
"""The reason of a pair that the run has not come to."""

ORDER = "order"
"""The fact that every run over pairs has, and no other."""


@dataclass(frozen=True)
class PairResult(StoredRun):
    """The results of the run over pairs in a folder. Everything is computed from what is stored there.

    Args:
        folder: The run folder.

    Raises:
        DataError: There is no run in the folder.
    """

    @cached_property
    def pairs(self) -> PairSet:
        """The pairs that were compared."""
        return self._read(Database.pair_set)

    @cached_property
    def dataset(self) -> Dataset:
        """The same as instances with the responses of two models, A and B."""
        return self.pairs.dataset

    @cached_property
    def scores(self) -> pl.DataFrame:
        """One row a response, for a method that scores each alone; else none."""
        return self._read(Database.scores_frame)

    @cached_property
    def comparisons(self) -> pl.DataFrame:
        """One row a pair and order: pair_id, language, subset, label, first, verdict, p_a, mass, status, reason, ...

        A pair that the run has not come to has one row, which is unscored.
        """
        about = pl.DataFrame(
            [(pair.id, pair.instance.language, pair.subset, pair.label) for pair in self.pairs.pairs],
            schema=dict.fromkeys(("pair_id", "language", "subset", "label"), pl.String),
            orient="row",
        )
        judged = self._read(Database.comparisons_frame)
        return (
            about.join(judged, on="pair_id", how="left", maintain_order="left_right")
            .with_columns(
                pl.when(pl.col("status").is_null())
                .then(pl.lit(NOT_JUDGED))
                .otherwise(pl.col("reason"))
                .alias("reason"),
                pl.col("status").fill_null("unscored"),
                pl.col("retried").fill_null(value=False),
            )
            .sort("pair_id", "first", nulls_last=True, maintain_order=True)
        )

    @cached_property
    def verdicts(self) -> pl.DataFrame:
        """One row a pair: pair_id, language, subset, label, outcome (A, B, tie, inconsistent), consistent, credit."""
        about = self.comparisons.select("pair_id", "language", "subset").unique(maintain_order=True)
        verdicts = pair_verdicts(self.comparisons, orders=self.orders)
        return about.join(verdicts, on="pair_id", how="left", maintain_order="left")

    @property
    def orders(self) -> int:
        """How many times each pair is shown."""
        return 2 if self.facts.get(ORDER) == "both" else 1

    @cached_property
    def metrics(self) -> PairMetrics:
        """Accuracy, consistency and share of the first position, each with its interval, and counts."""
        return pair_metrics(self.comparisons, orders=self.orders)

    def by(self, column: Grouping) -> pl.DataFrame:
        """The same for each language or subset."""
        return pair_metrics_by(self.comparisons, column, orders=self.orders)

    def tables(self) -> list[MetricTable]:
        """Give all of these numbers as a report shows them."""
        return pair_tables(self.comparisons, orders=self.orders)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the numbers should know, counts of what was left out among it."""
        kept = tuple(json.loads(self.facts.get("run_notes", "[]")))
        return (*self.pairs.notes, *kept, *self._left_out())

    def report(self, path: Path | str | None = None) -> Path:
        """Write the HTML report.

        Args:
            path: Where to; ``report.html`` in the run folder if None.

        Returns:
            The path.

        Raises:
            UserError: The file cannot be written.
        """
        target = Path(path) if path is not None else self.folder / REPORT
        write_pair_html(self.content(), target)
        return target

    def content(self) -> PairReportContent:
        """Put together what the report shows."""
        judged = self._read(Database.comparisons_frame)
        return build_pair_content(
            self.pairs,
            [Comparison.model_validate(row) for row in judged.iter_rows(named=True)],
            self.findings,
            metrics=self.tables(),
            grades=self._read(Database.grades),
            scores=self._read(Database.scores),
            checklists=self.checklists,
            facts=self.shown_facts(),
            notes=self.notes[len(self.pairs.notes) :],
        )

    def require_verdicts(self) -> None:
        """Make sure that something was judged.

        Raises:
            NothingJudgedError: Not one pair has a verdict.
        """
        if self.comparisons["verdict"].null_count() == self.comparisons.height:
            reasons = self.comparisons["reason"].drop_nulls().unique(maintain_order=True).to_list()
            why = f"; the first reason: {short(reasons[0])}" if reasons else ""
            raise NothingJudgedError(
                f"none of the {len(self.pairs.pairs)} pairs has a verdict{why}",
                where=Place(self.folder),
                todo="Put the reason right and run the same command again; answers that were had are kept.",
            )

    def _left_out(self) -> list[str]:
        notes = []
        unscored = self.comparisons.filter(pl.col("verdict").is_null())
        if unscored.height:
            reason, count = unscored["reason"].value_counts(sort=True).row(0)
            notes.append(
                f"{unscored['pair_id'].n_unique()} of {len(self.pairs.pairs)} pairs lack a verdict; "
                f"most often ({count}): {short(reason)}"
            )
        by_rule = self.comparisons.filter(pl.col("status").is_in(["empty", "identical"]))["pair_id"].n_unique()
        if by_rule:
            notes.append(f"{by_rule} pairs were decided by rule: a response is empty, or both are identical")
        retried = int(self.comparisons["retried"].sum())
        if retried:
            notes.append(f"{retried} verdicts could be read only after a second asking")
        few = few_note(len(self.pairs.pairs), "pairs")
        if few is not None:
            notes.append(few)
        unlabelled = sum(pair.label is None for pair in self.pairs.pairs)
        if unlabelled:
            notes.append(f"{unlabelled} of {len(self.pairs.pairs)} pairs have no label, and are in no accuracy")
        return notes


def open_result(folder: Path) -> Result | PairResult:
    """Open a run folder, whatever was judged in it.

    Args:
        folder: The run folder.

    Returns:
        The results of the run.

    Raises:
        DataError: There is no run in the folder.
    """
    return PairResult(folder) if ORDER in StoredRun(folder).facts else Result(folder)
