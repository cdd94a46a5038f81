import polars as pl
import pytest
from polars.testing import assert_frame_equal

from checkwise.errors import DataError
from checkwise.trust.votes import ordered_votes, votes_as_outcomes, with_outcomes

VOTES = pl.DataFrame(
    [
        ("q1", "b", "a", "model_a", "eva"),
        ("q1", "a", "b", "model_b", "tom"),
        ("q1", "b", "a", "tie", "kim"),
        ("q2", "b", "a", None, "eva"),
    ],
    schema=["instance_id", "model_a", "model_b", "winner", "judge"],
    orient="row",
)


def test_votes_on_either_order_are_on_the_same_pair():
    assert ordered_votes(VOTES).rows() == [
        ("q1", "a", "b", "model_b", "eva"),
        ("q1", "a", "b", "model_b", "tom"),
        ("q1", "a", "b", "tie", "kim"),
        ("q2", "a", "b", None, "eva"),
    ]


def test_ordering_twice_is_ordering_once():
    assert_frame_equal(ordered_votes(ordered_votes(VOTES)), ordered_votes(VOTES))


def test_one_judges_votes_are_outcomes():
    assert votes_as_outcomes(VOTES.filter(judge="eva")).rows() == [("q1", "a", "b", "model_b"), ("q2", "a", "b", None)]


def test_several_votes_on_a_pair_are_no_outcome():
    with pytest.raises(DataError, match="id q1: the votes of one judge hold more than one row for a, b"):
        votes_as_outcomes(VOTES)


def test_a_vote_stays_where_nothing_is_missing():
    outcomes = pl.DataFrame({"instance_id": ["q1"], "model_a": ["b"], "model_b": ["a"], "outcome": ["model_a"]})
    unsure = outcomes.with_columns(outcome=pl.lit(None, dtype=pl.String))
    assert with_outcomes(VOTES, x=outcomes).select("winner", "x").rows() == [
        ("model_b", "model_b"),
        ("model_b", "model_b"),
        ("tie", "model_b"),
    ]
    assert with_outcomes(VOTES, x=outcomes, y=unsure).is_empty()


def test_an_unknown_winner_or_a_missing_column_is_refused():
    with pytest.raises(DataError, match="such as 'A'"):
        ordered_votes(VOTES.with_columns(winner=pl.lit("A")))
    with pytest.raises(DataError, match="votes lack judge"):
        ordered_votes(VOTES.drop("judge"))
