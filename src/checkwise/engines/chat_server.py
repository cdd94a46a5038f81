"""One server of a hosted model: sends requests within its limits, and takes no answer for what it is not."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import openai
from openai import AsyncOpenAI

from checkwise.engines.chat_answers import Answered, read_response
from checkwise.engines.limits import Limits, TemporaryError
from checkwise.engines.options import LimitOptions
from checkwise.engines.provider_errors import Provider, RefusedError
from checkwise.errors import CheckwiseError

Messages = Sequence[Mapping[str, str]]

NO_KEY = "none"
"""What is sent to a server that wants no key; the SDK wants one."""

_CHARACTERS_A_TOKEN = 3
"""About; for limits of tokens a minute, which count before anything is known."""
_MOST_CHARACTERS_A_TOKEN = 8
"""No text has more on average: what is over the context even so cannot fit."""
_CONTEXT = ("max_model_len", "context_length", "context_window", "max_context_length", "n_ctx")
"""Where servers say how long their context is."""


class ChatCompleter(Protocol):
    """Who has chats completed, one at a time or many together."""

    @property
    def provider(self) -> Provider:
        """Whose endpoint it is."""
        ...

    async def complete(
        self, messages: Messages, parameters: Mapping[str, Any], accept: Callable[[Answered], None]
    ) -> Answered:
        """Have a chat completed; see ``ChatServer``."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


@dataclass(frozen=True)
class Served:
    """What a server says about its models."""

    names: frozenset[str] = frozenset()
    """What they are called; empty where it does not say."""
    context: int | None = None
    """Tokens that prompt and answer of the asked model may have together; None where it does not say."""


@dataclass
class ChatServer:
    """A server and its limits."""

    url: str
    """Its base URL, up to where the API begins."""
    model: str
    """The model that is asked."""
    key: str | None = field(default=None, repr=False)
    """The key to send."""
    options: LimitOptions = field(default_factory=LimitOptions)
    """Its limits."""

    def __post_init__(self) -> None:
        """Make the client; nothing is sent yet."""
        self.provider = Provider(self.url, self.key)
        self.limits = Limits(self.options)
        self._client = AsyncOpenAI(
            base_url=self.url, api_key=self.key or NO_KEY, max_retries=0, timeout=self.options.timeout
        )
        self._served: Served | None = None

    async def complete(
        self, messages: Messages, parameters: Mapping[str, Any], accept: Callable[[Answered], None]
    ) -> Answered:
        """Have a chat completed.

        Args:
            messages: The chat.
            parameters: Of the request, in the server's words.
            accept: Raises ``TemporaryError`` for an answer that shall be asked for again.

        Returns:
            The answer.

        Raises:
            TemporaryError: The request did not come through in any attempt.
            RefusedError: The server does not take it, or it does not fit the context that the server names.
            EngineError: The server will take none.
        """
        body = {"model": self.model, "messages": list(messages), **parameters}
        characters = sum(len(message["content"]) for message in messages)
        served = await self.served()
        _refuse_too_long(characters // _MOST_CHARACTERS_A_TOKEN, served, "the prompt has at least")

        async def once() -> Answered:
            started = time.perf_counter()
            answer = await self.provider.call(lambda: self._client.post("/chat/completions", cast_to=object, body=body))
            answered = read_response(answer, seconds=time.perf_counter() - started)
            self._refuse_other(answered.model, served)
            # Some servers cut a prompt that does not fit, and say nothing.
            _refuse_too_long(answered.usage.prompt_tokens, served, "the prompt may have been cut: the server read")
            accept(answered)
            return answered

        return await self.limits.send(once, tokens=characters // _CHARACTERS_A_TOKEN)

    async def served(self) -> Served:
        """Ask once what the server serves; one that does not say serves what it is asked for."""
        if self._served is None:
            try:
                listed = await self.provider.call(lambda: self._client.get("/models", cast_to=object))
                self._served = _served(listed, self.model)
            except (TemporaryError, RefusedError, CheckwiseError, openai.OpenAIError):
                # Many servers have no list. What is wrong with the address or the key shows at the first question.
                self._served = Served()
        return self._served

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _refuse_other(self, model: str | None, served: Served) -> None:
        if model is None or not served.names:
            return
        asked, told = self.model.casefold(), model.casefold()
        if told not in served.names and not told.startswith(asked) and asked not in told:
            raise TemporaryError(f"{model} answered in place of {self.model}")


def _refuse_too_long(tokens: int, served: Served, what: str) -> None:
    if served.context is not None and tokens >= served.context:
        said = f"{what} {tokens:,} tokens, and the context holds {served.context:,}"
        raise RefusedError(said, code="context_length_exceeded", parameter=None)


def _served(listed: object, model: str) -> Served:
    data = listed.get("data") if isinstance(listed, Mapping) else None
    entries = [one for one in data if isinstance(one, Mapping)] if isinstance(data, list) else []
    names = {str(one["id"]).casefold() for one in entries if one.get("id")}
    ours = [one for one in entries if one.get("id") == model] or (entries if len(entries) == 1 else [])
    told = [place.get(name) for one in ours for place in (one, one.get("meta") or {}) for name in _CONTEXT]
    return Served(frozenset(names), next((count for count in told if isinstance(count, int) and count > 0), None))
