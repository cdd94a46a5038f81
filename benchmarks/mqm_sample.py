"""Draw a sample of rated translations: both language pairs, good and bad, as many systems as there are.

    python benchmarks/mqm_sample.py DATA/wmt_mqm_ted/segments.jsonl.gz --out segments.jsonl [--each 5]

From every language pair, --each segments of every band of the MQM penalty: none, up to 1, up to 5, more. Segments are
taken in an order that a seed decides, each from the system that has been taken least often so far and from a source
that was not taken yet. Very short and very long sources are passed over, so that a judgment says something and ends.
"""

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from checkwise.datasets.tables import read_rows
from checkwise.files import write_whole

BANDS = (0.0, 1.0, 5.0, float("inf"))
"""Upper ends of the bands of the penalty."""
LENGTHS = {"ende": (40, 220), "zhen": (15, 80)}
"""Characters of a source, by language pair."""

Fields = dict[str, Any]


def band(row: Fields) -> int:
    """Number the band that a segment's penalty is in."""
    return next(number for number, high in enumerate(BANDS) if row["mqm_penalty"] <= high)


def sample(rows: list[Fields], *, each: int, seed: int) -> list[Fields]:
    """Draw the segments of one language pair."""
    low, high = LENGTHS[rows[0]["lp"]]
    fitting = [row for row in rows if low <= len(row["source"]) <= high]
    random.Random(seed).shuffle(fitting)
    taken: list[Fields] = []
    systems: Counter[str] = Counter()
    sources: set[str] = set()
    for number in range(len(BANDS)):
        for _ in range(each):
            left = [row for row in fitting if band(row) == number and row["source"] not in sources]
            if not left:
                break
            chosen = min(left, key=lambda row: systems[row["system"]])
            taken.append(chosen)
            systems[chosen["system"]] += 1
            sources.add(chosen["source"])
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("segments", type=Path, help="rows with lp, system, source, translation, mqm_penalty")
    parser.add_argument("--out", type=Path, required=True, help="the sample, in the same fields")
    parser.add_argument("--each", type=int, default=5, help="segments of each band and language pair")
    parser.add_argument("--seed", type=int, default=42)
    options = parser.parse_args()
    rows: list[Fields] = [row for row, _ in read_rows(options.segments)]
    taken = [
        row
        for pair in LENGTHS
        for row in sample([row for row in rows if row["lp"] == pair], each=options.each, seed=options.seed)
    ]
    write_whole(options.out, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in taken).encode())
    systems = len({row["system"] for row in taken})
    sys.stdout.write(f"{len(taken)} segments of {systems} systems in {options.out}\n")


if __name__ == "__main__":
    main()
