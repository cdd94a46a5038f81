"""From the options of a command to the data and the run that they ask for."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from checkwise.engines import EngineOptions
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


def engine_options(
    *,
    embedded: Mapping[str, int | None],
    limits: Mapping[str, float | None] = {},
    samples: int | None = None,
    wait: bool = True,
) -> "EngineOptions":
    """Collect how models run; what is None keeps the default."""
    from checkwise.engines import BatchOptions, EngineOptions, HostedOptions, LimitOptions, LlamaCppOptions

    given: dict[str, Any] = {} if samples is None else {"samples": samples}
    return EngineOptions(
        embedded=LlamaCppOptions(**_given(embedded)),
        hosted=HostedOptions(limits=LimitOptions(**_given(limits)), **given),
        batch=BatchOptions(wait=wait),
    )


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}
