"""``checkwise.yaml``: defaults of options that a team repeats; and ``checkwise init``, which writes one."""

import json
import re
from pathlib import Path

import pytest


def write(text, name="checkwise.yaml"):
    Path(name).write_text(text, encoding="utf-8")


def run(checkwise, *more):
    return checkwise("run", "bench", "--checklists", "lists.md", "--out", "run", *more)


def models_of(result):
    assert result.exit_code == 0, result.output
    return [row["model"] for row in json.loads(result.stdout)["leaderboard"]]


def test_a_setting_counts_and_a_flag_wins(data, engines, checkwise):
    write("models: poor\n")
    result = run(checkwise, "--json")
    assert models_of(result) == ["poor"]
    assert "Settings: checkwise.yaml" in result.stderr
    assert models_of(run(checkwise, "--json", "--models", "good-模型")) == ["good-模型"]


def test_a_command_s_own_settings_count_for_it_alone(data, engines, checkwise):
    write("models: [poor, good-模型]\nrun:\n  models: poor\n  limit: 2\n")
    result = run(checkwise, "--json")
    assert models_of(result) == ["poor"]
    assert json.loads(result.stdout)["leaderboard"][0]["n"] == 2


def test_another_file_is_named_before_the_command(data, engines, checkwise):
    write("models: poor\n", "other.yaml")
    args = ("run", "bench", "--checklists", "lists.md", "--out", "run", "--json")
    assert models_of(checkwise("--settings", "other.yaml", *args)) == ["poor"]
    missing = checkwise("--settings", "none.yaml", *args)
    assert (missing.exit_code, "there is no such file" in missing.stderr) == (1, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limit: 2\njugde: x\n", "checkwise.yaml, line 2: there is no option, and no command, called `jugde`\n"
         "Did you mean `judge`?"),
        ("run:\n  limt: 2\n", "checkwise.yaml, line 2: there is no option, and no command, called `limt`"),
        ("min-score: 0.5\n", "line 1: there is no option, and no command, called `min-score`"),
        ("run: 5\n", "`run` is a command, and has no options under it"),
        ("- judge\n", "the settings are no names with values"),
        ("judge: [\n", "this is not YAML"),
    ],
)  # fmt: skip
def test_what_there_is_not_is_refused_with_its_line(data, engines, checkwise, text, message):
    write(text)
    result = run(checkwise)
    assert result.exit_code == 1
    assert message in result.stderr


def test_a_value_of_the_wrong_kind_is_refused(data, engines, checkwise):
    write("limit: many\n")
    result = run(checkwise)
    assert (result.exit_code, "--limit" in result.stderr) == (1, True)


def test_init_writes_a_file_that_sets_nothing(data, engines, checkwise):
    assert checkwise("init").exit_code == 0
    assert len(models_of(run(checkwise, "--json"))) == 2
    again = checkwise("init")
    assert (again.exit_code, "is there already" in again.stderr) == (1, True)


def test_every_line_that_init_writes_can_be_set(data, engines, checkwise):
    checkwise("init", "--to", "all.yaml")
    text = Path("all.yaml").read_text(encoding="utf-8")
    assert "# The model that writes checklists; the judge if not given.\n#generator: ..." in text
    # Taking the # away from every setting, and from no comment, gives a file that is read without complaint.
    write(re.sub(r"^#(?=(?:  )?[a-z][\w -]*:)", "", text, flags=re.MULTILINE))
    result = checkwise("gate", "nowhere", "--help")
    assert result.exit_code == 0, result.stderr
    assert "Settings" in result.stderr
