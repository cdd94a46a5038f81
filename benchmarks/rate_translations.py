"""Whether methods rank translations as professional raters do: Kendall's tau-b and Spearman's rho.

    python benchmarks/rate_translations.py SEGMENTS [--methods ce-judge,direct] [--work runs/translations]

SEGMENTS is a file of rated translations that ``checkwise run`` reads, such as ``mqm_sample.py`` draws. Runs are kept in
the folder --work and go on where they stopped. Prints Markdown.
"""

import argparse
import asyncio
import sys
from pathlib import Path

from checkwise.datasets import load
from checkwise.methods import CEJudge, CoT, Direct, Method, Prometheus
from checkwise.records import Dataset
from checkwise.report import MetricRow
from checkwise.runs import Run

METHODS: dict[str, type[Method]] = {"ce-judge": CEJudge, "direct": Direct, "cot": CoT, "prometheus": Prometheus}
JUDGE = "local:qwen2.5-coder-1.5b"


def rate(dataset: Dataset, method: str, work: Path) -> list[str]:
    """Score all translations with one method, and write its lines of the table."""
    result, asked = asyncio.run(Run(dataset=dataset, out=work / method, method=METHODS[method](), judge=JUDGE).grade())
    sys.stderr.write(f"{method}: asked {asked.questions}, from the store {asked.reused}\n")
    unscored = result.scores["value"].null_count()
    values = result.scores["value"].drop_nulls()
    spread = f"{values.n_unique()} different scores, {values.value_counts(sort=True)['count'][0]} times the commonest"
    rows = [row for table in result.tables() for row in table.rows]
    return [
        f"| {method} | {row.group or 'all'} | {row.label} | {shown(row)} | {row.n} | {unscored} | {spread} |"
        for row in rows
    ]


def shown(row: MetricRow) -> str:
    """Write a correlation with its interval, or why there is none."""
    if row.value is None:
        return f"– ({row.reason})"
    return f"{row.value:.2f}" if row.low is None else f"{row.value:.2f} ({row.low:.2f} to {row.high:.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("segments", type=Path)
    parser.add_argument("--methods", default="ce-judge,direct", help=f"of {', '.join(METHODS)}")
    parser.add_argument("--work", type=Path, default=Path("runs/translations"), help="where the runs are kept")
    options = parser.parse_args()
    dataset = load(options.segments)
    lines = ["| method | languages | measure | value | n | unscored | scores |", "|---|---|---|---|---|---|---|"]
    for method in options.methods.split(","):
        lines += rate(dataset, method, options.work)
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
