"""The embedded engine: llama.cpp in this process, through xllamacpp. No account, no server to start, no GPU.

Untrusted text is tokenized apart from the chat template's markup, so a response that contains the model's own control
words stays plain text. Prompts are computed in fixed segments (``segments.py``): an answer does not depend on what was
asked before it.
"""

import asyncio
import json
import math
import secrets
import threading
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checkwise.engines.base import Capabilities
from checkwise.engines.segments import SegmentedSlot, Tokens
from checkwise.errors import EngineError, MissingExtraError, Place
from checkwise.parsing.choices import sum_over_variants
from checkwise.questions import Choice, Choose, Failure, Generate, Generation, Message, Usage

if TYPE_CHECKING:
    from xllamacpp import CommonParams

RETURNED_TOKENS = 500
"""How many of the likeliest tokens come back with their probability; asking for more costs no time that shows."""

TokenSegments = tuple[Tokens, ...]


@dataclass(frozen=True, kw_only=True)
class LlamaCppOptions:
    """How llama.cpp runs; the defaults suit a laptop."""

    context: int = 16_384
    """Tokens that a prompt and its answer may have together."""
    threads: int | None = None
    """CPU threads; None takes the number of physical cores."""
    batch_size: int = 512
    """Tokens computed at a time; a larger number costs memory."""


class LlamaCppEngine:
    """Run a GGUF model inside this process; it is loaded when the first question comes.

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
        self.model = model
        self._path = path
        self._options = options or LlamaCppOptions()
        self._sha256 = sha256
        self._server: _Server | None = None
        self._slot = SegmentedSlot()
        self._busy = threading.Lock()
        self._stop = threading.Event()
        self._tokens = lru_cache(maxsize=4096)(self._tokenize)
        self._frames = lru_cache(maxsize=64)(self._frame)

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """The weights, the version of llama.cpp, and the batch size, which decides the shapes it computes in."""
        return {
            "engine": "llama_cpp",
            "xllamacpp": version("xllamacpp"),
            "sha256": self._sha256,
            "batch_size": self._options.batch_size,
        }

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
        self._stop.clear()
        try:
            return await asyncio.to_thread(self._generate, question)
        except asyncio.CancelledError:
            self._stop.set()
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
        shared, tail = await asyncio.to_thread(self._shared_segments, question)
        for suffix in question.suffixes:
            yield await asyncio.to_thread(self._choose_one, question, shared, suffix, tail)

    async def close(self) -> None:
        """Free the model's memory."""
        with self._busy:
            self._server = None
            self._slot = SegmentedSlot()

    def count_tokens(self, text: str) -> int:
        """Count tokens with the model's own tokenizer.

        Args:
            text: Any text; control words in it are counted as plain text.

        Returns:
            The number of tokens.
        """
        return len(self._tokens(text))

    @property
    def _running(self) -> "_Server":
        if self._server is None:
            self._server = _start_server(self._path, self._options)
        return self._server

    def _generate(self, question: Generate) -> Generation | Failure:
        with self._busy:
            segments = self._message_segments(question.messages)
            room = self._options.context - sum(map(len, segments))
            if room < 1:
                return self._too_long(sum(map(len, segments)))
            started = time.perf_counter()
            written = _Written(self._stop)
            sampling = {"temperature": question.temperature, "top_p": question.top_p, "seed": question.seed}
            limit = min(question.max_tokens, room)

            def complete(prompt: Tokens, *, answer: bool) -> dict[str, Any]:
                if not answer:
                    return self._running.complete({"prompt": prompt, "n_predict": 1})
                request = {"prompt": prompt, "n_predict": limit, **sampling}
                self._running.stream(request, written.add)
                return {}

            computed = self._slot.compute(segments, complete, writes=True)
            if self._stop.is_set():
                raise EngineError("writing was stopped before it was finished")
            usage = Usage(
                prompt_tokens=computed.prompt_tokens,
                computed_tokens=computed.computed_tokens,
                generated_tokens=written.pieces,
                seconds=time.perf_counter() - started,
            )
            return Generation(text=written.text, finish="length" if written.cut_off else "stop", usage=usage)

    def _choose_one(self, question: Choose, shared: TokenSegments, suffix: str, tail: Tokens) -> Choice | Failure:
        with self._busy:
            segments = (*shared, self._tokens(suffix) + tail)
            length = sum(map(len, segments))
            if length >= self._options.context:
                return self._too_long(length)
            started = time.perf_counter()

            def complete(prompt: Tokens, *, answer: bool) -> dict[str, Any]:
                wanted = RETURNED_TOKENS if answer else 0
                return self._running.complete(
                    {
                        "prompt": prompt,
                        "n_predict": 1,
                        "temperature": 0,
                        "n_probs": wanted,
                        "post_sampling_probs": False,
                    }
                )

            computed = self._slot.compute(segments, complete)
            usage = Usage(
                prompt_tokens=computed.prompt_tokens,
                computed_tokens=computed.computed_tokens,
                generated_tokens=1,
                seconds=time.perf_counter() - started,
            )
        likeliest = computed.answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        tokens = [(entry["token"], math.exp(entry["logprob"])) for entry in likeliest]
        probabilities, variants = sum_over_variants(tokens, question.options)
        return Choice(probabilities=probabilities, variants=variants, floor=min(p for _, p in tokens), usage=usage)

    def _too_long(self, tokens: int) -> Failure:
        reason = f"the prompt has {tokens:,} tokens and the context holds {self._options.context:,}"
        return Failure(kind="context_exceeded", reason=reason)

    def _shared_segments(self, question: Choose) -> tuple[TokenSegments, Tokens]:
        roles = ("system", "user") if question.system is not None else ("user",)
        *heads, tail = self._frames(roles)
        system = self._tokens(question.system) + heads[1] if question.system is not None else ()
        first = heads[0] + system
        return (first, *(self._tokens(part) for part in question.shared if part)), tail

    def _message_segments(self, messages: Sequence[Message]) -> TokenSegments:
        *heads, tail = self._frames(tuple(message.role for message in messages))
        parts = [head + self._tokens(message.content) for head, message in zip(heads, messages, strict=True)]
        return (*parts[:-1], parts[-1] + tail)

    def _frame(self, roles: tuple[str, ...]) -> TokenSegments:
        """Tokens of the chat template around messages of these roles: before each content, and after the last."""
        marks = [f"[[{number}-{secrets.token_hex(8)}]]" for number in range(len(roles))]
        messages = [{"role": role, "content": mark} for role, mark in zip(roles, marks, strict=True)]
        rest: str = self._running.post("/apply-template", {"messages": messages})["prompt"]
        pieces = []
        for mark in marks:
            before, found, rest = rest.partition(mark)
            if not found:
                raise EngineError(
                    f"the chat template of {self.model} has no place for the messages {', '.join(roles)}",
                    todo="Use an instruction-tuned model whose GGUF file carries a chat template.",
                )
            pieces.append(before)
        first = self._tokenize(pieces[0], markup=True, beginning=True)
        return (first, *(self._tokenize(piece, markup=True) for piece in (*pieces[1:], rest)))

    def _tokenize(self, text: str, *, markup: bool = False, beginning: bool = False) -> Tokens:
        body = {"content": text, "parse_special": markup, "add_special": beginning}
        return tuple(self._running.post("/tokenize", body)["tokens"])


class _Written:
    """Text as it arrives, piece by piece."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self.text = ""
        self.pieces = 0
        self.cut_off = False

    def add(self, piece: dict[str, Any]) -> bool:
        """Take a piece; the answer tells llama.cpp whether to stop."""
        _raise_on_error(piece)
        choice = piece["choices"][0]
        self.text += choice["text"]
        self.pieces += bool(choice["text"])
        self.cut_off = choice["finish_reason"] == "length"
        return self._stop.is_set()


class _Server:
    """llama.cpp's server object, and the few of its calls that xllamacpp offers only over the loopback interface."""

    def __init__(self, params: "CommonParams", api_key: str) -> None:
        import xllamacpp  # noqa: PLC0415 - an extra

        self._server = xllamacpp.Server(params)
        self._address: str = self._server.listening_address
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {api_key}"}
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = self._server.handle_completions(_REQUEST | request)
        _raise_on_error(result)
        return result

    def stream(self, request: dict[str, Any], on_piece: Callable[[dict[str, Any]], bool]) -> None:
        self._server.handle_completions(_REQUEST | request | {"stream": True}, on_piece)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        data = json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data=data, headers=self._headers)  # noqa: S310 - loopback
        with self._opener.open(request, timeout=600) as answer:
            result: dict[str, Any] = json.load(answer)
        return result


_REQUEST = {"id_slot": 0, "cache_prompt": True, "top_k": 0, "min_p": 0.0, "repeat_penalty": 1.0}
"""Sampling is stated whole, so that no default of llama.cpp decides an answer."""


def _raise_on_error(answer: dict[str, Any]) -> None:
    if "error" in answer:
        raise EngineError(f"llama.cpp answered with an error: {answer['error'].get('message', answer['error'])}")


def _start_server(path: Path, options: LlamaCppOptions) -> _Server:
    from xllamacpp import CommonParams  # noqa: PLC0415 - an extra

    params = CommonParams()
    params.model.path = str(path)
    params.n_ctx = options.context
    params.n_batch = params.n_ubatch = options.batch_size
    if options.threads is not None:
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options.threads
    params.n_parallel = 1
    params.cache_ram_mib = 0
    params.ctx_shift = False
    params.warmup = False
    params.ui = False
    params.verbosity = -1
    # Only this process may ask: the server listens on a port of the loopback interface.
    key = secrets.token_urlsafe(24)
    params.api_keys = [key]
    try:
        return _Server(params, key)
    except RuntimeError as error:
        raise EngineError(
            f"llama.cpp cannot load the model: {error}",
            where=Place(path),
            todo="Check that the file is a complete GGUF of a model that llama.cpp knows, and that memory suffices.",
        ) from error
