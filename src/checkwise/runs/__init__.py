"""Leads a run from files to a ranked table."""

from checkwise.runs.api import run, run_async, wait_for
from checkwise.runs.ask import Asked
from checkwise.runs.checklists import ChecklistSources
from checkwise.runs.progress import RunProgress, Step
from checkwise.runs.result import Result
from checkwise.runs.run import DEFAULT_JUDGE, Run

__all__ = [
    "DEFAULT_JUDGE",
    "Asked",
    "ChecklistSources",
    "Result",
    "Run",
    "RunProgress",
    "Step",
    "run",
    "run_async",
    "wait_for",
]
