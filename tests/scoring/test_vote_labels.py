import polars as pl
import pytest

from checkwise.errors import DataError
from checkwise.scoring.vote_labels import LABELER, NO_VERDICT, votes_as_labels


def votes_of(*rows):
    columns = dict.fromkeys(("instance_id", "model_a", "model_b", "winner"), pl.String)
    return pl.DataFrame(rows, schema=columns, orient="row")


def test_the_share_of_wins_becomes_a_label():
    votes = votes_of(
        ("q1", "a", "b", "model_a"), ("q1", "b", "a", "model_b"), ("q1", "a", "c", "tie"), ("q2", "a", "b", "model_b")
    )
    assert votes_as_labels(votes).rows() == [
        ("q1", "a", pytest.approx(1 + 9 * 2.5 / 3), LABELER, None),
        ("q1", "b", 1.0, LABELER, None),
        ("q1", "c", 5.5, LABELER, None),
        ("q2", "a", 1.0, LABELER, None),
        ("q2", "b", 10.0, LABELER, None),
    ]


def test_a_vote_without_a_verdict_counts_for_nothing():
    labels = votes_as_labels(votes_of(("q1", "a", "b", None), ("q1", "a", "c", "model_a")))
    assert labels["label"].to_list() == [10.0, None, 1.0]
    assert labels["reason"].to_list() == [None, NO_VERDICT, None]


@pytest.mark.parametrize(
    ("vote", "said"),
    [(("q1", "a", "b", "left"), "the winner is 'left'"), (("q1", "a", "a", "tie"), "sets a against itself")],
)
def test_what_is_no_vote_is_refused(vote, said):
    with pytest.raises(DataError, match=said) as caught:
        votes_as_labels(votes_of(vote))
    assert caught.value.where.id == "q1"


def test_a_missing_column_is_named():
    with pytest.raises(DataError, match="the votes lack winner"):
        votes_as_labels(votes_of().drop("winner"))
