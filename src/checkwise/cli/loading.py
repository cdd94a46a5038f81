"""From the options of a command to the data and the run that they ask for."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from checkwise.engines import LlamaCppOptions
    from checkwise.records import Dataset, PairSet
    from checkwise.runs import ChecklistSources


def load_data(
    data: str, *, responses: Path | None, turn: int | None, limit: int | None, models: str | None, layout: str | None
) -> "Dataset":
    """Read the data; ``models`` are separated by commas."""
    from checkwise.datasets import load

    names = None if models is None else [name.strip() for name in models.split(",") if name.strip()]
    return load(data, responses=responses, turn=turn, limit=limit, models=names, format=layout)


def checklist_sources(checklists: str | None) -> "ChecklistSources":
    """Say where checklists are looked for: a file, or ``generate`` for new ones."""
    from checkwise.runs import ChecklistSources

    generate = checklists == "generate"
    return ChecklistSources(file=None if generate or checklists is None else Path(checklists), generate=generate)


def run_folder(out: Path | None, dataset: "Dataset | PairSet") -> Path:
    """Choose the folder of a run."""
    return out if out is not None else Path("runs") / dataset.name


def engine_options(context: int | None, threads: int | None, batch_size: int | None) -> "LlamaCppOptions":
    """Collect how the embedded engine runs; what is None keeps the engine's default."""
    from checkwise.engines import LlamaCppOptions

    given = {"context": context, "threads": threads, "batch_size": batch_size}
    return LlamaCppOptions(**{name: value for name, value in given.items() if value is not None})
