"""Every error says what, where and what to do, and has its exit code; none is a traceback."""

import json

import pytest

from checkwise import errors
from checkwise.cli.exit_codes import MEANINGS, ExitCode
from checkwise.runs import DEFAULT_JUDGE


def test_the_errors_carry_the_documented_exit_codes(checkwise):
    assert errors.UserError.exit_code == ExitCode.USER_ERROR
    assert errors.EngineError.exit_code == ExitCode.ENGINE_ERROR
    assert errors.NothingJudgedError.exit_code == ExitCode.NOTHING_JUDGED
    assert errors.InterruptedRunError.exit_code == ExitCode.INTERRUPTED
    said = " ".join(checkwise("--help").stdout.split())
    assert all(f"{code.value} {meaning}" in said for code, meaning in MEANINGS.items())


@pytest.mark.parametrize(
    ("line", "code", "kind", "said"),
    [
        ("run nowhere", 1, "DataError", "nowhere: there is no such file or folder"),
        ("run lists.md", 1, "DataError", "no known layout fits"),
        ("run bench --judge local:smolm2-135", 1, "UnknownModelError", "Did you mean smollm2-135m?"),
        ("run bench --judge nothing:x", 1, "UnknownModelError", "gguf:PATH"),
        ("run bench --judge gguf:lists.md", 2, "WeightsError", "not a GGUF file"),
        ("run bench --judge gguf:nowhere.gguf", 2, "WeightsError", "there is no such file"),
        ("run bench --out lists.md/run", 1, "UserError", "the run folder cannot be written"),
        ("run bench --models nobody", 1, "DataError", "Models: good-模型, poor."),
        ("rank bench", 1, "DataError", "there is no run in this folder"),
        ("report bench", 1, "DataError", "there is no run in this folder"),
        ("export bench", 1, "DataError", "there is no run in this folder"),
        ("models get nothing", 1, "UnknownModelError", "no local model is called 'nothing'"),
        ("prompts show nothing", 1, "PromptError", "rocketeval/grade"),
        ("prompts copy lists.md", 1, "UserError", "the prompt cannot be written"),
    ],
)
def test_errors(data, checkwise, *, line, code, kind, said):
    result = checkwise(*line.split())
    assert result.exit_code == code
    assert said in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    with_json = checkwise(*line.split(), "--json")
    if "No such option" not in with_json.stderr:
        assert json.loads(with_json.stdout)["error"]["kind"] == kind
        assert with_json.exit_code == code


@pytest.mark.parametrize("line", ["run", "run bench --limit 0", "run bench --nothing", "nothing", "rank x --by model"])
def test_usage_errors_are_user_errors(data, checkwise, line):
    result = checkwise(*line.split(), "--json")
    assert result.exit_code == 1
    assert "Usage: checkwise" in result.stderr
    assert json.loads(result.stdout)["error"]["kind"] == "UsageError"


def test_an_error_in_json_has_its_place(data, engines, checkwise):
    (data / "queries.jsonl").write_text('{"id": "a", "query": "b"}\nnot json\n', encoding="utf-8")
    error = json.loads(checkwise("run", "bench", "--json").stdout)["error"]
    assert error["where"] == {"file": "bench/queries.jsonl", "line": 2, "id": None}
    assert error["todo"] == "In JSON Lines, as standard input must be, every line is one whole object."
    assert error["exit_code"] == 1


def test_a_judge_that_stops_answering_is_an_engine_error(data, engines, checkwise):
    def gone(_prompt):
        raise errors.EngineError("the model has stopped answering")

    engines.script = gone
    result = checkwise("run", "bench", "--checklists", "lists.md")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"Judging 6 responses by 2 models with {DEFAULT_JUDGE}, in runs/bench",
        "Error: the model has stopped answering",
    ]


def test_a_fault_asks_for_a_report_and_shows_its_traceback_on_demand(data, monkeypatch, checkwise):
    def broken(*_args, **_options):
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("checkwise.datasets.load", broken)
    result = checkwise("run", "bench", "--json")
    assert result.exit_code == 70
    assert "This is a fault in checkwise: ZeroDivisionError: by zero" in result.stderr
    assert "Traceback" not in result.stderr
    assert json.loads(result.stdout)["error"]["kind"] == "Fault"
    monkeypatch.setenv("CHECKWISE_DEBUG", "1")
    assert isinstance(checkwise("run", "bench").exception, ZeroDivisionError)
