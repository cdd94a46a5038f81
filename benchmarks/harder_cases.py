"""Which ways of asking and scoring agree better with people, chosen and measured on different questions.

    python benchmarks/harder_cases.py DATA GRADES.parquet [GRADES.parquet ...] [--folds 8]

DATA is MT-Bench in FastChat's layout with human_votes.jsonl and gpt4_pair_votes.jsonl; GRADES are tables that
``grade_ways.py`` wrote. Every option is measured alone, its own parameter chosen on the other questions; then the best
combination of all, chosen for each fold on the other folds (nested cross-validation). All judges are measured on the
same votes; differences are paired, with 95% intervals by bootstrap over instances. Prints Markdown.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path

import polars as pl

from aggregate import Averaging, aggregate_scores, correct_for_prior, penalise_length
from checkwise.datasets import load
from checkwise.datasets.votes import read_votes
from checkwise.ranking.pairs import pair_outcomes
from checkwise.records import Dataset
from checkwise.trust.agreement import Agreement, agreement, human_agreement
from checkwise.trust.baselines import longer_wins
from checkwise.trust.held_out import Candidate, chosen_on_other_folds, question_folds
from checkwise.trust.items import flagged_items, item_statistics
from checkwise.trust.paired import agreement_difference
from checkwise.trust.votes import votes_as_outcomes, with_outcomes
from learned_weights import learn_item_weights

NOBODY, FIRST_GENERAL = "(no response)", 101
WAYS = {
    "one": ("yes-no",),
    "both orders": ("yes-no", "no-yes"),
    "two phrasings": ("yes-no", "other words"),
    "three ways": ("yes-no", "no-yes", "other words"),
}
FLAGS = ("nearly always Yes", "nearly always No", "low discrimination", "redundant")


@dataclass(frozen=True)
class Recipe:
    """One way to make scores of answers."""

    ways: str = "one"
    general: bool = False
    averaging: Averaging = "mean"
    prior: float = 0.0
    drop: bool = False
    weigh: bool = False
    penalty: float = 0.0
    margin: float = 0.1

    def __str__(self) -> str:
        """Say what differs from the plain one."""
        plain = Recipe()
        names = (n for n in self.__dataclass_fields__ if getattr(self, n) != getattr(plain, n))
        return ", ".join(f"{name} {getattr(self, name)}" for name in names) or "unsupervised"


OPTIONS: dict[str, list[Recipe]] = {
    "both orders": [Recipe(ways="both orders")],
    "two phrasings": [Recipe(ways="two phrasings")],
    "three ways": [Recipe(ways="three ways")],
    "general questions added": [Recipe(general=True)],
    "median": [Recipe(averaging="median")],
    "logit mean": [Recipe(averaging="logit mean")],
    "prior taken off": [Recipe(prior=strength) for strength in (0.25, 0.5, 1.0)],
    "flagged items dropped": [Recipe(drop=True)],
    "learned item weights": [Recipe(weigh=True)],
    "length penalty": [Recipe(penalty=per_doubling) for per_doubling in (0.05, 0.1, 0.2, 0.4)],
    "tie margin": [Recipe(margin=margin) for margin in (0.05, 0.2, 0.3, 0.5, 0.8)],
}
"""Options with the values that are tried."""

ALL = [
    Recipe(ways, general, averaging, prior, drop, weigh, penalty, margin)
    for ways, general, averaging, prior, (drop, weigh), penalty, margin in product(
        ("one", "three ways"),
        (False, True),
        ("mean", "logit mean"),
        (0.0, 0.5),
        ((False, False), (True, False), (False, True)),
        (0.0, 0.1),
        (0.1, 0.3),
    )
]
"""Combinations, the plain one first."""


@dataclass(eq=False)
class Bench:
    """Answers and what is known beside them."""

    dataset: Dataset
    answers: pl.DataFrame
    votes: pl.DataFrame
    learned: dict[object, pl.DataFrame] = field(default_factory=dict)

    @cache  # noqa: B019 - one bench a process
    def grades(self, ways: str, prior: float, *, general: bool) -> pl.DataFrame:
        """Average p_yes over ways, the prior of each taken off; an item that one way cannot score is unscored."""
        asked = self.answers.filter(pl.col("way").is_in(WAYS[ways]), (pl.col("number") < FIRST_GENERAL) | general)
        priors = asked.filter(pl.col("model") == NOBODY)
        parts = []
        for way in WAYS[ways]:
            of_way = asked.filter(pl.col("way") == way, pl.col("model") != NOBODY)
            parts.append(correct_for_prior(of_way, priors.filter(pl.col("way") == way), strength=prior))
        return (
            pl.concat(parts)
            .group_by("instance_id", "model", "number", "item")
            .agg(
                p_yes=pl.when(pl.col("p_yes").null_count() == 0).then(pl.col("p_yes").mean()),
                mass=pl.col("mass").mean(),
            )
            .with_columns(low_mass=pl.col("mass") < 0.5)
            .sort("instance_id", "model", "number")
        )

    @cache  # noqa: B019 - one bench a process
    def statistics(self, ways: str, prior: float, *, general: bool) -> pl.DataFrame:
        """Describe the items; no vote is looked at."""
        grades = self.grades(ways, prior, general=general)
        return item_statistics(grades, grades.select("instance_id", "model", status=pl.lit("scored")).unique())

    @cache  # noqa: B019 - one bench a process
    def lengths(self) -> pl.DataFrame:
        """Count the characters of every response."""
        rows = [(r.instance_id, r.model, len(r.text)) for r in self.dataset.responses]
        return pl.DataFrame(rows, schema=["instance_id", "model", "length"], orient="row")

    def outcomes(self, recipe: Recipe, votes: pl.DataFrame) -> pl.DataFrame:
        """Decide all pairs; votes are looked at only where weights are learned."""
        grades = self.grades(recipe.ways, recipe.prior, general=recipe.general)
        statistics = self.statistics(recipe.ways, recipe.prior, general=recipe.general)
        dropped = weights = None
        if recipe.drop:
            flags = flagged_items(statistics).filter(pl.col("flag").is_in(FLAGS))
            # A list keeps at least two items.
            left = statistics.join(flags, on=["instance_id", "number"], how="anti").group_by("instance_id").len()
            kept = left.filter(pl.col("len") >= 2)["instance_id"]
            dropped = flags.filter(pl.col("instance_id").is_in(kept.implode()))
        if recipe.weigh:
            weights = self.weights(recipe, votes)
        scores = aggregate_scores(grades, averaging=recipe.averaging, weights=weights, dropped=dropped)
        if recipe.penalty:
            scores = penalise_length(scores, self.lengths(), per_doubling=recipe.penalty)
        return pair_outcomes(scores, margin=recipe.margin)

    def weights(self, recipe: Recipe, votes: pl.DataFrame) -> pl.DataFrame:
        """Learn item weights; the same votes and answers teach the same, whatever else a recipe does."""
        key = recipe.ways, recipe.general, recipe.prior, tuple(votes["instance_id"].unique().sort())
        if key not in self.learned:
            grades = self.grades(recipe.ways, recipe.prior, general=recipe.general)
            statistics = self.statistics(recipe.ways, recipe.prior, general=recipe.general)
            self.learned[key] = learn_item_weights(grades, statistics, votes).weights
        return self.learned[key]

    def candidate(self, recipe: Recipe) -> Candidate:
        """Make a candidate; what learns nothing is decided once."""
        if recipe.weigh:
            return Candidate(str(recipe), lambda votes: self.outcomes(recipe, votes))
        decided = self.outcomes(recipe, self.votes)
        return Candidate(str(recipe), lambda _: decided)


def row(name: str, found: Agreement, difference: str, chosen: str) -> str:
    """Write one line of the table."""
    interval = f"{found.interval.low:.1%} to {found.interval.high:.1%}" if found.interval else "–"
    return f"| {name} | {found.rate:.1%} | {interval} | {difference} | {found.votes} | {chosen} |"


def report(data: Path, tables: Sequence[Path], folds: int) -> str:
    """Measure everything."""
    answers = pl.concat([pl.read_parquet(path) for path in tables])
    dataset = load(data, format="mt-bench")
    known = answers["instance_id"].unique()
    votes = read_votes(data / "human_votes.jsonl").filter(pl.col("instance_id").is_in(known.implode()))
    gpt4 = votes_as_outcomes(read_votes(data / "gpt4_pair_votes.jsonl"))
    bench = Bench(dataset, answers, votes)
    plain = bench.outcomes(Recipe(), votes)
    votes = with_outcomes(votes, one=plain, two=gpt4).select(votes.columns)
    bench.votes = votes
    dealt = question_folds({name: name.rsplit("-", 1)[0] for name in known.to_list()}, folds=folds)

    def against(outcomes: pl.DataFrame) -> str:
        found = agreement_difference(outcomes, plain, votes)
        ends = f"{100 * found.interval.low:+.1f} to {100 * found.interval.high:+.1f}" if found.interval else "–"
        return f"{100 * found.value:+.1f} ({ends})"

    lines = [
        f"{votes.height} human votes on {known.len()} instances; {folds} folds of questions.",
        "",
        "| how | agreement | 95% interval | points more than unsupervised | votes | chosen |",
        "|---|---|---|---|---|---|",
        row("unsupervised", agreement(plain, votes), "", ""),
    ]
    for name, recipes in OPTIONS.items():
        # The plain one is among them: an option whose best value is to be left out is left out.
        candidates = [bench.candidate(recipe) for recipe in [Recipe(), *recipes]] if len(recipes) > 1 else None
        candidates = candidates or [bench.candidate(recipes[0])]
        chosen = chosen_on_other_folds(candidates, votes, dealt)
        times = "; ".join(f"{times} × {which}" for which, times in chosen.times.items())
        lines.append(row(name, agreement(chosen.outcomes, votes), against(chosen.outcomes), times))
    best = chosen_on_other_folds([bench.candidate(recipe) for recipe in ALL], votes, dealt)
    times = "; ".join(f"{times} × {which}" for which, times in best.times.items())
    lines.append(row("best combination, nested", agreement(best.outcomes, votes), against(best.outcomes), times))
    others: list[tuple[str, Callable[[], pl.DataFrame]]] = [
        ("the longer response wins", lambda: longer_wins(dataset.responses)),
        ("GPT-4, pairs", lambda: gpt4),
    ]
    for name, decide in others:
        outcomes = decide()
        lines.append(row(name, agreement(outcomes, votes), against(outcomes), ""))
    lines.append(row("people with each other", human_agreement(votes), "", ""))
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("grades", type=Path, nargs="+")
    parser.add_argument("--folds", type=int, default=8)
    options = parser.parse_args()
    sys.stdout.write(report(options.data, options.grades, options.folds))


if __name__ == "__main__":
    main()
