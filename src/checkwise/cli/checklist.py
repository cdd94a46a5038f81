"""``checkwise checklist``: write or take in checklists, and grade nothing."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from checkwise.cli import options
from checkwise.cli.console import note, print_json, say
from checkwise.cli.judging import stopped
from checkwise.cli.loading import engine_options, load_data, run_folder
from checkwise.cli.progress_display import ProgressDisplay
from checkwise.cli.stopping import run_until_stopped
from checkwise.errors import NothingJudgedError

if TYPE_CHECKING:
    from checkwise.runs import Run
    from checkwise.runs.checklists import ChecklistsFound


def checklist(
    data: options.Data,
    *,
    generator: options.Generator = None,
    context: options.Context = None,
    threads: options.Threads = None,
    batch_size: options.BatchSize = None,
    concurrency: options.Concurrency = None,
    requests_per_minute: options.RequestsPerMinute = None,
    tokens_per_minute: options.TokensPerMinute = None,
    timeout: options.Timeout = None,
    samples: options.Samples = None,
    wait: options.Wait = True,
    engine: options.Engine = "here",
    workers: options.Workers = None,
    prompts: options.Prompts = None,
    checklists: options.ChecklistsFrom = None,
    turn: options.Turn = None,
    limit: options.Limit = None,
    layout: options.Layout = None,
    out: options.Out = None,
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a copy to edit, .md or .jsonl, as well.", rich_help_panel=options.OUTPUT
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Have checklists written, or take them in, for a person to read and edit before anything is graded.

    They lie in the run folder, in checklists.jsonl. Edit that file, or the copy made with --to and give it to
    checkwise grade with --checklists.
    """
    from checkwise.datasets import write_checklists
    from checkwise.methods import RocketEval
    from checkwise.prompts import PromptLibrary
    from checkwise.runs import DEFAULT_JUDGE, ChecklistSources, Run
    from checkwise.store import CHECKLISTS

    dataset = load_data(data, responses=None, turn=turn, limit=limit, models=None, layout=layout)
    generate = checklists == "generate"
    plan = Run(
        dataset=dataset,
        out=run_folder(out, dataset),
        method=RocketEval(prompts=PromptLibrary(prompts)),
        generator=generator or DEFAULT_JUDGE,
        checklists=ChecklistSources(
            file=None if generate or checklists is None else Path(checklists), generate=generate
        ),
        options=engine_options(
            context=context,
            threads=threads,
            batch_size=batch_size,
            concurrency=concurrency,
            requests_per_minute=requests_per_minute,
            tokens_per_minute=tokens_per_minute,
            timeout=timeout,
            samples=samples,
            wait=wait,
            engine=engine,
            workers=workers,
        ),
    )
    note(f"Finding checklists for {len(dataset.instances)} instances with {plan.generator}, in {plan.out}")
    found = _find(plan)
    path = plan.out / CHECKLISTS
    if to is not None:
        write_checklists(to, found.by_instance.values(), dataset.instances)
    _show(found, path, to, as_json=as_json)


def _find(plan: "Run") -> "ChecklistsFound":
    with ProgressDisplay() as display:
        try:
            found = run_until_stopped(replace(plan, progress=display.step, fetching=display.bytes).write_checklists())
        except KeyboardInterrupt:
            raise stopped(plan, display) from None
    if not found.by_instance:
        reason = next(iter(found.missing.values()), "the data has no instances")
        raise NothingJudgedError(
            f"not one checklist could be had; the first reason: {reason}",
            todo="Use a stronger generator, or give a file with --checklists.",
        )
    return found


def _show(found: "ChecklistsFound", path: Path, to: Path | None, *, as_json: bool) -> None:
    lists = found.by_instance.values()
    sources = Counter(each.source for each in lists)
    items = sum(len(each.items) for each in lists)
    if as_json:
        print_json(
            {
                "checklists": str(path),
                "copy": None if to is None else str(to),
                "count": len(lists),
                "items": items,
                "sources": dict(sources),
                "missing": found.missing,
                "notes": found.notes,
            }
        )
    for line in found.notes:
        (note if as_json else say)(f"Note: {line}")
    if not as_json:
        counts = ", ".join(f"{count} {source}" for source, count in sources.most_common())
        say(f"{len(lists)} checklists with {items} items ({counts}): {path}")
        if to is not None:
            say(f"Copy: {to}")
