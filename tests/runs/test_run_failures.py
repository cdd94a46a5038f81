"""What could not be judged is unscored, with its reason and its count, and is tried again the next time."""

import contextlib
import sqlite3

import pytest

from checkwise import Result
from checkwise.bootstrap import few_note
from checkwise.errors import NothingJudgedError, UserError
from checkwise.questions import Failure
from checkwise.store import RunFolder

TOO_LONG = Failure(kind="context_exceeded", reason="9312 tokens do not fit the context of 8192")
HALF = {"Yes": 0.5, "No": 0.5}


def failures(bench):
    with contextlib.closing(sqlite3.connect(bench.out / "run.sqlite")) as database:
        return database.execute("SELECT kind, reason FROM failures").fetchall()


def test_an_instance_without_a_list_is_unscored_and_the_others_are_ranked(bench):
    def write(prompt):
        return "I cannot help with that." if "snow" in prompt.messages[-1].content else "1. Is it short?"

    result = bench.run(write=write)
    snow = result.scores.filter(instance_id="snow")
    assert snow["value"].to_list() == [None, None]
    assert snow["status"].to_list() == ["unscored", "unscored"]
    reason = "the generator writer wrote no question; it wrote: 'I cannot help with that.'"
    assert snow["reason"].to_list() == [reason, reason]
    assert result.leaderboard.select("model", "score", "n", "coverage", "unscored").rows() == [
        ("able", 0.5, 2, pytest.approx(2 / 3), 1),
        ("weak", 0.5, 2, pytest.approx(2 / 3), 1),
    ]
    assert result.notes == (
        "1 of 3 instances have no checklist; their responses are unscored",
        f"2 of 6 responses are unscored; most often (2): {reason}",
        few_note(2),
        "1 instances are not in the means, since not every model has a score there",
    )
    assert sorted(bench.lists()) == ["grass", "sky"]
    assert sorted(result.checklists) == ["grass", "sky"]


def test_a_long_reason_is_shortened_in_the_notes_and_whole_in_the_scores(bench):
    talk = "没有问题" * 500
    result = bench.run(write=lambda p: talk if "snow" in p.messages[-1].content else "1. Is it short?")
    assert talk in result.scores.filter(instance_id="snow")["reason"][0]
    assert all(len(note) < 400 for note in result.notes)
    assert "没有问题没有问题" in result.notes[1]


def test_a_failure_is_recorded_never_reused_and_asked_again(bench):
    def failing(prompt):
        return TOO_LONG if "pink" in prompt.text else HALF

    result = bench.run(script=failing)
    (pink,) = result.scores.filter(status="unscored").to_dicts()
    assert (pink["instance_id"], pink["model"], pink["value"]) == ("grass", "weak", None)
    assert (pink["items"], pink["scored_items"]) == (2, 0)
    reason = f"0 of 2 items are scored, fewer than half: {TOO_LONG.reason}"
    assert pink["reason"] == reason
    grades = result.grades.filter(instance_id="grass", model="weak")
    assert grades["p_yes"].to_list() == [None, None]
    assert grades["reason"].to_list() == [TOO_LONG.reason] * 2
    assert failures(bench) == [(TOO_LONG.kind, TOO_LONG.reason)] * 2
    assert f"1 of 6 responses are unscored; most often (1): {reason}" in result.notes

    bench.run(script=failing)
    assert [text for _, text, _ in bench.asked()] == ["It is pink."] * 2
    assert len(failures(bench)) == 4

    mended = bench.run(script=lambda _: HALF)
    assert [text for _, text, _ in bench.asked()] == ["It is pink."] * 2
    assert mended.scores["value"].to_list() == [0.5] * 6
    assert mended.notes == (few_note(3),)


def test_half_of_the_items_is_enough(bench):
    result = bench.run(script=lambda prompt: TOO_LONG if prompt.text.endswith("short?") else {"Yes": 0.75, "No": 0.25})
    assert result.scores["value"].to_list() == [0.75] * 6
    assert result.scores["scored_items"].to_list() == [1] * 6


def test_a_failed_list_is_asked_for_again(bench):
    with pytest.raises(NothingJudgedError):
        bench.run(write=lambda _: TOO_LONG)
    assert bench.lists() == {}
    result = bench.run()
    assert bench.written() == ["sky", "grass", "snow"]
    assert result.leaderboard["n"].to_list() == [3, 3]


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (lambda _: TOO_LONG, TOO_LONG.reason),
        (lambda _: {"Hm": 1.0}, "neither Yes nor No was among the judge's likeliest words"),
    ],
)
def test_when_all_fail_nothing_is_judged_and_the_folder_is_readable(bench, script, why):
    with pytest.raises(NothingJudgedError, match="none of the 6 responses has a score; the first reason: 0 of 2"):
        bench.run(script=script)
    result = Result(bench.out)
    assert result.scores["value"].to_list() == [None] * 6
    assert result.grades.height == 12
    assert result.grades["p_yes"].null_count() == 12
    assert result.notes == (
        f"6 of 6 responses are unscored; most often (6): 0 of 2 items are scored, fewer than half: {why}",
    )
    with pytest.raises(NothingJudgedError):
        result.leaderboard  # noqa: B018
    assert not (bench.out / "report.html").exists()


def test_a_folder_that_another_process_works_in_is_left_alone(bench):
    with RunFolder(bench.out), pytest.raises(UserError, match="another process is working in this run folder"):
        bench.run()
    assert bench.judge.prompts == bench.generator.prompts == []


def test_a_disk_that_fills_up_ends_the_run_with_what_to_do_and_it_can_be_continued(bench, monkeypatch):
    connect = sqlite3.connect

    def connect_to_a_small_disk(*args, **options):
        connection = connect(*args, **options)
        connection.execute("PRAGMA max_page_count = 40")
        return connection

    def talking(_):
        return {"Yes": 0.5, "No": 0.3, "yes" + " " * 10_000: 0.1}

    monkeypatch.setattr(sqlite3, "connect", connect_to_a_small_disk)
    with pytest.raises(UserError, match="the disk is full") as caught:
        bench.run(script=talking)
    assert "run the same command again" in caught.value.todo
    asked = bench.asked()
    monkeypatch.undo()
    bench.run(script=talking)
    again = bench.asked()
    # All but the answer that found no room, and at most one that was on its way meanwhile.
    assert len(set(again) & set(asked)) in (1, 2)
    assert len(set(again) | set(asked)) == 10
    assert 1 < len(asked) < 10
