"""Judge what language models write, with checklists."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from checkwise.version import __version__

if TYPE_CHECKING:
    from checkwise.datasets import load
    from checkwise.engines import LlamaCppOptions, open_engine
    from checkwise.methods import Direct, RocketEval
    from checkwise.prompts import PromptLibrary
    from checkwise.runs import Result, run, run_async

__all__ = [
    "Direct",
    "LlamaCppOptions",
    "PromptLibrary",
    "Result",
    "RocketEval",
    "__version__",
    "load",
    "open_engine",
    "run",
    "run_async",
]

_ROOMS = {
    "Direct": "methods",
    "LlamaCppOptions": "engines",
    "PromptLibrary": "prompts",
    "Result": "runs",
    "RocketEval": "methods",
    "load": "datasets",
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
