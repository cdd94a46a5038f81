import json

import pytest

from checkwise.datasets.votes import read_votes
from checkwise.errors import DataError


@pytest.fixture
def written(tmp_path):
    def write(*rows):
        path = tmp_path / "votes.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


def vote(**fields):
    return {"model_a": "a", "model_b": "b", "winner": "model_a", **fields}


def test_mt_bench_votes_are_about_a_question_and_a_turn(written):
    votes = read_votes(written(vote(question_id=81, turn=2, judge="author_2")))
    assert votes.rows() == [("81-2", "a", "b", "model_a", "author_2")]


@pytest.mark.parametrize(
    ("fields", "instance"),
    [({"question_id": 81}, "81"), ({"id": "q7"}, "q7"), ({"instance_id": "q8", "id": "v1"}, "q8")],
)
def test_other_ways_to_name_the_instance(written, fields, instance):
    assert read_votes(written(vote(**fields)))["instance_id"].to_list() == [instance]


@pytest.mark.parametrize(
    ("winner", "read"),
    [
        ("model_b", "model_b"),
        ("tie", "tie"),
        ("tie (bothbad)", "tie"),
        ("tie (inconsistent)", "tie"),
        ("Tie", "tie"),
        ("error", None),
        (None, None),
    ],
)
def test_every_published_winner_is_read(written, winner, read):
    assert read_votes(written(vote(id="q1", winner=winner)))["winner"].to_list() == [read]


def test_an_unknown_judge_stays_unknown(written):
    assert read_votes(written(vote(id="q1"), vote(id="q1", judge="Zoë")))["judge"].to_list() == [None, "Zoë"]


def test_votes_may_be_csv(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("question_id,turn,model_a,model_b,winner,judge\n81,1,b,a,tie,eva\n", encoding="utf-8")
    assert read_votes(path).rows() == [("81-1", "b", "a", "tie", "eva")]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": "q1", "winner": "A"}, r"line 2, id q1: the winner is 'A'"),
        ({}, "line 2: the field `instance_id` or `id` or `question_id` is missing"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(written, fields, message):
    with pytest.raises(DataError, match=message):
        read_votes(written(vote(id="q0"), vote(**fields)))
