"""``checkwise gate``: the exit code says whether models are good enough."""

import json
from xml.etree import ElementTree

import pytest
from tests.cli.conftest import write_lines

NAMES = "abcdefghij"
QUERIES = [{"id": name, "query": f"Say {name}."} for name in NAMES]


def responses(model, right):
    """Answer ten queries, the first ``right`` of them well."""
    return [
        {"id": name, "model": model, "response": "Paris" if place < right else "Lyon"}
        for place, name in enumerate(NAMES)
    ]


@pytest.fixture
def judged(data, engines, checkwise, tmp_path):
    """Judge runs of an app: which of its ten answers are right, by name."""

    def judge(name, *rows):
        write_lines(tmp_path / name / "queries.jsonl", QUERIES)
        write_lines(tmp_path / name / "responses.jsonl", [row for model in rows for row in model])
        (tmp_path / "all.md").write_text("1. Does it name Paris?\n", encoding="utf-8")
        result = checkwise("run", name, "--checklists", "all.md", "--out", f"runs/{name}")
        assert result.exit_code == 0, result.output
        return f"runs/{name}"

    return judge


def test_a_model_that_lost_most_is_shown_to_be_worse(judged, checkwise):
    before, now = judged("before", responses("app", 10)), judged("now", responses("app", 2))
    result = checkwise("gate", now, "--baseline", before, "--junit", "gate.xml")
    assert result.exit_code == 6
    assert result.stdout.startswith("FAILED  app: 0.800 before, 0.320 now: -0.480 (")
    assert "lost c: Does it name Paris? (0.80 → 0.20)" in result.stdout
    assert "and 3 more items lost" in result.stdout
    (suite,) = ElementTree.parse("gate.xml").getroot()
    assert (suite.get("failures"), suite[0].get("name")) == ("1", "app")


def test_what_chance_explains_closes_no_gate(judged, checkwise):
    before, now = judged("before", responses("app", 7)), judged("now", responses("app", 6))
    assert checkwise("gate", now, "--baseline", before).exit_code == 0
    # To be shown as good asks for more than ten instances can show, but for a margin.
    assert checkwise("gate", now, "--baseline", before, "--proof", "as-good").exit_code == 6
    assert checkwise("gate", now, "--baseline", before, "--proof", "as-good", "--margin", 0.5).exit_code == 0


def test_a_prompt_is_held_against_another(judged, checkwise):
    run = judged("both", responses("prompt-1", 9), responses("prompt-2", 1))
    result = checkwise("gate", run, "--baseline", run, "--model", "prompt-2=prompt-1", "--json")
    document = json.loads(result.stdout)
    (ruling,) = document["rulings"]
    assert (result.exit_code, document["passed"], ruling["model"]) == (6, False, "prompt-2")
    assert [one["instance_id"] for one in ruling["lost"]] == list("bcdefghi")
    assert checkwise("gate", run, "--baseline", run, "--model", "prompt-1=prompt-2").exit_code == 0


def test_a_least_score(judged, checkwise):
    run = judged("mixed", responses("strong", 10), responses("weak", 0))
    result = checkwise("gate", run, "--min-score", 0.7)
    assert result.exit_code == 6
    assert [line.split()[:2] for line in result.stdout.splitlines()] == [["passed", "strong:"], ["FAILED", "weak:"]]
    assert checkwise("gate", run, "--min-score", 0.2).exit_code == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "a gate holds a run against another, or against a score"),
        (("--baseline", "runs/now", "--min-score", 0.5), "a gate holds a run against another, or against a score"),
        (("--baseline", "runs/now", "--model", "app"), "--model 'app' names no two models"),
        (("--baseline", "runs/now", "--model", "app=other"), "the earlier run has no model other"),
        (("--baseline", "runs/missing"), "no run"),
        (("--min-score", 0.5, "--margin", 0.1), "are about a baseline"),
    ],
)
def test_what_cannot_be_asked(judged, checkwise, options, says):
    judged("now", responses("app", 3))
    result = checkwise("gate", "runs/now", *options)
    assert (result.exit_code, says in result.stderr) == (1, True), result.output
