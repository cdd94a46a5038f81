import pytest

from checkwise.errors import DataError
from checkwise.records import Response
from checkwise.trust.baselines import longer_wins


def response(instance, model, text):
    return Response(instance_id=instance, model=model, text=text)


def test_the_longer_response_wins_and_equal_lengths_tie():
    outcomes = longer_wins(
        [
            response("q1", "b", "four"),
            response("q1", "a", "five!"),
            response("q1", "c", "vier"),
            response("q2", "a", ""),
        ]
    )
    assert outcomes.rows() == [
        ("q1", "a", "b", "model_a", 1),
        ("q1", "a", "c", "model_a", 1),
        ("q1", "b", "c", "tie", 0),
    ]


def test_length_is_in_characters_not_in_bytes():
    assert longer_wins([response("q1", "a", "日本"), response("q1", "b", "abc")])["outcome"].to_list() == ["model_b"]


def test_one_character_is_enough():
    assert longer_wins([response("q1", "a", "ab"), response("q1", "b", "a")])["outcome"].to_list() == ["model_a"]


def test_two_responses_of_one_model_are_refused():
    with pytest.raises(DataError, match="more than one row for a"):
        longer_wins([response("q1", "a", "x"), response("q1", "a", "y")])
