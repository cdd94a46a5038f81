"""The server behind ``checkwise view``: pages of runs, and the two things that a page may change.

Only this machine reaches it, and only by the name of this machine: a page elsewhere on the web that points its own name
here is refused. What changes anything wants the token that stands in the pages.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from functools import lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

from checkwise.errors import CheckwiseError, UserError
from checkwise.report.html import comparison_html, html, overview_html
from checkwise.report.live_content import Live
from checkwise.runs.editing import edit_checklist
from checkwise.view.comparison import compare_runs
from checkwise.view.found_runs import FoundRun, find_runs
from checkwise.view.regrading import Command, Regrading

_MOST_BYTES = 1_000_000
"""Of a request."""

Reply = tuple[HTTPStatus, str, bytes]
"""Status, kind and content."""


class ViewServer(ThreadingHTTPServer):
    """Serve the runs of a folder on this machine.

    Args:
        folder: What the runs lie in; or one run.
        port: Where; 0 takes a free one.

    Raises:
        OSError: The port is taken.
    """

    daemon_threads = True

    def __init__(self, folder: Path, *, port: int = 0) -> None:
        self.folder = folder
        self.token = secrets.token_urlsafe(24)
        self.regrading = Regrading()
        self._page = lru_cache(maxsize=8)(self._make_page)
        super().__init__(("127.0.0.1", port), _Handler)

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://127.0.0.1:{self.server_port}/"

    def server_close(self) -> None:
        """Stop serving, and what was started from a page."""
        self.regrading.stop()
        super().server_close()

    def runs(self) -> dict[str, FoundRun]:
        """Find the runs, by name."""
        return {run.name: run for run in find_runs(self.folder)}

    def overview(self) -> bytes:
        """Make the list of the runs."""
        cards = [run.card() for run in self.runs().values()]
        return overview_html(cards, folder=str(self.folder), live=Live(token=self.token))

    def page(self, run: FoundRun) -> bytes:
        """Make the page of a run; the same as before where nothing has changed."""
        return self._page(run.folder, run.name, run.version)

    def state(self, run: FoundRun) -> dict[str, Any]:
        """Say how far a run is."""
        judged, total = run.progress()
        return {
            "version": run.version,
            "judged": judged,
            "total": total,
            "running": self.regrading.is_running(run.folder),
            "failure": self.regrading.failure(run.folder),
        }

    def _make_page(self, folder: Path, name: str, version: str) -> bytes:
        run = FoundRun(folder, name)
        command = Command.of(folder)
        live = Live(
            token=self.token, address=run.address, version=version, command=None if command is None else str(command)
        )
        return html(run.result.content(), live=live)


class _Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: ViewServer
    server_version = "checkwise"
    sys_version = ""
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: nobody reads it."""

    def _answer(self, make: Callable[[], Reply]) -> None:
        try:
            status, kind, content = make() if self._is_for_us() else _text(HTTPStatus.FORBIDDEN, "not from here")
        except CheckwiseError as error:
            status, kind, content = _json({"error": str(error)}, HTTPStatus.CONFLICT)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.end_headers()
        self.wfile.write(content)

    def _is_for_us(self) -> bool:
        name = (self.headers.get("Host") or "").rsplit(":", 1)[0]
        return name in ("127.0.0.1", "localhost")

    def _get(self) -> Reply:
        address = urlsplit(self.path)
        if address.path == "/":
            return _page(self.server.overview())
        if address.path == "/compare":
            return self._compare(parse_qs(address.query))
        run, what = self._run(address.path)
        if run is None:
            return _text(HTTPStatus.NOT_FOUND, "There is no such run.")
        if what == "state":
            return _json(self.server.state(run))
        return _page(self.server.page(run)) if not what else _text(HTTPStatus.NOT_FOUND, "There is no such page.")

    def _compare(self, query: Mapping[str, list[str]]) -> Reply:
        runs = self.server.runs()
        before, after = (runs.get(query.get(name, [""])[0]) for name in ("before", "after"))
        if before is None or after is None:
            return _text(HTTPStatus.NOT_FOUND, "Choose two runs.")
        try:
            return _page(comparison_html(compare_runs(before, after), live=Live(token=self.server.token)))
        except CheckwiseError as error:
            return _text(HTTPStatus.CONFLICT, str(error))

    def _post(self) -> Reply:
        if not secrets.compare_digest(self.headers.get("X-Checkwise-Token") or "", self.server.token):
            return _text(HTTPStatus.FORBIDDEN, "Reload the page: its token is not that of this server.")
        run, what = self._run(urlsplit(self.path).path)
        if run is None or what not in self._CHANGES:
            return _text(HTTPStatus.NOT_FOUND, "There is no such run.")
        size = int(self.headers.get("Content-Length") or 0)
        if size > _MOST_BYTES:
            return _text(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "That is too much.")
        try:
            document = json.loads(self.rfile.read(size) or b"{}")
        except ValueError:
            return _text(HTTPStatus.BAD_REQUEST, "That is not JSON.")
        return self._CHANGES[what](self, run, document)

    def _edit(self, run: FoundRun, document: Any) -> Reply:  # noqa: ANN401 - JSON
        if not isinstance(document, dict) or not isinstance(document.get("items"), list):
            raise UserError("the request has no list of items")
        edit_checklist(run.folder, str(document.get("instance")), [str(item) for item in document["items"]])
        return _json({"saved": True})

    def _regrade(self, run: FoundRun, _: Any) -> Reply:  # noqa: ANN401 - JSON
        self.server.regrading.start(run.folder)
        return _json({"started": True})

    _CHANGES: ClassVar[dict[str, Callable[["_Handler", FoundRun, Any], Reply]]] = {
        "checklist": _edit,
        "regrade": _regrade,
    }

    def _run(self, path: str) -> tuple[FoundRun | None, str]:
        """Find the run of an address, and what is wanted of it."""
        name, _, what = unquote(path).removeprefix("/run/").rpartition("/")
        return (self.server.runs().get(name) if path.startswith("/run/") else None), what


def _page(content: bytes) -> Reply:
    return HTTPStatus.OK, "text/html; charset=utf-8", content


def _text(status: HTTPStatus, text: str) -> Reply:
    return status, "text/plain; charset=utf-8", text.encode()


def _json(document: object, status: HTTPStatus = HTTPStatus.OK) -> Reply:
    return status, "application/json", json.dumps(document, ensure_ascii=False).encode()
