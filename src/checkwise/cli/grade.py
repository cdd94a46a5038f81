"""``checkwise grade``: grade with the checklists that there are."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from checkwise.cli import options
from checkwise.cli.judging import judge_and_show
from checkwise.cli.loading import engine_options, load_data, run_folder


def grade(
    data: options.Data,
    *,
    judge: options.Judge = None,
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
    checklists: options.ChecklistsFile = None,
    responses: options.Responses = None,
    turn: options.Turn = None,
    limit: options.Limit = None,
    models: options.Models = None,
    layout: options.Layout = None,
    out: options.Out = None,
    as_json: options.AsJson = False,
) -> None:
    """Grade responses with checklists that exist, and write none.

    Checklists are those of the given file, or of the run folder if no file is given; where these have none for an
    instance, the data's. A response to an instance without one is unscored.
    """
    from checkwise.methods import RocketEval
    from checkwise.prompts import PromptLibrary
    from checkwise.runs import DEFAULT_JUDGE, ChecklistSources, Run

    method = RocketEval(prompts=PromptLibrary(prompts), low_mass=low_mass, paper=paper)
    dataset = load_data(data, responses=responses, turn=turn, limit=limit, models=models, layout=layout)
    plan = Run(
        dataset=dataset,
        out=run_folder(out, dataset),
        method=method,
        judge=judge or DEFAULT_JUDGE,
        checklists=ChecklistSources(file=checklists, write=False),
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
    judge_and_show(plan, as_json=as_json)
