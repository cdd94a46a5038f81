"""A run that is killed twenty times ends with the rows of one that is not, and asks nothing that it had stored."""

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from checkwise import Result

DRIVER = Path(__file__).with_name("killed_driver.py")
KILLS = 20
LISTS, QUESTIONS = 12, 12 + 12 * 3 * 5


@pytest.fixture
def driver():
    with subprocess.Popen(
        [sys.executable, str(DRIVER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    ) as process:

        def run(out, questions=None, seconds=0.0):
            process.stdin.write(json.dumps([str(out), questions, seconds]) + "\n")
            process.stdin.flush()
            return int(process.stdout.readline())

        yield run


def asked(out):
    log = out.with_name(f"{out.name}.log")
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def stored(out):
    """The keys of the answers on disk, read without the help of checkwise."""
    if not (out / "run.sqlite").exists():
        return set()
    with contextlib.closing(sqlite3.connect(out / "run.sqlite")) as database:
        try:
            return {key for (key,) in database.execute("SELECT key FROM completions")}
        except sqlite3.OperationalError as error:
            assert "no such table" in str(error)  # Killed before there was one.
            return set()


@pytest.mark.skipif(os.name == "nt", reason="processes are forked")
def test_a_run_that_is_killed_again_and_again_ends_as_one_that_is_not(driver, tmp_path):
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    assert driver(undisturbed) == 0
    assert len(asked(undisturbed)) == len(stored(undisturbed)) == QUESTIONS

    # A question takes 0.01 s, so that some 4 are asked at most in the time before a kill.
    chance = random.Random(42)
    kills = [(chance.randint(0, 5), chance.uniform(0, 0.03)) for _ in range(KILLS)]
    assert sum(questions for questions, _ in kills) + 4 * KILLS < QUESTIONS
    before, known, counts = 0, set(), []
    for questions, seconds in kills:
        assert driver(killed, questions, seconds) == -signal.SIGKILL
        now = asked(killed)[before:]
        assert not known & set(now)
        # All but the last question had their answers on disk before the next was asked.
        assert set(now[:-1]) <= stored(killed)
        assert known <= stored(killed)
        before, known = before + len(now), stored(killed)
        counts.append(len(known))

    # Some were killed while lists were being written, and some while responses were being graded.
    assert counts[0] < LISTS < counts[-1] < QUESTIONS

    assert driver(killed) == 0
    last = asked(killed)[before:]
    assert not known & set(last)
    assert known | set(last) == stored(killed) == stored(undisturbed)
    assert len(asked(killed)) <= QUESTIONS + KILLS

    result, same = Result(killed), Result(undisturbed)
    assert result.grades.height == QUESTIONS - LISTS
    assert result.grades.equals(same.grades)
    assert result.scores.equals(same.scores)
    assert result.leaderboard.equals(same.leaderboard)
    assert result.checklists == same.checklists
    assert (killed / "checklists.jsonl").read_bytes() == (undisturbed / "checklists.jsonl").read_bytes()
    assert result.notes == same.notes == ()

    assert driver(killed) == 0
    assert len(asked(killed)) == before + len(last)
