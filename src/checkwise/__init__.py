"""Judge what language models write, with checklists."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from checkwise.version import __version__

if TYPE_CHECKING:
    from checkwise.costs import Price, Prices, Spending
    from checkwise.datasets import load, load_pairs
    from checkwise.engines import (
        EngineOptions,
        HostedOptions,
        LimitOptions,
        LlamaCppOptions,
        RayOptions,
        VllmOptions,
        open_engine,
    )
    from checkwise.methods import CEJudge, CoT, Direct, Prometheus, RocketEval
    from checkwise.prompts import PromptLibrary, ScoringGuide
    from checkwise.runs import PairResult, Result, compare, compare_async, run, run_async

__all__ = [
    "CEJudge",
    "CoT",
    "Direct",
    "EngineOptions",
    "HostedOptions",
    "LimitOptions",
    "LlamaCppOptions",
    "PairResult",
    "Price",
    "Prices",
    "Prometheus",
    "PromptLibrary",
    "RayOptions",
    "Result",
    "RocketEval",
    "ScoringGuide",
    "Spending",
    "VllmOptions",
    "__version__",
    "compare",
    "compare_async",
    "load",
    "load_pairs",
    "open_engine",
    "run",
    "run_async",
]

_ROOMS = {
    "CEJudge": "methods",
    "CoT": "methods",
    "Direct": "methods",
    "EngineOptions": "engines",
    "HostedOptions": "engines",
    "LimitOptions": "engines",
    "LlamaCppOptions": "engines",
    "PairResult": "runs",
    "Price": "costs",
    "Prices": "costs",
    "Prometheus": "methods",
    "PromptLibrary": "prompts",
    "RayOptions": "engines",
    "Result": "runs",
    "RocketEval": "methods",
    "ScoringGuide": "prompts",
    "Spending": "costs",
    "VllmOptions": "engines",
    "compare": "runs",
    "compare_async": "runs",
    "load": "datasets",
    "load_pairs": "datasets",
    "open_engine": "engines",
    "run": "runs",
    "run_async": "runs",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the names above
    """Import a public name when it is first used, so that ``checkwise --help`` waits for no table library."""
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"checkwise.{_ROOMS[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
