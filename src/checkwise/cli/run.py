"""``checkwise run``: from files to a ranked table."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from typing import Annotated

import typer

from checkwise.cli import options
from checkwise.cli.judging import judge_and_show
from checkwise.cli.loading import checklist_sources, engine_options, load_data, run_folder
from checkwise.cli.methods import METHODS, MethodName, MethodOptions, make_method
from checkwise.cli.spending import make_spending


def run(
    data: options.Data,
    *,
    method: Annotated[MethodName, typer.Option(help=METHODS, rich_help_panel=options.MODEL)] = "rocketeval",
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
    concurrency: options.Concurrency = None,
    requests_per_minute: options.RequestsPerMinute = None,
    tokens_per_minute: options.TokensPerMinute = None,
    timeout: options.Timeout = None,
    samples: options.Samples = None,
    wait: options.Wait = True,
    engine: options.Engine = "here",
    workers: options.Workers = None,
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
    max_cost: options.MaxCost = None,
    max_calls: options.MaxCalls = None,
    out: options.Out = None,
    as_json: options.AsJson = False,
) -> None:
    """Judge responses, and rank the models that wrote them.

    Prints the leaderboard and writes a report. Running the same command again goes on where it stopped, and asks
    nothing twice.
    """
    from checkwise.runs import DEFAULT_JUDGE, DEFAULT_TRANSLATOR, Run

    chosen = make_method(
        method,
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
    judge = judge or DEFAULT_JUDGE
    spending = make_spending(price, machine_hour, judge=judge, max_cost=max_cost, max_calls=max_calls)
    dataset = load_data(data, responses=responses, turn=turn, limit=limit, models=models, layout=layout)
    plan = Run(
        dataset=dataset,
        out=run_folder(out, dataset),
        method=chosen,
        judge=judge,
        generator=generator,
        translator=translator or DEFAULT_TRANSLATOR,
        checklists=checklist_sources(checklists),
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
        spending=spending,
    )
    judge_and_show(plan, as_json=as_json)
