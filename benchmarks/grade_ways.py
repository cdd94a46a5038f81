"""Put every item to the judge in several ways and keep each answer apart, to see what helps.

    python benchmarks/grade_ways.py DATA --checklists LISTS --out grades.parquet [--turn 1] [--limit 32]

Three ways: named "Yes or No", named "No or Yes", and in other words. Each also for an empty response, which gives the
judge's prior. Three general questions about the whole response follow each list in the first way, numbered from 101.
Answers are kept in the folder --work, so a run that was stopped goes on; the table grows with each instance.
One row an item, response and way: instance_id, model ("(no response)": the empty one), number, item, way, p_yes, mass.
"""

import argparse
import asyncio
import sys
from contextlib import closing
from pathlib import Path

import polars as pl

from checkwise.datasets import load, read_checklists
from checkwise.engines import open_engine
from checkwise.methods import RocketEval
from checkwise.methods.conversation import prompt_data
from checkwise.methods.item_asking import NO, YES, ItemAnswer, read_choice_of_yes
from checkwise.questions import Ask, Choose
from checkwise.records import Checklist, Dataset, Instance, Response
from checkwise.runs.ask import StoredAsk
from checkwise.store import RunFolder

JUDGE = "local:qwen2.5-coder-1.5b"
WAYS = {
    "yes-no": "Answer this question about the response with Yes or No.\n",
    "no-yes": "Answer this question about the response with No or Yes.\n",
    "other words": "Look at the response once more. Is it Yes or No to this question?\n",
}
"""What stands before an item; the first is RocketEval's own."""
NOBODY = "(no response)"
"""The model of the empty response."""

GENERAL = (
    "Is everything that the response says correct?",
    "Does the response do all that the user asked for?",
    "Would a demanding expert be satisfied with the response?",
)
"""Questions that fit any query."""
FIRST_GENERAL = 101
"""The number of the first of them, above those of all lists."""

COLUMNS = dict.fromkeys(("instance_id", "model"), pl.String) | {
    "number": pl.Int64,
    "item": pl.String,
    "way": pl.String,
    "p_yes": pl.Float64,
    "mass": pl.Float64,
}

Row = tuple[object, ...]
"""instance_id, model, number, item, way, p_yes, mass."""


async def grade(instance: Instance, checklist: Checklist, response: Response, ask: Ask) -> list[Row]:
    """Ask all items of one response in all ways."""
    prompt = RocketEval().prompts.get("rocketeval/grade")
    numbered = [*enumerate(checklist.items, start=1), *enumerate(GENERAL, start=FIRST_GENERAL)]
    data = prompt_data(instance, response)
    rows: list[Row] = []
    for name, wording in WAYS.items():
        asked = numbered if name == "yes-no" else numbered[: len(checklist.items)]
        wanted = Choose(
            system=prompt.render("system", **data).strip(),
            # The wording is a segment of its own: all ways share the response.
            shared=(prompt.render("instance", **data), prompt.render("response", **data), wording),
            suffixes=tuple(prompt.render("item", **data, item=item) for _, item in asked),
            options=(YES, NO),
            step="grading",
        )
        answers: list[ItemAnswer] = [read_choice_of_yes(a, paper=False) for a in await ask.choose(wanted)]
        for (number, item), answer in zip(asked, answers, strict=True):
            rows.append((instance.id, response.model, number, item, name, answer.p_yes, answer.mass))
    return rows


async def grade_all(dataset: Dataset, checklists: dict[str, Checklist], work: Path, out: Path) -> pl.DataFrame:
    """Ask about every response that is not empty, and about nothing at all."""
    engine = open_engine(JUDGE)
    rows: list[Row] = []
    table = pl.DataFrame(schema=COLUMNS)
    with RunFolder(work) as folder, closing(folder.database):
        ask = StoredAsk(engine, folder.database)
        for done, instance in enumerate(dataset.instances):
            if instance.id not in checklists:
                continue
            own = [r for r in dataset.responses if r.instance_id == instance.id and not r.is_empty]
            for response in [*own, Response(instance_id=instance.id, model=NOBODY, text="")]:
                rows += await grade(instance, checklists[instance.id], response, ask)
            table = pl.DataFrame(rows, schema=COLUMNS, orient="row")
            table.write_parquet(out)
            sys.stderr.write(f"{done + 1} of {len(dataset.instances)} instances\n")
        await engine.close()
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--checklists", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--turn", type=int)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--models", help="A,B")
    parser.add_argument("--work", type=Path, default=Path("runs/ways"))
    options = parser.parse_args()
    models = options.models.split(",") if options.models else None
    dataset = load(options.data, turn=options.turn, limit=options.limit, models=models)
    found, notes = read_checklists(options.checklists, dataset)
    sys.stderr.writelines(f"{note}\n" for note in notes)
    lists = {checklist.instance_id: checklist for checklist in found}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    table = asyncio.run(grade_all(dataset, lists, options.work, options.out))
    sys.stdout.write(f"{table.height} answers in {options.out}\n")


if __name__ == "__main__":
    main()
