import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkwise.bootstrap import Interval
from checkwise.errors import DataError
from checkwise.trust.agreement import human_agreement
from checkwise.trust.paired import difference_from_people


def votes_of(*rows):
    """Rows of (instance, model_a, model_b, winner, judge)."""
    names = dict.fromkeys(("instance_id", "model_a", "model_b", "winner", "judge"), pl.String)
    return pl.DataFrame(list(rows), schema=names, orient="row")


def outcomes_of(*rows):
    """Rows of (instance, model_a, model_b, outcome)."""
    names = dict.fromkeys(("instance_id", "model_a", "model_b", "outcome"), pl.String)
    return pl.DataFrame(list(rows), schema=names, orient="row")


VOTES = votes_of(
    ("q1", "a", "b", "model_a", "eva"),
    ("q1", "a", "b", "model_a", "tom"),
    ("q1", "b", "a", "model_a", "kim"),
    ("q2", "a", "b", "tie", "eva"),
    ("q2", "b", "a", "tie", "tom"),
    ("q3", "a", "b", "model_a", "eva"),
    ("q4", "a", "b", "model_a", "eva"),
    ("q4", "a", "b", "model_b", "tom"),
)
JUDGE = outcomes_of(("q1", "a", "b", "model_a"), ("q2", "a", "b", "model_b"), ("q3", "a", "b", "model_a"))


def test_a_judge_beside_people_by_hand():
    found = difference_from_people(JUDGE, VOTES)
    # q1: of three pairs of votes one agrees; the judge agrees with both, one and one of the two: 1 + 1/2 + 1/2.
    # q2: both people say tie, the judge does not. q3: only one vote. q4: not judged.
    assert (found.judge, found.people) == (pytest.approx(2 / 4), pytest.approx(2 / 4))
    assert found.value == pytest.approx(0.0)
    assert (found.votes, found.instances, found.left_out) == (4, 2, 3)
    # Resamples: q1 twice (1 of 3 ahead), q2 twice (1 of 1 behind), or both.
    assert (found.interval.low, found.interval.high) == (pytest.approx(-1.0), pytest.approx(1 / 3))


def test_people_are_counted_as_they_are_with_each_other():
    judged = pl.concat([JUDGE, outcomes_of(("q4", "a", "b", "tie"))])
    found, theirs = difference_from_people(judged, VOTES), human_agreement(VOTES)
    assert (found.people, found.votes) == (pytest.approx(theirs.rate), theirs.votes)


def test_a_person_beside_people_differs_by_nothing():
    # Tom judges, and eva and kim are the people.
    everybody = [(f"q{i}", "a", "b", "model_a" if i % 3 else "tie", name) for i in range(9) for name in ("eva", "kim")]
    tom = outcomes_of(*((f"q{i}", "a", "b", "model_a" if i % 3 else "tie") for i in range(9)))
    found = difference_from_people(tom, votes_of(*everybody))
    assert (found.value, found.judge, found.people, found.interval) == (0.0, 1.0, 1.0, Interval(0.0, 0.0))


def test_without_two_people_on_a_judged_pair_there_is_no_difference():
    assert difference_from_people(JUDGE, VOTES.filter(instance_id="q3")) is None
    assert difference_from_people(JUDGE, VOTES.filter(instance_id="q4")) is None
    assert difference_from_people(JUDGE, VOTES.clear()) is None
    assert difference_from_people(JUDGE, VOTES.with_columns(judge=pl.lit(None, pl.String))) is None
    assert difference_from_people(JUDGE, VOTES.filter(instance_id="q1")).interval is None


def test_two_outcomes_for_one_pair_are_refused():
    with pytest.raises(DataError, match="more than one row"):
        difference_from_people(pl.concat([JUDGE, JUDGE]), VOTES)


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(VOTES.height)), st.booleans())
def test_neither_order_nor_names_of_models_change_anything(order, turned):
    swap = {"model_a": "model_b", "model_b": "model_a"}
    votes = VOTES[list(order)]
    if turned:
        votes = votes.with_columns(model_a="model_b", model_b="model_a", winner=pl.col("winner").replace(swap))
    assert difference_from_people(JUDGE, votes) == difference_from_people(JUDGE, VOTES)
