"""Commands that judge: run, grade, checklist; the judge is scripted."""

import json

import pytest

from checkwise.questions import Failure
from checkwise.runs import DEFAULT_JUDGE


def test_a_run_prints_the_leaderboard_the_notes_the_report_and_what_was_asked(data, engines, checkwise):
    result = checkwise("run", "bench", "--checklists", "lists.md")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    good, poor = (next(line for line in lines if model in line) for model in ("good-模型", "poor"))
    # 0.8 each; 0.2, 0.2 and, for the empty response, 0.
    assert [cell.strip() for cell in good.split("│")][1:4] == ["1", "good-模型", "0.800"]
    assert [cell.strip() for cell in poor.split("│")][1:4] == ["2", "poor", "0.133"]
    assert "Report: runs/bench/report.html" in lines
    assert (data.parent / "runs" / "bench" / "report.html").is_file()
    # Seven items of responses that are not empty.
    assert any(line.startswith("asked 7, from the store 0, 0:0") for line in lines)
    assert [engine.model for engine in engines] == [DEFAULT_JUDGE]


def test_the_same_command_again_asks_nothing(data, engines, checkwise):
    checkwise("run", "bench", "--checklists", "lists.md")
    result = checkwise("run", "bench", "--checklists", "lists.md")
    assert "asked 0, from the store 7" in result.stdout
    assert engines[1].prompts == []


def test_json_is_one_document_and_notes_go_to_standard_error(data, engines, checkwise):
    result = checkwise(
        "run", "bench", "--checklists", "lists.md", "--models", "good-模型, poor", "--limit", 2, "--json"
    )
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert [(row["model"], row["rank"]) for row in document["leaderboard"]] == [("good-模型", 1), ("poor", 2)]
    assert document["leaderboard"][0]["score"] == pytest.approx(0.8)
    assert document["asked"]["answered"] == 6
    assert {row["category"] for row in document["by_category"]} == {"facts", "writing"}
    assert any("Kept 2 of 3 instances" in note for note in document["notes"])
    assert "Kept 2 of 3 instances" in result.stderr
    assert "good-模型" in result.stdout


def test_without_checklists_the_generator_writes_them(data, engines, checkwise):
    result = checkwise("run", "bench", "--judge", "small", "--generator", "large", "--json")
    assert result.exit_code == 0, result.output
    small, large = engines
    assert (small.model, large.model) == ("small", "large")
    assert len(large.prompts) == 3
    assert all(prompt.options is None for prompt in large.prompts)
    # Two items for each of the five responses that are not empty.
    assert len(small.prompts) == 10


def test_the_direct_method_asks_once_a_response(data, engines, checkwise):
    result = checkwise("run", "bench", "--method", "direct", "--json")
    assert result.exit_code == 0, result.output
    assert [row["score"] for row in json.loads(result.stdout)["leaderboard"]] == [1.0, 0.0]
    assert len(engines[0].prompts) == 5


def test_standard_input_is_data_too(data, engines, checkwise):
    row = {"id": "1", "query": "What is 2 + 3?", "model": "m", "response": "5"}
    result = checkwise("run", "-", "--checklists", "generate", input=json.dumps(row))
    assert result.exit_code == 0, result.output
    assert (data.parent / "runs" / "stdin" / "report.html").is_file()


def test_options_reach_the_engine_and_the_method(data, engines, checkwise):
    engines.script = lambda _: {"Yes": 0.6, "No": 0.2}
    options = ("--context", 4096, "--threads", 1, "--batch-size", 64, "--low-mass", 0.9, "--out", "here")
    result = checkwise("run", "bench", "--checklists", "lists.md", *options, "--json")
    assert result.exit_code == 0, result.output
    (engine,) = engines.options
    embedded = engine.embedded
    assert (embedded.context, embedded.threads, embedded.batch_size) == (4096, 1, 64)
    # The mass is 0.8 everywhere; of seven graded items three are poor's.
    assert {row["model"]: row["low_mass_items"] for row in json.loads(result.stdout)["leaderboard"]} == {
        "good-模型": 4,
        "poor": 3,
    }
    assert (data.parent / "here" / "run.sqlite").is_file()


def test_own_prompts_reach_the_judge(data, engines, checkwise):
    checkwise("prompts", "copy", "mine")
    file = data.parent / "mine" / "rocketeval" / "grade.md"
    file.write_text(file.read_text(encoding="utf-8").replace("Be strict", "Be severe"), encoding="utf-8")
    result = checkwise("run", "bench", "--checklists", "lists.md", "--prompts", "mine")
    assert result.exit_code == 0, result.output
    assert all("Be severe" in prompt.text for prompt in engines[0].prompts)


def test_the_papers_reading_is_not_for_the_direct_method(data, engines, checkwise):
    result = checkwise("run", "bench", "--method", "direct", "--paper")
    assert result.exit_code == 1
    assert "--paper says nothing to the method direct" in result.stderr


def test_grade_takes_the_lists_that_checklist_has_written(data, engines, checkwise):
    written = checkwise("checklist", "bench", "--to", "copy.md")
    assert written.exit_code == 0, written.output
    assert "3 checklists with 6 items (3 generated): runs/bench/checklists.jsonl" in written.stdout
    assert "1. Is it right?" in (data.parent / "copy.md").read_text(encoding="utf-8")
    graded = checkwise("grade", "bench", "--json")
    assert graded.exit_code == 0, graded.output
    assert json.loads(graded.stdout)["facts"]["checklists"] == "3 generated; 6 items"
    assert all(prompt.options is not None for prompt in engines[1].prompts)


def test_grade_writes_no_list(data, engines, checkwise):
    result = checkwise("grade", "bench", "--judge", "small")
    assert result.exit_code == 3
    assert "none of the 6 responses has a score; the first reason: it has no checklist" in result.stderr
    assert engines[0].prompts == []


def test_checklist_takes_a_file_in_and_counts_in_json(data, engines, checkwise):
    result = checkwise("checklist", "bench", "--checklists", "lists.md", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert (document["count"], document["items"], document["sources"]) == (3, 4, {"imported": 3})
    assert engines[0].prompts == []


def test_a_generator_that_writes_nothing_is_a_failure(data, engines, checkwise):
    engines.script = lambda _: Failure(kind="context_exceeded", reason="the prompt is too long")
    for command in ("checklist", "run"):
        result = checkwise(command, "bench", "--json")
        assert result.exit_code == 3
        assert "the prompt is too long" in json.loads(result.stdout)["error"]["what"]


@pytest.mark.parametrize(
    ("options", "prompts"),
    [
        ((), 7),
        (("--asking", "in-turn"), 7),
        # One text for each of the five responses that are not empty.
        (("--asking", "together"), 5),
        (("--repeats", 3, "--temperature", 0.5), 21),
    ],
)
def test_items_are_put_to_the_judge_in_several_ways(data, engines, checkwise, options, prompts):
    result = checkwise("run", "bench", "--checklists", "lists.md", *options, "--json")
    assert result.exit_code == 0, result.output
    assert len(engines[0].prompts) == prompts
    board = {row["model"]: row["score"] for row in json.loads(result.stdout)["leaderboard"]}
    assert board["good-模型"] > board["poor"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--asking", "together", "--repeats", 2), "items asked together are asked once"),
        (("--asking", "in-turn", "--temperature", 0.5), "items asked in-turn are asked once"),
        (("--temperature", 0.5), "--temperature is for sampled answers"),
        (("--method", "direct", "--repeats", 2), "--repeats says nothing to the method direct"),
    ],
)
def test_ways_of_asking_that_do_not_go_together_are_refused(data, engines, checkwise, options, says):
    result = checkwise("run", "bench", "--checklists", "lists.md", *options)
    assert (result.exit_code, says in result.stderr) == (1, True), result.output
