"""How often methods are right on pairs, in both orders, and what one order alone would have shown.

    python benchmarks/judge_pairs.py PAIRS [--methods ce-judge,direct,cot] [--limit 24] [--work runs/pairs]

PAIRS is a file that ``checkwise compare`` reads. Every method compares the same pairs in both orders; runs are kept
in the folder --work and go on where they stopped. "As given" is what the order of the file alone gives, "better first"
what the published protocol gives, which always shows the better response first. Prints Markdown.
"""

import argparse
import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from checkwise.datasets import load_pairs
from checkwise.methods import CEJudge, ComparingMethod, CoT, Direct, Prometheus, RocketEval
from checkwise.records import PairSet
from checkwise.runs import CompareRun, Comparing
from checkwise.trust.figure import Figure
from checkwise.trust.pair_metrics import macro_accuracy, pair_metrics
from checkwise.trust.position import published_protocol, worse_first

METHODS: dict[str, type[ComparingMethod]] = {
    "ce-judge": CEJudge,
    "direct": Direct,
    "cot": CoT,
    "prometheus": Prometheus,
    "rocketeval": RocketEval,
}
JUDGE = "local:qwen2.5-coder-1.5b"
NONE = "–"


@dataclass(frozen=True)
class Judged:
    """One method's verdicts."""

    method: str
    comparisons: pl.DataFrame
    orders: int

    @property
    def given(self) -> Figure:
        """Accuracy where each pair is shown once, as the file has it."""
        shown = self.comparisons.filter(pl.col("first").is_null() | (pl.col("first") == "A"))
        return pair_metrics(shown, orders=1).accuracy


def method_of(name: str, items: tuple[int, int]) -> ComparingMethod:
    """Make a method; RocketEval's generator is asked for so many items at least and at most."""
    return RocketEval(items=items) if name == "rocketeval" else METHODS[name]()


def judge(pairs: PairSet, method: str, work: Path, items: tuple[int, int]) -> Judged:
    """Compare all pairs with one method, in both orders."""
    plan = CompareRun(pairs=pairs, out=work / method, how=Comparing(method=method_of(method, items)), judge=JUDGE)
    result, asked = asyncio.run(plan.compare())
    sys.stderr.write(f"{method}: asked {asked.questions}, from the store {asked.reused}\n")
    return Judged(method, result.comparisons, result.orders)


def show(figure: Figure) -> str:
    """Write a share with its interval."""
    if figure.value is None:
        return NONE
    if figure.interval is None:
        return f"{figure.value:.1%}"
    return f"{figure.value:.1%} ({figure.interval.low:.1%} to {figure.interval.high:.1%})"


def overall_table(judged: list[Judged]) -> list[str]:
    """Write one line a method."""
    lines = [
        "| method | pairs | unscored | both orders | consistent pairs only | consistency | first position "
        "| as given | better first | worse first |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for each in judged:
        m = pair_metrics(each.comparisons, orders=each.orders)
        figures = (
            m.accuracy,
            m.accuracy_consistent,
            m.consistency,
            m.first_share,
            each.given,
            published_protocol(each.comparisons),
            worse_first(each.comparisons),
        )
        lines.append(f"| {each.method} | {m.pairs} | {m.unscored} | {' | '.join(map(show, figures))} |")
    return lines


def group_table(judged: list[Judged], by: str) -> list[str]:
    """Write accuracy in both orders by language or subset, one column a method."""
    lines = [f"| {by} | pairs | {' | '.join(each.method for each in judged)} |", f"|---|---|{'---|' * len(judged)}"]
    groups = judged[0].comparisons[by].unique().sort(nulls_last=True)
    for group in groups:
        parts = [each.comparisons.filter(pl.col(by).eq_missing(group)) for each in judged]
        cells = [show(pair_metrics(part, orders=e.orders).accuracy) for part, e in zip(parts, judged, strict=True)]
        lines.append(f"| {group or '(none)'} | {parts[0]['pair_id'].n_unique()} | {' | '.join(cells)} |")
    macro = [show(macro_accuracy(each.comparisons, by, orders=each.orders)) for each in judged]
    micro = [show(pair_metrics(each.comparisons, orders=each.orders).accuracy) for each in judged]
    total = judged[0].comparisons["pair_id"].n_unique()
    return [*lines, f"| macro | {total} | {' | '.join(macro)} |", f"| micro | {total} | {' | '.join(micro)} |"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--methods", default="ce-judge,direct,cot", help=f"of {', '.join(METHODS)}")
    parser.add_argument("--limit", type=int, help="keep this many pairs")
    parser.add_argument("--work", type=Path, default=Path("runs/pairs"), help="where the runs are kept")
    parser.add_argument("--items", default="5,10", help="fewest and most items of RocketEval's checklists")
    options = parser.parse_args()
    fewest, most = map(int, options.items.split(","))
    items = fewest, most
    pairs = load_pairs(options.pairs, limit=options.limit)
    judged = [judge(pairs, method, options.work, items) for method in options.methods.split(",")]
    lines = overall_table(judged)
    for by in ("language", "subset"):
        if judged[0].comparisons[by].n_unique() > 1:
            lines += ["", *group_table(judged, by)]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
