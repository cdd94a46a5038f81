"""Hosted models, and servers of one's own, through the chat API that OpenAI made common.

Each prompt is a chat request of its own. What an endpoint takes is found out with its first answers (``dialect.py``): a
parameter that it does not know is left out from then on. Where it gives no log-probabilities, answers are sampled, and
every record says so.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from checkwise.engines.base import Capabilities
from checkwise.engines.chat_answers import Answered, read_text, read_tokens, read_word
from checkwise.engines.chat_server import ChatCompleter, ChatServer, Messages
from checkwise.engines.dialect import Dialect
from checkwise.engines.endpoints import Endpoint
from checkwise.engines.limits import TemporaryError
from checkwise.engines.options import HostedOptions
from checkwise.engines.provider_errors import RefusedError
from checkwise.engines.replicas import Replicas
from checkwise.engines.server_tokenizer import server_tokenizer
from checkwise.errors import EngineError, Place
from checkwise.parsing.choices import sampled_choice, sampled_choices, sum_over_variants
from checkwise.questions import Choice, Choose, Failure, Generate, Generation, Usage

RETURNED_TOKENS = (20, 100, 500)
"""How many of the likeliest tokens are asked for: first the fewest, and more where an option is not among them."""

_DOWN_AFTER = 8
"""Requests in a row, with all their attempts, that did not come through before an endpoint is taken to be down."""
_MISSED_AFTER = 3
"""Answers without log-probabilities before an endpoint that never gave any is taken to have none."""
_WORD_TOKENS = 32
"""The most tokens of a sampled answer: a word, in JSON where the endpoint holds answers to a form."""

logging.getLogger("openai").setLevel(logging.WARNING)  # Its finer levels write out whole requests.


_TRIAL = Choose(
    shared=("Is ice cold? Answer with one word. ",), suffixes=("Yes or No?",), options=("Yes", "No"), step="grading"
)


@dataclass(frozen=True)
class Probed:
    """What an endpoint can do."""

    log_probabilities: int
    """How many it gives for a word; 0 for none, so that answers are sampled."""
    seed: bool
    """Whether it takes one."""
    context: int | None
    """Tokens that prompt and answer may have together; None where it does not say."""
    thinks: bool
    """Whether the model thinks before it answers."""


class OpenAIEngine:
    """Ask a model behind an OpenAI-compatible endpoint.

    Args:
        endpoint: The model and where it is reached.
        name: The name that the user knows the model by.
        options: How it is asked.
        servers: Who sends the requests, one for each address of the endpoint; over HTTP if None.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        name: str,
        options: HostedOptions | None = None,
        servers: Sequence[ChatCompleter] | None = None,
    ) -> None:
        self.model = name
        self._endpoint = endpoint
        self._options = options or HostedOptions()
        self._servers = servers or [
            ChatServer(url, endpoint.model, endpoint.key, self._options.limits) for url in endpoint.urls
        ]
        self._replicas = Replicas(endpoint.urls, routing=self._options.routing)
        self._dialect = Dialect()
        self._thinks = False
        self._gave_logprobs = False
        self._without_logprobs = 0
        self._lost_in_a_row = 0
        self._most_returned = 0

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """The model and whose it is. The first server named stands for all, so that replicas can come and go."""
        return {
            "engine": "openai",
            "model": self._endpoint.model,
            "host": self._endpoint.urls[0],
            "samples": self._options.samples,
        }

    @property
    def capabilities(self) -> Capabilities:
        """What is known so far; log-probabilities count as given until the endpoint turns out to have none."""
        # An instance has several items under way at once.
        concurrency = max(1, self._options.limits.concurrency * len(self._servers) // 4)
        return Capabilities(logprobs=self._dialect.logprobs, context=None, concurrency=concurrency)

    async def generate(self, question: Generate) -> Generation | Failure:
        """Write text.

        Args:
            question: The prompt and how to sample.

        Returns:
            The text, with the thinking before it in ``<think>`` where the server keeps the two apart; or why there is
            none.

        Raises:
            EngineError: The endpoint refuses to answer at all, or is down.
        """
        messages = [{"role": message.role, "content": _text(message.content)} for message in question.messages]
        wanted = {
            "max_tokens": question.max_tokens,
            "temperature": question.temperature,
            "top_p": question.top_p,
            "seed": question.seed + question.repeat,
        }
        answered = await self._ask(messages, wanted, prefix=messages[0]["content"])
        return answered if isinstance(answered, Failure) else read_text(answered.answers[0], answered.usage)

    async def choose(self, question: Choose) -> AsyncIterator[Choice | Failure]:
        """Yield each suffix's probabilities; the first suffix goes ahead and fills the server's prefix cache.

        Args:
            question: What to ask.

        Yields:
            One answer a suffix, in their order.

        Raises:
            EngineError: The endpoint refuses to answer at all, or is down.
        """
        suffixes = question.suffixes
        if self._options.leading_first:
            yield await self._choose_one(question, suffixes[0])
            suffixes = suffixes[1:]
        tasks = [asyncio.create_task(self._choose_one(question, suffix)) for suffix in suffixes]
        try:
            for task in tasks:
                yield await task
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def tokenizer(self) -> Callable[[str], int] | None:
        """Find what counts tokens as the server does; None where it offers nothing of the kind."""
        return server_tokenizer(self._endpoint)

    async def probe(self) -> Probed:
        """Find out with two short questions what the endpoint can do.

        Returns:
            What was found.

        Raises:
            EngineError: The endpoint gives no answer.
        """
        async for answer in self.choose(_TRIAL):
            if isinstance(answer, Failure):
                raise EngineError(f"the endpoint gives no answer: {answer.reason}", where=Place(self._endpoint.urls[0]))
        message = {"role": "user", "content": _TRIAL.shared[0]}
        await self._ask([message], {"max_tokens": 1, "temperature": 0.0, "seed": 1}, prefix="")
        first = self._servers[0]
        return Probed(
            log_probabilities=self._most_returned,
            seed="seed" not in self._dialect.left_out,
            context=(await first.served()).context if isinstance(first, ChatServer) else None,
            thinks=self._thinks,
        )

    async def close(self) -> None:
        """Close the connections."""
        for server in self._servers:
            await server.close()

    async def _choose_one(self, question: Choose, suffix: str) -> Choice | Failure:
        shared = "".join(question.shared)
        messages = [{"role": "user", "content": _text(shared + suffix)}]
        if question.system is not None:
            messages.insert(0, {"role": "system", "content": _text(question.system)})
        prefix = f"{question.system or ''}\0{shared}"
        if question.temperature:
            words = await self._words(question, messages, prefix, samples=1, temperature=question.temperature)
            return words if isinstance(words, Failure) else sampled_choice(words[0][0], question.options, words[1])
        found = await self._by_logprobs(question, messages, prefix) if self._dialect.logprobs else None
        if found is not None:
            return found
        words = await self._words(question, messages, prefix, samples=self._options.samples, temperature=1.0)
        return words if isinstance(words, Failure) else sampled_choices(words[0], question.options, words[1])

    async def _by_logprobs(self, question: Choose, messages: Messages, prefix: str) -> Choice | Failure | None:
        """Read the probabilities of the options; None where the endpoint gives none."""
        usage, choice = Usage(), None
        for wanted in RETURNED_TOKENS:
            request = {"max_tokens": 1, "temperature": 0.0, "logprobs": True, "top_logprobs": wanted}
            answered = await self._ask(messages, request, prefix=prefix)
            if not self._dialect.logprobs:
                return None
            if isinstance(answered, Failure):
                return answered
            usage = _sum(usage, answered.usage)
            tokens = read_tokens(answered.answers[0])
            if isinstance(tokens, Failure) or tokens is None:
                return tokens
            self._most_returned = max(self._most_returned, len(tokens))
            probabilities, variants = sum_over_variants(tokens, question.options)
            floor = min(probability for _, probability in tokens)
            choice = Choice(probabilities=probabilities, variants=variants, floor=floor, usage=usage)
            if None not in probabilities.values() or not self._gives_more_than(len(tokens), wanted):
                break
        return choice

    def _gives_more_than(self, given: int, wanted: int) -> bool:
        most = self._dialect.most_logprobs
        return given >= wanted and (most is None or most > wanted)

    async def _words(
        self, question: Choose, messages: Messages, prefix: str, *, samples: int, temperature: float
    ) -> tuple[list[str], Usage] | Failure:
        """Sample answers and read the word that each one begins with."""
        words: list[str] = []
        usage = Usage()
        while len(words) < samples:
            request: dict[str, Any] = {
                "max_tokens": _WORD_TOKENS,
                "temperature": temperature,
                "seed": question.seed + question.repeat + len(words),
                "response_format": _one_of(question.options),
            }
            if samples > 1:
                request["n"] = samples - len(words)
            answered = await self._ask(messages, request, prefix=prefix)
            if isinstance(answered, Failure):
                return answered
            usage = _sum(usage, answered.usage)
            read = [read_word(written) for written in answered.answers[: samples - len(words)]]
            for word in read:
                if isinstance(word, Failure):
                    return word
                words.append(word)
        return words, usage

    async def _ask(self, messages: Messages, wanted: dict[str, Any], *, prefix: str) -> Answered | Failure:
        """Send one request, and again where the endpoint's refusal says what to change."""
        while True:
            sent = self._dialect.spoken(self._with_room(wanted))
            try:
                answered = await self._from_any(messages, sent, prefix)
            except RefusedError as refused:
                if refused.too_long:
                    return Failure(kind="context_exceeded", reason=refused.said)
                if not self._dialect.learn(refused, sent):
                    raise self._servers[0].provider.end(f"the endpoint refuses the request: {refused.said}") from None
                if "logprobs" in wanted and not self._dialect.logprobs:
                    return Failure(kind="no_answer", reason=f"the endpoint has no log-probabilities: {refused.said}")
                continue
            if isinstance(answered, Failure) or self._thinks or not self._cut_while_thinking(answered):
                return answered
            self._thinks = True

    def _cut_while_thinking(self, answered: Answered) -> bool:
        # An answer without text may also be a token that is part of a character: that is no reason to pay for thinking.
        first = answered.answers[0]
        return first.finish == "length" and (first.thought or (not first.text and answered.reasoning_tokens > 0))

    def _with_room(self, wanted: dict[str, Any]) -> dict[str, Any]:
        room = self._options.reasoning_tokens if self._thinks else 0
        return wanted | {"max_tokens": wanted["max_tokens"] + room}

    async def _from_any(self, messages: Messages, sent: dict[str, Any], prefix: str) -> Answered | Failure:
        """Ask the servers in their order until one answers."""
        reason = ""
        for place in self._replicas.order(prefix):
            try:
                answered = await self._servers[place].complete(messages, sent, lambda a: self._accept(a, sent))
            except TemporaryError as error:
                reason = error.reason
                continue
            self._lost_in_a_row = 0
            return answered
        self._lost_in_a_row += 1
        if self._lost_in_a_row >= _DOWN_AFTER:
            raise EngineError(
                f"{self._lost_in_a_row} requests in a row did not come through; the last one: {reason}",
                where=Place(self._endpoint.urls[0]),
                todo="See whether the server is up, and run the same command again: answers that were had are kept.",
            )
        return Failure(kind="unavailable", reason=f"no attempt came through: {reason}")

    def _accept(self, answered: Answered, sent: Mapping[str, Any]) -> None:
        """Have an answer that lost its log-probabilities asked for again, unless the endpoint never gives any."""
        if "logprobs" not in sent:
            return
        first = answered.answers[0]
        if first.logprobs:
            self._gave_logprobs = True
            return
        if first.refusal is not None or first.finish == "content_filter" or first.thought:
            return
        self._without_logprobs += 1
        if self._gave_logprobs or self._without_logprobs < _MISSED_AFTER:
            raise TemporaryError("the endpoint answered without log-probabilities")
        self._dialect.left_out.add("logprobs")


def _text(text: str) -> str:
    """Replace lone surrogates, which no request can carry."""
    return text.encode("utf-8", "replace").decode()


def _one_of(options: tuple[str, ...]) -> dict[str, Any]:
    answer = {"type": "string", "enum": list(options)}
    schema = {"type": "object", "properties": {"answer": answer}, "required": ["answer"], "additionalProperties": False}
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        prompt_tokens=one.prompt_tokens + other.prompt_tokens,
        computed_tokens=one.computed_tokens + other.computed_tokens,
        generated_tokens=one.generated_tokens + other.generated_tokens,
        seconds=one.seconds + other.seconds,
    )
