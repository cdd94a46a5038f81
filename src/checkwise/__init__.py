"""Judge what language models write, with checklists."""

from checkwise.datasets import load
from checkwise.engines import LlamaCppOptions, open_engine
from checkwise.methods import Direct, RocketEval
from checkwise.prompts import PromptLibrary
from checkwise.runs import Result, run, run_async
from checkwise.version import __version__

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
