"""The pytest plugin in a sample project, run by a pytest of its own with the embedded judge."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from checkwise.models import list_cached

pytestmark = pytest.mark.real

PROJECT = """
import pytest

APP = {app}


def test_passes(checkwise):
    checked = checkwise.check("Name the capital of France.", APP["France"], ["Does the response name Paris?"])
    assert checked.score > 0.5 and not checked.failed


def test_fails(checkwise):
    checkwise.check(
        "Name the capital of France.",
        "I would rather talk about cheese.",
        ["Does the response name Paris?", "Does the response answer what was asked?"],
        threshold=0.9,
    )


@pytest.mark.checkwise(threshold=0.0)
def test_marker(checkwise):
    checkwise.check("Name the capital of France.", "Lyon", ["Does the response name Paris?"])


async def test_in_an_event_loop(checkwise):
    assert checkwise.grade("Name the capital of France.", "", ["Does the response name Paris?"]).score == 0


def test_not_worse(checkwise):
    rows = [
        {{
            "id": land,
            "query": f"Name the capital of {{land}}.",
            "response": capital,
            "checklist": [f"Does the response name {{right}}?"],
        }}
        for (land, capital), right in zip(APP.items(), {right}, strict=True)
    ]
    checkwise.not_worse(rows, "baselines/app")
"""
RIGHT = ["Paris", "Rome", "Berlin", "Madrid", "Lisbon", "Vienna", "Warsaw", "Athens"]
LANDS = ["France", "Italy", "Germany", "Spain", "Portugal", "Austria", "Poland", "Greece"]
GOOD = dict(zip(LANDS, RIGHT, strict=True))
BAD = {land: "I like cheese." if land != "France" else "Paris" for land in LANDS}


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    if "qwen2.5-coder-1.5b" not in {cached.entry.name for cached in list_cached()}:
        pytest.skip("the weights of the default judge are not in the cache; `make weights` fetches them")
    folder = tmp_path_factory.mktemp("sample")
    (folder / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\n")
    return folder


def run(project: Path, app: dict[str, str], *arguments: str) -> str:
    (project / "test_app.py").write_text(PROJECT.format(app=app, right=RIGHT), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=project,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout + done.stderr


def test_sample_project(project):
    first = run(project, GOOD, "--checkwise-update-baselines")
    assert "1 failed, 4 passed" in first
    assert re.search(r"AssertionError: score 0\.\d\d, where 0\.9 is asked for", first)
    assert re.search(r"FAILED   0\.\d\d  Does the response name Paris\?", first)
    # The line of the test is shown, not the inside of checkwise.
    assert "checker.py" not in first

    second = run(project, GOOD, "-k", "not_worse", "-p", "no:cacheprovider")
    assert "1 passed" in second

    third = run(project, BAD, "-k", "not_worse")
    assert "1 failed" in third
    assert "response is worse than before" in third
    assert "lost Italy: Does the response name Rome?" in third


def test_what_a_user_gets_wrong(project):
    (project / "test_wrong.py").write_text(
        "def test_text(checkwise):\n    checkwise.grade('a', 'b', 'an item')\n\n\n"
        "def test_no_baseline(checkwise):\n"
        "    checkwise.not_worse([{'query': 'a', 'response': '', 'checklist': ['Is it b?']}], 'nowhere')\n"
    )
    out = run(project, GOOD, "test_wrong.py", "--checkwise-judge", "local:no-such-judge")
    assert "no-such-judge" in out
    out = run(project, GOOD, "test_wrong.py")
    assert "Give a list of questions" in out
    assert "there is no baseline" in out
    assert "--checkwise-update-baselines once" in out
