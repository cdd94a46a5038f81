"""From the options of a command to the data and the run that they ask for."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from checkwise.errors import UserError

if TYPE_CHECKING:
    from checkwise.engines import EngineOptions
    from checkwise.records import Dataset, PairSet
    from checkwise.runs import ChecklistSources

EngineName = Literal["here", "ray"]


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
    context: int | None = None,
    threads: int | None = None,
    batch_size: int | None = None,
    concurrency: int | None = None,
    requests_per_minute: float | None = None,
    tokens_per_minute: float | None = None,
    timeout: float | None = None,
    samples: int | None = None,
    wait: bool = True,
    engine: EngineName = "here",
    workers: int | None = None,
) -> "EngineOptions":
    """Collect how models run; what is None keeps the default.

    Raises:
        UserError: Workers are named, and nothing runs on workers.
    """
    from checkwise.engines import (
        BatchOptions,
        EngineOptions,
        HostedOptions,
        LimitOptions,
        LlamaCppOptions,
        RayOptions,
        VllmOptions,
    )

    if workers is not None and engine != "ray":
        raise UserError("--workers are those of a cluster", todo="Add --engine ray, or leave --workers out.")
    limits = _given(
        concurrency=concurrency,
        requests_per_minute=requests_per_minute,
        tokens_per_minute=tokens_per_minute,
        timeout=timeout,
    )
    return EngineOptions(
        embedded=LlamaCppOptions(**_given(context=context, threads=threads, batch_size=batch_size)),
        hosted=HostedOptions(limits=LimitOptions(**limits), **_given(samples=samples)),
        batch=BatchOptions(wait=wait),
        vllm=VllmOptions(context=context),
        ray=RayOptions(**_given(workers=workers)) if engine == "ray" else None,
    )


def _given(**options: Any) -> dict[str, Any]:  # noqa: ANN401 - of any option
    return {name: value for name, value in options.items() if value is not None}
