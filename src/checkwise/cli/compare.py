"""``checkwise compare``: which response of each pair is better."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from typing import Annotated, Literal

import typer

from checkwise.cli import options
from checkwise.cli.judging import compare_and_show
from checkwise.cli.loading import checklist_sources, engine_options, run_folder
from checkwise.cli.methods import METHODS, MethodName, MethodOptions, make_method
from checkwise.cli.spending import make_spending

OrderName = Literal["both", "given", "random"]


def compare(
    data: Annotated[
        str, typer.Argument(metavar="PAIRS", help="A file with pairs of responses; - reads standard input.")
    ],
    *,
    method: Annotated[MethodName, typer.Option(help=METHODS, rich_help_panel=options.MODEL)] = "ce-judge",
    order: Annotated[
        OrderName,
        typer.Option(
            help="Show each pair in both orders, in the one that is given, or in a random one.",
            rich_help_panel=options.MODEL,
        ),
    ] = "both",
    seed: Annotated[
        int,
        typer.Option(
            help="Of the random order, and of what is called A in data that only says which response was chosen.",
            rich_help_panel=options.MODEL,
        ),
    ] = 42,
    margin: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Scores closer than this, from 1 to 10, are a tie (rocketeval); 0.1 if not given.",
            rich_help_panel=options.MODEL,
        ),
    ] = None,
    judge: options.Judge = None,
    generator: options.Generator = None,
    translator: options.Translator = None,
    task: options.Task = None,
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
    checklists: options.ChecklistsFrom = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1, help="Keep this many pairs, spread over languages and subsets.", rich_help_panel=options.DATA
        ),
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="The layout of the data, where it shall not be found out: pairs or chosen-rejected.",
            rich_help_panel=options.DATA,
        ),
    ] = None,
    price: options.PriceOf = None,
    machine_hour: options.MachineHour = None,
    max_cost: options.MaxCost = None,
    max_calls: options.MaxCalls = None,
    out: options.Out = None,
    as_json: options.AsJson = False,
) -> None:
    """Compare pairs of responses, and say how far to trust the verdicts.

    Each pair is shown in both orders. Prints accuracy, where the data says which response is better, how often the
    orders agree, and how often the response shown first wins; writes a report. Running the same command again goes on
    where it stopped, and asks nothing twice.
    """
    from checkwise.datasets import load_pairs
    from checkwise.ranking.pairs import TIE_MARGIN
    from checkwise.runs import DEFAULT_JUDGE, DEFAULT_TRANSLATOR, CompareRun, Comparing

    chosen = make_method(
        method,
        MethodOptions(
            prompts=prompts,
            low_mass=low_mass,
            paper=paper,
            task=task,
            language=language,
            response_language=response_language,
            translator=translator,
            generator=generator,
            margin=margin,
        ),
    )
    judge = judge or DEFAULT_JUDGE
    spending = make_spending(price, machine_hour, judge=judge, max_cost=max_cost, max_calls=max_calls)
    pairs = load_pairs(data, format=layout, seed=seed, limit=limit)
    plan = CompareRun(
        pairs=pairs,
        out=run_folder(out, pairs),
        how=Comparing(method=chosen, order=order, seed=seed, margin=TIE_MARGIN if margin is None else margin),
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
    compare_and_show(plan, as_json=as_json)
