"""``checkwise compare``, and the other commands on what it leaves behind; the judge is scripted."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import checkwise as checkwise_package
from checkwise.errors import UserError

PAIRS = [
    {"id": "tea", "query": "Say something about tea.", "response_a": "Tea is good.", "response_b": "Tea is bad."},
    {"id": "milk", "query": "Say something about milk.", "response_a": "Milk is bad.", "response_b": "Milk is good."},
    {"id": "brot", "query": "Sag etwas über Brot.", "response_a": "Brot ist good.", "response_b": "Brot ist bad."},
]
LABELS = ("A", "B", "A")
SLOW = Path(__file__).with_name("slow_judge.py")


def shown(prompt, tag):
    return re.search(f"<{tag}>\n(.*?)\n</{tag}>", prompt.messages[-1].content, re.DOTALL)[1]


def write_pairs(folder, rows):
    path = folder / "pairs.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def labelled():
    languages = ("en", "en", "de")
    return [p | {"label": label, "language": code} for p, label, code in zip(PAIRS, LABELS, languages, strict=True)]


def judge(prompt):
    """Prefer what is good; write a list and concepts; score what is good 6 and the rest 2."""
    user = prompt.messages[-1].content
    if prompt.options is not None:
        if "A" in prompt.options:
            return {"A": 0.9, "B": 0.1} if "good" in shown(prompt, "response_a") else {"A": 0.1, "B": 0.9}
        return {"Yes": 0.8, "No": 0.2} if "good" in shown(prompt, "response") else {"Yes": 0.2, "No": 0.8}
    if "<response_a>" in user:
        better = "A" if "good" in shown(prompt, "response_a") else "B"
        return f"It says good.\nVerdict: {better}"
    if "Score: N" in user:
        return f"It is said.\nScore: {6 if 'good' in shown(prompt, 'response') else 2}"
    if "<passage>" in user:
        return "- a saying" if prompt.messages[0].role == "user" else "Say something about bread."
    return "1. How is it said?"


@pytest.fixture
def compared(tmp_path, monkeypatch, engines, checkwise):
    monkeypatch.chdir(tmp_path)
    engines.script = judge
    write_pairs(tmp_path, labelled())

    def compared(*args):
        result = checkwise("compare", "pairs.jsonl", *args)
        assert result.exit_code == 0, result.output
        return result

    return compared


def test_it_prints_accuracy_consistency_the_first_share_and_the_report(compared):
    lines = compared().stdout.splitlines()
    assert any("accuracy" in line.lower() and "100.0%" in line for line in lines)
    assert any("consisten" in line.lower() and "100.0%" in line for line in lines)
    # Each pair was shown in both orders, and the better response won: half of the time it stood first.
    assert any("first" in line.lower() and "50.0%" in line for line in lines)
    assert "Report: runs/pairs/report.html" in lines
    assert Path("runs/pairs/report.html").is_file()


def test_the_same_command_again_asks_nothing(compared, engines):
    compared()
    assert re.search(r"asked 0, from the store \d+", compared().stdout)
    assert engines[-1].prompts == []


def test_json_is_one_document(compared):
    document = json.loads(compared("--json").stdout)
    assert {v["pair_id"]: v["outcome"] for v in document["verdicts"]} == {"tea": "A", "milk": "B", "brot": "A"}
    assert document["facts"]["method"] == "ce-judge"
    rows = {row["label"]: row for table in document["metrics"] for row in table["rows"] if row["group"] is None}
    assert any(row["value"] == 1.0 and row["n"] == 3 for row in rows.values())


@pytest.mark.parametrize("method", ["ce-judge", "direct", "cot", "prometheus", "rocketeval"])
def test_every_method_compares_the_same_pairs(compared, method):
    document = json.loads(compared("--method", method, "--json").stdout)
    assert {v["pair_id"]: v["outcome"] for v in document["verdicts"]} == {"tea": "A", "milk": "B", "brot": "A"}
    assert document["facts"]["method"] == method


def test_the_report_shows_concepts_both_lists_and_the_feedback_of_each_pair(compared):
    compared()
    page = Path("runs/pairs/report.html").read_text(encoding="utf-8")
    for text in ("Tea is good.", "a saying", "How is it said?", "It says good.", "Say something about bread."):
        assert text in page


@pytest.mark.parametrize(
    ("what", "rows"), [("verdicts", 3), ("comparisons", 6), ("findings", 3 * 11 + 6), ("metrics", None)]
)
def test_tables_of_a_run_over_pairs_are_written(compared, checkwise, what, rows):
    compared()
    result = checkwise("export", "runs/pairs", "--what", what, "--format", "jsonl")
    assert result.exit_code == 0, result.output
    table = [json.loads(line) for line in result.stdout.splitlines()]
    assert table
    if what == "verdicts":
        assert len(table) == rows
    if what == "comparisons":
        assert {(row["pair_id"], row["first"]) for row in table} == {(p["id"], s) for p in PAIRS for s in "AB"}
    if what == "findings":
        assert {row["step"] for row in table} == {
            "concepts",
            "translation",
            "checklist from response",
            "checklist from instruction",
            "feedback",
        }


def test_a_run_over_pairs_has_no_leaderboard(compared, checkwise):
    compared()
    result = checkwise("export", "runs/pairs", "--what", "leaderboard")
    assert (result.exit_code, "this run has no leaderboard" in result.stderr) == (1, True)
    result = checkwise("rank", "runs/pairs")
    assert result.exit_code == 1
    assert "Traceback" not in result.output


def test_report_writes_the_page_of_pairs_anew(compared, checkwise):
    compared()
    Path("runs/pairs/report.html").unlink()
    assert checkwise("report", "runs/pairs").exit_code == 0
    assert "Tea is good." in Path("runs/pairs/report.html").read_text(encoding="utf-8")


def test_the_given_order_asks_once_a_pair_and_says_nothing_of_consistency(compared):
    document = json.loads(compared("--method", "direct", "--order", "given", "--json").stdout)
    assert document["asked"]["answered"] == 3
    assert all(row["value"] is None or "onsisten" not in row["label"] for t in document["metrics"] for row in t["rows"])


def test_pairs_on_standard_input(compared, checkwise):
    text = Path("pairs.jsonl").read_text(encoding="utf-8")
    result = checkwise("compare", "-", "--method", "direct", "--out", "run", input=text)
    assert result.exit_code == 0, result.output


def test_without_labels_there_are_verdicts_and_no_accuracy(tmp_path, compared):
    write_pairs(tmp_path, PAIRS)
    document = json.loads(compared("--method", "direct", "--json").stdout)
    assert [v["outcome"] for v in document["verdicts"]] == ["A", "B", "A"]
    accuracies = [row for table in document["metrics"] for row in table["rows"] if "ccuracy" in row["label"]]
    assert all(row["value"] is None and row["reason"] for row in accuracies)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--method", "direct", "--task", "chat"), "--task says nothing to the method direct"),
        (("--translator", "deepl"), "no translator is called 'deepl'"),
        (("--format", "plain"), "no layout of pairs is called 'plain'"),
        (("--checklists", "lists.md"), "ce-judge"),
    ],
)
def test_options_that_mean_nothing_are_refused(compared, checkwise, args, says):
    Path("lists.md").write_text("## tea\n\n1. Is it good?\n", encoding="utf-8")
    result = checkwise("compare", "pairs.jsonl", *args)
    assert (result.exit_code, says in result.stderr) == (1, True), result.output


def test_single_responses_are_sent_to_run_and_pairs_to_compare(compared, checkwise, tmp_path):
    single = tmp_path / "single.jsonl"
    single.write_text('{"id": "tea", "query": "Tea?", "model": "m", "response": "Good."}\n', encoding="utf-8")
    assert "checkwise run" in checkwise("compare", single).stderr
    assert "checkwise compare" in checkwise("run", "pairs.jsonl").stderr


def test_one_response_at_a_time_with_ce_judge(tmp_path, monkeypatch, engines, checkwise):
    monkeypatch.chdir(tmp_path)
    engines.script = judge
    rows = [
        {"id": "tea", "query": "Tea?", "model": "kind", "response": "Tea is good.", "rating": 5},
        {"id": "tea", "query": "Tea?", "model": "rude", "response": "Tea is bad.", "rating": 1},
        {"id": "tea", "query": "Tea?", "model": "mute", "response": "", "rating": 0},
    ]
    Path("bench.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    result = checkwise("run", "bench.jsonl", "--method", "ce-judge", "--translator", "none", "--json")
    assert result.exit_code == 0, result.output
    board = {row["model"]: row["score"] for row in json.loads(result.stdout)["leaderboard"]}
    # 6 and 2 on the scale from 1 to 7; an empty response is 0 by rule.
    assert board == pytest.approx({"kind": 5 / 6, "rude": 1 / 6, "mute": 0})
    page = Path("runs/bench/report.html").read_text(encoding="utf-8")
    assert "a saying" in page
    assert "How is it said?" in page
    findings = checkwise("export", "runs/bench", "--what", "findings", "--format", "jsonl").stdout.splitlines()
    assert {json.loads(line)["model"] for line in findings} == {None, "kind", "rude"}
    again = json.loads(checkwise("run", "bench.jsonl", "--method", "ce-judge", "--translator", "none", "--json").stdout)
    assert again["asked"]["answered"] == 0


def test_a_guide_of_ones_own(tmp_path, monkeypatch, engines, checkwise):
    monkeypatch.chdir(tmp_path)
    engines.script = judge
    row = {"id": "tea", "query": "Tea?", "model": "kind", "response": "Tea is good."}
    Path("bench.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    Path("mine.yaml").write_text("low: 0\nhigh: 8\npoints:\n  0: bad\n  8: good\n", encoding="utf-8")
    options = ("--method", "ce-judge", "--guide", "mine.yaml", "--translator", "none", "--json")
    result = checkwise("run", "bench.jsonl", *options)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["leaderboard"][0]["score"] == pytest.approx(6 / 8)
    asked = next(p for p in engines[-1].prompts if "Score: N" in p.text)
    assert "Scores are whole numbers from 0 to 8" in asked.text
    assert "good" in asked.text


def test_a_folder_of_ones_own_replaces_one_prompt(compared, engines):
    compared()
    Path("mine/ce_judge").mkdir(parents=True)
    Path("mine/ce_judge/compare.md").write_text(
        '{% block system %}My own words.{% endblock %}{% block user %}{{ response_a | fence("response_a") }}'
        "{% endblock %}{% block restate %}Again.{% endblock %}",
        encoding="utf-8",
    )
    document = json.loads(compared("--prompts", "mine", "--json").stdout)
    # Only the judgments are asked again, in both orders: no other step has changed.
    assert document["asked"]["answered"] == 6
    assert all(prompt.messages[0].content == "My own words." for prompt in engines[-1].prompts)
    assert "mine/ce_judge/compare.md@" in document["facts"]["prompts"]


@pytest.mark.skipif(os.name == "nt", reason="signals are another matter on Windows")
def test_a_process_that_is_killed_in_the_middle_of_a_pair_goes_on_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_pairs(tmp_path, labelled()[:1])
    command = (sys.executable, str(SLOW), "compare", "pairs.jsonl", "--translator", "none", "--out", "run", "--json")
    slow = subprocess.Popen(
        command,
        env=os.environ | {"SECONDS_AN_ANSWER": "0.4"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    known = 0
    for _ in range(400):
        assert slow.poll() is None
        known = answers(Path("run/run.sqlite"))
        if known >= 4:
            break
        time.sleep(0.05)
    slow.send_signal(signal.SIGKILL)
    slow.wait(timeout=10)
    known = answers(Path("run/run.sqlite"))
    # Eight and not nine: this judge finds the same concepts in both responses, so that one list is asked for once.
    assert 4 <= known < 8
    rest = subprocess.run(
        command, env=os.environ | {"SECONDS_AN_ANSWER": "0"}, capture_output=True, encoding="utf-8", check=True
    )
    asked = json.loads(rest.stdout)["asked"]
    assert asked["answered"] == 8 - known
    assert answers(Path("run/run.sqlite")) == 8


def answers(database):
    """Count what a run has written down of the judge's answers."""
    if not database.is_file():
        return 0
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            return connection.execute("SELECT count(*) FROM completions").fetchone()[0]
    except sqlite3.OperationalError:
        return 0  # The tables are not there yet.


def test_a_folder_that_holds_another_run_says_what_is_replaced(compared):
    assert "This folder holds results" not in compared().stderr
    again = compared("--method", "direct")
    assert "This folder holds results of pairs by ce-judge, which are replaced" in again.stderr


@pytest.mark.parametrize("what", ["scores", "grades"])
def test_tables_that_a_run_over_pairs_has_not_are_refused(compared, checkwise, what):
    compared()
    result = checkwise("export", "runs/pairs", "--what", what)
    assert (result.exit_code, f"this run has no {what}" in result.stderr) == (1, True)
    assert '"outcome"' in checkwise("export", "runs/pairs").stdout


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--method", "direct", "--translator", "google"), "--translator says nothing to the method direct"),
        (("--method", "direct", "--margin", 0.4), "--margin says nothing to the method direct"),
        (("--generator", "local:x"), "--generator says nothing to the method ce-judge"),
        (("--language", "english"), "language is 'english', which is no BCP 47 code"),
    ],
)
def test_options_about_something_else_are_refused(compared, checkwise, args, says):
    result = checkwise("compare", "pairs.jsonl", *args)
    assert (result.exit_code, says in result.stderr) == (1, True), result.output


def test_the_name_of_a_method_is_no_method_in_python():
    with pytest.raises(UserError, match="the method is the text 'ce-judge'"):
        checkwise_package.run("nowhere", method="ce-judge")
