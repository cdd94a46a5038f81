import json
import re
from importlib import import_module

import pytest
from typer.testing import CliRunner

from checkwise.cli import app
from checkwise.engines import ScriptedEngine

QUERIES = [
    {"id": "capital", "query": "What is the capital of France?", "category": "facts", "language": "en"},
    {"id": "greet", "query": "Begrüße Zoë höflich auf Deutsch.", "category": "writing", "language": "de"},
    {"id": "sum", "query": "What is 2 + 3?", "category": "facts", "language": "en"},
]
RESPONSES = [
    ("capital", "good-模型", "Paris is the capital of France."),
    ("greet", "good-模型", "Guten Tag, Zoë!"),
    ("sum", "good-模型", "5"),
    ("capital", "poor", "Lyon."),
    ("greet", "poor", "Hey."),
    ("sum", "poor", ""),
]
RIGHT = ("Paris", "Guten Tag", "5")
LISTS = """\
## capital

1. Does the response name Paris?
2. Is it a whole sentence?

## greet

1. Is it German?

## sum

1. Does the response say 5?
"""


def judge(prompt):
    """Give a right response Yes with 0.8 and digit 9, another one Yes with 0.2 and digit 0; write the rest."""
    if prompt.options is None:
        if "<response>" not in prompt.text:
            return "1. Is it right?\n2. Is it short?"
        return "1. Yes\n2. Yes" if any(text in prompt.text for text in RIGHT) else "1. No\n2. No"
    response = re.search("<response>(.*)</response>", prompt.text, re.DOTALL).group(1)
    right = any(text in response for text in RIGHT)
    if "9" in prompt.options:
        return {"9": 1.0} if right else {"0": 1.0}
    return {"Yes": 0.8, "No": 0.2} if right else {"Yes": 0.2, "No": 0.8}


def write_lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A benchmark of three queries and two models, in the working folder."""
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "bench" / "queries.jsonl", QUERIES)
    rows = [{"id": id, "model": model, "response": text} for id, model, text in RESPONSES]
    write_lines(tmp_path / "bench" / "responses.jsonl", rows)
    (tmp_path / "lists.md").write_text(LISTS, encoding="utf-8")
    return tmp_path / "bench"


class Opened(list):
    """The engines that a command has opened, in order; ``script`` answers for all of them."""

    def __init__(self, script):
        super().__init__()
        self.script = script
        self.options = []


@pytest.fixture
def engines(monkeypatch):
    """Have every model name open a scripted engine."""
    opened = Opened(script=judge)

    def open_engine(name, *, options, progress):
        opened.options.append(options)
        opened.append(ScriptedEngine(opened.script, model=name))
        return opened[-1]

    monkeypatch.setattr(import_module("checkwise.runs.run_models"), "open_engine", open_engine)
    return opened


@pytest.fixture
def checkwise():
    """Run a command line in this process."""

    def run(*args, input=None):
        return CliRunner().invoke(app, [str(arg) for arg in args], input=input, prog_name="checkwise")

    return run
