"""The embedded engine: llama.cpp in this process, through xllamacpp. No account, no server to start, no GPU.

Untrusted text is tokenized apart from the chat template's markup, so a response that contains the model's own control
words stays plain text. Prompts are computed in fixed segments (``segments.py``): an answer does not depend on what was
asked before it.
"""

import asyncio
import math
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from checkwise.engines.base import Capabilities
from checkwise.engines.llama_server import LlamaApi, LlamaServer, Tokens
from checkwise.engines.options import LlamaCppOptions
from checkwise.engines.segments import Computed, SegmentedSlot
from checkwise.errors import EngineError, MissingExtraError
from checkwise.parsing.choices import sampled_choice, sum_over_variants
from checkwise.questions import Choice, Choose, Failure, Generate, Generation, Usage

RETURNED_TOKENS = 500
"""How many of the likeliest tokens come back with their probability; asking for more costs no time that shows."""

Segments = tuple[Tokens, ...]


class SegmentedEngine(ABC):
    """Run a model in a llama.cpp server, prompts in fixed segments; it is opened when the first question comes.

    Args:
        model: The name that the user knows the model by.
        options: How llama.cpp runs.
    """

    def __init__(self, model: str, options: LlamaCppOptions) -> None:
        self.model = model
        self._options = options
        self._server: LlamaApi | None = None
        self._slot = SegmentedSlot()
        self._loading = threading.Lock()
        self._busy = threading.Lock()

    @property
    @abstractmethod
    def identity(self) -> Mapping[str, str | int | float]:
        """Everything about the engine that can change an answer."""

    @abstractmethod
    def _open(self) -> LlamaApi:
        """Load the model, or reach who has."""

    @property
    def capabilities(self) -> Capabilities:
        """Probabilities of the likeliest tokens; one question at a time."""
        return Capabilities(logprobs=True, context=self._options.context)

    async def generate(self, question: Generate) -> Generation | Failure:
        """Write text; a prompt that leaves no room for an answer is a ``Failure``, found before it is run.

        Args:
            question: The prompt and how to sample.

        Returns:
            The text, or why there is none.

        Raises:
            EngineError: llama.cpp answered with an error.
        """
        writing = _Writing()
        try:
            return await asyncio.to_thread(self._generate, question, writing)
        except asyncio.CancelledError:
            writing.stop.set()
            raise

    async def choose(self, question: Choose) -> AsyncIterator[Choice | Failure]:
        """Yield each suffix's probabilities as soon as they are known; the shared part is computed once.

        Args:
            question: What to ask; a suffix that does not fit the context is a ``Failure``, found before it is run.

        Yields:
            One answer a suffix, in their order.

        Raises:
            EngineError: llama.cpp answered with an error.
        """
        for segments in await asyncio.to_thread(self.prompt_segments, question):
            yield await asyncio.to_thread(self._choose_one, question, segments)

    async def close(self) -> None:
        """Free the model's memory."""
        with self._busy:
            self._server = None
            self._slot = SegmentedSlot()

    def prompt_segments(self, question: Choose) -> list[Segments]:
        """Tokenize the prompts of a question as they would be computed; nothing is asked.

        Args:
            question: The question.

        Returns:
            For each suffix the segments of its prompt.

        Raises:
            EngineError: llama.cpp cannot load the model.
        """
        server = self._loaded()
        roles = ("system", "user") if question.system is not None else ("user",)
        *heads, tail = server.template(roles)
        first = heads[0]
        if question.system is not None:
            first += server.tokenize(question.system) + heads[1]
        shared = (first, *(server.tokenize(part) for part in question.shared if part))
        return [(*shared, server.tokenize(suffix) + tail) for suffix in question.suffixes]

    def message_segments(self, question: Generate) -> Segments:
        """Tokenize the prompt of a request for text as it would be computed; nothing is asked.

        Args:
            question: The request.

        Returns:
            The segments of its prompt, one a message.

        Raises:
            EngineError: llama.cpp cannot load the model.
        """
        server = self._loaded()
        *heads, tail = server.template(tuple(message.role for message in question.messages))
        parts = [head + server.tokenize(m.content) for head, m in zip(heads, question.messages, strict=True)]
        return (*parts[:-1], parts[-1] + tail)

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text, markup in it taken for plain text."""
        return len(self._loaded().tokenize(text))

    def _loaded(self) -> LlamaApi:
        with self._loading:
            if self._server is None:
                self._server = self._open()
            return self._server

    def _generate(self, question: Generate, writing: "_Writing") -> Generation | Failure:
        server = self._loaded()
        segments = self.message_segments(question)
        length = sum(map(len, segments))
        room = self._options.context - length
        if room < 1:
            return self._too_long(length)

        def complete(prompt: Tokens, *, answer: bool) -> dict[str, Any]:
            if not answer:
                return server.complete(prompt, n_predict=1)
            server.stream(
                prompt,
                writing.add,
                n_predict=min(question.max_tokens, room),
                temperature=question.temperature,
                top_p=question.top_p,
                seed=question.seed + question.repeat,
            )
            return {}

        with self._busy:
            started = time.perf_counter()
            computed = self._slot.compute(segments, complete, writes=True)
            seconds = time.perf_counter() - started
        if writing.stop.is_set():
            raise EngineError("writing was stopped before it was finished")
        return Generation(text=writing.text, finish=writing.finish, usage=_usage(computed, writing.pieces, seconds))

    def _choose_one(self, question: Choose, segments: Segments) -> Choice | Failure:
        server = self._loaded()
        length = sum(map(len, segments))
        if length >= self._options.context:
            return self._too_long(length)

        def complete(prompt: Tokens, *, answer: bool) -> dict[str, Any]:
            if answer and question.temperature:
                seed = question.seed + question.repeat
                return server.complete(prompt, n_predict=1, temperature=question.temperature, seed=seed)
            wanted = RETURNED_TOKENS if answer else 0
            return server.complete(prompt, n_predict=1, temperature=0, n_probs=wanted, post_sampling_probs=False)

        with self._busy:
            started = time.perf_counter()
            computed = self._slot.compute(segments, complete)
            usage = _usage(computed, 1, time.perf_counter() - started)
        (answer,) = computed.answer["choices"]
        if question.temperature:
            return sampled_choice(answer["text"], question.options, usage)
        returned = (answer["logprobs"] or {}).get("content")
        if not returned:
            # llama.cpp holds back a token that ends within a character, and its probabilities with it.
            return Failure(kind="no_answer", reason="the judge's likeliest next word is a part of a character")
        tokens = [(t["token"], math.exp(t["logprob"])) for t in returned[0]["top_logprobs"]]
        probabilities, variants = sum_over_variants(tokens, question.options)
        floor = min(probability for _, probability in tokens)
        return Choice(probabilities=probabilities, variants=variants, floor=floor, usage=usage)

    def _too_long(self, tokens: int) -> Failure:
        reason = f"the prompt has {tokens:,} tokens and the context holds {self._options.context:,} (see --context)"
        return Failure(kind="context_exceeded", reason=reason)


class LlamaCppEngine(SegmentedEngine):
    """Run a GGUF model inside this process.

    Args:
        path: The weights, a GGUF file.
        model: The name that the user knows the model by.
        sha256: Digest of the weights, part of every answer's key.
        options: How llama.cpp runs.

    Raises:
        MissingExtraError: xllamacpp is not installed.
    """

    def __init__(self, path: Path, *, model: str, sha256: str, options: LlamaCppOptions | None = None) -> None:
        if find_spec("xllamacpp") is None:
            raise MissingExtraError(
                "the embedded engine needs xllamacpp, which is not installed", todo='pip install "checkwise[local]"'
            )
        super().__init__(model, options or LlamaCppOptions())
        self._path = path
        self._sha256 = sha256

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """The weights, the version of llama.cpp, and the batch size, which decides the shapes it computes in."""
        return {
            "engine": "llama_cpp",
            "xllamacpp": version("xllamacpp"),
            "sha256": self._sha256,
            "batch_size": self._options.batch_size,
        }

    def _open(self) -> LlamaApi:
        return LlamaServer(self._path, self._options)


class _Writing:
    """Text as it arrives, piece by piece, until it ends or is stopped."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.text = ""
        self.pieces = 0
        self._reason = "stop"

    def add(self, piece: dict[str, Any]) -> bool:
        choice = piece["choices"][0]
        self.text += choice["text"]
        self.pieces += bool(choice["text"])
        self._reason = choice["finish_reason"] or self._reason
        return self.stop.is_set()

    @property
    def finish(self) -> Literal["stop", "length"]:
        return "length" if self._reason == "length" else "stop"


def _usage(computed: Computed, generated: int, seconds: float) -> Usage:
    return Usage(
        prompt_tokens=computed.prompt_tokens,
        computed_tokens=computed.computed_tokens,
        generated_tokens=generated,
        seconds=seconds,
    )
