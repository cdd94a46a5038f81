"""Agreement with MT-Bench's human votes: judges, the longer response, GPT-4 and people, all on the same votes.

Usage:
    python benchmarks/mt_bench_agreement.py DATA --scores checklists=runs/a --scores direct=direct.csv [--turn 1]

DATA is a folder in FastChat's layout with human_votes.jsonl and gpt4_pair_votes.jsonl beside question.jsonl. Scores
come from a run folder or from a table (CSV, JSON Lines, Parquet) with the columns instance_id, model, value (0 to 1,
empty where unscored). Prints Markdown; the first scores are compared with each of the others, on the same votes.
"""

import argparse
import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from checkwise.bootstrap import Interval
from checkwise.datasets import load
from checkwise.datasets.fields import Fields, as_name, require
from checkwise.datasets.tables import read_rows
from checkwise.datasets.votes import read_votes
from checkwise.errors import CheckwiseError, DataError, NothingJudgedError, Place
from checkwise.ranking.pairs import TIE_MARGIN, pair_outcomes
from checkwise.records import Dataset
from checkwise.runs.result import Result
from checkwise.trust.agreement import Agreement, agreement, agreement_by_category, human_agreement
from checkwise.trust.baselines import longer_wins
from checkwise.trust.paired import agreement_difference
from checkwise.trust.votes import votes_as_outcomes, with_outcomes

LONGER, GPT4, PEOPLE = "longer wins", "gpt4_pair", "human-human"

Judges = dict[str, pl.DataFrame]
"""Outcomes, by the name of who decided."""


def read_scores(path: Path) -> pl.DataFrame:
    """Read scores from a run folder or a table: instance_id, model, value."""
    if path.is_dir():
        return Result(path).scores.select("instance_id", "model", "value")
    rows = [
        (
            as_name(require(row, place, "instance_id"), place, "instance_id"),
            as_name(require(row, place, "model"), place, "model"),
            _value(row, place),
        )
        for row, place in read_rows(path)
    ]
    schema = {"instance_id": pl.String, "model": pl.String, "value": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _value(row: Fields, place: Place) -> float | None:
    value = require(row, place, "value")
    if value is None or value == "":
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 <= number <= 1:
        raise DataError(
            f"`value` is {value!r}", where=place, todo="Write a number from 0 to 1, or nothing where unscored."
        )
    return number


def judges_of(scores: dict[str, Path], dataset: Dataset, gpt4: pl.DataFrame, margin: float) -> Judges:
    """Decide every pair by each of the scores, by length and by GPT-4."""
    by_score = {name: pair_outcomes(read_scores(path), margin=margin) for name, path in scores.items()}
    return {**by_score, LONGER: longer_wins(dataset.responses), GPT4: votes_as_outcomes(gpt4)}


def votes_of_all(votes: pl.DataFrame, judges: Judges) -> pl.DataFrame:
    """Keep the votes on pairs that every judge decided, so that all are measured on the same."""
    # Numbered, because a judge may be called like a column.
    kept = with_outcomes(votes, **{f"judge {i}": outcomes for i, outcomes in enumerate(judges.values())})
    if kept.is_empty():
        raise NothingJudgedError(
            "no vote is about a pair that every judge decided", todo="See that the scores have ids such as 81-1."
        )
    return kept.select(votes.columns)


def measures_of(judges: Judges, draws: int) -> dict[str, Callable[[pl.DataFrame], Agreement]]:
    """Give for each row of the table how its agreement with votes is measured."""

    def against(outcomes: pl.DataFrame) -> Callable[[pl.DataFrame], Agreement]:
        return lambda votes: agreement(outcomes, votes, draws=draws)

    return {
        **{name: against(outcomes) for name, outcomes in judges.items()},
        PEOPLE: lambda votes: human_agreement(votes, draws=draws),
    }


def overall_table(votes: pl.DataFrame, measures: dict[str, Callable[[pl.DataFrame], Agreement]]) -> list[str]:
    """Write agreement, interval, kappa and counts, one line a judge."""
    lines = ["| who decides | agreement | 95% interval | κ | votes | instances |", "|---|---|---|---|---|---|"]
    for name, measure in measures.items():
        try:
            found = measure(votes)
        except NothingJudgedError:
            lines.append(f"| {name} | – | – | – | 0 | 0 |")
            continue
        kappa = "–" if found.kappa is None else f"{found.kappa:.2f}"
        lines.append(
            f"| {name} | {found.rate:.1%} | {_interval(found.interval)} | {kappa} | {found.votes} | {found.instances} |"
        )
    return lines


def category_table(
    votes: pl.DataFrame, dataset: Dataset, measures: dict[str, Callable[[pl.DataFrame], Agreement]]
) -> list[str]:
    """Write agreement by category, one column a judge."""
    categories = pl.DataFrame(
        [(instance.id, instance.category) for instance in dataset.instances],
        schema={"instance_id": pl.String, "category": pl.String},
        orient="row",
    )
    tables = {name: agreement_by_category(votes, categories, measure) for name, measure in measures.items()}
    lines = [f"| category | votes | {' | '.join(tables)} |", f"|---|---|{'---|' * len(tables)}"]
    for number, (category, count) in enumerate(tables[LONGER].select("category", "votes").rows()):
        cells = [_cell(table.row(number, named=True)) for table in tables.values()]
        lines.append(f"| {category or '(none)'} | {count} | {' | '.join(cells)} |")
    return lines


def _cell(row: Fields) -> str:
    if row["rate"] is None:
        return "–"
    return f"{row['rate']:.0%}" if row["low"] is None else f"{row['rate']:.0%} ({row['low']:.0%} to {row['high']:.0%})"


def difference_table(votes: pl.DataFrame, judges: Judges, first: str, draws: int) -> list[str]:
    """Write by how much one judge is ahead of each of the others, on the same votes."""
    lines = [f"| {first} against | points | 95% interval |", "|---|---|---|"]
    for name in judges:
        if name != first:
            found = agreement_difference(judges[first], judges[name], votes, draws=draws)
            lines.append(f"| {name} | {100 * found.value:+.1f} | {_interval(found.interval, signed=True)} |")
    return lines


def _interval(interval: Interval | None, *, signed: bool = False) -> str:
    if interval is None:
        return "–"
    if signed:
        return f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}"
    return f"{interval.low:.1%} to {interval.high:.1%}"


def report(data: Path, scores: dict[str, Path], *, turn: int | None, margin: float, draws: int) -> str:
    """Measure everything and write it as Markdown."""
    dataset = load(data, turn=turn, format="mt-bench")
    wanted = pl.Series([instance.id for instance in dataset.instances])
    votes = read_votes(data / "human_votes.jsonl").filter(pl.col("instance_id").is_in(wanted.implode()))
    judges = judges_of(scores, dataset, read_votes(data / "gpt4_pair_votes.jsonl"), margin)
    kept = votes_of_all(votes, judges)
    measures = measures_of(judges, draws)
    lines = [
        f"{kept.height} of {votes.height} human votes are on pairs that all judges decided; the others are left out.",
        f"Tie margin {margin:g} on the 1-10 scale; {draws} resamples of instances.",
        "",
        *overall_table(kept, measures),
        "",
        *category_table(kept, dataset, measures),
    ]
    if scores:
        lines += ["", *difference_table(kept, judges, next(iter(scores)), draws)]
    return "\n".join(lines) + "\n"


def _named(text: str) -> tuple[str, Path]:
    name, sign, path = text.partition("=")
    if not sign or not name or not path or name in (LONGER, GPT4, PEOPLE):
        raise argparse.ArgumentTypeError(f"write NAME=PATH with a name of its own, not {text!r}")
    return name, Path(path)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="MT-Bench folder with votes")
    parser.add_argument("--scores", type=_named, action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--turn", type=int, help="this turn only; both if left out")
    parser.add_argument("--margin", type=float, default=TIE_MARGIN, help="of a tie, on the 1-10 scale")
    parser.add_argument("--draws", type=int, default=1000, help="resamples behind each interval")
    options = parser.parse_args(arguments)
    scores = dict(options.scores)
    if len(scores) < len(options.scores):
        parser.error("two --scores have the same name")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        sys.stdout.write(report(options.data, scores, turn=options.turn, margin=options.margin, draws=options.draws))
    except CheckwiseError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
