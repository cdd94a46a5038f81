"""Hold a run against what people said, and put it all on one page."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from checkwise.errors import DataError, NothingJudgedError
from checkwise.ranking.pairs import TIE_MARGIN, in_name_order, pair_outcomes
from checkwise.report import CurvePoint, MetricRow, MetricTable, PoorItem, TrustPage, Upset
from checkwise.runs.metric_tables import figure_row
from checkwise.runs.rated import rated_tables
from checkwise.runs.result import Result
from checkwise.trust.agreement import Agreement, agreement, agreement_by_category, human_agreement
from checkwise.trust.baselines import longer_wins
from checkwise.trust.calibration import calibration, pair_forecasts
from checkwise.trust.items import flagged_items, item_statistics
from checkwise.trust.paired import AgreementDifference, agreement_difference, difference_from_people
from checkwise.trust.recalibration import fitted_scale, win_probabilities
from checkwise.trust.steadiness import steadiness
from checkwise.trust.verdict_sentence import FEWEST, verdict_sentence
from checkwise.trust.votes import with_outcomes

LONGER, PEOPLE = "the longer response wins", "people with each other"

THIRD = 1 / 3
"""What guessing one of three outcomes reaches."""


@dataclass(frozen=True, kw_only=True)
class TrustSettings:
    """How a judge is held against people.

    Args:
        margin: Scores closer than this, on the 1-10 scale, are a tie.
        draws: Resamples of instances behind each interval.
        seed: Of the resamples.
    """

    margin: float = TIE_MARGIN
    draws: int = 1000
    seed: int = 42

    @property
    def resampling(self) -> dict[str, int]:
        """The arguments of everything that resamples."""
        return {"draws": self.draws, "seed": self.seed}


@dataclass(frozen=True, kw_only=True)
class Voted:
    """A run beside votes that it knows the instances and models of.

    Args:
        result: The run.
        votes: instance_id, model_a, model_b, winner, judge; see ``read_votes``.
        others: Outcomes of further judges on the same pairs, by name; see ``pair_outcomes`` and ``votes_as_outcomes``.
        settings: How it is measured.
    """

    result: Result
    votes: pl.DataFrame
    others: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    settings: TrustSettings = field(default_factory=TrustSettings)

    @cached_property
    def judges(self) -> dict[str, pl.DataFrame]:
        """Outcomes of all that is compared, the run's own first."""
        name = f"{self.result.facts['judge']} ({self.result.facts['method']})"
        own = pair_outcomes(self.result.scores, margin=self.settings.margin)
        return {name: own, LONGER: longer_wins(self.result.dataset.responses), **self.others}

    @property
    def outcomes(self) -> pl.DataFrame:
        """What the run's scores decide."""
        return next(iter(self.judges.values()))

    @cached_property
    def compared(self) -> pl.DataFrame:
        """The votes on pairs that every judge decided, so that all are measured on the same.

        Raises:
            NothingJudgedError: There is none.
        """
        # Numbered, because a judge may be called like a column.
        kept = with_outcomes(self.votes, **{f"judge {n}": outcomes for n, outcomes in enumerate(self.judges.values())})
        if kept.is_empty():
            raise NothingJudgedError(
                f"none of the {self.votes.height} votes is about a pair that every judge decided",
                todo="See that votes and runs name instances and models alike, such as 81-1 for question 81, turn 1.",
            )
        return kept.select(self.votes.columns)

    def tables(self) -> list[MetricTable]:
        """Agreement of every judge and of people, the differences from the run's, and by category and language."""
        return [self._agreement(), self._differences(), *self._by_group()]

    def verdict(self) -> str:
        """Say it in one sentence."""
        votes, resampling = self.compared, self.settings.resampling
        outcomes, longer = self.outcomes, self.judges[LONGER]
        people = difference_from_people(outcomes, votes, **resampling)
        ahead = agreement_difference(outcomes, longer, votes, **resampling)
        return verdict_sentence(agreement(outcomes, votes, **resampling), people, ahead)

    def curve(self) -> tuple[list[MetricTable], list[CurvePoint]]:
        """Say whether win probabilities come true; their one parameter is fitted on the same votes."""
        try:
            scale = fitted_scale(self.outcomes, self.compared)
        except DataError as error:
            row = MetricRow(label="Brier score", value=None, n=0, reason=error.what, kind="number")
            return [MetricTable(title="Win probability", rows=(row,))], []
        forecasts = pair_forecasts(win_probabilities(self.outcomes, scale), self.compared)
        found = calibration(forecasts, draws=self.settings.draws, seed=self.settings.seed)
        rows = [
            figure_row("Brier score", found.brier, kind="number"),
            figure_row("Brier score of one half for every pair", found.brier_of_base_rate, kind="number"),
            figure_row("Gain over one half", found.brier_gain, kind="number"),
            figure_row("Expected calibration error", found.expected_error, kind="share"),
        ]
        title = f"Win probability, 1 / (1 + exp(-difference / {scale:.2f}))"
        points = [CurvePoint(**row) for row in found.curve.iter_rows(named=True)]
        return [MetricTable(title=title, rows=tuple(rows))], points

    def upsets(self) -> list[Upset]:
        """List the pairs on which the judge and most people disagree, widest apart first."""
        points = {"model_a": 1.0, "tie": 0.5, "model_b": 0.0}
        pair = ["instance_id", "model_a", "model_b"]
        votes = in_name_order(self.compared.drop_nulls("winner"), "winner")
        people = votes.group_by(pair).agg(
            people=pl.col("winner").replace_strict(points, return_dtype=pl.Float64).mean(), votes=pl.len()
        )
        judged = self.outcomes.drop_nulls("outcome").select(
            *pair, judge=pl.col("outcome").replace_strict(points, return_dtype=pl.Float64)
        )
        apart = people.join(judged, on=pair).with_columns(size=(pl.col("people") - pl.col("judge")).abs())
        ordered = apart.filter(pl.col("size") > 0.5).sort("size", "votes", *pair, descending=[True, True, *[False] * 3])
        return [Upset(**row) for row in ordered.drop("size").iter_rows(named=True)]

    def notes(self) -> list[str]:
        """Count the votes that could not be used, and say why."""
        dataset = self.result.dataset
        instances, models = {instance.id for instance in dataset.instances}, set(dataset.models)
        notes = []
        strange = [name for name in self.votes["instance_id"] if name not in instances]
        if strange:
            notes.append(f"{len(strange)} votes are about instances that are not in the run: {_few(strange)}")
        named = [*self.votes["model_a"], *self.votes["model_b"]]
        unknown = [name for name in named if name not in models]
        if unknown:
            notes.append(f"models without a response in the run are named {len(unknown)} times: {_few(unknown)}")
        undecided = self.votes["winner"].null_count()
        if undecided:
            notes.append(f"{undecided} votes name no winner")
        rest = self.votes.height - self.compared.height
        if rest:
            notes.append(
                f"{rest} of {self.votes.height} votes are in no figure: not every judge has decided their pair"
            )
        return notes

    def _measure(self, outcomes: pl.DataFrame) -> Callable[[pl.DataFrame], Agreement]:
        return lambda votes: agreement(outcomes, votes, **self.settings.resampling)

    def _agreement(self) -> MetricTable:
        votes, resampling = self.compared, self.settings.resampling
        rows = [
            row
            for name, outcomes in self.judges.items()
            for row in _agreement_rows(name, agreement(outcomes, votes, **resampling))
        ]
        try:
            rows += _agreement_rows(PEOPLE, human_agreement(votes, **resampling))
        except NothingJudgedError:
            reason = "no two people voted on the same pair"
            rows.append(MetricRow(label=f"Agreement: {PEOPLE}", value=None, n=0, reason=reason))
        return MetricTable(title="Agreement with people, per vote", rows=tuple(rows))

    def _differences(self) -> MetricTable:
        votes, resampling = self.compared, self.settings.resampling
        own, *others = self.judges.items()
        rows = [_difference_row(name, agreement_difference(own[1], o, votes, **resampling)) for name, o in others]
        people = difference_from_people(own[1], votes, **resampling)
        if people is not None:
            rows.append(_difference_row(PEOPLE, people))
        return MetricTable(title=f"{own[0]} less the others, on the same votes", rows=tuple(rows))

    def _by_group(self) -> list[MetricTable]:
        tables = []
        for column in ("category", "language"):
            groups = self.result.scores.select("instance_id", category=column).unique()
            if groups["category"].n_unique() < 2:
                continue
            rows = [
                _group_row(name, row)
                for name, outcomes in self.judges.items()
                for row in agreement_by_category(self.compared, groups, self._measure(outcomes)).iter_rows(named=True)
            ]
            tables.append(MetricTable(title=f"Agreement with people by {column}", rows=tuple(rows)))
        return tables


@dataclass(frozen=True, kw_only=True)
class Trusting:
    """A run, and what people said.

    Args:
        result: The run; ratings that came with its data are measured against.
        votes: instance_id, model_a, model_b, winner, judge; None where nobody voted.
        ratings: instance_id, model, label: what people gave responses, in place of the data's own ratings; None for
            none.
        others: Outcomes of further judges on the same pairs, by name.
        settings: How it is measured.
    """

    result: Result
    votes: pl.DataFrame | None = None
    ratings: pl.DataFrame | None = None
    others: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    settings: TrustSettings = field(default_factory=TrustSettings)

    def page(self) -> TrustPage:
        """Put on one page what is known of how far to trust the judge.

        Returns:
            The page.

        Raises:
            DataError: Votes or ratings are not as described.
            NothingJudgedError: There are neither votes nor ratings nor item grades, or none is about what was judged.
        """
        result = self.result
        voted = None
        if self.votes is not None:
            voted = Voted(result=result, votes=self.votes, others=self.others, settings=self.settings)
        tables: list[MetricTable] = [] if voted is None else voted.tables()
        more, curve = ([], []) if voted is None else voted.curve()
        rated, rating_notes = self._rated()
        tables += [*more, *rated]
        if result.grades["answers"].count():
            tables.append(_steadiness(result.grades))
        items, poor = _items(result)
        if not tables and not items:
            raise NothingJudgedError(
                "there is nothing to hold the run against",
                todo="Give votes with --votes, or ratings with --ratings.",
            )
        return TrustPage(
            judge=result.facts["judge"],
            method=result.facts["method"],
            verdict=None if voted is None else voted.verdict(),
            tables=tuple(tables),
            curve=tuple(curve),
            items=tuple(poor),
            items_in_all=items,
            upsets=() if voted is None else tuple(voted.upsets()),
            notes=(*result.notes, *([] if voted is None else voted.notes()), *rating_notes),
        )

    def _rated(self) -> tuple[list[MetricTable], list[str]]:
        if self.ratings is None:
            return self.result.tables(), []
        return rated_tables(self.result.scores, self.ratings)


def _items(result: Result) -> tuple[int, list[PoorItem]]:
    if not result.grades.height:
        return 0, []
    statistics = item_statistics(result.grades, result.scores)
    fields = list(PoorItem.model_fields)
    return statistics.height, [
        PoorItem(**{name: row[name] for name in fields}) for row in flagged_items(statistics).iter_rows(named=True)
    ]


def _steadiness(grades: pl.DataFrame) -> MetricTable:
    found = steadiness(grades)
    rows = (
        figure_row("Two sampled answers to an item are the same", found.agreement, kind="share"),
        figure_row("Items whose answers are all the same", found.unanimous, kind="share"),
    )
    return MetricTable(title="The judge's own steadiness", rows=rows)


def _agreement_rows(name: str, found: Agreement) -> list[MetricRow]:
    rate = MetricRow(label=f"Agreement: {name}", value=found.rate, **_ends(found.interval), n=found.votes, chance=THIRD)
    reason = "both sides say nothing but tie" if found.kappa is None else None
    kappa = MetricRow(label=f"κ: {name}", value=found.kappa, n=found.votes, reason=reason, kind="correlation")
    return [rate, kappa]


def _difference_row(name: str, found: Any) -> MetricRow:  # noqa: ANN401 - of judges, or of a judge and people
    n = found.votes if isinstance(found, AgreementDifference) else found.instances
    return MetricRow(label=name, value=found.value, **_ends(found.interval), n=n, kind="difference")


def _group_row(name: str, row: Mapping[str, Any]) -> MetricRow:
    # Resampling two or three questions gives an interval that misses the truth far more often than it says.
    few = row["rate"] is not None and row["instances"] < FEWEST
    reason = f"{row['instances']} questions are too few for an interval" if few else None
    return MetricRow(
        label=f"Agreement: {name}",
        group=row["category"] or "(none)",
        value=row["rate"],
        low=None if few else row["low"],
        high=None if few else row["high"],
        n=row["votes"],
        reason=reason if row["rate"] is not None else "no vote is about a pair that was judged",
        chance=THIRD,
    )


def _ends(interval: Any) -> dict[str, float | None]:  # noqa: ANN401 - an Interval, or None
    return {"low": interval.low, "high": interval.high} if interval else {"low": None, "high": None}


def _few(names: Iterable[str]) -> str:
    distinct = sorted(set(names))
    more = f" and {len(distinct) - 5} more" if len(distinct) > 5 else ""
    return ", ".join(distinct[:5]) + more
