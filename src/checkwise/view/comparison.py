"""Two runs held against each other: which models changed places, which items turned."""

from checkwise.bootstrap import Interval
from checkwise.ranking.change import Change
from checkwise.report.live_content import FlippedItem, ModelChange, RunComparison
from checkwise.runs.gating import Gate
from checkwise.runs.result import Result
from checkwise.view.found_runs import FoundRun


def compare_runs(before: FoundRun, after: FoundRun) -> RunComparison:
    """Hold two runs against each other, on the instances and items that both have.

    Args:
        before: The earlier run.
        after: The later one.

    Returns:
        What changed.

    Raises:
        DataError: They have no model in common.
        NothingJudgedError: One of them has no score.
    """
    earlier, later = Result(before.folder), Result(after.folder)
    ranks = [
        dict(result.rank(common_only=False).table.select("model", "rank").iter_rows()) for result in (earlier, later)
    ]
    rulings = Gate().against_run(later, earlier)
    models = [_model(ruling.change, *ranks) for ruling in rulings if ruling.change is not None]
    flipped = [
        FlippedItem(instance_id=one.instance_id, model=one.model, item=one.item, before=one.before, after=one.after)
        for ruling in rulings
        for one in (*ruling.lost, *ruling.won)
    ]
    return RunComparison(
        before=before.name,
        after=after.name,
        before_address=before.address,
        after_address=after.address,
        models=tuple(sorted(models, key=lambda model: (model.rank_after is None, model.rank_after or 0, model.model))),
        flipped=tuple(sorted(flipped, key=lambda one: -abs(one.after - one.before))),
        notes=tuple(_notes(earlier, later)),
    )


def _model(change: Change, before: dict[str, int | None], after: dict[str, int | None]) -> ModelChange:
    interval = change.interval or Interval(float("nan"), float("nan"))
    has_ends = change.interval is not None
    return ModelChange(
        model=change.model,
        before=change.before,
        after=change.after,
        difference=change.difference,
        low=interval.low if has_ends else None,
        high=interval.high if has_ends else None,
        instances=change.instances,
        left_out=change.left_out,
        rank_before=before.get(change.model),
        rank_after=after.get(change.model),
    )


def _notes(before: Result, after: Result) -> list[str]:
    notes = []
    for name in ("method", "judge", "prompts"):
        one, other = before.facts.get(name), after.facts.get(name)
        if one != other:
            notes.append(f"the {name} changed from {one} to {other}")
    for run, opposite, when in ((before, after, "earlier"), (after, before, "later")):
        alone = sorted(set(run.dataset.models) - set(opposite.dataset.models))
        if alone:
            notes.append(f"only the {when} run has {', '.join(alone)}")
    return notes
