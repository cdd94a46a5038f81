"""What checkwise itself takes for an item, in time and memory: a judge that answers at once, at two sizes.

    python benchmarks/overhead.py [--work runs/overhead] [--instances 100 1000]

20 responses an instance, 8 items each: 16,000 and 160,000 items. Each size and each part runs in a process of its own:
planning what a run would ask (``checkwise cost``), the run itself, and the same run again, all of whose answers are
stored. Peak memory is that of the process; the data, which the run holds as a whole, is told apart. Prints Markdown.
"""

import argparse
import asyncio
import multiprocessing
import resource
import shutil
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

from checkwise.engines import Capabilities
from checkwise.questions import Choice, Choose, Failure, Generate, Generation, Usage
from checkwise.records import Checklist, Dataset, Instance, Response, Turn
from checkwise.runs import Run
from checkwise.runs.ask import Asked
from checkwise.runs.estimating import estimate_async
from checkwise.store import RunFolder

MODELS, ITEMS = 20, 8
LIST = tuple(f"Does the response give detail number {number} of what the query asks for?" for number in range(ITEMS))
TEXT = "A response of some length, which says one thing after another and comes to an end. " * 12


class Instant:
    """A judge that answers at once and remembers nothing."""

    model = "instant"
    identity: Mapping[str, str | int | float] = {"engine": "instant"}
    capabilities = Capabilities(logprobs=True, context=None, concurrency=8)

    async def generate(self, question: Generate) -> Generation | Failure:
        """Refuse: nothing is to be written."""
        raise NotImplementedError

    async def choose(self, question: Choose) -> AsyncIterator[Choice | Failure]:
        """Say Yes, more or less."""
        usage = Usage(prompt_tokens=300, computed_tokens=30, generated_tokens=1)
        for suffix in question.suffixes:
            yes = (len(suffix) + len(question.shared[-1])) % 97 / 97
            yield Choice(probabilities={"Yes": yes, "No": 1 - yes}, variants={"Yes": yes, "No": 1 - yes}, usage=usage)

    async def close(self) -> None:
        """Nothing to give back."""


def dataset(instances: int) -> Dataset:
    """Make data of one size."""
    ids = [f"q{number:06}" for number in range(instances)]
    models = [f"model-{number:02}" for number in range(MODELS)]
    return Dataset(
        name="overhead",
        format="plain",
        instances=tuple(Instance(id=i, turns=(Turn(role="user", content=f"Question {i}?"),)) for i in ids),
        responses=tuple(Response(instance_id=i, model=m, text=f"{m} on {i}: {TEXT}") for i in ids for m in models),
        checklists=tuple(Checklist(instance_id=i, items=LIST) for i in ids),
    )


def nothing(plan: Run) -> None:
    """Only hold the data."""


def plan_it(plan: Run) -> None:
    """Count what the run would ask."""
    asyncio.run(estimate_async(plan))


def run_it(plan: Run) -> None:
    """Run, without the report."""

    async def lead() -> None:
        with RunFolder(plan.out) as folder:
            async with plan.models().opened(plan.method, folder.database) as models:
                await plan.lead(folder, models, Asked())

    asyncio.run(lead())


PARTS: dict[str, Callable[[Run], None]] = {
    "data alone": nothing,
    "planned": plan_it,
    "run": run_it,
    "run again, all from the store": run_it,
}


def measure(part: str, instances: int, work: Path, answer: "multiprocessing.Queue[tuple[float, float]]") -> None:
    """Do one part; answers with seconds and megabytes."""
    plan = Run(dataset=dataset(instances), out=work, judge=Instant())
    started = time.perf_counter()
    PARTS[part](plan)
    seconds = time.perf_counter() - started
    answer.put((seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("runs/overhead"))
    parser.add_argument("--instances", type=int, nargs="+", default=[100, 1000])
    options = parser.parse_args()
    processes = multiprocessing.get_context("spawn")
    lines = ["| part | items | time | an item | peak memory |", "|---|---|---|---|---|"]
    for instances in options.instances:
        work = options.work / str(instances)
        shutil.rmtree(work, ignore_errors=True)
        items = instances * MODELS * ITEMS
        for part in PARTS:
            answer: multiprocessing.Queue[tuple[float, float]] = processes.Queue()
            process = processes.Process(target=measure, args=(part, instances, work, answer))
            process.start()
            seconds, megabytes = answer.get()
            process.join()
            each = "" if part == "data alone" else f"{1e6 * seconds / items:.0f} µs"
            lines.append(f"| {part} | {items:,} | {seconds:.1f} s | {each} | {megabytes:.0f} MB |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
