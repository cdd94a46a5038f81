"""Whether the models of a run are good enough: against a run from before, or against a score."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from checkwise.bootstrap import Interval
from checkwise.errors import DataError, Place
from checkwise.ranking.change import Change, changes
from checkwise.runs.result import Result

Proof = Literal["worse", "as-good"]
"""What decides: a gate closes where a model is shown to be worse, or stays closed until it is shown to be as good."""

_ITEM = ["instance_id", "model", "item"]


@dataclass(frozen=True)
class Flipped:
    """An item of a checklist whose answer turned."""

    instance_id: str
    model: str
    item: str
    before: float
    """p_yes in the earlier run."""
    after: float
    """p_yes in the later run."""


@dataclass(frozen=True)
class Ruling:
    """What a gate says about one model."""

    model: str
    passed: bool
    reason: str
    """One sentence with the numbers."""
    change: Change | None = None
    """Against the earlier run; None against a score."""
    lost: tuple[Flipped, ...] = ()
    """Items that the model met before and meets no more, those that fell furthest first."""
    won: tuple[Flipped, ...] = ()
    """Items that it meets now and did not before."""


@dataclass(frozen=True, kw_only=True)
class Gate:
    """What is asked of models.

    Args:
        margin: How much worse a mean score may be, 0-1.
        proof: ``worse`` closes the gate where the whole interval of the difference lies below minus the margin;
            ``as-good`` where it does not lie above it, which asks for more instances and never passes for lack of
            them.
        models: For each model of the run, that of the earlier run it is held against; each its namesake if empty.
    """

    margin: float = 0.0
    proof: Proof = "worse"
    models: Mapping[str, str] = field(default_factory=dict)

    def against_run(self, result: Result, baseline: Result) -> list[Ruling]:
        """Hold a run against one from before.

        Args:
            result: The run.
            baseline: The run from before.

        Returns:
            One ruling a model.

        Raises:
            DataError: The runs have no model, or no instance, in common.
        """
        found = changes(baseline.scores, result.scores, models=self.models or None)
        if not found:
            raise DataError(
                "the two runs have no model in common",
                where=Place(result.folder),
                todo="Say which model is held against which: --model NEW=OLD.",
            )
        turned = _turned(baseline.grades, result.grades, {c.model: self.models.get(c.model, c.model) for c in found})
        return [self._ruling(change, turned) for change in found]

    def _ruling(self, change: Change, turned: list[Flipped]) -> Ruling:
        own = [one for one in turned if one.model == change.model]
        lost = sorted((one for one in own if one.after < one.before), key=lambda one: one.after - one.before)
        won = sorted((one for one in own if one.after > one.before), key=lambda one: one.before - one.after)
        passed, reason = self._decide(change)
        return Ruling(change.model, passed, reason, change, tuple(lost), tuple(won))

    def _decide(self, change: Change) -> tuple[bool, str]:
        if change.difference is None:
            return False, "no instance has a score in both runs"
        sentence = (
            f"{change.before:.3f} before, {change.after:.3f} now: {change.difference:+.3f}"
            f"{shown(change.interval, signed=True)} on {change.instances} instances"
        )
        if change.left_out:
            sentence += f", {change.left_out} left out"
        if change.interval is None:
            return False, f"{sentence}; one instance alone decides nothing"
        if self.proof == "worse":
            return change.interval.high >= -self.margin, sentence
        return change.interval.low >= -self.margin, sentence


def at_least(result: Result, score: float) -> list[Ruling]:
    """Ask that no model's mean score is shown to be lower than a number.

    Args:
        result: The run.
        score: The least mean score, 0-1.

    Returns:
        One ruling a model: it fails where its whole interval lies below, or its mean where it has no interval.

    Raises:
        NothingJudgedError: Not one response has a score.
    """
    rulings = []
    for row in result.rank(common_only=False).table.iter_rows(named=True):
        mean, low, high = row["score"], row["low"], row["high"]
        if mean is None:
            rulings.append(Ruling(row["model"], False, "no response has a score"))
            continue
        interval = None if low is None or high is None else Interval(low, high)
        passed = (mean if interval is None else interval.high) >= score
        sentence = f"{mean:.3f}{shown(interval)} on {row['n']} instances, where {score:g} is asked for"
        rulings.append(Ruling(row["model"], passed, sentence))
    return sorted(rulings, key=lambda ruling: ruling.model)


def shown(interval: Interval | None, *, signed: bool = False) -> str:
    """Write an interval behind its figure; nothing where there is none."""
    sign = "+" if signed else ""
    return "" if interval is None else f" ({interval.low:{sign}.3f} to {interval.high:{sign}.3f})"


def _turned(before: pl.DataFrame, after: pl.DataFrame, models: Mapping[str, str]) -> list[Flipped]:
    """Find the items whose answer is on the other side of one half; an item is known by its words."""
    names = pl.DataFrame(
        {"model": list(models), "old": list(models.values())}, schema=dict.fromkeys(("model", "old"), pl.String)
    )
    earlier = before.rename({"model": "old"}).join(names, on="old").select(*_ITEM, pl.col("p_yes"))
    joined = earlier.join(after.select(*_ITEM, pl.col("p_yes").alias("now")), on=_ITEM).drop_nulls(["p_yes", "now"])
    turned = joined.filter((pl.col("p_yes") >= 0.5) != (pl.col("now") >= 0.5)).sort(_ITEM)
    return [Flipped(*row) for row in turned.select(*_ITEM, "p_yes", "now").iter_rows()]
