"""Leads a run at the command line: shows how far it is, and what came of it."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
import json
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checkwise.cli.console import note, print_json, say
from checkwise.cli.leaderboard_table import show_leaderboard
from checkwise.cli.metrics_table import show_metrics
from checkwise.cli.progress_display import ProgressDisplay, duration
from checkwise.cli.stopping import run_until_stopped
from checkwise.errors import BudgetSpentError, CheckwiseError, InterruptedRunError

if TYPE_CHECKING:
    from checkwise.runs import Asked, CompareRun, PairResult, Result, Run


@dataclass(frozen=True)
class Judged:
    """What came of a run."""

    result: "Result"
    asked: "Asked"
    seconds: float


def judge_and_show(plan: "Run", *, as_json: bool) -> None:
    """Run, and print the leaderboard, the notes, where the report lies, and what was asked.

    Args:
        plan: The run.
        as_json: Whether to print one JSON document instead.

    Raises:
        InterruptedRunError: The user stopped it; says what was kept.
    """
    responses, models = len(plan.dataset.responses), len(plan.dataset.models)
    by = f"{counted(responses, 'response')} by {counted(models, 'model')}"
    note(f"Judging {by} with {plan.judge}, in {plan.out}")
    note_other_run(plan.out, plan.dataset.name, plan.method.name)
    judged = _judge(replace(plan, command=_command()))
    if as_json:
        print_json(_document(judged))
        for line in judged.result.notes:
            note(f"Note: {line}")
        return
    show_leaderboard(judged.result.leaderboard)
    show_metrics(judged.result.tables())
    for line in judged.result.notes:
        say(f"Note: {line}")
    say(f"Report: {judged.result.folder / _report_name()}")
    say(_asked_text(judged.asked, judged.seconds))


def compare_and_show(plan: "CompareRun", *, as_json: bool) -> None:
    """Compare pairs, and print the numbers, the notes, where the report lies, and what was asked.

    Args:
        plan: The run.
        as_json: Whether to print one JSON document instead.

    Raises:
        InterruptedRunError: The user stopped it; says what was kept.
    """
    method = plan.how.method.name
    note(f"Comparing {counted(len(plan.pairs.pairs), 'pair')} with {method} and {plan.judge}, in {plan.out}")
    note_other_run(plan.out, plan.pairs.name, method)
    started = time.monotonic()
    with ProgressDisplay() as display:
        try:
            plan = replace(plan, progress=display.step, fetching=display.bytes)
            result, asked = run_until_stopped(plan.compare())
        except KeyboardInterrupt:
            raise stopped_comparing(plan, display) from None
        except BudgetSpentError as error:
            done = f"{compared(plan, display)} are compared and kept in {plan.out}"
            raise BudgetSpentError(f"{error.what}. {done}.", todo=error.todo) from None
    seconds = time.monotonic() - started
    if as_json:
        print_json(_pair_document(result, asked, seconds))
        for line in result.notes:
            note(f"Note: {line}")
        return
    show_metrics(result.tables())
    for line in result.notes:
        say(f"Note: {line}")
    say(f"Report: {result.folder / _report_name()}")
    say(_asked_text(asked, seconds))


def _command() -> str:
    """Write down how this command was called; nothing where its data came from standard input."""
    arguments = sys.argv[1:]
    return "" if "-" in arguments else json.dumps({"arguments": arguments, "folder": str(Path.cwd())})


def counted(count: int, what: str) -> str:
    """Write how many of something there are, such as ``1 pair`` or ``6 pairs``."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def note_other_run(out: Path, dataset: str, method: str) -> None:
    """Say so where a run folder holds the results of something else, which this run replaces."""
    from checkwise.runs.stored_run import StoredRun

    if not (out / "run.sqlite").is_file():
        return
    with suppress(CheckwiseError):
        facts = StoredRun(out).facts
        before = facts.get("dataset", dataset), facts.get("method", method)
        if facts and before != (dataset, method):
            note(
                f"This folder holds results of {before[0]} by {before[1]}, which are replaced; the judge's answers "
                "stay. Name another folder with --out to keep them."
            )


def stopped_comparing(plan: "CompareRun", display: ProgressDisplay) -> InterruptedRunError:
    """Say what a run over pairs that was stopped has done so far."""
    return InterruptedRunError(
        f"Stopped. {compared(plan, display)} are compared and kept in {plan.out}, and what is known of the next one.",
        todo="Run the same command again to go on.",
    )


def compared(plan: "CompareRun", display: ProgressDisplay) -> str:
    """Say how many pairs are compared, such as ``3 of 6 pairs``."""
    done, total = display.done.get("comparing", (0, len(plan.pairs.pairs)))
    return f"{done} of {total} pairs"


def _pair_document(result: "PairResult", asked: "Asked", seconds: float) -> dict[str, Any]:
    return {
        "run": str(result.folder),
        "report": str(result.folder / _report_name()),
        "facts": result.facts,
        "metrics": [table.model_dump() for table in result.tables()],
        "verdicts": result.verdicts.to_dicts(),
        "notes": list(result.notes),
        "asked": asdict(asked),
        "seconds": round(seconds, 3),
    }


def _judge(plan: "Run") -> Judged:
    started = time.monotonic()
    with ProgressDisplay() as display:
        try:
            plan = replace(plan, progress=display.step, fetching=display.bytes)
            result, asked = run_until_stopped(plan.grade())
        except KeyboardInterrupt:
            raise stopped(plan, display) from None
        except BudgetSpentError as error:
            raise BudgetSpentError(f"{error.what}. {finished(plan, display)}.", todo=error.todo) from None
    return Judged(result, asked, time.monotonic() - started)


def stopped(plan: "Run", display: ProgressDisplay) -> InterruptedRunError:
    """Say what a run that was stopped has done so far."""
    return InterruptedRunError(f"Stopped. {finished(plan, display)}.", todo="Run the same command again to go on.")


def finished(plan: "Run", display: ProgressDisplay) -> str:
    """Say how far a run has come, such as ``3 of 6 responses are judged and kept in runs/mine``."""
    if "grading" in display.done or "checklists" not in display.done:
        done, total = display.done.get("grading", (0, len(plan.dataset.responses)))
        what = f"{done} of {total} responses are judged"
    else:
        done, total = display.done["checklists"]
        what = f"{done} of {total} checklists are written"
    return f"{what} and kept in {plan.out}"


def _asked_text(asked: "Asked", seconds: float) -> str:
    from checkwise.costs.money import dollars

    failed = f", without an answer {asked.failed}" if asked.failed else ""
    cost = f", {dollars(asked.cost)}" if asked.cost else ""
    return f"asked {asked.questions}{failed}, from the store {asked.reused}, {duration(seconds)}{cost}"


def _document(judged: Judged) -> dict[str, Any]:
    result = judged.result
    by_category = result.by_category
    return {
        "run": str(result.folder),
        "report": str(result.folder / _report_name()),
        "facts": result.facts,
        "leaderboard": result.leaderboard.to_dicts(),
        "by_category": None if by_category is None else by_category.to_dicts(),
        "ratings": [table.model_dump() for table in result.tables()],
        "notes": list(result.notes),
        "asked": asdict(judged.asked),
        "seconds": round(judged.seconds, 3),
    }


def _report_name() -> str:
    from checkwise.store import REPORT

    return REPORT
