"""A llama.cpp server that runs elsewhere, driven like the embedded engine, so that grades are the same.

Through OpenAI's API the server decides itself what of its cache it uses, which moves a probability by up to some
hundredths. Here each segment is a request of its own to one slot, which nobody else may use meanwhile.
"""

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from checkwise.engines.llama_cpp import SegmentedEngine
from checkwise.engines.llama_server import (
    LlamaApi,
    Tokens,
    completion_request,
    raise_on_error,
)
from checkwise.engines.options import LlamaCppOptions
from checkwise.engines.redaction import redacted
from checkwise.errors import EngineError, Place

_PATIENCE = 3600
"""Seconds that a server may take for one answer."""


class RemoteLlamaServer(LlamaApi):
    """A llama.cpp server over HTTP.

    Args:
        address: Its address, without a path.
        key: The key that it wants; None sends none.
    """

    def __init__(self, address: str, key: str | None) -> None:
        super().__init__(Place(address))
        self._address = address
        self._key = key
        authorization = {"Authorization": f"Bearer {key}"} if key else {}
        self._headers = {"Content-Type": "application/json"} | authorization
        self._opener = urllib.request.build_opener()

    def properties(self) -> dict[str, Any]:
        """Ask what the server runs.

        Returns:
            llama.cpp's ``/props``.

        Raises:
            EngineError: Nobody answers, or it is no llama.cpp server.
        """
        with self._open("/props") as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def complete(self, prompt: Tokens, **request: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of the API
        """Have a prompt read and answered; see ``LlamaApi``."""
        with self._open("/v1/completions", completion_request(prompt, request)) as answer:
            result: dict[str, Any] = json.load(answer)
        raise_on_error(result)
        return result

    def stream(self, prompt: Tokens, on_piece: Callable[[dict[str, Any]], bool], **request: Any) -> None:  # noqa: ANN401
        """Have text written after a prompt; see ``LlamaApi``."""
        finished = False
        with self._open("/v1/completions", completion_request(prompt, request | {"stream": True})) as answer:
            for piece in _pieces(answer):
                raise_on_error(piece)
                finished = bool(piece["choices"][0]["finish_reason"])
                if on_piece(piece):
                    return
        if not finished:
            raise EngineError("llama.cpp broke off before it had written everything", where=self._where)

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        with self._open(path, body) as answer:
            result: dict[str, Any] = json.load(answer)
        return result

    def _open(self, path: str, body: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401 - a response
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data=data, headers=self._headers)  # noqa: S310 - checked
        try:
            return self._opener.open(request, timeout=_PATIENCE)
        except urllib.error.HTTPError as error:
            said = redacted(error.read(2000).decode("utf-8", "replace"), self._key)
            todo = "Put its key into CHECKWISE_API_KEY." if error.code in (401, 403) else None
            raise EngineError(f"the server answered {error.code}: {said}", where=self._where, todo=todo) from None
        except OSError as error:
            raise EngineError(
                f"the server cannot be reached: {error}",
                where=self._where,
                todo="Start it with llama-server, or name another address.",
            ) from None


class LlamaServerEngine(SegmentedEngine):
    """Run a model in a llama.cpp server elsewhere, segment by segment; one question at a time.

    Args:
        address: The server's address, without a path.
        key: The key that it wants; None sends none.

    Raises:
        EngineError: Nobody answers there, or it is no llama.cpp server.
    """

    def __init__(self, address: str, key: str | None = None) -> None:
        self._address = address
        self._remote = RemoteLlamaServer(address, key)
        self._properties = self._remote.properties()
        settings = self._properties.get("default_generation_settings") or {}
        context = settings.get("n_ctx")
        options = LlamaCppOptions(context=context) if isinstance(context, int) else LlamaCppOptions()
        super().__init__(f"llama-server:{address}", options)

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """The server, the weights that it names, and its build."""
        return {
            "engine": "llama_server",
            "host": self._address,
            "weights": Path(str(self._properties.get("model_path", ""))).name,
            "build": str(self._properties.get("build_info", "")),
        }

    def _open(self) -> LlamaApi:
        return self._remote


def _pieces(answer: Iterator[bytes]) -> Iterator[dict[str, Any]]:
    """Read server-sent events."""
    for line in answer:
        event = line.decode("utf-8").strip()
        if event.startswith("data:") and event != "data: [DONE]":
            yield json.loads(event.removeprefix("data:"))
