"""What the embedded judge costs, and how steady it is.

    python benchmarks/embedded_engine.py tokens DATA --checklists FILE [--turn 1] [--limit 32]
    python benchmarks/embedded_engine.py overhead DATA --checklists FILE [--turn 1] [--limit 2]
    python benchmarks/embedded_engine.py steady
    python benchmarks/embedded_engine.py memory [--requests 3000]

``tokens`` counts what is computed against the prompt trie: the tokens that any engine must compute at least once.
``overhead`` runs from an empty folder and tells how much of the wall time was not spent in the engine.
``steady`` asks the same items in other orders, after other prompts and after a restart. ``memory`` watches the process.
"""

import argparse
import asyncio
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from checkwise import EngineOptions, LlamaCppOptions, RocketEval, load, open_engine
from checkwise.datasets import read_checklists
from checkwise.engines import LlamaCppEngine
from checkwise.engines.llama_server import Tokens
from checkwise.engines.segments import SegmentedSlot
from checkwise.parsing.choices import yes_probability
from checkwise.questions import Choice, Choose, Failure
from checkwise.records import Dataset
from checkwise.runs import ChecklistSources, Run

JUDGE = "qwen2.5-coder-1.5b"
STORIES = (
    "Three colours are red, blue and green. Red is warm, blue is cool, and green is the colour of leaves.",
    "Colours: yellow, black. I like them both very much, and I could name more if you asked me nicely.",
)
ITEMS = (
    "Does the response name three colours?",
    "Does the response name the colour purple?",
    "Does the response say something about each colour it names?",
    "Is the response written in English?",
    "Is the response at most three sentences long?",
    "Does the response avoid the first person (I, me, my)?",
)


class _Collecting:
    """Stands where a judge would, and keeps the questions."""

    model = "none"

    def __init__(self) -> None:
        self.questions: list[Choose] = []

    async def generate(self, question: object) -> Failure:
        raise NotImplementedError

    async def choose(self, question: Choose) -> list[Choice | Failure]:
        self.questions.append(question)
        return [Failure(kind="no_answer", reason="only collected")] * len(question.suffixes)


def tokens(options: argparse.Namespace) -> None:
    """Print tokens computed, tokens of the trie and of all prompts."""
    dataset = load(options.data, turn=options.turn, limit=options.limit)
    questions = asyncio.run(_questions(dataset, Path(options.checklists)))
    engine = _engine()
    slot = SegmentedSlot()
    computed = whole = 0
    prompts = []
    for question in questions:
        for segments in engine.prompt_segments(question):
            needed = slot.compute(segments, lambda _prompt, *, answer: {})
            computed += needed.computed_tokens
            whole += needed.prompt_tokens
            prompts.append(tuple(token for segment in segments for token in segment))
    trie = _trie_size(prompts)
    print("| instances | items graded | tokens of all prompts | of their trie | computed | computed / trie |")
    print("|---|---|---|---|---|---|")
    counts = f"{len(dataset.instances)} | {len(prompts):,} | {whole:,} | {trie:,} | {computed:,}"
    print(f"| {counts} | {computed / trie:.3f} |")


async def _questions(dataset: Dataset, checklists: Path) -> list[Choose]:
    lists = {checklist.instance_id: checklist for checklist in read_checklists(checklists, dataset)[0]}
    ask = _Collecting()
    for instance in dataset.instances:
        for response in dataset.responses:
            if response.instance_id == instance.id:
                await RocketEval().grade(instance, lists[instance.id], response, ask)
    return ask.questions


def _trie_size(prompts: Iterable[Tokens]) -> int:
    size, before = 0, ()
    for prompt in sorted(set(prompts)):
        common = 0
        for one, other in zip(before, prompt, strict=False):
            if one != other:
                break
            common += 1
        size += len(prompt) - common
        before = prompt
    return size


def overhead(options: argparse.Namespace) -> None:
    """Print the wall time of a run that starts from nothing, and the engine's part of it."""
    dataset = load(options.data, turn=options.turn, limit=options.limit)
    engine = _engine()
    asyncio.run(_probabilities(engine, [(STORIES[0], ITEMS[0])]))
    with tempfile.TemporaryDirectory() as folder:
        sources = ChecklistSources(file=Path(options.checklists))
        started = time.perf_counter()
        _, asked = asyncio.run(Run(dataset=dataset, out=Path(folder), judge=engine, checklists=sources).grade())
        wall = time.perf_counter() - started
    outside = 1 - asked.engine_seconds / wall
    print("| responses | items | wall | in the engine | outside it |")
    print("|---|---|---|---|---|")
    times = f"{wall:.1f} s | {asked.engine_seconds:.1f} s | {outside:.1%}"
    print(f"| {len(dataset.responses)} | {asked.answered} | {times} |")


def steady(_options: argparse.Namespace) -> None:
    """Print how far p_yes moves when nothing but its surroundings changes."""
    pairs = [(story, item) for story in STORIES for item in ITEMS]
    engine = _engine()
    expected = asyncio.run(_probabilities(engine, pairs))
    print("| what is different | largest change of p_yes |")
    print("|---|---|")

    def row(what: str, engine: LlamaCppEngine, pairs: list[tuple[str, str]]) -> None:
        found = asyncio.run(_probabilities(engine, pairs))
        print(f"| {what} | {max(abs(found[pair] - expected[pair]) for pair in pairs):.1e} |", flush=True)

    row("asked again", engine, pairs)
    row("items and responses in reverse", engine, pairs[::-1])
    for seed in range(3):
        row(f"shuffled, seed {seed}", engine, random.Random(seed).sample(pairs, len(pairs)))
    for pair in pairs[:3]:
        row("alone, after another text", engine, [pair])
        asyncio.run(_probabilities(engine, [("Something else altogether.", "Is it short?")]))
    row("after a restart, in reverse", _engine(), pairs[::-1])
    for threads in (1, 2):
        row(f"with {threads} threads", _engine(LlamaCppOptions(threads=threads)), pairs)
    row("with half the context", _engine(LlamaCppOptions(context=8192)), pairs)


def memory(options: argparse.Namespace) -> None:
    """Print the process's resident memory while it answers."""
    engine = _engine()
    rng = random.Random(0)
    words = ("red", "blue", "green", "yellow", "black", "white", "warm", "cool", "bright", "dark", "leaf", "sky", "sun")
    print("| answers | resident memory | median seconds an answer |")
    print("|---|---|---|")
    seconds: list[float] = []
    story = ""
    for done in range(options.requests + 1):
        if done % (options.requests // 10) == 0:
            median = f"{statistics.median(seconds):.3f}" if seconds else "–"
            print(f"| {done:,} | {_resident():,.0f} MB | {median} |", flush=True)
            seconds.clear()
        if done % 10 == 0:
            story = " ".join(rng.choices(words, k=20))
        started = time.perf_counter()
        asyncio.run(_probabilities(engine, [(story, f"Does the response name {rng.choice(words)}?")]))
        seconds.append(time.perf_counter() - started)
    print(f"\nPeak: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


async def _probabilities(engine: LlamaCppEngine, pairs: list[tuple[str, str]]) -> dict[tuple[str, str], float]:
    found = {}
    for story, item in pairs:
        question = Choose(
            system="Answer the question about the response with Yes or No.",
            shared=("Query: name three colours.\n\n", f"Response: {story}\n\n"),
            suffixes=(item,),
            options=("Yes", "No"),
        )
        async for answer in engine.choose(question):
            p_yes = yes_probability(answer).p_yes if isinstance(answer, Choice) else None
            if p_yes is None:
                sys.exit(f"no answer to {item!r} about {story!r}")
            found[story, item] = p_yes
    return found


def _engine(options: LlamaCppOptions | None = None) -> LlamaCppEngine:
    engine = open_engine(f"local:{JUDGE}", options=EngineOptions(embedded=options or LlamaCppOptions()))
    if not isinstance(engine, LlamaCppEngine):
        sys.exit(f"{JUDGE} does not run in the embedded engine")
    return engine


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for command, limit in ((tokens, 32), (overhead, 2)):
        sub = commands.add_parser(command.__name__)
        sub.add_argument("data")
        sub.add_argument("--checklists", required=True)
        sub.add_argument("--turn", type=int)
        sub.add_argument("--limit", type=int, default=limit)
        sub.set_defaults(run=command)
    commands.add_parser("steady").set_defaults(run=steady)
    sub = commands.add_parser("memory")
    sub.add_argument("--requests", type=int, default=3000)
    sub.set_defaults(run=memory)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
