"""Commands that read a run: rank, report, export."""

import csv
import io
import json

import polars as pl
import pytest

from checkwise.datasets import load, read_checklists


@pytest.fixture
def run(data, engines, checkwise):
    """A run in which ``poor`` has no response to ``sum``."""
    lines = (data / "responses.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (data / "responses.jsonl").write_text("".join(lines[:-1]), encoding="utf-8")
    result = checkwise("run", "bench", "--checklists", "lists.md", "--out", "run")
    assert result.exit_code == 0, result.output
    return data.parent / "run"


def test_rank_keeps_to_common_instances_unless_told_otherwise(run, checkwise):
    common = json.loads(checkwise("rank", run, "--json").stdout)
    assert [row["n"] for row in common["leaderboard"]] == [2, 2]
    assert any(note.startswith("1 instances are not in the means") for note in common["notes"])
    everything = checkwise("rank", run, "--keep-all", "--json")
    document = json.loads(everything.stdout)
    assert [row["n"] for row in document["leaderboard"]] == [3, 2]
    assert not document["common_only"]
    assert "each mean is over all instances that the model has a score for" in everything.stderr


def test_rank_by_language(run, checkwise):
    rows = json.loads(checkwise("rank", run, "--by", "language", "--json").stdout)["leaderboard"]
    assert [(row["language"], row["model"], row["n"]) for row in rows] == [
        ("de", "good-模型", 1),
        ("de", "poor", 1),
        ("en", "good-模型", 1),
        ("en", "poor", 1),
    ]
    shown = checkwise("rank", run, "--by", "category").stdout
    assert shown.index("facts") < shown.index("writing")


def test_a_split_by_what_the_data_does_not_say_is_refused(data, engines, checkwise):
    row = {"id": "1", "query": "What is 2 + 3?", "model": "m", "response": "5"}
    checkwise("run", "-", "--out", "run", input=json.dumps(row))
    result = checkwise("rank", "run", "--by", "category")
    assert (result.exit_code, "has no category" in result.stderr) == (1, True)


def test_names_cannot_steer_the_terminal(data, engines, checkwise):
    row = {"id": "1", "query": "What is 2 + 3?", "model": "\x1b[31m[red]m\u202e", "response": "5"}
    shown = checkwise("run", "-", "--out", "run", input=json.dumps(row)).stdout
    assert "\\x1b[31m[red]m\\u202e" in shown
    assert "\x1b" not in shown


def test_report_writes_where_it_is_told(run, checkwise, tmp_path):
    result = checkwise("report", run, "--to", tmp_path / "mine.html")
    assert result.stdout.strip() == str(tmp_path / "mine.html")
    assert "good-模型" in (tmp_path / "mine.html").read_text(encoding="utf-8")
    assert checkwise("report", run, "--to", tmp_path / "mine.html" / "below-a-file.html").exit_code == 1


def test_scores_go_to_standard_output(run, checkwise):
    rows = [json.loads(line) for line in checkwise("export", run).stdout.splitlines()]
    assert len(rows) == 5
    assert {row["value"] for row in rows if row["model"] == "poor"} == {0.2}
    assert "good-模型" in checkwise("export", run).stdout


def test_the_suffix_tells_the_format(run, checkwise, tmp_path):
    for name in ("grades.csv", "grades.parquet", "grades.jsonl"):
        assert checkwise("export", run, "--what", "grades", "--to", tmp_path / name).exit_code == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "grades.csv").read_text(encoding="utf-8"))))
    assert len(rows) == 7
    assert pl.read_parquet(tmp_path / "grades.parquet").equals(pl.read_ndjson(tmp_path / "grades.jsonl"))


@pytest.mark.parametrize("suffix", [".md", ".jsonl", ".parquet"])
def test_exported_checklists_are_read_again(run, checkwise, data, tmp_path, suffix):
    file = tmp_path / f"lists{suffix}"
    assert checkwise("export", run, "--what", "checklists", "--to", file).exit_code == 0
    read, _ = read_checklists(file, load(data))
    given, _ = read_checklists(tmp_path / "lists.md", load(data))
    assert {c.instance_id: c.items for c in read} == {
        "capital": ("Does the response name Paris?", "Is it a whole sentence?"),
        "greet": ("Is it German?",),
        "sum": ("Does the response say 5?",),
    }
    assert len(given) == 3


def test_the_leaderboard_as_markdown(run, checkwise):
    lines = checkwise("export", run, "--what", "leaderboard", "--format", "markdown").stdout.splitlines()
    assert lines[2].startswith("| 1 | good-模型 | 0.800 |")


def test_grades_are_not_written_as_markdown(run, checkwise):
    result = checkwise("export", run, "--what", "grades", "--format", "markdown")
    assert (result.exit_code, result.stdout) == (1, "")


@pytest.mark.parametrize(("width", "headers"), [(60, []), (120, ["coverage", "mean mass"])])
def test_a_narrow_terminal_keeps_names_whole(run, checkwise, monkeypatch, width, headers):
    monkeypatch.setattr("checkwise.cli.console.WIDE", width)
    shown = checkwise("rank", run).stdout
    assert "good-模型" in shown
    assert [header for header in ("coverage", "mean mass") if header in shown] == headers


def test_empty_and_unscored_responses_have_a_column_where_there_are_any(data, engines, checkwise):
    shown = checkwise("run", "bench", "--checklists", "lists.md", "--out", "all").stdout
    assert "empty" in shown
    assert "Note: 1 of 6 responses are empty, and scored 0 by rule" in shown
    assert "unscored" not in shown
