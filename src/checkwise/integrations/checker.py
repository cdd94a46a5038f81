"""What the pytest fixture ``checkwise`` does: judge, remember, and fail with the items that were not met."""

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from checkwise.datasets import load
from checkwise.errors import NothingJudgedError, UserError
from checkwise.integrations.judging_thread import JudgingThread
from checkwise.methods import RocketEval
from checkwise.records import Checklist, Dataset, Instance, Response, Turn
from checkwise.runs.gating import Gate, Proof, Ruling
from checkwise.runs.result import Result
from checkwise.runs.run import Run
from checkwise.runs.run_models import DEFAULT_JUDGE

DEFAULT_THRESHOLD = 0.5
"""The mean p_yes of the items that a response has to reach, where nobody says another."""

_MODEL = "response"
_SHOWN = 10
"""Items that are named for each model that got worse."""


@dataclass(frozen=True)
class CheckedItem:
    """One item of a checklist, held against a response."""

    item: str
    """The question."""
    p_yes: float | None
    """0-1; None is unscored, and then there is a reason."""
    reason: str | None
    """Why it is unscored, or by which rule it was scored."""

    @property
    def is_met(self) -> bool:
        """Whether Yes is the likelier answer."""
        return self.p_yes is not None and self.p_yes >= 0.5


@dataclass(frozen=True)
class Checked:
    """A response, held against a checklist."""

    score: float | None
    """Mean p_yes of the items, 0-1; None where it could not be judged."""
    items: tuple[CheckedItem, ...]
    """In the order of the checklist."""
    judge: str
    """The model that graded."""
    reason: str | None = None
    """Why there is no score, or by which rule it was scored."""

    @property
    def failed(self) -> tuple[str, ...]:
        """The items that the response does not meet."""
        return tuple(item.item for item in self.items if not item.is_met)

    def __str__(self) -> str:
        """List the items, those that are not met first."""
        ordered = sorted(self.items, key=lambda item: item.is_met)
        met = sum(item.is_met for item in self.items)
        return "\n".join([f"{met} of {len(self.items)} items met, by {self.judge}", *map(_line, ordered)])


@dataclass(frozen=True, kw_only=True)
class Checker:
    """The fixture ``checkwise``.

    Args:
        judges: The judges of the session.
        cache: Where answers are kept between sessions.
        judge: The model that grades; the default judge if None.
        threshold: What a response has to reach where a check says nothing else; 0.5 if None.
        updates_baselines: Whether baselines are written instead of held against.
        root: Where relative paths of baselines begin.
    """

    judges: JudgingThread = field(repr=False)
    cache: Path = field(repr=False)
    judge: str | None = None
    threshold: float | None = None
    updates_baselines: bool = field(default=False, repr=False)
    root: Path = field(default_factory=Path, repr=False)

    def grade(
        self, query: str, response: str, items: Sequence[str] | None = None, *, reference: str | None = None
    ) -> Checked:
        """Hold a response against a checklist, and assert nothing.

        Args:
            query: What was asked.
            response: What was answered.
            items: Questions that a good response answers with Yes; the judge writes a list if None.
            reference: A response known to be good, which helps the judge to write a list.

        Returns:
            The score, and each item's probability of Yes.

        Raises:
            CheckwiseError: The judge cannot be had, or has stopped answering.
        """
        if isinstance(items, str):
            raise UserError("items is a text", todo="Give a list of questions: items=[...].")
        instance = Instance(id="check", turns=(Turn(role="user", content=query),), reference=reference)
        lists = () if items is None else (Checklist(instance_id="check", items=tuple(items)),)
        answer = Response(instance_id="check", model=_MODEL, text=response)
        dataset = Dataset(name="check", format="pytest", instances=(instance,), responses=(answer,), checklists=lists)
        return _checked(self._judge(dataset, "checks", [query, reference, items]))

    def check(
        self,
        query: str,
        response: str,
        items: Sequence[str] | None = None,
        *,
        threshold: float | None = None,
        every_item: bool = False,
        reference: str | None = None,
    ) -> Checked:
        """Assert that a response meets a checklist.

        Args:
            query: What was asked.
            response: What was answered.
            items: Questions that a good response answers with Yes; the judge writes a list if None.
            threshold: What the mean p_yes of the items has to reach, 0-1; that of the marker or the settings if None.
            every_item: Whether also each item has to be met: p_yes of at least 0.5.
            reference: A response known to be good, which helps the judge to write a list.

        Returns:
            What ``grade`` returns.

        Raises:
            AssertionError: The response does not meet it, or an item could not be judged; names the items.
            CheckwiseError: The judge cannot be had, or has stopped answering.
        """
        __tracebackhide__ = True
        wanted = next(one for one in (threshold, self.threshold, DEFAULT_THRESHOLD) if one is not None)
        checked = self.grade(query, response, items, reference=reference)
        if checked.score is None or any(item.p_yes is None for item in checked.items):
            why = f": {checked.reason}" if checked.reason else ""
            raise AssertionError(f"the response could not be judged in full{why}\n{checked}")
        if checked.score < wanted:
            raise AssertionError(f"score {checked.score:.2f}, where {wanted:g} is asked for\n{checked}")
        if every_item and checked.failed:
            raise AssertionError(f"not every item is met, score {checked.score:.2f}\n{checked}")
        return checked

    def not_worse(
        self,
        data: str | Path | Dataset | Sequence[Mapping[str, object]],
        baseline: str | Path,
        *,
        margin: float = 0.0,
        proof: Proof = "worse",
        models: Mapping[str, str] | None = None,
    ) -> list[Ruling]:
        """Assert that no model is worse than in a run from before, by the interval of the difference.

        Args:
            data: What ``checkwise.run`` takes, or rows with ``query``, ``response`` and perhaps ``id``, ``model``,
                ``checklist`` and what else a file of queries may hold.
            baseline: A run folder; with ``--checkwise-update-baselines`` it is written.
            margin: How much worse a mean score may be, 0-1.
            proof: ``worse`` fails where the interval shows a model to be worse, ``as-good`` unless it shows it to be
                as good.
            models: For each model of the run, that of the baseline it is held against; each its namesake if None.

        Returns:
            One ruling a model.

        Raises:
            AssertionError: A model is worse; names the items that it lost.
            CheckwiseError: The judge cannot be had, or there is no baseline.
        """
        __tracebackhide__ = True
        kept = self.root / baseline
        dataset = data if isinstance(data, Dataset) else self._load(data)
        result = self._judge(dataset, "runs", [str(kept)])
        result.require_scores()
        if self.updates_baselines:
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(result.folder, kept)
            return []
        if not kept.exists():
            raise UserError(
                f"there is no baseline {kept}",
                todo="Run pytest --checkwise-update-baselines once, and keep the folder.",
            )
        rulings = Gate(margin=margin, proof=proof, models=models or {}).against_run(result, Result(kept))
        if not all(ruling.passed for ruling in rulings):
            raise AssertionError("\n".join(_ruled(ruling) for ruling in rulings if not ruling.passed))
        return rulings

    def _load(self, data: str | Path | Sequence[Mapping[str, object]]) -> Dataset:
        if isinstance(data, str | Path):
            return load(data)
        rows = [{"id": str(number), "model": _MODEL} | dict(row) for number, row in enumerate(data, start=1)]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        path = self._folder("rows", [text]) / "rows.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return load(path)

    def _judge(self, dataset: Dataset, what: str, about: Sequence[object]) -> Result:
        """Judge in a folder of its own, so that what was asked before is not asked again."""
        engine = self.judges.judge(self.judge or DEFAULT_JUDGE)
        folder = self._folder(what, [engine.model, *about])
        run = Run(dataset=dataset, out=folder, method=RocketEval(), judge=engine)
        try:
            result, _ = self.judges.wait_for(run.grade())
        except NothingJudgedError:
            return Result(folder)
        return result

    def _folder(self, what: str, about: Sequence[object]) -> Path:
        text = json.dumps(about, ensure_ascii=False, default=list)
        return self.cache / what / hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _checked(result: Result) -> Checked:
    (score,) = result.scores.iter_rows(named=True)
    grades = {row["number"]: row for row in result.grades.iter_rows(named=True)}
    items = result.checklists["check"].items if "check" in result.checklists else ()
    missing = {"p_yes": None, "reason": "the judge was not asked about this item"}
    rows = [(item, grades.get(number, missing)) for number, item in enumerate(items, start=1)]
    return Checked(
        score=score["value"],
        items=tuple(CheckedItem(item, row["p_yes"], row["reason"]) for item, row in rows),
        judge=result.facts["judge"],
        reason=score["reason"],
    )


def _line(item: CheckedItem) -> str:
    if item.p_yes is None:
        return f"  unscored       {item.item} ({item.reason})"
    return f"  {'met   ' if item.is_met else 'FAILED'}  {item.p_yes:5.2f}  {item.item}"


def _ruled(ruling: Ruling) -> str:
    lost = [f"  lost {one.instance_id}: {one.item} ({one.before:.2f} → {one.after:.2f})" for one in ruling.lost]
    more = [f"  and {len(lost) - _SHOWN} more"] if len(lost) > _SHOWN else []
    return "\n".join([f"{ruling.model} is worse than before: {ruling.reason}", *lost[:_SHOWN], *more])
