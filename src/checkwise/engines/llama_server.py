"""llama.cpp's server object, inside this process: one slot, whose cache nobody else touches."""

import json
import secrets
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checkwise.engines.chat_template import around_contents
from checkwise.engines.options import LlamaCppOptions
from checkwise.errors import EngineError, Place

if TYPE_CHECKING:
    from xllamacpp import CommonParams

Tokens = tuple[int, ...]

SAMPLING = {"top_k": 0, "min_p": 0.0, "repeat_penalty": 1.0}
"""Sampling is stated whole, so that no default of llama.cpp decides an answer."""


class LlamaApi(ABC):
    """What a llama.cpp server can be asked for, however it is reached.

    Args:
        where: What messages say about whose server it is.
    """

    def __init__(self, where: Place) -> None:
        self._where = where
        self.tokenize = lru_cache(maxsize=4096)(self._tokenize)
        self.template = lru_cache(maxsize=64)(self._template)

    @abstractmethod
    def complete(self, prompt: Tokens, **request: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of the API
        """Have a prompt read and answered.

        Args:
            prompt: Its tokens.
            **request: Fields of llama.cpp's completion request.

        Returns:
            llama.cpp's answer.

        Raises:
            EngineError: It answered with an error.
        """

    @abstractmethod
    def stream(self, prompt: Tokens, on_piece: Callable[[dict[str, Any]], bool], **request: Any) -> None:  # noqa: ANN401
        """Have text written after a prompt.

        Args:
            prompt: Its tokens.
            on_piece: Takes each piece of the answer; writing ends when it returns True.
            **request: Fields of llama.cpp's completion request.

        Raises:
            EngineError: It answered with an error, or broke off before the end.
        """

    @abstractmethod
    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Make one of the calls beside completions."""

    def _tokenize(self, text: str, *, markup: bool = False, beginning: bool = False) -> Tokens:
        """Tokenize text; its control words count only where it is the template's own markup."""
        body = {"content": text, "parse_special": markup, "add_special": beginning}
        return tuple(self._post("/tokenize", body)["tokens"])

    def _template(self, roles: Sequence[str]) -> tuple[Tokens, ...]:
        """Tokenize the chat template around messages of these roles: before each content, and after the last."""

        def render(messages: list[dict[str, str]]) -> str:
            prompt: str = self._post("/apply-template", {"messages": messages})["prompt"]
            return prompt

        pieces = around_contents(roles, render, where=self._where)
        first = self._tokenize(pieces[0], markup=True, beginning=True)
        return (first, *(self._tokenize(piece, markup=True) for piece in pieces[1:]))


class LlamaServer(LlamaApi):
    """A model loaded in this process.

    Args:
        path: The weights, a GGUF file.
        options: How llama.cpp runs.

    Raises:
        EngineError: llama.cpp cannot load the file.
    """

    def __init__(self, path: Path, options: LlamaCppOptions) -> None:
        import xllamacpp  # noqa: PLC0415 - an extra

        # The server listens on a port of the loopback interface; only this process shall ask.
        key = secrets.token_urlsafe(24)
        try:
            self._server = xllamacpp.Server(_parameters(path, options, key))
        except RuntimeError as error:
            raise EngineError(
                f"llama.cpp cannot load the model: {error}",
                where=Place(path),
                todo="Check that it is a complete GGUF of a model that llama.cpp knows, and that memory suffices.",
            ) from error
        self._address: str = self._server.listening_address
        self._headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        super().__init__(Place(path))

    def complete(self, prompt: Tokens, **request: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of the API
        """Have a prompt read and answered; see ``LlamaApi``."""
        result: dict[str, Any] = self._server.handle_completions(completion_request(prompt, request))
        raise_on_error(result)
        return result

    def stream(self, prompt: Tokens, on_piece: Callable[[dict[str, Any]], bool], **request: Any) -> None:  # noqa: ANN401
        """Have text written after a prompt; see ``LlamaApi``."""
        # What a callback raises is lost inside xllamacpp, so errors are looked at when it has returned.
        last: dict[str, Any] = {}
        stopped = False

        def take(piece: dict[str, Any]) -> bool:
            nonlocal last, stopped
            last = piece
            stopped = "error" in piece or on_piece(piece)
            return stopped

        self._server.handle_completions(completion_request(prompt, request | {"stream": True}), take)
        raise_on_error(last)
        if not stopped and not (last and last["choices"][0]["finish_reason"]):
            raise EngineError("llama.cpp broke off before it had written everything", where=self._where)

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Make one of the few calls that xllamacpp offers only over the loopback interface."""
        data = json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data=data, headers=self._headers)  # noqa: S310 - loopback
        try:
            with self._opener.open(request, timeout=600) as answer:
                result: dict[str, Any] = json.load(answer)
        except OSError as error:
            raise EngineError(f"llama.cpp refused {path}: {error}", where=self._where) from error
        return result


def raise_on_error(answer: dict[str, Any]) -> None:
    """Raise an ``EngineError`` where llama.cpp answered with an error."""
    if "error" in answer:
        error = answer["error"]
        raise EngineError(f"llama.cpp answered with an error: {error.get('message', error)}")


def completion_request(prompt: Tokens, fields: dict[str, Any]) -> dict[str, Any]:
    """Make a request to the one slot, with sampling stated whole."""
    return {"prompt": list(prompt), "id_slot": 0, "cache_prompt": True} | SAMPLING | fields


def _parameters(path: Path, options: LlamaCppOptions, key: str) -> "CommonParams":
    from xllamacpp import CommonParams  # noqa: PLC0415 - an extra

    parameters = CommonParams()
    parameters.model.path = str(path)
    parameters.n_ctx = options.context
    parameters.n_batch = parameters.n_ubatch = options.batch_size
    if options.threads is not None:
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = options.threads
    parameters.n_parallel = 1
    parameters.cache_ram_mib = 0
    parameters.ctx_shift = False
    parameters.warmup = False
    parameters.ui = False
    parameters.verbosity = -1
    parameters.api_keys = [key]
    return parameters
