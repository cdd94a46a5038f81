"""``checkwise cost``: what a run would cost, or has cost."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from checkwise.cli import options
from checkwise.cli.compare import OrderName
from checkwise.cli.console import note
from checkwise.cli.loading import checklist_sources, engine_options, load_data, run_folder
from checkwise.cli.methods import METHODS, MethodName, MethodOptions, make_method
from checkwise.cli.spending import make_prices
from checkwise.errors import UserError

if TYPE_CHECKING:
    from checkwise.costs import Bill


def cost(
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA|RUN", help="What a run would be made of, as for run or compare; or a run's folder."
        ),
    ],
    *,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="DATA has pairs, as for compare.", rich_help_panel=options.DATA)
    ] = False,
    method: Annotated[
        MethodName | None,
        typer.Option(help=f"{METHODS} rocketeval if not given, ce-judge for pairs.", rich_help_panel=options.MODEL),
    ] = None,
    order: Annotated[
        OrderName, typer.Option(help="In which order pairs would be shown.", rich_help_panel=options.MODEL)
    ] = "both",
    seed: Annotated[int, typer.Option(help="Of the random order of pairs.", rich_help_panel=options.MODEL)] = 42,
    judge: options.Judge = None,
    generator: options.Generator = None,
    translator: options.Translator = None,
    task: options.Task = None,
    guide: options.Guide = None,
    language: options.Language = None,
    response_language: options.ResponseLanguage = None,
    context: options.Context = None,
    threads: options.Threads = None,
    batch_size: options.BatchSize = None,
    prompts: options.Prompts = None,
    low_mass: options.LowMass = 0.5,
    paper: options.Paper = False,
    asking: options.Asking = None,
    repeats: options.Repeats = None,
    temperature: options.Temperature = None,
    checklists: options.ChecklistsFrom = None,
    responses: options.Responses = None,
    turn: options.Turn = None,
    limit: options.Limit = None,
    models: options.Models = None,
    layout: options.Layout = None,
    price: options.PriceOf = None,
    machine_hour: options.MachineHour = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="A big model that would judge each response by itself, such as openai:gpt-4o, to compare with.",
            rich_help_panel=options.COST,
        ),
    ] = None,
    out: options.Out = None,
    as_json: options.AsJson = False,
) -> None:
    """Say what a run would cost before it is made, or has cost, by step and model.

    With data, takes the options of run and compare, goes through the run without asking any model, and counts its real
    prompts; what the run folder has already is not counted again. With a run's folder, adds up what its answers took.
    """
    from checkwise.cli.cost_table import show_bill, show_estimate
    from checkwise.costs import Spending
    from checkwise.datasets import load_pairs
    from checkwise.runs import (
        DEFAULT_JUDGE,
        DEFAULT_TRANSLATOR,
        CompareRun,
        Comparing,
        Run,
        estimate_async,
        wait_for,
    )
    from checkwise.store import DATABASE

    if (Path(data) / DATABASE).is_file():
        if against is not None:
            raise UserError("--against is about data, and this is a run", todo="Give the data instead.")
        show_bill(_bill(Path(data), price, machine_hour), run=Path(data), as_json=as_json)
        return
    judge = judge or DEFAULT_JUDGE
    chosen = make_method(
        method or ("ce-judge" if pairs else "rocketeval"),
        MethodOptions(
            prompts=prompts,
            low_mass=low_mass,
            paper=paper,
            asking=asking,
            repeats=repeats,
            temperature=temperature,
            task=task,
            guide=guide,
            language=language,
            response_language=response_language,
            translator=translator,
            generator=generator,
        ),
    )
    prices = make_prices(price, machine_hour, judge=judge)
    plan: Run | CompareRun
    if pairs:
        pair_set = load_pairs(data, format=layout, seed=seed, limit=limit)
        plan = CompareRun(
            pairs=pair_set,
            out=run_folder(out, pair_set),
            how=Comparing(method=chosen, order=order, seed=seed),
            judge=judge,
            generator=generator,
            translator=translator or DEFAULT_TRANSLATOR,
            checklists=checklist_sources(checklists),
            options=engine_options(context=context, threads=threads, batch_size=batch_size),
            spending=Spending(prices=prices),
        )
    else:
        dataset = load_data(data, responses=responses, turn=turn, limit=limit, models=models, layout=layout)
        plan = Run(
            dataset=dataset,
            out=run_folder(out, dataset),
            method=chosen,
            judge=judge,
            generator=generator,
            translator=translator or DEFAULT_TRANSLATOR,
            checklists=checklist_sources(checklists),
            options=engine_options(context=context, threads=threads, batch_size=batch_size),
            spending=Spending(prices=prices),
        )
    note(f"Counting what {chosen.name} would ask {judge}; no model is asked")
    show_estimate(wait_for(estimate_async(plan, against=against)), against=against, as_json=as_json)


def _bill(run: Path, price: list[str] | None, machine_hour: float | None) -> "Bill":
    from checkwise.runs.stored_run import StoredRun

    stored = StoredRun(run)
    prices = make_prices(price, machine_hour, judge=stored.facts.get("judge", ""))
    return stored.bill(prices)
