"""Prompts: built in, replaced, versioned, and never confused with data."""

from pathlib import Path

import pytest

from checkwise import CEJudge, CoT, Direct, Prometheus, RocketEval
from checkwise.errors import PromptError
from checkwise.prompts import BUILT_IN, PromptLibrary

DATA = {"query": "q", "history": None, "own_history": None, "reference": None, "response": "r"}


def test_every_step_of_a_method_has_a_prompt():
    methods = (RocketEval, CEJudge, Direct, CoT, Prometheus)
    assert set(BUILT_IN) == {name for method in methods for name in method.prompt_names}


def test_data_is_never_a_template():
    prompt = PromptLibrary().get("rocketeval/grade")
    hostile = "{{ query }} {% raw %} {braces} %s ${x} {# note #}"
    assert hostile in prompt.render("response", **DATA | {"response": hostile})


def test_a_users_file_replaces_the_built_in_one_and_is_recorded(tmp_path: Path):
    file = tmp_path / "rocketeval" / "grade.md"
    file.parent.mkdir()
    file.write_text("{% block item %}Frage: {{ item }}{% endblock %}", encoding="utf-8")
    library = PromptLibrary(tmp_path)
    assert library.get("rocketeval/grade").render("item", item="Ist es kurz?") == "Frage: Ist es kurz?"
    assert library.get("rocketeval/grade").origin.startswith(f"{file}@")
    assert library.get("rocketeval/checklist").origin.startswith("built-in@")


def test_the_version_follows_the_text(tmp_path: Path):
    file = tmp_path / "rocketeval" / "grade.md"
    file.parent.mkdir()
    file.write_text(BUILT_IN["rocketeval/grade"], encoding="utf-8")
    same = PromptLibrary(tmp_path).get("rocketeval/grade")
    assert same.version == PromptLibrary().get("rocketeval/grade").version
    file.write_text(BUILT_IN["rocketeval/grade"] + " ", encoding="utf-8")
    assert PromptLibrary(tmp_path).get("rocketeval/grade").version != same.version


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{% block item %}{{ itm }}{% endblock %}", "'itm' is undefined"),
        ("{% block item %}{{ item }", "does not render"),
        ("{% block question %}{{ item }}{% endblock %}", "has no block 'item'"),
        ("Be strict. {% block item %}{{ item }}{% endblock %}", "text outside its blocks, which no model would see"),
        ("{% block item %}{{ item }}{% endblock %} {{ item }}", "text outside its blocks, which no model would see"),
    ],
)
def test_a_broken_prompt_says_which_file(tmp_path: Path, text: str, message: str):
    file = tmp_path / "rocketeval" / "grade.md"
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PromptError, match=message) as error:
        PromptLibrary(tmp_path).get("rocketeval/grade").render("item", item="?")
    assert error.value.where.file == file


def test_a_file_that_replaces_nothing_is_refused(tmp_path: Path):
    (tmp_path / "grading.md").write_text("x", encoding="utf-8")
    with pytest.raises(PromptError, match="no step of a method has a prompt called grading"):
        PromptLibrary(tmp_path)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(PromptError, match="does not exist"):
        PromptLibrary(tmp_path / "nowhere")


def test_a_template_cannot_reach_into_python(tmp_path: Path):
    file = tmp_path / "rocketeval" / "grade.md"
    file.parent.mkdir()
    file.write_text("{% block item %}{{ item.__class__.__mro__ }}{% endblock %}", encoding="utf-8")
    with pytest.raises(PromptError, match="unsafe"):
        PromptLibrary(tmp_path).get("rocketeval/grade").render("item", item="?")
