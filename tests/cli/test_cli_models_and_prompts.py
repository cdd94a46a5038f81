"""The commands models, prompts and doctor."""

import json

import pytest

from checkwise.methods import CEJudge
from checkwise.methods.ce_judge import TASKS
from checkwise.models import DEFAULT_MODEL, find_model, known_models
from checkwise.prompts import BUILT_IN, PromptLibrary


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CHECKWISE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache" / "models").mkdir(parents=True)
    return tmp_path / "cache"


def test_models_are_listed_with_what_lies_in_the_cache(cache, checkwise):
    entry = find_model("smollm2-135m")
    (cache / "models" / entry.file).write_bytes(b"GGUF")
    rows = {row["name"]: row for row in json.loads(checkwise("models", "list", "--json").stdout)["models"]}
    assert list(rows) == [entry.name for entry in known_models()]
    assert rows["smollm2-135m"]["condition"] == "damaged"
    assert rows["smollm2-135m"]["licence"] == "Apache-2.0"
    assert rows[DEFAULT_MODEL]["default"]
    assert rows[DEFAULT_MODEL]["condition"] is None
    table = checkwise("models").stdout
    assert "98.4 MB" in table
    assert f"{DEFAULT_MODEL} (default)" in table


def test_damaged_weights_are_found_and_removed(cache, checkwise):
    file = cache / "models" / find_model("smollm2-135m").file
    file.write_bytes(b"GGUF" * 1000)
    verified = checkwise("models", "verify", "local:smollm2-135m")
    assert verified.exit_code == 2
    assert "damaged: 4,000 bytes" in verified.stderr
    assert "0.0 MB freed" in checkwise("models", "remove", "smollm2-135m").stdout
    assert not file.exists()
    assert "were not here" in checkwise("models", "remove", "smollm2-135m").stdout


def test_prompts_are_listed_shown_and_copied_but_never_over_a_file(tmp_path, checkwise):
    listed = checkwise("prompts").stdout
    assert all(name in listed for name in BUILT_IN)
    assert json.loads(checkwise("prompts", "list", "--json").stdout)["prompts"].keys() == BUILT_IN.keys()
    assert checkwise("prompts", "show", "rocketeval/grade").stdout == BUILT_IN["rocketeval/grade"]
    folder = tmp_path / "mine"
    assert checkwise("prompts", "copy", folder).exit_code == 0
    mine = folder / "rocketeval" / "grade.md"
    assert mine.read_text(encoding="utf-8") == BUILT_IN["rocketeval/grade"]
    mine.write_text("changed", encoding="utf-8")
    assert f"{mine} was there, and stays as it is" in checkwise("prompts", "copy", folder).stdout
    assert mine.read_text(encoding="utf-8") == "changed"


@pytest.mark.parametrize("name", CEJudge.prompt_names)
def test_the_prompts_of_every_step_can_be_looked_at(checkwise, name):
    assert checkwise("prompts", "show", name).stdout == BUILT_IN[name]


def test_every_kind_of_task_has_its_words(checkwise):
    shown = checkwise("prompts", "show", "ce_judge/task").stdout
    assert [task for task in TASKS if f"{{% block {task} %}}" in shown] == list(TASKS)
    assert 'task == "translation"' in checkwise("prompts", "show", "ce_judge/concepts").stdout


def test_a_guide_is_shown_and_copied_too(tmp_path, checkwise):
    shown = checkwise("prompts", "show", "guides/liteval").stdout
    assert "low: 1\nhigh: 7\n" in shown
    assert "guides/liteval  1-7" in checkwise("prompts").stdout
    checkwise("prompts", "copy", tmp_path)
    assert (tmp_path / "guides" / "liteval.yaml").read_text(encoding="utf-8") == shown
    assert PromptLibrary(tmp_path).get("ce_judge/task").file == tmp_path / "ce_judge" / "task.md"


def test_the_doctor_says_how_to_get_weights_that_are_missing(cache, checkwise):
    result = checkwise("doctor", "--quick")
    assert result.exit_code == 0, result.output
    assert f"checkwise models get {DEFAULT_MODEL}" in result.stdout
    states = {check["name"]: check["state"] for check in json.loads(checkwise("doctor", "--json").stdout)["checks"]}
    assert states["default judge"] == "warning"
    assert states["cache"] == "ok"
    assert "trial judgment" not in states


def test_the_doctor_fails_where_the_cache_cannot_be_written(tmp_path, monkeypatch, checkwise):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("CHECKWISE_CACHE", str(tmp_path / "file" / "cache"))
    result = checkwise("doctor", "--quick", "--json")
    assert result.exit_code == 2
    (failed,) = [check for check in json.loads(result.stdout)["checks"] if check["state"] == "failed"]
    assert failed["name"] == "cache"
    assert "CHECKWISE_CACHE" in failed["todo"]
