"""A run spread over the workers of a Ray cluster, each of which holds an engine of its own.

What begins alike, as the questions about one instance do, goes to the same worker, whose cache then has it. Answers
stream back one by one, so that the store has each as soon as it is known; when a worker dies, another process takes its
place and is asked only for what has not come.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar, cast

from checkwise.engines.affinity import Affinity
from checkwise.engines.base import Capabilities, Engine
from checkwise.engines.options import EngineOptions, RayOptions
from checkwise.errors import CheckwiseError, EngineError, MissingExtraError
from checkwise.questions import Choice, Choose, Failure, Generate, Generation

if TYPE_CHECKING:
    from ray.actor import ActorHandle
    from ray.exceptions import RayTaskError

T = TypeVar("T")

_QUESTIONS_AT_ONCE = 10_000
"""That an actor may hold; how many it works on is its engine's affair."""
_LOOK = "Look at the state of the cluster: ray status. What was judged is kept; run the same command again to go on."
_START_SECONDS = 600.0
"""That a worker may take to open the model, also in place of one that died."""


@dataclass(frozen=True)
class _About:
    """What a worker says about its engine."""

    identity: Mapping[str, str | int | float]
    capabilities: Capabilities
    process: int


class RayEngine:
    """Run a model on the workers of a Ray cluster.

    Args:
        model: What the user calls the model.
        options: How it runs; ``options.ray`` says on how many workers.

    Raises:
        MissingExtraError: Ray is not installed.
        EngineError: The cluster cannot be reached, or has no room for the workers.
        CheckwiseError: What opening the model has raised on a worker.
    """

    def __init__(self, model: str, *, options: EngineOptions) -> None:
        if find_spec("ray") is None:
            raise MissingExtraError("Ray is not installed", todo='pip install "checkwise[ray]"')
        self.model = model if ":" in model else f"local:{model}"
        self._options = options.ray or RayOptions()
        self._started = _join(self._options.address)
        self._workers = _start_workers(model, self._options, replace(options, ray=None))
        try:
            abouts = _ask_about(self._workers)
        except BaseException:
            self._stop()
            raise
        self._about = abouts[0]
        self.processes = tuple(about.process for about in abouts)
        """The workers' process ids as they began, each on its own machine."""
        at_once = self._about.capabilities.concurrency * len(self._workers)
        self._affinity = Affinity(len(self._workers), at_once=at_once)

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """That of the workers' engines: where an answer was computed does not change it."""
        return self._about.identity

    @property
    def capabilities(self) -> Capabilities:
        """Those of the workers' engines, as often as there are workers."""
        one = self._about.capabilities
        return replace(one, concurrency=one.concurrency * len(self._workers))

    async def generate(self, question: Generate) -> Generation | Failure:
        """Have text written on a worker.

        Args:
            question: The prompt and how to sample.

        Returns:
            The text, or why there is none.

        Raises:
            EngineError: Workers die again and again.
            CheckwiseError: What the worker's engine has raised.
        """
        with self._affinity.worker_for(question.model_dump_json()) as number:
            worker = self._workers[number]
            deaths = 0
            while True:
                try:
                    written: Generation | Failure = await _result(worker.generate.remote(question))
                except _WorkerDiedError as error:
                    deaths += 1
                    await self._until_back(worker, deaths, error)
                else:
                    return written

    async def choose(self, question: Choose) -> AsyncIterator[Choice | Failure]:
        """Yield each suffix's probabilities as they come back from the worker that has the prefix.

        Args:
            question: What to ask.

        Yields:
            One answer a suffix, in their order.

        Raises:
            EngineError: Workers die again and again.
            CheckwiseError: What the worker's engine has raised.
        """
        # The first segment is what all questions about an instance share.
        with self._affinity.worker_for(f"{question.system}\n{question.shared[0]}") as number:
            worker = self._workers[number]
            left = question.suffixes
            deaths = 0
            while left:
                try:
                    async for reference in worker.choose.remote(question.model_copy(update={"suffixes": left})):
                        answer: Choice | Failure = await _result(reference)
                        left, deaths = left[1:], 0
                        yield answer
                except _WorkerDiedError as error:
                    deaths += 1
                    await self._until_back(worker, deaths, error)

    async def close(self) -> None:
        """End the workers, and the cluster if it was started here."""
        await asyncio.to_thread(self._stop)

    async def _until_back(self, worker: "ActorHandle[Any]", deaths: int, error: Exception) -> None:
        """Wait until Ray has put another process in a dead one's place."""
        if deaths >= self._options.attempts:
            raise EngineError(f"{deaths} workers in a row died of the same question: {error}", todo=_LOOK)
        try:
            back: Awaitable[_About] = worker.about.options(max_task_retries=-1).remote()
            await asyncio.wait_for(_result(back), _START_SECONDS)
        except (TimeoutError, _WorkerDiedError):
            raise EngineError(f"a worker died and none took its place: {error}", todo=_LOOK) from None

    def _stop(self) -> None:
        import ray  # noqa: PLC0415 - an extra

        for worker in self._workers:
            ray.kill(worker)
        self._workers = []
        if self._started:
            ray.shutdown()


class _Worker:
    """What runs on a worker of the cluster: an engine."""

    def __init__(self, model: str, options: EngineOptions) -> None:
        self._model = model
        self._options = options

    @cached_property
    def _engine(self) -> Engine:
        # Not in the constructor: what is raised there reaches nobody in its own type.
        from checkwise.engines.opening import open_engine  # noqa: PLC0415 - it opens this engine, too

        return open_engine(self._model, options=self._options)

    async def about(self) -> _About:
        return _About(dict(self._engine.identity), self._engine.capabilities, os.getpid())

    async def generate(self, question: Generate) -> Generation | Failure:
        return await self._engine.generate(question)

    async def choose(self, question: Choose) -> AsyncIterator[Choice | Failure]:
        async for answer in self._engine.choose(question):
            yield answer


class _WorkerDiedError(Exception):
    """The process or the machine that a question was on has gone."""


def _join(address: str | None) -> bool:
    """Join a cluster unless this process is in one; say whether it was joined here."""
    # Nothing is reported to anybody.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray  # noqa: PLC0415 - an extra

    if ray.is_initialized():
        return False
    try:
        ray.init(
            address=address,
            include_dashboard=None if address else False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise EngineError(
            f"the Ray cluster {address or ''} cannot be reached: {error}",
            todo="Start it with ray start, and name it in RAY_ADDRESS; without that, one is started on this machine.",
        ) from error
    return True


def _start_workers(model: str, wanted: RayOptions, options: EngineOptions) -> "list[ActorHandle[Any]]":
    """Start the workers; each opens the model."""
    import ray  # noqa: PLC0415 - an extra

    processors: float = ray.cluster_resources().get("CPU", 1.0)  # type: ignore[no-untyped-call]
    cpus = wanted.cpus if wanted.cpus is not None else processors / wanted.workers
    if wanted.workers * cpus > processors:
        raise EngineError(
            f"the cluster has {processors:g} CPUs, and {wanted.workers} workers would take {wanted.workers * cpus:g}",
            todo="Use fewer --workers.",
        )
    if options.embedded.threads is None:
        options = replace(options, embedded=replace(options.embedded, threads=max(1, int(cpus))))
    worker = ray.remote(_Worker).options(
        num_cpus=cpus, num_gpus=wanted.gpus, max_restarts=-1, max_concurrency=_QUESTIONS_AT_ONCE
    )
    return [cast("ActorHandle[Any]", worker.remote(model, options)) for _ in range(wanted.workers)]


def _ask_about(workers: "Sequence[ActorHandle[Any]]") -> list[_About]:
    """Wait until all workers have opened the model."""
    import ray  # noqa: PLC0415 - an extra
    from ray.exceptions import GetTimeoutError, RayError, RayTaskError  # noqa: PLC0415 - an extra

    try:
        abouts: list[_About] = ray.get([worker.about.remote() for worker in workers], timeout=_START_SECONDS)
    except RayTaskError as error:
        raise _raised_by(error) from None
    except GetTimeoutError:
        waited = f"the workers have not started in {_START_SECONDS:.0f} seconds"
        raise EngineError(f"{waited}: the cluster may have no room for them", todo=_LOOK) from None
    except RayError as error:
        raise EngineError(f"the workers do not start: {error}", todo=_LOOK) from None
    return abouts


async def _result(reference: Awaitable[T]) -> T:
    """Wait for what a worker returns; what its engine raised is raised here."""
    from ray.exceptions import (  # noqa: PLC0415 - an extra
        NodeDiedError,
        ObjectLostError,
        RayActorError,
        RayTaskError,
        WorkerCrashedError,
    )

    try:
        return await reference
    except RayTaskError as error:
        raise _raised_by(error) from None
    except (RayActorError, WorkerCrashedError, NodeDiedError, ObjectLostError) as error:
        raise _WorkerDiedError(str(error).partition("\n")[0]) from None


def _raised_by(error: "RayTaskError") -> CheckwiseError:
    """Find what a worker's engine has raised in what Ray makes of it."""
    cause = error.cause
    return cause if isinstance(cause, CheckwiseError) else EngineError(f"a worker failed: {cause!r}")
