"""``checkwise.run`` and ``checkwise.compare``: from files to results, in one call."""

import asyncio
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, TypeVar

from checkwise.costs.budget import Spending
from checkwise.datasets import load, load_pairs
from checkwise.datasets.validate import select
from checkwise.engines import Engine, EngineOptions
from checkwise.errors import UserError
from checkwise.methods import CEJudge, ComparingMethod, Method, RocketEval
from checkwise.ranking.pairs import TIE_MARGIN
from checkwise.records import Dataset, PairSet
from checkwise.runs.checklists import ChecklistSources
from checkwise.runs.compare_run import CompareRun
from checkwise.runs.comparing import Comparing, Order
from checkwise.runs.pair_result import PairResult
from checkwise.runs.progress import RunProgress, silent
from checkwise.runs.result import Result
from checkwise.runs.run import Run
from checkwise.runs.run_models import DEFAULT_JUDGE, DEFAULT_TRANSLATOR

Answer = TypeVar("Answer")


def _refuse_name(method: object) -> None:
    """Refuse the name of a method, which the command line takes and Python does not."""
    if isinstance(method, str):
        raise UserError(
            f"the method is the text {method!r}", todo="Give an object, such as method=checkwise.CEJudge()."
        )


async def run_async(
    data: str | Path | Dataset,
    *,
    method: Method | None = None,
    judge: str | Engine = DEFAULT_JUDGE,
    generator: str | Engine | None = None,
    translator: str = DEFAULT_TRANSLATOR,
    checklists: str | Path | None = None,
    responses: str | Path | None = None,
    turn: int | None = None,
    limit: int | None = None,
    models: Sequence[str] | None = None,
    out: str | Path | None = None,
    options: EngineOptions | None = None,
    spending: Spending | None = None,
    progress: RunProgress = silent,
) -> Result:
    """Judge responses and rank the models that wrote them. Running again continues, and asks nothing twice.

    Args:
        data: A file or folder in one of the layouts that ``load`` understands, ``-`` for standard input, or a data set.
        method: How to judge; ``RocketEval()`` if None.
        judge: The model that grades: ``local:NAME``, ``gguf:PATH``, ``openai:NAME``,
            ``http(s)://HOST/v1#NAME``, ``llama-server:ADDRESS``, or an engine.
        generator: The model that writes checklists; the judge if None.
        translator: Who translates for ``CEJudge``: ``llm`` (the judge), ``llm:NAME``, ``google``, ``argos``, ``none``.
        checklists: A file with checklists, or one for the whole benchmark; ``"generate"`` writes new ones even where
            the data brings its own.
        responses: A file or folder with responses, where they lie elsewhere than the queries.
        turn: Keep this turn of each question, where the data has turns.
        limit: Keep this many instances, spread evenly over categories.
        models: Keep the responses of these models.
        out: The run folder; ``runs/NAME`` if None, where NAME is what the data is called.
        options: How the models run.
        spending: Limits of cost and of questions, and what models cost; no limits if None.
        progress: Told how far the run is.

    Returns:
        The result: leaderboard, scores, grades, report.

    Raises:
        UserError: Something about the input or the run folder is wrong; the message says what, where and what to do.
        EngineError: The model cannot be had, or has stopped answering; what was done is kept.
        NothingJudgedError: Not one response could be scored.
        BudgetSpentError: A limit is reached; what was done is kept.
    """
    _refuse_name(method)
    if not isinstance(data, Dataset):
        found = Path(responses) if responses is not None else None
        data = load(data, responses=found, turn=turn, limit=limit, models=models)
    elif responses is not None or turn is not None:
        raise UserError("responses and turn are about files, and this is a data set", todo="Give them to load().")
    elif limit is not None or models is not None:
        data = select(data, limit=limit, models=models)
    plan = Run(
        dataset=data,
        out=Path(out) if out is not None else Path("runs") / data.name,
        method=method if method is not None else RocketEval(),
        judge=judge,
        generator=generator,
        translator=translator,
        checklists=_sources(checklists),
        options=options or EngineOptions(),
        spending=spending or Spending(),
        progress=progress,
    )
    result, _ = await plan.grade()
    return result


def run(data: str | Path | Dataset, **options: Any) -> Result:  # noqa: ANN401 - those of run_async
    """Do what ``run_async`` does, and wait for it; works in a notebook too, where an event loop is running already.

    Args:
        data: As for ``run_async``.
        **options: As for ``run_async``.

    Returns:
        The result: leaderboard, scores, grades, report.

    Raises:
        CheckwiseError: As ``run_async``.
    """
    return wait_for(run_async(data, **options))


async def compare_async(
    data: str | Path | PairSet,
    *,
    method: ComparingMethod | None = None,
    judge: str | Engine = DEFAULT_JUDGE,
    generator: str | Engine | None = None,
    translator: str = DEFAULT_TRANSLATOR,
    order: Order = "both",
    seed: int = 42,
    margin: float = TIE_MARGIN,
    checklists: str | Path | None = None,
    limit: int | None = None,
    out: str | Path | None = None,
    options: EngineOptions | None = None,
    spending: Spending | None = None,
    progress: RunProgress = silent,
) -> PairResult:
    """Say which response of each pair is better, and how far to trust that. Running again continues.

    Args:
        data: A file in one of the layouts that ``load_pairs`` understands, ``-`` for standard input, or a set of pairs.
        method: How to judge; ``CEJudge()`` if None. A method that scores responses alone decides by their scores.
        judge: The model that judges: ``local:NAME``, ``gguf:PATH``, ``openai:NAME``,
            ``http(s)://HOST/v1#NAME``, ``llama-server:ADDRESS``, or an engine.
        generator: The model that writes checklists for ``RocketEval``; the judge if None.
        translator: Who translates for ``CEJudge``: ``llm`` (the judge), ``llm:NAME``, ``google``, ``argos``, ``none``.
        order: Show each pair in ``both`` orders, in the one that is ``given``, or in a ``random`` one.
        seed: Of the random order; and, in data that says only which response was chosen, of what is called A.
        margin: Scores closer than this on the 1-10 scale are a tie.
        checklists: As for ``run``, for ``RocketEval``.
        limit: Keep this many pairs, spread evenly over languages and subsets.
        out: The run folder; ``runs/NAME`` if None, where NAME is what the data is called.
        options: How the models run.
        spending: Limits of cost and of questions, and what models cost; no limits if None.
        progress: Told how far the run is.

    Returns:
        The result: verdicts, accuracy, consistency, share of the first position, report.

    Raises:
        UserError: Something about the input or the run folder is wrong; the message says what, where and what to do.
        EngineError: The model cannot be had, or has stopped answering; what was done is kept.
        NothingJudgedError: Not one pair has a verdict.
        BudgetSpentError: A limit is reached; what was done is kept.

    Source: CE-Judge (arXiv 2507.06774), section 3.
    """
    _refuse_name(method)
    if not isinstance(data, PairSet):
        data = load_pairs(data, seed=seed, limit=limit)
    elif limit is not None:
        raise UserError("limit is about files, and this is a set of pairs", todo="Give it to load_pairs().")
    plan = CompareRun(
        pairs=data,
        out=Path(out) if out is not None else Path("runs") / data.name,
        how=Comparing(method=method if method is not None else CEJudge(), order=order, seed=seed, margin=margin),
        judge=judge,
        generator=generator,
        translator=translator,
        checklists=_sources(checklists),
        options=options or EngineOptions(),
        spending=spending or Spending(),
        progress=progress,
    )
    result, _ = await plan.compare()
    return result


def compare(data: str | Path | PairSet, **options: Any) -> PairResult:  # noqa: ANN401 - those of compare_async
    """Do what ``compare_async`` does, and wait for it; works in a notebook too.

    Args:
        data: As for ``compare_async``.
        **options: As for ``compare_async``.

    Returns:
        The result: verdicts, accuracy, consistency, share of the first position, report.

    Raises:
        CheckwiseError: As ``compare_async``.
    """
    return wait_for(compare_async(data, **options))


def _sources(checklists: str | Path | None) -> ChecklistSources:
    generate = checklists == "generate"
    return ChecklistSources(file=None if generate or checklists is None else Path(checklists), generate=generate)


def wait_for(coroutine: Coroutine[Any, Any, Answer]) -> Answer:
    """Run a coroutine to its end, in a thread of its own if this one has an event loop running.

    Args:
        coroutine: What to run.

    Returns:
        What it returns.

    Raises:
        KeyboardInterrupt: The user stopped it; it has ended by then.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []
    ended: Future[Answer] = Future()

    async def watched() -> Answer:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - this is a coroutine
        running.append((asyncio.get_running_loop(), task))
        return await coroutine

    def work() -> None:
        try:
            ended.set_result(asyncio.run(watched()))
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
            ended.set_exception(error)

    threading.Thread(target=work, name="checkwise").start()
    try:
        while not ended.done():
            # Not without a limit: on some systems a thread that waits does not notice Ctrl-C.
            wait([ended], timeout=0.1)
    except KeyboardInterrupt:
        # Left alone it would go on unseen, and hold the run folder.
        for loop, task in running:
            loop.call_soon_threadsafe(task.cancel)
        wait([ended])
        raise
    return ended.result()
