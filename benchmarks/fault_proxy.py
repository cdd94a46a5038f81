"""A proxy before an OpenAI-compatible server that does, now and then, what servers do on a bad day.

Which request meets which fault is drawn with a seed. Everything that was done to requests is counted.
"""

import json
import random
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

FAULTS = (
    "429",
    "429 with Retry-After",
    "500",
    "503",
    "dropped",
    "slow",
    "truncated",
    "no JSON",
    "no log-probabilities",
    "few log-probabilities",
    "no choices",
    "another model",
    "content filter",
)
LASTING = ("content filter",)
"""Faults that the endpoint means: asking again is of no use."""
HARMLESS = ("slow", "few log-probabilities")
"""Faults after which there is an answer all the same."""

_SLOW = 0.3
"""Seconds that a slow answer waits."""


@dataclass
class FaultProxy:
    """A running proxy."""

    url: str
    """Its base URL, in place of the server's."""
    injected: Counter[str] = field(default_factory=Counter)
    """How often each fault was done."""
    answered: Counter[bytes] = field(default_factory=Counter)
    """How often each request, by its body, had an answer that is to be kept."""

    def note(self, body: bytes, fault: str | None) -> None:
        """Count what is done to a request."""
        if fault is not None:
            self.injected[fault] += 1
        if fault is None or fault in (*HARMLESS, *LASTING):
            self.answered[body] += 1


@contextmanager
def fault_proxy(server: str, *, share: float, seed: int = 42, faults: tuple[str, ...] = FAULTS) -> Iterator[FaultProxy]:
    """Run a proxy.

    Args:
        server: The base URL of the real server.
        share: Of the chat requests that meet a fault, 0 to 1.
        seed: Of the draw.
        faults: Which ones are drawn from.

    Yields:
        The proxy.
    """
    proxy = FaultProxy("")
    chance, lock = random.Random(seed), threading.Lock()

    def draw(body: bytes) -> str | None:
        with lock:
            fault = chance.choice(faults) if chance.random() < share else None
            proxy.note(body, fault)
            return fault

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server, draw))
    httpd.daemon_threads = True
    proxy.url = f"http://127.0.0.1:{httpd.server_port}/v1"
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    try:
        yield proxy
    finally:
        httpd.shutdown()
        httpd.server_close()


def _handler(server: str, draw: Callable[[bytes], str | None]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send(200, self._upstream(None))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            fault = draw(body)
            if fault in ("429", "429 with Retry-After", "500", "503"):
                headers = {"Retry-After": "1"} if "Retry" in fault else {}
                error = {"error": {"message": f"Yes: this is the text of a fault, {fault}"}}
                self._send(int(fault[:3]), json.dumps(error).encode(), headers)
            elif fault == "dropped":
                self.close_connection = True
                self.connection.close()
            elif fault == "no JSON":
                self._send(200, b"Yes, this is the text of a fault")
            else:
                if fault == "slow":
                    time.sleep(_SLOW)
                self._answer(self._upstream(body), fault)

        def _answer(self, answer: bytes, fault: str | None) -> None:
            if fault == "truncated":
                answer = answer[: len(answer) // 2]
            elif fault not in (None, "slow"):
                answer = json.dumps(_spoilt(json.loads(answer), fault)).encode()
            self._send(200, answer)

        def _upstream(self, body: bytes | None) -> bytes:
            headers = {name: self.headers[name] for name in ("Authorization", "Content-Type") if self.headers[name]}
            address = server.removesuffix("/v1") + self.path
            request = urllib.request.Request(address, data=body, headers=headers)
            with urllib.request.urlopen(request, timeout=600) as answer:
                read: bytes = answer.read()
                return read

        def _send(self, status: int, data: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def _spoilt(answer: dict[str, Any], fault: str | None) -> dict[str, Any]:
    choice = answer["choices"][0] if answer["choices"] else {}
    if fault == "no log-probabilities":
        choice["logprobs"] = None
    elif fault == "few log-probabilities" and choice.get("logprobs"):
        for entry in choice["logprobs"]["content"]:
            entry["top_logprobs"] = entry["top_logprobs"][:2]
    elif fault == "no choices":
        answer["choices"] = []
    elif fault == "another model":
        answer["model"] = "quite-another-model"
    elif fault == "content filter":
        choice |= {"finish_reason": "content_filter", "logprobs": None, "message": {"content": "Yes"}}
    return answer
