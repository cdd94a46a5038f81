"""What labels of some models teach about others: supervised against unsupervised scores on held-out models.

    python benchmarks/supervised_arena.py DATA --limit 24 [--generate] [--work runs/arena] [--splits 5]

DATA is a folder with questions.jsonl (question_id, prompt, reference_gpt4), model_answers.jsonl.gz, labels of GPT-4
from 1 to 10 in gpt4_scores.jsonl.gz, model_elo.jsonl and checklists.jsonl. Ten models are taken, spread over Arena's
Elo. In every split half of them teach and the others are scored; then the other way round, so that each model is held
out once a split. Measured: the share of pairs of held-out responses that scores order as the labels do, and Spearman's
rho of the held-out models' means with Elo, both with 95% intervals by bootstrap over prompts. With --generate the
embedded model writes the checklists. Runs are kept in the folder --work and go on where they stopped. Prints Markdown.
"""

import argparse
import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from scipy.stats import spearmanr

from checkwise.bootstrap import percentile_interval, ratio_intervals, resampled_ratios
from checkwise.datasets.labels import read_labels
from checkwise.datasets.rankings import read_ranking
from checkwise.datasets.tables import read_rows
from checkwise.methods import RocketEval
from checkwise.records import Dataset, Instance, Response, Turn
from checkwise.runs import ChecklistSources, Result, Run
from checkwise.scoring.settings import SupervisedSettings
from checkwise.scoring.supervised import supervise
from checkwise.trust.rank_agreement import rank_agreement

JUDGE = "local:qwen2.5-coder-1.5b"
MODELS = 10
SETTINGS = {
    "as published": SupervisedSettings(paper=True),
    "default": SupervisedSettings(),
    "alpha 1": SupervisedSettings(predictor="forest", alpha=1.0),
    "one forest for all": SupervisedSettings(predictor="global"),
    "isotonic calibration alone": SupervisedSettings(predictor="none", calibrate=True),
}


@dataclass(frozen=True)
class Arena:
    """The data."""

    dataset: Dataset
    labels: pl.DataFrame
    elo: pl.DataFrame


def read(data: Path, limit: int) -> Arena:
    """Read the first prompts that have a checklist, and the answers of ten models, every so many in Elo's order."""
    elo = read_ranking(data / "model_elo.jsonl").table
    listed = {str(row["question_id"]) for row, _ in read_rows(data / "checklists.jsonl")}
    questions = [row for row, _ in read_rows(data / "questions.jsonl") if str(row["question_id"]) in listed][:limit]
    ids = {str(row["question_id"]) for row in questions}
    ordered = elo.sort("rating", "model")["model"].to_list()
    models = {ordered[round(place)] for place in np.linspace(0, len(ordered) - 1, MODELS)}
    answers = [
        Response(instance_id=str(row["question_id"]), model=row["model"], text=row["output"])
        for row, _ in read_rows(data / "model_answers.jsonl.gz")
        if str(row["question_id"]) in ids and row["model"] in models
    ]
    instances = tuple(
        Instance(
            id=str(row["question_id"]),
            turns=(Turn(role="user", content=row["prompt"]),),
            reference=row["reference_gpt4"],
        )
        for row in questions
    )
    labels = read_labels(data / "gpt4_scores.jsonl.gz").filter(
        pl.col("model").is_in(sorted(models)), pl.col("instance_id").is_in(sorted(ids))
    )
    return Arena(Dataset(name="arena", format="arena", instances=instances, responses=tuple(answers)), labels, elo)


def judge(arena: Arena, data: Path, work: Path, *, generate: bool) -> Result:
    """Grade all answers with the checklists of the data, or with the embedded model's own."""
    sources = ChecklistSources(generate=True) if generate else ChecklistSources(file=data / "checklists.jsonl")
    plan = Run(dataset=arena.dataset, out=work, method=RocketEval(), judge=JUDGE, checklists=sources)
    result, asked = asyncio.run(plan.grade())
    sys.stderr.write(f"asked {asked.questions}, from the store {asked.reused}\n")
    return result


def halves(models: list[str], splits: int) -> list[tuple[list[str], list[str]]]:
    """Cut the models into two halves, in several random ways."""
    draw = np.random.default_rng(42)
    cut = []
    for _ in range(splits):
        order = [models[place] for place in draw.permutation(len(models))]
        cut.append((sorted(order[: len(order) // 2]), sorted(order[len(order) // 2 :])))
    return cut


def held_out(result: Result, arena: Arena, settings: SupervisedSettings | None, splits: int) -> list[pl.DataFrame]:
    """Score each half by what the other one taught; without settings, as it is. One table a half."""
    tables = []
    for one, other in halves(list(arena.dataset.models), splits):
        for taught, tested in ((one, other), (other, one)):
            if settings is None:
                scores = result.scores.filter(pl.col("model").is_in(tested))
            else:
                found = supervise(
                    result.grades,
                    result.scores,
                    arena.labels,
                    train_models=taught,
                    test_models=tested,
                    settings=settings,
                )
                scores = found.table.filter(pl.col("role") == "test")
            tables.append(scores.select("instance_id", "model", "value"))
    return tables


def in_order(tables: list[pl.DataFrame], labels: pl.DataFrame) -> pl.DataFrame:
    """Count by instance the pairs of one half whose labels differ, and those that scores put in their order."""
    known = labels.drop_nulls("label").group_by("instance_id", "model").agg(pl.col("label").mean())
    counted = []
    for table in tables:
        rows = table.drop_nulls("value").join(known, on=["instance_id", "model"])
        both = rows.join(rows, on="instance_id", suffix="_b").filter(pl.col("model") < pl.col("model_b"))
        both = both.filter(pl.col("label") != pl.col("label_b"))
        same = (pl.col("value") - pl.col("value_b")).sign() * (pl.col("label") - pl.col("label_b")).sign()
        counted.append(both.select("instance_id", right=(same + 1) / 2, pairs=pl.lit(1.0)))
    return pl.concat(counted).group_by("instance_id").agg(pl.all().sum()).sort("instance_id")


def row(name: str, tables: list[pl.DataFrame], plain: list[pl.DataFrame], arena: Arena) -> str:
    """Write one line: agreement with labels, its gain, and the rank correlation with Elo, averaged over halves."""
    own, base = in_order(tables, arena.labels), in_order(plain, arena.labels)
    joined = own.join(base, on="instance_id", suffix="_plain")
    above = joined.select("right", gain=pl.col("right") - pl.col("right_plain")).to_numpy()
    below = joined.select(pl.col("pairs"), again=pl.col("pairs")).to_numpy().astype(np.float64)
    share, gain = above.sum(axis=0) / below.sum(axis=0)
    intervals = ratio_intervals(above, below)
    return (
        f"| {name} | {share:.1%} ({ends(intervals[0], 100)}) | {100 * gain:+.1f} ({ends(intervals[1], 100)}) "
        f"| {within_halves(tables, arena)} | {whole_ranking(tables, arena)} |"
    )


def within_halves(tables: list[pl.DataFrame], arena: Arena) -> str:
    """Rank the models of one half, all of which one teacher scored; the mean of rho over halves."""
    elo = dict(arena.elo.select("model", "rating").iter_rows())
    ids = pl.DataFrame({"instance_id": sorted(instance.id for instance in arena.dataset.instances)})
    value, draws = [], []
    for table in tables:
        wide = ids.join(table.pivot("model", index="instance_id", values="value"), on="instance_id", how="left")
        scores = wide.sort("instance_id").drop("instance_id")
        ratings = np.array([elo[model] for model in scores.columns])
        known = scores.to_numpy().astype(np.float64)
        above, below = np.nan_to_num(known), (~np.isnan(known)).astype(np.float64)
        value.append(spearmanr(above.sum(axis=0) / below.sum(axis=0), ratings).statistic)
        draws.append([spearmanr(means, ratings).statistic for means in resampled_ratios(above, below)])
    interval = percentile_interval(np.mean(draws, axis=0), confidence=0.95, clusters=len(ids))
    return f"{np.mean(value):.3f} ({ends(interval, 1)})"


def whole_ranking(tables: list[pl.DataFrame], arena: Arena) -> str:
    """Rank all models by their held-out scores, averaged over splits."""
    mean = pl.concat(tables).group_by("instance_id", "model").agg(pl.col("value").mean())
    found = rank_agreement(mean, arena.elo).spearman
    if found.value is None:
        return f"– ({found.reason})"
    return f"{found.value:.3f} ({ends(found.interval, 1)})"


def ends(interval: object, times: float) -> str:
    """Write an interval."""
    if interval is None:
        return "–"
    digits = 1 if times > 1 else 3
    return f"{times * interval.low:.{digits}f} to {times * interval.high:.{digits}f}"  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--limit", type=int, default=24)
    parser.add_argument("--generate", action="store_true")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--work", type=Path, default=Path("runs/arena"))
    parser.add_argument("--grades", type=Path)
    options = parser.parse_args()
    arena = read(options.data, options.limit)
    result = judge(arena, options.data, options.work, generate=options.generate)
    if options.grades:
        result.grades.write_parquet(options.grades)
    plain = held_out(result, arena, None, options.splits)
    lines = [
        f"{len(arena.dataset.instances)} prompts, {MODELS} models, {options.splits} splits in halves.",
        "",
        "| scores | pairs in the labels' order | points more | rho with Elo within a half | rho of all, halves mixed |",
        "|---|---|---|---|---|",
        row("unsupervised", plain, plain, arena),
    ]
    for name, settings in SETTINGS.items():
        lines.append(row(f"supervised, {name}", held_out(result, arena, settings, options.splits), plain, arena))
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
