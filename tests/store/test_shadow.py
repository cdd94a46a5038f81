"""A folder for trying a run out sees another one, and changes nothing there."""

import contextlib

import pytest

from checkwise.questions import Generation
from checkwise.store import DATABASE, Database, shadow_of

OLD, NEW = (Generation(text=text, finish="stop") for text in ("old", "new"))


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    with contextlib.closing(Database(folder / DATABASE)) as database:
        database.keep_answer("old", "m", OLD)
    (folder / "checklists.jsonl").write_text("", encoding="utf-8")
    return folder


def test_it_has_the_answers_of_the_other_one_and_its_own(run):
    with shadow_of(run) as folder:
        folder.database.keep_answer("new", "m", NEW)
        assert folder.database.find_answer("old", Generation) == OLD
        assert folder.database.find_answer("new", Generation) == NEW
        assert folder.database.find_answer("none", Generation) is None
        assert folder.shadow.found_below == 1
        # Only its own are counted.
        assert sum(used.questions for used in folder.database.used()) == 1
    with contextlib.closing(Database(run / DATABASE, create=False)) as database:
        assert database.find_answer("new", Generation) is None


def test_answers_can_be_left_out(run):
    with shadow_of(run, answers=False) as folder:
        assert folder.database.find_answer("old", Generation) is None


def test_checklists_are_copied_and_all_of_it_is_gone_in_the_end(run):
    with shadow_of(run) as folder:
        assert folder.path != run
        folder.checklists_path.write_text("changed", encoding="utf-8")
    assert not folder.path.exists()
    assert (run / "checklists.jsonl").read_text(encoding="utf-8") == ""


def test_the_other_one_need_not_exist(tmp_path):
    with shadow_of(tmp_path / "none") as folder:
        assert folder.shadow.below is None
    assert not (tmp_path / "none").exists()
