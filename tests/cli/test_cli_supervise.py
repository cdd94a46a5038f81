"""``checkwise supervise``: scores that learn from labels; the judge is scripted."""

import json
from pathlib import Path

import polars as pl
import pytest

MODELS = ("a", "b", "c", "d", "e", "new")
WORTH = {"a": 0.1, "b": 0.3, "c": 0.5, "d": 0.7, "e": 0.9, "new": 0.8}
QUESTIONS = [f"q{n}" for n in range(8)]


def write(path, rows):
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def judged(tmp_path, monkeypatch, engines, checkwise):
    """The judge's first item tells good from bad, its second one says the opposite."""
    monkeypatch.chdir(tmp_path)
    write(
        "bench.jsonl", [{"id": q, "query": "?", "model": m, "response": f"by {m}."} for q in QUESTIONS for m in MODELS]
    )
    Path("lists.md").write_text("1. Is it right?\n2. Is it vain?\n", encoding="utf-8")

    def judge(prompt):
        worth = next(worth for model, worth in WORTH.items() if f"by {model}." in prompt.text)
        p = worth if "Is it right?" in prompt.text else 1 - worth
        return {"Yes": p, "No": 1 - p}

    engines.script = judge
    assert checkwise("run", "bench.jsonl", "--checklists", "lists.md", "--out", "run").exit_code == 0
    labels = [
        {"id": q, "model": m, "score": 1 + 9 * WORTH[m], "judge": "scripted"} for q in QUESTIONS for m in MODELS[:-1]
    ]
    write("labels.jsonl", labels)


def test_it_learns_which_item_tells(judged, checkwise):
    result = checkwise("supervise", "run", "--labels", "labels.jsonl", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["training_models"], found["test_models"]) == (["a", "b", "c", "d", "e"], ["new"])
    # All models have the same mean p_yes, so that without labels nobody is ahead; with them the new one nears 0.8.
    assert found["held_out"]["agreement"]["unsupervised"] == pytest.approx(0.5)
    assert found["held_out"]["agreement"]["supervised"] > 0.9
    assert found["leaderboard"][0]["model"] == "new"
    assert found["leaderboard"][0]["score"] == pytest.approx(0.8, abs=0.15)
    assert "NaN" not in result.stdout


def test_as_published(judged, checkwise):
    result = checkwise(
        "supervise", "run", "--labels", "labels.jsonl", "--paper", "--scores", "s.csv", "--weights", "w.csv"
    )
    assert result.exit_code == 0, result.output
    assert "Learned from 5 models: a, b, c, d, e" in result.stdout
    weights = pl.read_csv("w.csv").group_by("instance_id").agg(pl.col("weight").sum())
    assert weights["weight"].to_list() == pytest.approx([1.0] * 8)
    assert pl.read_csv("s.csv").height == 48


def test_label_files_are_left_alone_also_where_the_labeler_is_called_like_the_judge(judged, checkwise):
    before = Path("labels.jsonl").read_bytes()
    checkwise("supervise", "run", "--labels", "labels.jsonl")
    assert Path("labels.jsonl").read_bytes() == before


def test_training_and_test_models_must_differ(judged, checkwise):
    result = checkwise("supervise", "run", "--labels", "labels.jsonl", "--train", "a,b,c", "--test", "c,new")
    assert result.exit_code == 1
    assert "c" in result.stderr


def test_labels_of_test_models_alone_teach_nothing(judged, checkwise):
    result = checkwise("supervise", "run", "--labels", "labels.jsonl", "--test", "a,b,c,d,e,new")
    assert result.exit_code == 1
    assert "Traceback" not in result.output


def test_votes_become_labels(judged, checkwise):
    order = sorted(MODELS[:-1], key=WORTH.get)
    cast = [
        {"id": q, "model_a": low, "model_b": high, "winner": "model_b", "judge": "ann"}
        for q in QUESTIONS
        for n, low in enumerate(order)
        for high in order[n + 1 :]
    ]
    write("votes.jsonl", cast)
    found = json.loads(checkwise("supervise", "run", "--votes", "votes.jsonl", "--json").stdout)
    assert found["held_out"]["agreement"]["supervised"] > 0.9


@pytest.mark.parametrize("options", [(), ("--labels", "labels.jsonl", "--votes", "labels.jsonl")])
def test_labels_or_votes_and_not_both(judged, checkwise, options):
    result = checkwise("supervise", "run", *options)
    assert (result.exit_code, "labels or votes, and not both" in result.stderr) == (1, True)
