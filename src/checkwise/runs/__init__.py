"""Leads a run from files to a ranked table."""

from checkwise.runs.api import compare, compare_async, run, run_async, wait_for
from checkwise.runs.ask import Asked
from checkwise.runs.checklists import ChecklistSources
from checkwise.runs.compare_run import CompareRun
from checkwise.runs.comparing import Comparing
from checkwise.runs.estimating import Estimate, estimate_async
from checkwise.runs.pair_result import PairResult, open_result
from checkwise.runs.progress import RunProgress, Step
from checkwise.runs.result import Result
from checkwise.runs.run import Run
from checkwise.runs.run_models import DEFAULT_JUDGE, DEFAULT_TRANSLATOR

__all__ = [
    "DEFAULT_JUDGE",
    "DEFAULT_TRANSLATOR",
    "Asked",
    "ChecklistSources",
    "CompareRun",
    "Comparing",
    "Estimate",
    "PairResult",
    "Result",
    "Run",
    "RunProgress",
    "Step",
    "compare",
    "compare_async",
    "estimate_async",
    "open_result",
    "run",
    "run_async",
    "wait_for",
]
