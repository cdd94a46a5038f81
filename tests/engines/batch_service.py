"""A small service with the documented endpoints of OpenAI's Batch API; another server answers what is in the files."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, Any]
"""Status and body of one request."""


@dataclass
class BatchService:
    """A running service."""

    answer: Callable[[dict[str, Any]], Answer | None]
    """Answers a request; None leaves it out of all output, as an expired batch does."""
    url: str = ""
    ready: bool = True
    """Whether batches are done when they are looked at."""
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """The bodies of all requests in all batches, as JSON."""

    def upload(self, content: bytes) -> dict[str, Any]:
        """Keep a file."""
        name = f"file-{len(self.files)}"
        self.files[name] = content
        return {
            "id": name,
            "object": "file",
            "bytes": len(content),
            "created_at": 0,
            "filename": "x",
            "purpose": "batch",
        }

    def create(self, body: dict[str, Any]) -> dict[str, Any]:
        """Begin a batch."""
        rows = [json.loads(line) for line in self.files[body["input_file_id"]].splitlines()]
        self.asked += [json.dumps(row["body"], sort_keys=True) for row in rows]
        name = f"batch_{len(self.batches)}"
        self.batches[name] = {
            "id": name,
            "object": "batch",
            "status": "in_progress",
            "created_at": 0,
            "rows": rows,
            **{key: body[key] for key in ("input_file_id", "endpoint", "completion_window")},
        }
        return self.shown(name)

    def shown(self, name: str) -> dict[str, Any]:
        """Say how far a batch is; it ends when it is looked at and the service is ready."""
        batch = self.batches[name]
        if self.ready and batch["status"] == "in_progress":
            good, bad = [], []
            for row in batch["rows"]:
                answer = self.answer(row["body"])
                if answer is not None:
                    line = {"custom_id": row["custom_id"], "response": {"status_code": answer[0], "body": answer[1]}}
                    (good if answer[0] == 200 else bad).append(json.dumps(line))
            # The order of the output is not that of the input.
            batch["output_file_id"] = self.upload("\n".join(reversed(good)).encode())["id"]
            batch["error_file_id"] = self.upload("\n".join(bad).encode())["id"] if bad else None
            batch["status"] = "completed"
        return {key: value for key, value in batch.items() if key != "rows"}


@contextmanager
def batch_service(answer: Callable[[dict[str, Any]], Answer | None]) -> Iterator[BatchService]:
    """Run the service."""
    service = BatchService(answer)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with lock:
                *_, kind, name = self.path.removesuffix("/content").split("/")
                if self.path.endswith("/content"):
                    self._send(service.files[name])
                elif kind == "batches" and name in service.batches:
                    self._send(json.dumps(service.shown(name)).encode())
                else:
                    self._send(b"{}", 404)

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            with lock:
                if self.path.endswith("/files"):
                    self._send(json.dumps(service.upload(_uploaded(self.headers["Content-Type"], data))).encode())
                else:
                    self._send(json.dumps(service.create(json.loads(data))).encode())

        def _send(self, data: bytes, status: int = 200) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
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


def answered_by(url: str, key: str) -> Callable[[dict[str, Any]], Answer]:
    """Have a real chat server answer what is in the files."""

    def answer(body: dict[str, Any]) -> Answer:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
        request = urllib.request.Request(f"{url}/chat/completions", json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request) as response:
                return 200, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    return answer


def _uploaded(content_type: str, data: bytes) -> bytes:
    form = BytesParser().parsebytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + data)
    part = next(part for part in form.get_payload() if part.get_param("name", header="content-disposition") == "file")
    content: bytes = part.get_payload(decode=True)
    return content
