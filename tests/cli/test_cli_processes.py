"""The command line as a process of its own: stopped, twice in one folder, on a console that is not UTF-8."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from checkwise.store import RunFolder

SLOW = Path(__file__).with_name("slow_judge.py")
RUN = ("run", "bench", "--checklists", "lists.md", "--out", "run")


def start(*args, seconds, to_close=0.0):
    environment = os.environ | {"SECONDS_AN_ANSWER": str(seconds), "SECONDS_TO_CLOSE": str(to_close)}
    return subprocess.Popen(
        [sys.executable, str(SLOW), *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment,
    )


def wait_for_judged(process, responses):
    """Wait until so many responses are judged and committed."""
    for _ in range(400):
        assert process.poll() is None, process.communicate()
        if Path("run/run.sqlite").is_file():
            try:
                with sqlite3.connect("file:run/run.sqlite?mode=ro", uri=True) as database:
                    if database.execute("SELECT count(*) FROM scores").fetchone()[0] >= responses:
                        return
            except sqlite3.OperationalError:
                pass  # The tables are not there yet.
        time.sleep(0.05)
    raise AssertionError("nothing was judged")


@pytest.mark.skipif(os.name == "nt", reason="signals are another matter on Windows")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_keeps_what_is_judged_and_goes_on(data, checkwise, engines, number):
    process = start(*RUN, seconds=0.3)
    wait_for_judged(process, 1)
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=10)
    assert process.returncode == 130, stderr
    assert stdout == ""
    assert "Traceback" not in stderr
    *_, stopped, what_to_do = stderr.splitlines()
    assert stopped.startswith("Stopped. ")
    assert stopped.endswith(" of 6 responses are judged and kept in run.")
    assert what_to_do == "Run the same command again to go on."

    asked = json.loads(checkwise(*RUN, "--json").stdout)["asked"]
    assert asked["answered"] + asked["reused"] == 7
    assert asked["reused"] >= 2


@pytest.mark.skipif(os.name == "nt", reason="signals are another matter on Windows")
def test_a_second_signal_ends_at_once(data):
    process = start(*RUN, seconds=0.1, to_close=60)
    wait_for_judged(process, 1)
    process.send_signal(signal.SIGINT)
    assert process.stderr.readline().startswith("Judging 6 responses")
    assert process.stderr.readline() == "Stopping; once more to end at once.\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=5) == 130
    process.communicate()


def test_the_second_process_in_a_run_folder_is_refused(data):
    with RunFolder(Path("run")):
        second = start(*RUN, "--json", seconds=0)
        stdout, stderr = second.communicate(timeout=20)
    assert second.returncode == 1
    assert "another process is working in this run folder" in stderr
    assert json.loads(stdout)["error"]["kind"] == "RunBusyError"


def test_nothing_breaks_where_the_console_is_not_utf_8(data, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    process = start(*RUN, "--json", seconds=0)
    stdout, stderr = process.communicate(timeout=20)
    assert process.returncode == 0, stderr
    assert "good-模型" in stdout
    process = start("run", "bénch-模型", seconds=0)
    assert "bénch-模型: there is no such file or folder" in process.communicate(timeout=20)[1]
    assert process.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full to write to")
def test_output_that_cannot_be_written_is_told_and_is_no_fault(data):
    command = [sys.executable, "-m", "checkwise", "models"]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert ended.returncode == 1
    assert "the output cannot be written: No space left on device" in ended.stderr


def test_a_closed_standard_output_stops_nothing(data):
    ended = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m checkwise models >&-"], stderr=subprocess.PIPE, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
