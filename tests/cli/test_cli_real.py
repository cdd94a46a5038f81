"""The command line with real weights, as a user has it; skipped where the weights are not in the cache."""

import json

import pytest

from checkwise.models import DEFAULT_MODEL, list_cached

CACHED = {weights.entry.name for weights in list_cached() if weights.condition == "verified"}


def needs(name):
    return pytest.mark.skipif(name not in CACHED, reason=f"no verified weights: checkwise models get {name}")


@pytest.mark.real
@needs("smollm2-135m")
def test_a_real_judge_grades_and_a_second_run_asks_nothing(data, checkwise):
    command = (
        "run",
        "bench",
        "--judge",
        "local:smollm2-135m",
        "--checklists",
        "lists.md",
        "--context",
        2048,
        "--threads",
        1,
        "--json",
    )
    first = json.loads(checkwise(*command).stdout)
    assert first["asked"]["answered"] == 7
    assert [row["coverage"] for row in first["leaderboard"]] == [1.0, 1.0]
    assert all(0 <= row["score"] <= 1 and row["mean_mass"] > 0 for row in first["leaderboard"])
    second = json.loads(checkwise(*command).stdout)
    assert (second["asked"]["answered"], second["asked"]["reused"]) == (0, 7)
    assert second["leaderboard"] == first["leaderboard"]


@pytest.mark.real
@pytest.mark.slow
@needs(DEFAULT_MODEL)
def test_the_doctor_has_the_default_judge_answer(checkwise):
    result = checkwise("doctor", "--json")
    assert result.exit_code == 0, result.output
    (trial,) = [check for check in json.loads(result.stdout)["checks"] if check["name"] == "trial judgment"]
    assert trial["state"] == "ok", trial
