"""Hosted models through OpenAI's Batch API: half the price, and an answer within a day.

Requests are gathered until no more come, put into files within the API's limits, and their batches noted on disk before
anything waits for them. A run that was stopped finds its batches again and collects their answers.
"""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from openai import AsyncOpenAI
from openai.types import Batch

from checkwise.engines.base import Capabilities
from checkwise.engines.batch_journal import BatchJournal
from checkwise.engines.chat_answers import Answered, read_response
from checkwise.engines.chat_server import NO_KEY, Messages
from checkwise.engines.endpoints import Endpoint
from checkwise.engines.limits import Limits, TemporaryError
from checkwise.engines.openai_api import OpenAIEngine
from checkwise.engines.options import BatchOptions, HostedOptions
from checkwise.engines.provider_errors import Provider, RefusedError
from checkwise.errors import EngineError, Place, WaitingForBatchesError

T = TypeVar("T")

_ENDED = ("completed", "failed", "expired", "cancelled")
_AT_ONCE = 10_000
"""Questions that a run may have waiting: the more there are, the fewer batches."""


class BatchEngine(OpenAIEngine):
    """Ask a model behind OpenAI's API in batches.

    Args:
        endpoint: The model and where it is reached.
        name: The name that the user knows the model by.
        options: How it is asked; one item never waits for another here.
        batch: How batches are sent and waited for.
    """

    def __init__(self, endpoint: Endpoint, *, name: str, options: HostedOptions, batch: BatchOptions) -> None:
        server = BatchServer(endpoint, options, batch)
        super().__init__(endpoint, name=name, options=options.all_at_once(), servers=[server])

    @property
    def capabilities(self) -> Capabilities:
        """As many questions at a time as there are."""
        return Capabilities(logprobs=super().capabilities.logprobs, context=None, concurrency=_AT_ONCE, gathers=True)


@dataclass
class _Request:
    """A request that waits for its answer."""

    body: dict[str, Any]
    answer: "asyncio.Future[dict[str, Any]]"


@dataclass
class BatchServer:
    """Gather requests into batches and give each its answer."""

    endpoint: Endpoint
    """The model and where it is reached."""
    hosted: HostedOptions
    """Limits of the calls that send and fetch batches; how often a request that failed is sent again."""
    options: BatchOptions
    """How batches are sent and waited for."""
    _waiting: dict[str, _Request] = field(default_factory=dict, init=False)
    _worker: "asyncio.Task[None] | None" = field(default=None, init=False)
    _arrived: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        """Read the journal; nothing is sent yet."""
        url = self.endpoint.urls[0]
        self.provider = Provider(url, self.endpoint.key)
        self._limits = Limits(self.hosted.limits)
        self._journal = BatchJournal(self.options.journal)
        self._client = AsyncOpenAI(base_url=url, api_key=self.endpoint.key or NO_KEY, max_retries=0)

    async def complete(
        self, messages: Messages, parameters: Mapping[str, Any], accept: Callable[[Answered], None]
    ) -> Answered:
        """Have a chat completed; see ``ChatServer``. It waits for as long as the batch takes.

        Raises:
            TemporaryError: It had no answer in as many batches as there are attempts.
            RefusedError: The endpoint does not take it.
            WaitingForBatchesError: Its batch has been sent, and nobody wants to wait.
            EngineError: The endpoint takes no batch.
        """
        body = {"model": self.endpoint.model, "messages": list(messages), **parameters}
        name = _name(body)
        reason = ""
        for _ in range(self.hosted.limits.attempts):
            line = await self._answer_to(name, body)
            try:
                answered = read_line(line, self.provider)
                accept(answered)
            except TemporaryError as error:
                reason = error.reason
                self._journal.forget(name)
                continue
            except RefusedError:
                self._journal.forget(name)
                raise
            return answered
        raise TemporaryError(reason)

    async def close(self) -> None:
        """Stop waiting and close the connections; batches go on without us."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)
        await self._client.close()

    async def _answer_to(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        if name not in self._waiting:
            self._waiting[name] = _Request(body, loop.create_future())
        self._arrived = loop.time()
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        # Two that ask the same share the answer, also where one of them is stopped.
        return await asyncio.shield(self._waiting[name].answer)

    async def _work(self) -> None:
        """Send what has gathered and hand out what is there, until nobody waits."""
        try:
            while self._waiting:
                await self._until_quiet()
                await self._send_new()
                answers = await self._fetch()
                if not answers:
                    await self._rest()
                for name, line in answers.items():
                    self._waiting.pop(name).answer.set_result(line)
        except asyncio.CancelledError:
            for request in self._waiting.values():
                request.answer.cancel()
            raise
        except Exception as error:  # noqa: BLE001 - whoever waits has to hear of it
            for request in self._waiting.values():
                request.answer.set_exception(error)
            self._waiting.clear()

    async def _rest(self) -> None:
        if self.options.wait:
            await asyncio.sleep(self.options.poll)
            return
        raise WaitingForBatchesError(
            f"{len(self._waiting)} requests are in batches that are not done yet",
            todo="Run the same command again later: it collects what is done, and sends nothing twice.",
        )

    async def _until_quiet(self) -> None:
        clock = asyncio.get_running_loop().time
        while clock() < (quiet := self._arrived + self.options.quiet):  # noqa: ASYNC110 - others move the end on
            await asyncio.sleep(quiet - clock())

    async def _send_new(self) -> None:
        new = {name: one.body for name, one in self._waiting.items() if self._journal.batch_of(name) is None}
        for lines in batch_files(new, most=self.options.most_requests, most_bytes=self.options.most_bytes):
            batch = await self._call(partial(self._create, b"".join(lines.values())))
            self._journal.add(batch.id, lines)

    async def _create(self, data: bytes) -> Batch:
        file = await self._client.files.create(file=("requests.jsonl", data), purpose="batch")
        return await self._client.batches.create(
            input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h"
        )

    async def _fetch(self) -> dict[str, dict[str, Any]]:
        """Fetch the answers of batches that have ended, to the requests that wait for them."""
        found: dict[str, dict[str, Any]] = {}
        for batch_id in sorted({self._journal.batch_of(name) or "" for name in self._waiting} - {""}):
            batch = await self._call(partial(self._client.batches.retrieve, batch_id))
            if batch.status not in _ENDED:
                continue
            lines: dict[str, dict[str, Any]] = {}
            for file_id in (batch.output_file_id, batch.error_file_id):
                if file_id:
                    content = await self._call(partial(self._client.files.content, file_id))
                    lines |= _by_name(content.content)
            if batch.status == "failed" and not lines:
                raise self.provider.end(f"the batch {batch_id} failed: {self.provider.quoted(str(batch.errors))}")
            for name in self._waiting:
                if self._journal.batch_of(name) == batch_id:
                    found[name] = lines.get(name) or {"error": {"message": f"the batch {batch.status} without it"}}
        return found

    async def _call(self, request: Callable[[], Awaitable[T]]) -> T:
        try:
            return await self._limits.send(lambda: self.provider.call(request))
        except TemporaryError as error:
            raise EngineError(
                f"no attempt came through: {error.reason}",
                where=Place(self.endpoint.urls[0]),
                todo="Run the same command again: batches that were sent are found again.",
            ) from None
        except RefusedError as error:
            raise self.provider.end(f"the endpoint takes no batch: {error.said}") from None


def batch_files(bodies: Mapping[str, Mapping[str, Any]], *, most: int, most_bytes: int) -> list[dict[str, bytes]]:
    """Divide requests into files that the API takes.

    Args:
        bodies: The body of each request by its name.
        most: Requests in a file.
        most_bytes: Bytes of a file.

    Returns:
        The lines of each file by the names of their requests.
    """
    files: list[dict[str, bytes]] = []
    size = 0
    for name, body in bodies.items():
        row = {"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body}
        line = json.dumps(row, ensure_ascii=False).encode() + b"\n"
        if not files or len(files[-1]) >= most or size + len(line) > most_bytes:
            files.append({})
            size = 0
        files[-1][name] = line
        size += len(line)
    return files


def read_line(line: Mapping[str, Any], provider: Provider) -> Answered:
    """Read a line of a batch's output.

    Args:
        line: The line, as JSON.
        provider: Quotes messages without keys.

    Returns:
        The answer.

    Raises:
        TemporaryError: There is none, and there may be another time.
        RefusedError: The endpoint does not take the request.
        EngineError: It will take none.
    """
    response = line.get("response") or {}
    status, body = response.get("status_code"), response.get("body")
    if status == 200:
        return read_response(body, seconds=0.0)
    inner = (body.get("error") if isinstance(body, Mapping) else None) or line.get("error") or {}
    inner = inner if isinstance(inner, Mapping) else {"message": str(inner)}
    said = provider.quoted(str(inner.get("message") or "no answer"))
    if status in (400, 413, 422):
        code, parameter = (str(inner[key]) if inner.get(key) else None for key in ("code", "param"))
        raise RefusedError(said, code=code, parameter=parameter)
    if status in (401, 403, 404):
        raise provider.end(f"the endpoint answered {status}: {said}", status=status)
    raise TemporaryError(said if status is None else f"the endpoint answered {status}: {said}")


def _by_name(content: bytes) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for line in content.decode("utf-8", "replace").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and isinstance(row.get("custom_id"), str):
            found[row["custom_id"]] = row
    return found


def _name(body: Mapping[str, Any]) -> str:
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
