"""What it costs, and what it loses, to put the items of a checklist to the judge in turn or all together.

    python benchmarks/asking.py DATA --checklists LISTS [--turn 1] [--limit 8] [--repeats 4] [--work runs/asking]

DATA is MT-Bench in FastChat's layout with human_votes.jsonl. Every way grades the same responses: each item alone, in
turn (each item sees the answers before it), together in one text, and alone with sampled answers, which shows how
steady the judge is. Measured on the same votes; differences from "alone" are paired, with 95% intervals by bootstrap
over instances. Runs are kept in the folder --work and go on where they stopped. Prints Markdown.
"""

import argparse
import asyncio
import json
import sqlite3
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from checkwise.datasets import load
from checkwise.datasets.votes import read_votes
from checkwise.methods import Alone, InTurn, RocketEval, Together
from checkwise.methods.item_asking import Asking
from checkwise.ranking.pairs import pair_outcomes
from checkwise.records import Dataset
from checkwise.runs import ChecklistSources, Result, Run
from checkwise.trust.agreement import agreement
from checkwise.trust.figure import Figure
from checkwise.trust.paired import agreement_difference
from checkwise.trust.steadiness import steadiness
from checkwise.trust.votes import with_outcomes

JUDGE = "local:qwen2.5-coder-1.5b"
ITEM = ["instance_id", "model", "number"]


@dataclass(frozen=True)
class Graded:
    """What one way of asking gave."""

    name: str
    grades: pl.DataFrame
    scores: pl.DataFrame
    computed: int
    """Tokens of prompts that were computed."""
    written: int
    """Tokens that were written."""
    seconds: float

    @property
    def outcomes(self) -> pl.DataFrame:
        """Who wins each pair."""
        return pair_outcomes(self.scores, margin=0.1)


def grade(dataset: Dataset, lists: Path, name: str, asking: Asking, work: Path) -> Graded:
    """Grade all responses in one way."""
    plan = Run(
        dataset=dataset,
        out=work / name.replace(" ", "-"),
        method=RocketEval(asking=asking),
        judge=JUDGE,
        checklists=ChecklistSources(file=lists),
    )
    asyncio.run(plan.grade())
    result = Result(plan.out)
    with closing(sqlite3.connect(plan.out / "run.sqlite")) as database:
        usages = [json.loads(answer)["usage"] for (answer,) in database.execute("SELECT answer FROM completions")]
    sums = (sum(usage[key] for usage in usages) for key in ("computed_tokens", "generated_tokens", "seconds"))
    return Graded(name, result.grades, result.scores, *sums)


def show(figure: Figure, *, signed: bool = False) -> str:
    """Write a share or a difference in percent, with its interval."""
    if figure.value is None:
        return "–"
    sign = "+" if signed else ""
    ends = figure.interval and f" ({100 * figure.interval.low:{sign}.1f} to {100 * figure.interval.high:{sign}.1f})"
    return f"{100 * figure.value:{sign}.1f}{ends or ''}"


def line(one: Graded, alone: Graded, votes: pl.DataFrame) -> str:
    """Write one way's costs, and what it says beside asking each item alone."""
    rate = agreement(one.outcomes, votes)
    beside = one.grades.join(alone.grades, on=ITEM, suffix="_alone").drop_nulls(["p_yes", "p_yes_alone"])
    apart = (beside["p_yes"] - beside["p_yes_alone"]).abs().mean()
    difference = "" if one is alone else show(agreement_difference(one.outcomes, alone.outcomes, votes), signed=True)
    cells = (
        one.name,
        f"{one.computed:,}",
        f"{one.written:,}",
        f"{one.seconds / 60:.1f} min",
        f"{one.grades['p_yes'].null_count()} of {one.grades.height}",
        f"{apart:.3f}",
        show(Figure(rate.rate, rate.interval, rate.votes)),
        difference,
    )
    return f"| {' | '.join(cells)} |"


def report(graded: list[Graded], votes: pl.DataFrame) -> str:
    """Write the table and how steady sampled answers are."""
    alone = graded[0]
    named = {f"way {place}": one.outcomes for place, one in enumerate(graded)}
    votes = with_outcomes(votes, **named).select(votes.columns)
    lines = [
        f"{alone.scores.height} responses to {alone.scores['instance_id'].n_unique()} questions, "
        f"{alone.grades.height} items, {votes.height} votes",
        "",
        "| asked | tokens computed | written | time | unscored | mean distance of p_yes | agreement % | points more |",
        "|---|---|---|---|---|---|---|---|",
        *(line(one, alone, votes) for one in graded),
    ]
    found = steadiness(graded[-1].grades)
    if found.items:
        lines += [
            "",
            f"Sampled answers to {found.items} items: two answers are the same in {show(found.agreement)}%, "
            f"all of them in {show(found.unanimous)}%; {found.left_out} items left out.",
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--checklists", type=Path, required=True)
    parser.add_argument("--turn", type=int, default=1)
    parser.add_argument("--limit", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=4)
    parser.add_argument("--work", type=Path, default=Path("runs/asking"))
    options = parser.parse_args()
    dataset = load(options.data, turn=options.turn, limit=options.limit)
    known = pl.Series([instance.id for instance in dataset.instances])
    votes = read_votes(options.data / "human_votes.jsonl").filter(pl.col("instance_id").is_in(known.implode()))
    ways: dict[str, Asking] = {
        "alone": Alone(),
        "in turn": InTurn(),
        "together": Together(),
        f"alone, {options.repeats} samples": Alone(samples=options.repeats),
    }
    graded = [grade(dataset, options.checklists, name, asking, options.work) for name, asking in ways.items()]
    sys.stdout.write(report(graded, votes))


if __name__ == "__main__":
    main()
