"""Build pairs of a right and a wrong worked solution from MGSM, in the manner of MM-Eval's reasoning subset.

    python benchmarks/mgsm_pairs.py DATA/mgsm/problems.jsonl.gz --out pairs.jsonl [--sample --work runs/mgsm-solutions]

Text that a model samples depends on the machine, so that the solutions behind the published numbers lie beside this
script, without the problems, and the pairs are made of them. With --sample they are sampled anew: the embedded model
solves each problem a few times; a solution is right if its last number is the published answer. A problem with a right
and a wrong solution becomes a pair. Samples are kept in the folder --work, so that a build that was stopped goes on;
problems are taken in the order of the file, and nothing else is chosen.
"""

import argparse
import asyncio
import json
import re
import sys
from contextlib import closing
from pathlib import Path

from checkwise.datasets.tables import read_rows
from checkwise.engines import Engine, open_engine
from checkwise.files import write_whole
from checkwise.questions import Failure, Generate, Message
from checkwise.runs.ask import StoredAsk
from checkwise.store import RunFolder

SOLVER = "local:qwen2.5-coder-1.5b"
LANGUAGES = {"en": "English", "de": "German", "es": "Spanish", "fr": "French", "zh": "Chinese"}
SYSTEM = (
    "You solve word problems in mathematics. Work step by step, in at most 120 words, in {language}, "
    "and end with the result as a number on a line of its own."
)
SOLUTIONS = Path(__file__).with_name("mgsm_solutions.jsonl")
"""What the embedded model wrote, by the id of the problem."""
NUMBER = re.compile(r"[-−]?\d[\d.,\u00a0\u202f]*")

Fields = dict[str, str]


def last_number(text: str) -> float | None:
    """Read the number that a solution ends with; separators of thousands, in any style, do not count."""
    found = NUMBER.findall(text)
    if not found:
        return None
    digits = found[-1].replace("−", "-").replace("\u00a0", "").replace("\u202f", "").rstrip(".,")
    whole = re.sub(r"[.,](?=\d{3}(\D|$))", "", digits).replace(",", ".")
    try:
        return float(whole)
    except ValueError:
        return None


async def solutions(problem: Fields, ask: StoredAsk, samples: int) -> dict[bool, str]:
    """Sample solutions until there is a right and a wrong one, or ``samples`` are made: the first of each."""
    messages = (
        Message(role="system", content=SYSTEM.format(language=LANGUAGES[problem["lang"]])),
        Message(role="user", content=problem["question"]),
    )
    first: dict[bool, str] = {}
    for number in range(samples):
        question = Generate(messages=messages, max_tokens=320, temperature=0.8, top_p=0.95, repeat=number)
        answer = await ask.generate(question)
        # A solution that broke off is neither right nor wrong.
        if isinstance(answer, Failure) or answer.finish == "length" or last_number(answer.text) is None:
            continue
        first.setdefault(last_number(answer.text) == float(problem["answer"]), answer.text.strip())
        if len(first) == 2:
            break
    return first


async def build(problems: list[Fields], ask: StoredAsk, *, pairs: int, samples: int) -> list[Fields]:
    """Make the pairs of one language."""
    rows: list[Fields] = []
    for problem in problems:
        if len(rows) == pairs:
            break
        found = await solutions(problem, ask, samples)
        sys.stderr.write(f"{problem['id']}: {', '.join('right' if right else 'wrong' for right in found)}\n")
        if len(found) == 2:
            rows.append(pair_of(problem, right=found[True], wrong=found[False]))
    return rows


def pair_of(problem: Fields, *, right: str, wrong: str) -> Fields:
    """Make a pair in MM-Eval's fields."""
    return {
        "id": problem["id"],
        "prompt": problem["question"],
        "chosen": right,
        "rejected": wrong,
        "language": problem["lang"],
        "subset": "reasoning",
        "chosen_model": SOLVER,
        "rejected_model": SOLVER,
        "answer": problem["answer"],
    }


def rebuild(path: Path) -> list[Fields]:
    """Make the pairs of the solutions that were kept; each is held against the answer again."""
    problems: dict[str, Fields] = {row["id"]: row for row, _ in read_rows(path)}
    rows = []
    for row, _ in read_rows(SOLUTIONS):
        problem = problems[row["id"]]
        verdicts = [last_number(row[name]) == float(problem["answer"]) for name in ("right", "wrong")]
        if verdicts != [True, False]:
            raise SystemExit(f"{row['id']}: its solutions are not a right and a wrong one")
        rows.append(pair_of(problem, right=row["right"], wrong=row["wrong"]))
    return rows


async def build_all(path: Path, work: Path, *, pairs: int, samples: int) -> list[Fields]:
    """Make the pairs of every language."""
    problems: list[Fields] = [row for row, _ in read_rows(path)]
    engine: Engine = open_engine(SOLVER)
    with RunFolder(work) as folder, closing(folder.database):
        ask = StoredAsk(engine, folder.database)
        rows: list[Fields] = []
        for language in LANGUAGES:
            own = [problem for problem in problems if problem["lang"] == language]
            rows += await build(own, ask, pairs=pairs, samples=samples)
        await engine.close()
    return rows


def _lines(rows: list[Fields]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", type=Path, help="MGSM's problems: id, lang, question, answer")
    parser.add_argument("--out", type=Path, required=True, help="the pairs, in MM-Eval's fields")
    parser.add_argument("--work", type=Path, default=Path("runs/mgsm-solutions"), help="where samples are kept")
    parser.add_argument("--pairs", type=int, default=6, help="pairs for each language")
    parser.add_argument("--samples", type=int, default=4, help="the most solutions to sample for a problem")
    parser.add_argument("--sample", action="store_true", help="sample solutions anew, and keep them beside this script")
    options = parser.parse_args()
    if options.sample:
        rows = asyncio.run(build_all(options.problems, options.work, pairs=options.pairs, samples=options.samples))
        kept = [{"id": row["id"], "right": row["chosen"], "wrong": row["rejected"]} for row in rows]
        write_whole(SOLUTIONS, _lines(kept))
    else:
        rows = rebuild(options.problems)
    write_whole(options.out, _lines(rows))
    counts = {language: sum(row["language"] == language for row in rows) for language in LANGUAGES}
    sys.stdout.write(f"{len(rows)} pairs in {options.out}: {', '.join(f'{n} {name}' for name, n in counts.items())}\n")


if __name__ == "__main__":
    main()
