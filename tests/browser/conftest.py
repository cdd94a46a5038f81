"""A real browser, and a report to drive in it. Run with `make test-browser`."""

import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import checkwise
from checkwise.engines import ScriptedEngine
from checkwise.records import Checklist, Dataset, Instance, Response, Turn
from checkwise.view import ViewServer

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CANARY = "document.documentElement.dataset.canary='ran'"
HOSTILE = f"""\
</script><script>{CANARY}</script>
<img src=x onerror="{CANARY}"> <svg onload="{CANARY}"></svg> <iframe srcdoc="<script>parent.{CANARY}</script>"></iframe>
[click](javascript:{CANARY}) [data](data:text/html,<script>{CANARY}</script>) ![picture](http://evil.example/x.png)
<style>* {{ display: none !important }}</style> <a href="javascript:{CANARY}">link</a>
\u202egnp.exe\u202c {{{{ 7 * 7 }}}} {{% include 'x' %}}
| {"a | " * 300}
|{"---|" * 300}
| {"1 | " * 300}
"""
MARKDOWN = """\
## A heading

Some **bold** text, `code` and [a link](https://example.org/).

1. First
   - nested
2. Second

```python
print("<b>not bold</b>")
```

| a | b |
|---|---|
| 1 | 2 |
"""
TEXTS = {"markdown": MARKDOWN, "hostile": HOSTILE, "arabic": "الإجابة هي 42.", "empty": ""}
LANGUAGES = {"markdown": "en", "hostile": "de", "arabic": "ar", "empty": "en"}
HIGH = {"markdown": 0.9, "hostile": 0.2, "arabic": 0.6}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if "tests/browser/" in item.nodeid:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    """Chromium, started once."""
    if BROWSER is None:
        pytest.skip("there is no Chromium; on Debian: apt install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def page(browser):
    """A page that fails the test on any error in it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    yield opened
    context.close()
    assert problems == []


def judge(prompt):
    """Grade by what the response says: the second model is always a bit worse."""
    if prompt.options is None:
        return "1. Is it right?"
    response = re.search("<response>(.*)</response>", prompt.text, re.DOTALL)
    said = "" if response is None else response.group(1)
    best = next((HIGH[name] for name in HIGH if TEXTS[name][:20] in said), 0.5)
    yes = best - 0.15 if "worse" in said else best
    return {"Yes": yes, "No": 1 - yes}


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory) -> Path:
    """A run of two models on four queries: Markdown, hostile text, Arabic, an empty response."""
    instances = [
        Instance(
            id=name,
            turns=(Turn(role="user", content=text if name in ("hostile", "arabic") else f"Question about {name}?"),),
            category="odd" if name == "hostile" else "plain",
            language=LANGUAGES[name],
            reference="The reference." if name == "markdown" else None,
        )
        for name, text in TEXTS.items()
    ]
    responses = [
        Response(instance_id=name, model=model, text=text and text + more)
        for name, text in TEXTS.items()
        for model, more in (("better", ""), ("other", "\n\nworse"))
    ]
    lists = [
        Checklist(
            instance_id=name, items=(f"Does the response explain {name}?", HOSTILE.splitlines()[0], "Is it short?")
        )
        for name in TEXTS
    ]
    data = Dataset(
        name="demo", format="plain", instances=tuple(instances), responses=tuple(responses), checklists=tuple(lists)
    )
    folder = tmp_path_factory.mktemp("runs") / "demo"
    checkwise.run(data, judge=ScriptedEngine(judge), out=folder)
    return folder


@pytest.fixture
def report(page, run_folder):
    """The report, open in the browser."""
    page.goto((run_folder / "report.html").as_uri())
    return page


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the runs of a folder, and give the address."""
    server = ViewServer(folder)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.address
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
