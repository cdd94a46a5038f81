"""``checkwise doctor``: whether this machine has what judging needs."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from checkwise.cli import options
from checkwise.cli.console import print_json, say
from checkwise.cli.exit_codes import ExitCode
from checkwise.cli.progress_display import megabytes
from checkwise.cli.stopping import run_until_stopped
from checkwise.errors import CheckwiseError

if TYPE_CHECKING:
    from checkwise.engines.openai_api import Probed

MEMORY_BESIDE_WEIGHTS = 1_500_000_000
"""Bytes for the context and everything else, beside the weights."""
MEMINFO = Path("/proc/meminfo")


@dataclass(frozen=True)
class Check:
    """What was looked at, and what to do if it is not right."""

    name: str
    state: Literal["ok", "warning", "failed"]
    found: str
    todo: str | None = None


def doctor(
    *,
    judge: Annotated[
        str | None,
        typer.Option(help="Check this judge, such as openai:NAME or http://HOST/v1#NAME, and not the default one."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out the trial judgment.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Check that this machine has what judging needs, and say what to do where it has not.

    Ends with exit code 2 if something is missing without which nothing can be judged.
    """
    checks = []
    for check in _checks(judge, quick=quick):
        checks.append(check)
        if not as_json:
            say(f"{check.state:<7}  {check.name}: {check.found}")
            if check.todo is not None:
                say(f"         {check.todo}")
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
    if any(check.state == "failed" for check in checks):
        raise typer.Exit(ExitCode.ENGINE_ERROR)


def _checks(judge: str | None, *, quick: bool) -> Iterator[Check]:
    yield _python()
    yield Check("cores", "ok", str(os.cpu_count() or "unknown"))
    if judge is not None:
        yield from check_judge(judge, quick=quick)
        return
    yield _memory()
    engine = _xllamacpp()
    yield engine
    yield _cache()
    weights = _weights()
    yield weights
    if not quick and engine.state == "ok" and weights.state == "ok":
        yield _judgment()


def _python() -> Check:
    found = f"{platform.python_version()} on {platform.platform()}"
    if sys.flags.optimize:
        return Check("Python", "warning", f"{found}, with assertions off", "Run Python without -O.")
    return Check("Python", "ok", found)


def _memory() -> Check:
    from checkwise.models import DEFAULT_MODEL, find_model

    needed = find_model(DEFAULT_MODEL).size + MEMORY_BESIDE_WEIGHTS
    available = available_memory()
    if available is None:
        return Check("memory", "ok", f"unknown; the default judge needs about {megabytes(needed)}")
    found = f"{megabytes(available)} available"
    if available < needed:
        todo = f"The default judge needs about {megabytes(needed)}; end other programs, or use a smaller --context."
        return Check("memory", "warning", found, todo)
    return Check("memory", "ok", found)


def available_memory() -> int | None:
    """Find out how many bytes programs can have without swapping; None where the system does not tell."""
    if MEMINFO.is_file():
        for line in MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    names = getattr(os, "sysconf_names", {})
    if "SC_AVPHYS_PAGES" in names:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _xllamacpp() -> Check:
    try:
        return Check("xllamacpp", "ok", version("xllamacpp"))
    except PackageNotFoundError:
        return Check("xllamacpp", "failed", "not installed", 'pip install "checkwise[local]"')


def _cache() -> Check:
    from checkwise.models import DEFAULT_MODEL, default_cache_dir, find_model, list_cached

    folder = default_cache_dir()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            free = shutil.disk_usage(folder).free
    except OSError as error:
        todo = "Set CHECKWISE_CACHE to a folder that can be written."
        return Check("cache", "failed", f"{folder} cannot be written: {error.strerror or error}", todo)
    found = f"{folder}, {megabytes(free)} free"
    needed = find_model(DEFAULT_MODEL).size
    if free < needed and DEFAULT_MODEL not in {weights.entry.name for weights in list_cached()}:
        todo = f"The default judge needs {megabytes(needed)}; make room, or set CHECKWISE_CACHE to another folder."
        return Check("cache", "failed", found, todo)
    return Check("cache", "ok", found)


def _weights() -> Check:
    from checkwise.models import DEFAULT_MODEL, list_cached

    fetch = f"The first run fetches them; to do so now: checkwise models get {DEFAULT_MODEL}"
    for weights in list_cached():
        if weights.entry.name == DEFAULT_MODEL:
            state: Literal["ok", "warning"] = "warning" if weights.condition == "damaged" else "ok"
            found = f"{weights.path}, {weights.condition}"
            return Check("default judge", state, found, fetch if state == "warning" else None)
    return Check("default judge", "warning", f"the weights of {DEFAULT_MODEL} are not here", fetch)


def check_judge(judge: str, *, quick: bool) -> Iterator[Check]:
    """Check a judge that a user names: whether it can be reached, what its endpoint can do, and a trial judgment."""
    from checkwise.engines import open_engine

    try:
        engine = open_engine(judge)
    except CheckwiseError as error:
        yield Check("judge", "failed", error.what, error.todo)
        return
    probe = getattr(engine, "probe", None)
    if probe is not None and not quick:
        try:
            yield from _probed(run_until_stopped(_probe_and_close(engine)))
        except CheckwiseError as error:
            yield Check("judge", "failed", error.what, error.todo)
            return
    if not quick:
        yield _judgment(judge)


async def _probe_and_close(engine: Any) -> "Probed":  # noqa: ANN401 - an engine with a probe
    try:
        found: Probed = await engine.probe()
    finally:
        await engine.close()
    return found


def _probed(found: "Probed") -> Iterator[Check]:
    if found.log_probabilities:
        yield Check("log-probabilities", "ok", f"the likeliest {found.log_probabilities} words")
    else:
        todo = "Answers are sampled (--samples), which costs more and is coarser; another service may give them."
        yield Check("log-probabilities", "warning", "none", todo)
    yield Check("seed", "ok", "taken" if found.seed else "not taken: sampled answers differ from run to run")
    yield Check("context", "ok", f"{found.context:,} tokens" if found.context else "the endpoint does not say")
    yield Check("thinking", "ok", "thinks before it answers, which is paid for" if found.thinks else "no")


def _judgment(judge: str | None = None) -> Check:
    from checkwise.records import Checklist, Dataset, Instance, Response, Turn
    from checkwise.runs import DEFAULT_JUDGE, Run

    dataset = Dataset(
        name="doctor",
        format="plain",
        instances=(Instance(id="1", turns=(Turn(role="user", content="What is the capital of France?"),)),),
        responses=(Response(instance_id="1", model="trial", text="It is Paris."),),
        checklists=(Checklist(instance_id="1", items=("Does the response name Paris?",)),),
    )
    started = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as folder:
            plan = Run(dataset=dataset, out=Path(folder), judge=judge or DEFAULT_JUDGE)
            result, _ = run_until_stopped(plan.grade())
            p_yes = result.grades["p_yes"][0]
    except CheckwiseError as error:
        return Check("trial judgment", "failed", error.what, error.todo)
    found = f"P(Yes) {p_yes:.3f} where Yes is right, {time.monotonic() - started:.1f} s with loading the model"
    if p_yes < 0.5:
        return Check("trial judgment", "warning", found, "The judge is wrong about the obvious; check its weights.")
    return Check("trial judgment", "ok", found)
