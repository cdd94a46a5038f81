"""How fast a model is, from its answers."""

import pytest

from checkwise.costs.pace import Pace
from checkwise.store import Used


def test_choices_say_how_fast_it_reads_and_texts_how_fast_it_writes():
    used = [
        # 10 seconds for 990 tokens read and 10 written: 0.01 each.
        Used("grading", "choose", "m", 10, computed_tokens=990, generated_tokens=10, seconds=10),
        # Reading takes 1 of the 11 seconds; the others are for 100 tokens.
        Used("checklist", "generate", "m", 1, computed_tokens=100, generated_tokens=100, seconds=11),
        Used("checklist", "generate", "other", 1, computed_tokens=1, generated_tokens=1, seconds=1000),
    ]
    pace = Pace.seen(used, "m")
    assert (pace.a_read, pace.a_written) == pytest.approx((0.01, 0.1))
    assert pace.seconds(200, 10) == pytest.approx(3)


def test_no_time_is_no_pace():
    assert Pace.seen([Used("grading", "choose", "m", 10, computed_tokens=990)], "m") is None
    assert Pace.seen([], "m") is None
