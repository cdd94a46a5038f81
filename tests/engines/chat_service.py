"""A small chat endpoint for what no real server does on demand: it answers as a test tells it."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, Any] | tuple[int, Any, dict[str, str]]
"""Status, JSON body or raw text, headers."""


@dataclass
class ChatService:
    """A running endpoint."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    """The bodies of the chat requests, in the order in which they came."""
    keys: list[str | None] = field(default_factory=list)
    """The Authorization header of each."""


@contextmanager
def chat_service(
    reply: Callable[[dict[str, Any]], Reply], *, models: list[str] | None = None, context: int | None = None
) -> Iterator[ChatService]:
    """Serve ``/v1/chat/completions`` as ``reply`` says, and ``/v1/models`` where models are named."""
    told = {} if context is None else {"max_model_len": context}
    service = ChatService("")
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send(*((404, {}) if models is None else (200, {"data": [{"id": name} | told for name in models]})))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                service.requests.append(body)
                service.keys.append(self.headers.get("Authorization"))
                answer = reply(body)
            self._send(*answer)

        def _send(self, status: int, content: object, headers: dict[str, str] | None = None) -> None:
            data = (content if isinstance(content, str) else json.dumps(content)).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_port}/v1"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()


def said(
    text: str, *, top: dict[str, float] | None = None, finish: str = "stop", model: str = "tiny", **message: Any
) -> dict[str, Any]:
    """Make a chat response; ``top`` holds the logarithms of the first token's likeliest variants."""
    entries = [{"token": token, "logprob": p} for token, p in (top or {}).items()]
    logprobs = {"content": [{"token": text, "logprob": 0.0, "top_logprobs": entries}]} if top else None
    return {
        "model": model,
        "choices": [{"message": {"content": text, **message}, "finish_reason": finish, "logprobs": logprobs}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 4}},
    }
