import json
import re

import pytest

import checkwise
from checkwise.engines import ScriptedEngine
from checkwise.records import Dataset, Instance, Response, Turn

WORDS = {"sky": "blue", "grass": "green", "snow": "white"}
"""For each instance the word that a right response says."""


def grading(prompt):
    """Answer "Does it say X?" with Yes at 0.75 where the response says X and at 0.25 where not; any other at 0.5."""
    if "9" in prompt.options:
        return {"9": 1.0}
    item = prompt.text.splitlines()[-1]
    word = re.fullmatch(r"Does it say (\w+)\?", item)
    p_yes = 0.5 if word is None else 0.75 if word[1] in response_in(prompt) else 0.25
    return {"Yes": p_yes, "No": 1 - p_yes}


def writing(prompt):
    """Write two questions, of which the first names the instance's word."""
    word = WORDS.get(query_in(prompt).split()[-1].rstrip("?"), "something")
    return f"1. Does it say {word}?\n2. Is it short?"


def query_in(prompt):
    return re.search("<query>\n(.*?)\n</query>", prompt.messages[-1].content, re.DOTALL)[1]


def response_in(prompt):
    return re.search("<response>\n(.*?)\n</response>", prompt.messages[-1].content, re.DOTALL)[1]


def grading_or_writing(prompt):
    return writing(prompt) if prompt.options is None else grading(prompt)


def instance(name, **more):
    return Instance(id=name, turns=(Turn(role="user", content=f"What colour is the {name}?"),), **more)


def response(name, model, text):
    return Response(instance_id=name, model=model, text=text)


SKY, GRASS, SNOW = (instance(name) for name in WORDS)
BENCH = Dataset(
    name="colours",
    format="plain",
    instances=(SKY, GRASS, SNOW),
    responses=(
        response("sky", "able", "It is blue."),
        response("grass", "able", "It is green."),
        response("snow", "able", "It is white."),
        response("sky", "weak", "It is blue."),
        response("grass", "weak", "It is pink."),
        response("snow", "weak", "It is black."),
    ),
)


class Bench:
    """A benchmark of three instances and two models, a judge, a generator, and a run folder."""

    def __init__(self, out):
        self.data = BENCH
        self.out = out
        self.judge = None
        self.generator = None
        self.options = {}

    def run(self, *, script=grading, write=writing, version="1", **options):
        """Run, with a judge and a generator that remember what this run asks of them."""
        self.judge = ScriptedEngine(script, model="judge", version=version)
        self.generator = ScriptedEngine(write, model="writer")
        arguments = {"judge": self.judge, "generator": self.generator, "out": self.out} | self.options | options
        return checkwise.run(self.data, **arguments)

    def asked(self):
        """What the last run asked the judge: (query's last word, response, item)."""
        return [
            (query_in(p).split()[-1].rstrip("?"), response_in(p), p.text.splitlines()[-1]) for p in self.judge.prompts
        ]

    def written(self):
        """For which instances the last run had a list written."""
        return [query_in(p).split()[-1].rstrip("?") for p in self.generator.prompts]

    def change(self, **parts):
        self.data = self.data.model_copy(update=parts)

    def lists(self):
        """The rows of the run folder's checklists.jsonl, by instance."""
        text = (self.out / "checklists.jsonl").read_text(encoding="utf-8")
        return {row["id"]: row for row in map(json.loads, text.splitlines())}

    def edit(self, name, *items):
        """Change a list in the run folder, as a person would."""
        rows = self.lists()
        rows[name]["checklist"] = list(items)
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows.values())
        (self.out / "checklists.jsonl").write_text(text, encoding="utf-8")


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path / "run")
