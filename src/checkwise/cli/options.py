"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from checkwise.cli.loading import EngineName
from checkwise.cli.methods import AskingName, TaskName

MODEL, DATA, COST, OUTPUT = "Model", "Data", "Cost", "Output"
"""Panels of the help."""

Data = Annotated[
    str, typer.Argument(metavar="DATA", help="A file or folder with queries and responses; - reads standard input.")
]
RunPath = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]

Judge = Annotated[
    str | None,
    typer.Option(
        help="qwen2.5-coder-1.5b if not given; local:NAME, gguf:PATH, openai:NAME, http://HOST/v1#NAME, "
        "llama-server:ADDRESS, vllm:MODEL, and batch: before a hosted one.",
        rich_help_panel=MODEL,
    ),
]
Generator = Annotated[
    str | None,
    typer.Option(help="The model that writes checklists; the judge if not given.", rich_help_panel=MODEL),
]
Translator = Annotated[
    str | None,
    typer.Option(
        metavar="llm|llm:NAME|google|argos|none",
        help="Who translates into English for ce-judge: the judge itself (llm) if not given.",
        rich_help_panel=MODEL,
    ),
]
Task = Annotated[
    TaskName | None,
    typer.Option(
        help="What kind of text ce-judge judges; that of the data's category, or general, if not given.",
        rich_help_panel=MODEL,
    ),
]
Guide = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        help="The scale of scores and what its points mean: a name, or a YAML file of your own.",
        rich_help_panel=MODEL,
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        metavar="CODE",
        help="The language of all instructions, such as de; found out if not given.",
        rich_help_panel=DATA,
    ),
]
ResponseLanguage = Annotated[
    str | None,
    typer.Option(
        metavar="CODE", help="The language of all responses, such as de; found out if not given.", rich_help_panel=DATA
    ),
]
Context = Annotated[
    int | None,
    typer.Option(min=1, help="Tokens that a prompt and its answer may have together.", rich_help_panel=MODEL),
]
Threads = Annotated[int | None, typer.Option(min=1, help="CPU threads; the physical cores.", rich_help_panel=MODEL)]
BatchSize = Annotated[
    int | None,
    typer.Option(
        min=1, help="Tokens computed at a time; more cost memory, and change answers a little.", rich_help_panel=MODEL
    ),
]
Concurrency = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="The most requests at a time to each server of a hosted model, 32; fewer when it does not keep up.",
        rich_help_panel=MODEL,
    ),
]
RequestsPerMinute = Annotated[
    float | None,
    typer.Option("--rpm", min=1, help="The most requests a minute to a hosted model.", rich_help_panel=MODEL),
]
TokensPerMinute = Annotated[
    float | None,
    typer.Option(
        "--tpm", min=1, help="The most tokens a minute to a hosted model, as estimated.", rich_help_panel=MODEL
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(min=0.1, help="Seconds that a hosted model may take for an answer, 600.", rich_help_panel=MODEL),
]
Samples = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Answers to sample, 8, where a hosted model gives no probabilities of its words.",
        rich_help_panel=MODEL,
    ),
]
Wait = Annotated[
    bool,
    typer.Option(
        "--wait/--no-wait",
        help="Wait for batches (--judge batch:NAME), or send them and stop; run again to collect the answers.",
        rich_help_panel=MODEL,
    ),
]
Engine = Annotated[
    EngineName,
    typer.Option(
        help="Where models run: here, or on the workers of a Ray cluster, that of RAY_ADDRESS or one on this machine.",
        rich_help_panel=MODEL,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(min=1, help="Workers of the cluster, 2; each holds the model.", rich_help_panel=MODEL),
]
Prompts = Annotated[
    Path | None,
    typer.Option(
        help="A folder with prompts that replace built-in ones; see checkwise prompts copy.", rich_help_panel=MODEL
    ),
]
LowMass = Annotated[
    float,
    typer.Option(
        min=0,
        max=1,
        help="Flag an answer when its options have less than this probability together.",
        rich_help_panel=MODEL,
    ),
]
Paper = Annotated[
    bool,
    typer.Option("--paper", help="Read probabilities as the code of the RocketEval paper does.", rich_help_panel=MODEL),
]

Asking = Annotated[
    AskingName | None,
    typer.Option(
        help="Put the items of a checklist to the judge alone (the default), in-turn, each seeing the answers before "
        "it, or together in one text, which is cheapest (rocketeval).",
        rich_help_panel=MODEL,
    ),
]
Repeats = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Sample so many answers to each item, and count Yes, instead of reading probabilities; shows how steady "
        "the judge is.",
        rich_help_panel=MODEL,
    ),
]
Temperature = Annotated[
    float | None,
    typer.Option(min=0.01, max=5, help="Of the sampled answers; 1 if not given.", rich_help_panel=MODEL),
]

ChecklistsFrom = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|generate",
        help="A file with checklists, or with one for all instances; generate has new ones written even where the "
        "data brings its own.",
        rich_help_panel=DATA,
    ),
]
ChecklistsFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A file with checklists, or with one for all instances.", rich_help_panel=DATA),
]
Responses = Annotated[
    Path | None,
    typer.Option(help="A file or folder with the responses, where they lie elsewhere.", rich_help_panel=DATA),
]
Turn = Annotated[
    int | None,
    typer.Option(min=1, help="Keep this turn of each question, where the data has turns.", rich_help_panel=DATA),
]
Limit = Annotated[
    int | None,
    typer.Option(min=1, help="Keep this many instances, spread over the categories.", rich_help_panel=DATA),
]
Models = Annotated[
    str | None,
    typer.Option(metavar="A,B", help="Keep the responses of these models.", rich_help_panel=DATA),
]
Layout = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="The layout of the data, where it shall not be found out: plain, rocketeval, mt-bench, mt-quality, "
        "liteval, alpaca-eval, arena-hard, wildbench, lm-eval, promptfoo or inspect.",
        rich_help_panel=DATA,
    ),
]

PriceOf = Annotated[
    list[str] | None,
    typer.Option(
        "--price",
        metavar="[MODEL=]IN,OUT[,CACHED]",
        help="Dollars per million prompt tokens, written tokens and tokens from the model's cache; of the judge if no "
        "model is named. Prices of well-known services are known.",
        rich_help_panel=COST,
    ),
]
MachineHour = Annotated[
    float | None,
    typer.Option(
        min=0,
        help="Dollars per hour of engine time, for models without a price per token.",
        rich_help_panel=COST,
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        metavar="DOLLARS",
        min=0,
        help="Stop before the answers of this run folder cost more; the same command with a higher limit goes on.",
        rich_help_panel=COST,
    ),
]
MaxCalls = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Stop before models are asked more questions for this run folder; each item is one.",
        rich_help_panel=COST,
    ),
]

Out = Annotated[
    Path | None,
    typer.Option(
        metavar="RUN", help="The folder of the run; runs/NAME of the data if not given.", rich_help_panel=OUTPUT
    ),
]
AsJson = Annotated[
    bool,
    typer.Option(
        "--json", help="Print one JSON document, and nothing else, on standard output.", rich_help_panel=OUTPUT
    ),
]


def examples(*lines: str) -> str:
    """Write the examples under a command's help, one a line."""
    return "\n\n".join(("Examples:" if len(lines) > 1 else "Example:", *lines))
