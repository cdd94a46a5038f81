import re

from checkwise.cli.progress_display import Pace, ProgressDisplay, duration, megabytes
from checkwise.runs import Step


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_the_pace_counts_only_what_a_model_was_asked():
    pace = Pace(last=0.0)
    # Fifty from the store, in no time worth counting; then two asked in 4 seconds, one more from the store, one asked.
    pace.take(Step("grading", 50, 100, 0), 1.0)
    assert pace.describe(Step("grading", 50, 100, 0)) == ""
    pace.take(Step("grading", 52, 100, 2), 5.0)
    pace.take(Step("grading", 53, 100, 2), 6.0)
    last = Step("grading", 54, 100, 3)
    pace.take(last, 8.0)
    # Three in 6 seconds: 30 a minute, and 46 left take 92 seconds.
    assert pace.describe(last) == "30.0 a minute, 1:32 min left"


def test_a_fast_model_is_told_by_the_second():
    pace = Pace(last=0.0)
    step = Step("grading", 20, 40, 20)
    pace.take(step, 10.0)
    assert pace.describe(step) == "2.0 a second, 0:10 min left"


def test_without_a_terminal_there_is_a_plain_line_now_and_then(capsys):
    clock = Clock()
    with ProgressDisplay(clock=clock) as display:
        for done in range(1, 9):
            clock.now += 10.0
            display.step(Step("grading", done, 100, done))
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "grading: 3 of 100 responses, 6.0 a minute, 16:10 min left",
        "grading: 6 of 100 responses, 6.0 a minute, 15:40 min left",
    ]
    assert display.done == {"grading": (8, 100)}


def test_on_a_terminal_there_is_a_bar_that_goes_away(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with ProgressDisplay() as display:
        display.step(Step("checklists", 1, 2, 1))
        display.bytes(500_000_000, 1_000_000_000, "joining weights")
    captured = capsys.readouterr()
    assert captured.out == ""
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", captured.err)
    assert "1 of 2 checklists" in text
    assert "500.0 MB of 1.00 GB" in text


def test_times_and_sizes():
    assert [duration(s) for s in (0, 59.6, 192, 3940)] == ["0:00 min", "1:00 min", "3:12 min", "1:05:40 h"]
    assert [megabytes(n) for n in (0, 98_362_432, 1_117_320_768)] == ["0.0 MB", "98.4 MB", "1.12 GB"]
