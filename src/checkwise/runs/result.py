"""What a run found, read from its folder."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from checkwise.bootstrap import few_note
from checkwise.costs.money import dollars
from checkwise.errors import DataError, NothingJudgedError, Place
from checkwise.ranking.head_to_head import head_to_head
from checkwise.ranking.leaderboard import Leaderboard, leaderboard
from checkwise.ranking.pairs import pair_outcomes
from checkwise.records import Dataset
from checkwise.report import CostRow, MetricTable, ReportContent, TrustPage, build_content, write_html
from checkwise.runs.metric_tables import rating_tables
from checkwise.runs.stored_run import StoredRun, short
from checkwise.store import REPORT, TRUST, Database


@dataclass(frozen=True)
class Result(StoredRun):
    """The results of the run in a folder. Everything is computed from what is stored there.

    Args:
        folder: The run folder.

    Raises:
        DataError: There is no run in the folder.
    """

    @cached_property
    def dataset(self) -> Dataset:
        """The instances and responses that were judged."""
        return self._read(Database.dataset)

    @cached_property
    def scores(self) -> pl.DataFrame:
        """One row a response, judged or not yet: instance_id, category, language, model, value (0-1), status, ..."""
        about = pl.DataFrame(
            [(i.id, i.category, i.language) for i in self.dataset.instances],
            schema={"instance_id": pl.String, "category": pl.String, "language": pl.String},
            orient="row",
        )
        asked = pl.DataFrame(
            [(r.instance_id, r.model, r.rating) for r in self.dataset.responses],
            schema={"instance_id": pl.String, "model": pl.String, "rating": pl.Float64},
            orient="row",
        )
        judged = self._read(Database.scores_frame)
        # A run that was stopped has responses without a row; they count as unscored, as they do in a finished one.
        scores = (
            asked.join(judged, on=["instance_id", "model"], how="left", maintain_order="left")
            .with_columns(
                pl.when(pl.col("status").is_null())
                .then(pl.lit(NOT_JUDGED))
                .otherwise(pl.col("reason"))
                .alias("reason"),
                pl.col("status").fill_null("unscored"),
                pl.col("items", "scored_items", "low_mass_items").fill_null(0),
                pl.col("retried").fill_null(value=False),
            )
            .sort("instance_id", "model")
            .join(about, on="instance_id", how="left", maintain_order="left")
        )
        first = ("instance_id", "category", "language", "model", "value")
        return scores.select(*first, pl.exclude(*first))

    def tables(self) -> list[MetricTable]:
        """Hold the scores against the ratings that came with the data, by language or language pair; none without."""
        languages = {instance.id: instance.language for instance in self.dataset.instances}
        pair = pl.DataFrame(
            [
                (r.instance_id, r.model, "-".join(filter(None, (languages[r.instance_id], r.language))) or None)
                for r in self.dataset.responses
            ],
            schema=dict.fromkeys(("instance_id", "model", "languages"), pl.String),
            orient="row",
        )
        return rating_tables(self.scores.join(pair, on=["instance_id", "model"], how="left"), by="languages")

    @property
    def leaderboard(self) -> pl.DataFrame:
        """The models in order: rank, model, score (0-1), low, high, n, coverage, unscored, empty, mean_mass, ..."""
        return self.rank().table

    @property
    def by_category(self) -> pl.DataFrame | None:
        """The same for each category; None if the data has no categories."""
        if self.scores["category"].null_count() == self.scores.height:
            return None
        return self.rank(by="category").table

    def rank(
        self, *, common_only: bool = True, draws: int = 1000, seed: int = 42, by: str | None = None
    ) -> Leaderboard:
        """Rank the models by their mean score.

        Args:
            common_only: Whether to keep to the instances that all models have a score for.
            draws: Resamples of instances behind each interval.
            seed: Of the resamples.
            by: ``category`` or ``language`` for one ranking each.

        Returns:
            The ranking, with 95% intervals.

        Raises:
            NothingJudgedError: Not one response has a score.
        """
        scores = self.scores
        if by is not None:
            scores = scores.with_columns(pl.col(by).fill_null("(none)"))
        return leaderboard(scores, common_only=common_only, draws=draws, seed=seed, by=by)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the numbers should know, counts of what was left out among it."""
        kept = tuple(json.loads(self.facts.get("run_notes", "[]")))
        return (*self.dataset.notes, *kept, *self._left_out())

    def report(self, path: Path | str | None = None) -> Path:
        """Write the HTML report.

        Args:
            path: Where to; ``report.html`` in the run folder if None.

        Returns:
            The path.

        Raises:
            NothingJudgedError: Not one response has a score.
            UserError: The file cannot be written.
        """
        target = Path(path) if path is not None else self.folder / REPORT
        write_html(self.content(), target)
        return target

    def content(self) -> ReportContent:
        """Put together what the report shows.

        Returns:
            The content.

        Raises:
            NothingJudgedError: Not one response has a score.
        """
        return build_content(
            self.dataset,
            self.checklists,
            self._read(Database.grades),
            self._read(Database.scores),
            leaderboard=self.leaderboard,
            by_category=self.by_category,
            findings=self.findings,
            metrics=self.tables(),
            facts=self.shown_facts(),
            notes=self.notes[len(self.dataset.notes) :],
            meetings=self._meetings(),
            trust=self.trust,
            costs=self._costs(),
        )

    @cached_property
    def trust(self) -> TrustPage | None:
        """What ``checkwise trust`` found and kept in the run folder; None where it was not called."""
        path = self.folder / TRUST
        if not path.is_file():
            return None
        try:
            return TrustPage.model_validate_json(path.read_bytes())
        except ValueError as error:
            raise DataError(
                "the page of trust cannot be read", where=Place(path), todo="Call checkwise trust again."
            ) from error

    def _meetings(self) -> pl.DataFrame | None:
        """Hold each two models against each other; None where no two have a score for the same instance."""
        try:
            return head_to_head(pair_outcomes(self.scores))
        except NothingJudgedError:
            return None

    def _costs(self) -> list[CostRow]:
        return [
            CostRow(
                step=line.step or "(before steps were kept)",
                model=line.model,
                answers=line.questions,
                prompt_tokens=line.usage.prompt_tokens,
                reused_tokens=line.reused,
                generated_tokens=line.usage.generated_tokens,
                seconds=line.usage.seconds,
                cost=None if line.cost is None else dollars(line.cost),
            )
            for line in self.bill().lines
        ]

    def _left_out(self) -> list[str]:
        notes = []
        unscored = self.scores.filter(pl.col("value").is_null())
        if unscored.height:
            reason, count = unscored["reason"].value_counts(sort=True).row(0)
            notes.append(
                f"{unscored.height} of {self.scores.height} responses are unscored; "
                f"most often ({count}): {short(reason)}"
            )
        if empty := self.scores.filter(pl.col("status") == "empty").height:
            notes.append(f"{empty} of {self.scores.height} responses are empty, and scored 0 by rule")
        try:
            left_out = self.rank().left_out
        except NothingJudgedError:
            return notes
        few = few_note(len(self.dataset.instances) - left_out)
        if few is not None:
            notes.append(few)
        if left_out == len(self.dataset.instances):
            notes.append("no instance has a score of every model, so there are no means; see checkwise rank --keep-all")
        elif left_out:
            notes.append(f"{left_out} instances are not in the means, since not every model has a score there")
        return notes

    def require_scores(self) -> None:
        """Make sure that something was judged.

        Raises:
            NothingJudgedError: Not one response has a score.
        """
        if self.scores["value"].null_count() == self.scores.height:
            reasons = self.scores["reason"].drop_nulls().unique(maintain_order=True).to_list()
            why = f"; the first reason: {short(reasons[0])}" if reasons else ""
            raise NothingJudgedError(
                f"none of the {self.scores.height} responses has a score{why}",
                where=Place(self.folder),
                todo="Put the reason right and run the same command again; answers that were had are kept.",
            )


NOT_JUDGED = "it is not judged yet; run again to go on"
"""The reason of a response that the run has not come to."""
