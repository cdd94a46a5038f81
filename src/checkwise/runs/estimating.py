"""What a run would cost: it is led through all of its steps with engines that ask nobody, in a folder of its own.

So every method is planned by its own code, and what a run folder knows already is found there.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from checkwise.costs.bill import Bill
from checkwise.costs.budget import Spending
from checkwise.costs.many_tests import ManyTests
from checkwise.methods import ChecklistMethod, CoT
from checkwise.runs.ask import Asked
from checkwise.runs.checklists import ChecklistSources
from checkwise.runs.compare_run import CompareRun
from checkwise.runs.planned_models import PlannedModels
from checkwise.runs.run import Run
from checkwise.store import shadow_of


@dataclass(frozen=True)
class Estimate:
    """What a run would cost."""

    bill: Bill
    """What is left to ask."""
    reused: int
    """Answers that the run folder has already."""
    tests: int
    """Models whose responses are judged; 0 for pairs."""
    many: ManyTests | None
    """What many tests cost, from the beginning; None for pairs, and where there are no responses."""
    against: Bill | None
    """What the big model would take for the same responses; None if none was named."""
    notes: tuple[str, ...]
    """How this was found out, and what was assumed."""


async def estimate_async(run: Run | CompareRun, *, against: str | None = None) -> Estimate:
    """Estimate what a run would cost; no model is asked, and nothing is fetched.

    Args:
        run: The run; its ``spending`` has the prices.
        against: A big model that would judge the same responses by itself, with its reasons first.

    Returns:
        Tokens, time and money.

    Raises:
        UserError: Something about the input or the run folder is wrong.
    """
    planned = await _plan(run, run.out)
    tests = len(run.dataset.models) if isinstance(run, Run) else 0
    big = None if against is None else await _plan(_judged_by(run, against), run.out, answers=False)
    many = None
    if isinstance(run, Run) and tests:
        # From the beginning: what is stored was paid once, too.
        anew = planned if not planned.reused else await _plan(run, run.out, answers=False)
        many = _many_tests(run, anew.bill, tests, None if big is None else big.bill)
    notes = dict.fromkeys((*planned.notes, *(() if big is None else big.notes)))
    return Estimate(planned.bill, planned.reused, tests, many, None if big is None else big.bill, tuple(notes))


@dataclass(frozen=True)
class _Planned:
    bill: Bill
    reused: int
    notes: tuple[str, ...]


async def _plan(run: Run | CompareRun, folder_path: Path, *, answers: bool = True) -> _Planned:
    method = run.method if isinstance(run, Run) else run.how.method
    prices = run.spending.prices
    with shadow_of(folder_path, answers=answers) as folder:
        models = PlannedModels(
            judge=run.judge,
            generator=run.generator,
            translator=run.translator,
            options=run.options,
            # Without limits: a plan asks nobody.
            spending=Spending(prices=prices),
            guide=getattr(method, "guide", None),
            seen=folder.shadow.below,
        )
        async with models.opened(method, folder.database) as opened:
            await run.lead(folder, opened, Asked())
        return _Planned(Bill.of(folder.database.used(), prices), folder.shadow.found_below, tuple(models.notes()))


def _judged_by(run: Run | CompareRun, model: str) -> Run | CompareRun:
    """Have the same responses judged by a big model that writes its reasons first, without a checklist."""
    none = ChecklistSources()
    if isinstance(run, Run):
        return replace(run, method=CoT(prompts=run.method.prompts), judge=model, generator=None, checklists=none)
    how = replace(run.how, method=CoT(prompts=run.how.method.prompts))
    return replace(run, how=how, judge=model, generator=None, checklists=none)


def _many_tests(run: Run, bill: Bill, tests: int, against: Bill | None) -> ManyTests:
    """Tell what is paid once, a list for each instance, from what is paid for each model that is tested."""
    once = Bill(())
    if isinstance(run.method, ChecklistMethod):
        once = bill.only({"checklist"})
        bill = bill.without({"checklist"})
    shares = [None if each is None or each.cost is None else each.cost / tests for each in (bill, against)]
    return ManyTests(once=once.cost, a_test=shares[0], against=shares[1])
