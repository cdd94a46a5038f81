"""``checkwise view`` in a browser: a run that grows, two runs compared, a list edited and graded again."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import judge, served

import checkwise
from checkwise.engines import ScriptedEngine
from checkwise.runs import Result

ROWS = [
    {"id": "fr", "query": "Name the capital of France.", "model": "one", "response": "Paris."},
    {"id": "it", "query": "Name the capital of Italy.", "model": "one", "response": "Rome."},
]
LISTS = "1. Does the text name a city?\n2. Is it short?\n"


@pytest.fixture
def made_by_command(tmp_path, smallest) -> Path:
    """A run that the command line made with the smallest embedded model."""
    (tmp_path / "data.jsonl").write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    (tmp_path / "lists.md").write_text(LISTS, encoding="utf-8")
    command = [sys.executable, "-m", "checkwise", "run", "data.jsonl", "--checklists", "lists.md"]
    subprocess.run([*command, "--judge", smallest], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path / "runs"


def answers(folder: Path) -> int:
    return sum(line.questions for line in Result(folder).bill().lines)


def test_a_list_is_edited_in_the_page_and_only_what_changed_is_graded(page, made_by_command):
    before = answers(made_by_command / "data")
    with served(made_by_command) as address:
        page.goto(address)
        page.get_by_role("link", name="data").click()
        page.locator("#instance-fr summary").first.click()
        page.get_by_role("button", name="Edit the checklist").click()
        field = page.get_by_label("One item a line")
        assert field.input_value() == "Does the text name a city?\nIs it short?"
        field.fill("Does the text name Paris?\nIs it short?")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#live-banner")).to_contain_text("checkwise run data.jsonl --judge")
        page.get_by_role("button", name="Grade again").click()
        expect(page.locator("#instance-fr")).to_contain_text("Does the text name Paris?", timeout=60_000)
    run = Result(made_by_command / "data")
    assert run.checklists["fr"].items == ("Does the text name Paris?", "Is it short?")
    assert run.checklists["fr"].source == "edited"
    assert answers(run.folder) == before + 1


def test_an_empty_list_is_refused_in_the_page(page, run_folder):
    with served(run_folder.parent) as address:
        page.goto(f"{address}run/demo/#instance-markdown")
        page.locator("#instance-markdown").get_by_role("button", name="Edit the checklist").click()
        page.get_by_label("One item a line").fill("\n")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("alert")).to_contain_text("the checklist has no items")
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator("#instance-markdown").get_by_role("button", name="Edit the checklist")).to_be_visible()


def test_a_page_says_when_its_run_has_grown(page, run_folder, tmp_path):
    shutil.copytree(run_folder, tmp_path / "demo")
    with served(tmp_path) as address:
        page.goto(f"{address}run/demo/")
        expect(page.locator("#live-banner")).to_be_hidden()
        os.utime(tmp_path / "demo" / "run.sqlite", (time.time() + 9, time.time() + 9))
        page.get_by_role("button", name="Show it").click(timeout=10_000)
        expect(page.locator("#live-banner")).to_be_hidden()


def test_two_runs_are_compared(page, run_folder, tmp_path):
    shutil.copytree(run_folder, tmp_path / "before")

    def stricter(prompt):
        found = judge(prompt)
        return {"Yes": 0.1, "No": 0.9} if "short" in prompt.text[-40:] else found

    dataset, lists = Result(run_folder).dataset, Result(run_folder).checklists
    again = dataset.model_copy(update={"checklists": tuple(lists.values())})
    checkwise.run(again, judge=ScriptedEngine(stricter), out=tmp_path / "after")
    with served(tmp_path) as address:
        page.goto(address)
        expect(page.locator("tbody tr")).to_have_count(2)
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("before and after")
        rows = page.locator("tr[data-turned]")
        expect(rows).not_to_have_count(0)
        count = rows.count()
        page.locator("#turned").select_option("won")
        expect(page.locator("#found")).to_have_text(f"0 of {count} shown")
        page.locator("#turned").select_option("lost")
        expect(page.locator("#found")).to_have_text(f"{count} of {count} shown")
        page.locator("tr[data-turned] a").first.click()
        expect(page.locator("article:target .responses")).to_be_visible()
