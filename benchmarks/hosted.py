"""Judges elsewhere: whether grades are the same, what prefixes and workers save, and what faults cost.

    python benchmarks/hosted.py agree DATA --checklists LISTS [--limit 4]   # embedded, Ray, llama-server, OpenAI's API
    python benchmarks/hosted.py workers DATA --checklists LISTS             # one worker of Ray, and two
    python benchmarks/hosted.py order DATA --checklists LISTS               # the first item ahead, or all at once
    python benchmarks/hosted.py replicas DATA --checklists LISTS            # 2,000 items over four servers
    python benchmarks/hosted.py faults                                      # 500 requests, a fifth of them with a fault

DATA is MT-Bench in FastChat's layout. Servers are llama.cpp's own, started here on the loopback interface. All but
``agree`` use the smallest weights: what is measured is the way of asking. Prints Markdown.
"""

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scipy.stats import kendalltau

from checkwise import EngineOptions, HostedOptions, LimitOptions, RayOptions, RocketEval, load, open_engine
from checkwise.datasets import read_checklists
from checkwise.engines import Engine
from checkwise.methods import Alone
from checkwise.methods.conversation import prompt_data
from checkwise.models import find_model, weights_path
from checkwise.parsing.choices import yes_probability
from checkwise.questions import Choose, Failure, Usage
from fault_proxy import HARMLESS, LASTING, fault_proxy

JUDGE, SMALL = "qwen2.5-coder-1.5b", "smollm2-135m"
WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass
class Graded:
    """What an engine answered to all questions."""

    p_yes: list[float | None]
    usages: list[Usage]
    failures: int
    seconds: float

    @property
    def computed(self) -> int:
        """Prompt tokens that had to be computed."""
        return sum(usage.computed_tokens for usage in self.usages)

    @property
    def prompt(self) -> int:
        """Prompt tokens."""
        return sum(usage.prompt_tokens for usage in self.usages)


@contextmanager
def server(model: str, *, slots: int = 1, context: int = 8192) -> Iterator[str]:
    """Start a llama.cpp server; gives its address."""
    import xllamacpp  # noqa: PLC0415 - an extra

    parameters: Any = xllamacpp.CommonParams()
    parameters.model.path = str(weights_path(find_model(model.removeprefix("local:"))))
    parameters.n_ctx, parameters.n_parallel = context * slots, slots
    parameters.n_batch = parameters.n_ubatch = 512
    parameters.cache_ram_mib = 0
    parameters.warmup = parameters.ui = parameters.ctx_shift = False
    parameters.verbosity = -1
    running = xllamacpp.Server(parameters)
    yield running.listening_address
    del running


def questions(data: Path, lists: Path, *, limit: int, items: int | None = None) -> list[Choose]:
    """Word the questions that RocketEval asks about the responses."""
    dataset = load(data, turn=1, limit=limit)
    found, _ = read_checklists(lists, dataset)
    checklists = {checklist.instance_id: checklist.items[:items] for checklist in found}
    instances = {instance.id: instance for instance in dataset.instances}
    prompt = RocketEval().prompts.get("rocketeval/grade")
    return [
        Alone().question(
            checklists[response.instance_id], prompt, prompt_data(instances[response.instance_id], response)
        )
        for response in dataset.responses
        if not response.is_empty and response.instance_id in checklists
    ]


async def grade(engine: Engine, asked: Iterable[Choose], *, at_a_time: int = 1) -> Graded:
    """Put all questions as a run does: those about an instance in turn, so many instances at a time."""
    places, started = asyncio.Semaphore(at_a_time), time.perf_counter()
    numbered = list(enumerate(asked))
    answers: dict[int, list[Any]] = {}

    async def instance(questions: Iterable[tuple[int, Choose]]) -> None:
        async with places:
            for number, question in questions:
                answers[number] = [answer async for answer in engine.choose(question)]

    by_instance: dict[str, list[tuple[int, Choose]]] = {}
    for number, question in numbered:
        by_instance.setdefault(question.shared[0], []).append((number, question))
    await asyncio.gather(*map(instance, by_instance.values()))
    await engine.close()
    choices = [None if isinstance(answer, Failure) else answer for number, _ in numbered for answer in answers[number]]
    return Graded(
        [None if choice is None else yes_probability(choice).p_yes for choice in choices],
        [choice.usage for choice in choices if choice is not None],
        choices.count(None),
        time.perf_counter() - started,
    )


def hosted(*urls: str, options: HostedOptions | None = None) -> Engine:
    """Open an engine for servers."""
    return open_engine(f"{','.join(urls)}#judge", options=EngineOptions(hosted=options or HostedOptions()))


def differences(name: str, ours: Graded, theirs: Graded) -> str:
    """Write one line of how far two engines are apart."""
    pairs = [(a, b) for a, b in zip(ours.p_yes, theirs.p_yes, strict=True) if a is not None and b is not None]
    apart = sorted(abs(a - b) for a, b in pairs)
    tau = kendalltau(*zip(*pairs, strict=True)).statistic
    at = [apart[min(len(apart) - 1, int(share * len(apart)))] for share in (0.5, 0.9, 0.99)]
    cells = [name, str(len(pairs)), *(f"{value:.1e}" for value in (*at, apart[-1])), f"{tau:.3f}"]
    return "| " + " | ".join([*cells, f"{theirs.computed:,}", f"{theirs.seconds:.0f} s"]) + " |"


def agree(options: argparse.Namespace) -> list[str]:
    """Compare the embedded engine with servers of the same weights."""
    asked = questions(options.data, options.checklists, limit=options.limit)
    judge = options.judge
    embedded = asyncio.run(grade(open_engine(judge), asked))
    cluster = asyncio.run(on_workers(judge, asked, workers=2))
    with server(judge, context=16_384) as address:
        exact = asyncio.run(grade(open_engine(f"llama-server:{address}"), asked))
        own_way = asyncio.run(grade(hosted(f"{address}/v1"), asked))
    return [
        "| engine | items | median | 90% | 99% | largest | Kendall τ | tokens computed | time |",
        "|---|---|---|---|---|---|---|---|---|",
        differences("embedded", embedded, embedded),
        differences("two workers of Ray", embedded, cluster),
        differences("llama-server, in segments", embedded, exact),
        differences("OpenAI's API", embedded, own_way),
    ]


async def on_workers(judge: str, asked: Iterable[Choose], *, workers: int) -> Graded:
    """Put all questions to workers of Ray; those about an instance in turn, as many instances at a time as workers."""
    engine = open_engine(judge, options=EngineOptions(ray=RayOptions(workers=workers)))
    return await grade(engine, asked, at_a_time=workers)


def workers(options: argparse.Namespace) -> list[str]:
    """Compare one worker of Ray with two, on the same processors."""
    asked = questions(options.data, options.checklists, limit=options.limit)
    lines = ["| workers | items | prompt tokens | computed | time | items a second |", "|---|---|---|---|---|---|"]
    for count in (1, 2):
        found = asyncio.run(on_workers(SMALL, asked, workers=count))
        items, seconds = len(found.usages), found.seconds
        cells = (str(count), str(items), f"{found.prompt:,}", f"{found.computed:,}", f"{seconds:.1f} s")
        lines.append(f"| {' | '.join(cells)} | {items / seconds:.1f} |")
    return lines


def order(options: argparse.Namespace) -> list[str]:
    """Compare the first item ahead of its siblings with all at once."""
    asked = questions(options.data, options.checklists, limit=options.limit)
    lines = ["| order | items | prompt tokens | computed | median time of 3 |", "|---|---|---|---|---|"]
    times: dict[bool, list[Graded]] = {True: [], False: []}
    for _ in range(3):
        for ahead in (True, False):
            with server(SMALL, slots=4) as address:
                engine = hosted(f"{address}/v1", options=HostedOptions(leading_first=ahead))
                times[ahead].append(asyncio.run(grade(engine, asked)))
    for ahead, name in ((True, "first item ahead"), (False, "all at once")):
        last = times[ahead][-1]
        seconds = statistics.median(one.seconds for one in times[ahead])
        lines.append(f"| {name} | {len(last.usages)} | {last.prompt:,} | {last.computed:,} | {seconds:.1f} s |")
    return lines


def replicas(options: argparse.Namespace) -> list[str]:
    """Compare sending by prefix with sending in turn, over four servers."""
    asked = questions(options.data, options.checklists, limit=80, items=8)
    kept: list[Choose] = []
    for question in asked:
        if sum(len(one.suffixes) for one in kept) < options.items:
            kept.append(question)
    lines = ["| routing | items | prompt tokens | from the cache | time |", "|---|---|---|---|---|"]
    for routing in ("prefix", "round-robin"):
        with server(SMALL) as a, server(SMALL) as b, server(SMALL) as c, server(SMALL) as d:
            way = HostedOptions(routing=routing, limits=LimitOptions(concurrency=4))
            found = asyncio.run(grade(hosted(*(f"{one}/v1" for one in (a, b, c, d)), options=way), kept, at_a_time=4))
        share = 1 - found.computed / found.prompt
        lines.append(f"| {routing} | {len(found.usages)} | {found.prompt:,} | {share:.1%} | {found.seconds:.0f} s |")
    return lines


def faults(_: argparse.Namespace) -> list[str]:
    """Compare a calm server with one whose requests meet faults."""
    asked = [
        Choose(
            system="Answer Yes or No.",
            shared=(f"Response {number}: one, two, three. ",),
            suffixes=tuple(f"Does it say {word}?" for word in WORDS),
            options=("Yes", "No"),
        )
        for number in range(50)
    ]
    lines = ["| server | requests | judged | unscored | time | faults |", "|---|---|---|---|---|---|"]
    with server(SMALL, slots=4) as address:
        for name, share in (("calm", 0.0), ("one in five", 0.2)):
            with fault_proxy(f"{address}/v1", share=share) as proxy:
                found = asyncio.run(grade(hosted(proxy.url), asked, at_a_time=4))
            met = ", ".join(f"{fault} {count}" for fault, count in sorted(proxy.injected.items())) or "none"
            again = sum(count for fault, count in proxy.injected.items() if fault not in (*HARMLESS, *LASTING))
            requests = sum(proxy.answered.values()) + again
            lines.append(
                f"| {name} | {requests} | {len(found.usages)} | {found.failures} | {found.seconds:.1f} s | {met} |"
            )
    return lines


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for command, limit in ((agree, 4), (workers, 4), (order, 4), (replicas, 80)):
        sub = commands.add_parser(command.__name__, help=command.__doc__)
        sub.add_argument("data", type=Path)
        sub.add_argument("--checklists", type=Path, required=True)
        sub.add_argument("--limit", type=int, default=limit)
        sub.add_argument("--items", type=int, default=2000)
        sub.add_argument("--judge", default=JUDGE)
        sub.set_defaults(command=command)
    commands.add_parser("faults", help=faults.__doc__).set_defaults(command=faults)
    options = parser.parse_args()
    sys.stdout.write("\n".join(options.command(options)) + "\n")


if __name__ == "__main__":
    main()
