"""``checkwise run``: from files to a ranked table."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from checkwise.cli import options
from checkwise.cli.judging import judge_and_show
from checkwise.cli.loading import engine_options, load_data, run_folder
from checkwise.errors import UserError

if TYPE_CHECKING:
    from checkwise.methods import Method

MethodName = Literal["rocketeval", "direct"]


def run(
    data: options.Data,
    *,
    method: Annotated[
        MethodName,
        typer.Option(
            help="rocketeval grades each item of a checklist; direct asks for a digit for the whole response.",
            rich_help_panel=options.MODEL,
        ),
    ] = "rocketeval",
    judge: options.Judge = None,
    generator: options.Generator = None,
    context: options.Context = None,
    threads: options.Threads = None,
    batch_size: options.BatchSize = None,
    prompts: options.Prompts = None,
    low_mass: options.LowMass = 0.5,
    paper: options.Paper = False,
    checklists: options.ChecklistsFrom = None,
    responses: options.Responses = None,
    turn: options.Turn = None,
    limit: options.Limit = None,
    models: options.Models = None,
    layout: options.Layout = None,
    out: options.Out = None,
    as_json: options.AsJson = False,
) -> None:
    """Judge responses, and rank the models that wrote them.

    Prints the leaderboard and writes a report. Running the same command again goes on where it stopped, and asks
    nothing twice.
    """
    from checkwise.runs import DEFAULT_JUDGE, ChecklistSources, Run

    chosen = _method(method, prompts=prompts, low_mass=low_mass, paper=paper)
    dataset = load_data(data, responses=responses, turn=turn, limit=limit, models=models, layout=layout)
    generate = checklists == "generate"
    file = None if generate or checklists is None else Path(checklists)
    plan = Run(
        dataset=dataset,
        out=run_folder(out, dataset),
        method=chosen,
        judge=judge or DEFAULT_JUDGE,
        generator=generator,
        checklists=ChecklistSources(file=file, generate=generate),
        options=engine_options(context, threads, batch_size),
    )
    judge_and_show(plan, as_json=as_json)


def _method(name: MethodName, *, prompts: Path | None, low_mass: float, paper: bool) -> "Method":
    from checkwise.methods import Direct, RocketEval
    from checkwise.prompts import PromptLibrary

    library = PromptLibrary(prompts)
    if name == "rocketeval":
        return RocketEval(prompts=library, low_mass=low_mass, paper=paper)
    if paper:
        raise UserError("--paper is about checklists, and the method direct has none", todo="Leave --paper out.")
    return Direct(prompts=library, low_mass=low_mass)
