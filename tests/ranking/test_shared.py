import polars as pl
import pytest

from checkwise.errors import NothingJudgedError
from checkwise.ranking.shared import shared_scores


def scores(*rows):
    return pl.DataFrame(
        list(rows), schema={"instance_id": pl.String, "model": pl.String, "value": pl.Float64}, orient="row"
    )


TABLE = scores(("q1", "a", 0.5), ("q1", "b", 0.4), ("q2", "a", 0.9), ("q2", "b", None), ("q1", "c", None))


def test_only_instances_that_every_model_has_a_score_for():
    kept = shared_scores(TABLE)
    assert kept.scores.rows() == [("q1", "a", 0.5), ("q1", "b", 0.4)]
    assert kept.notes == (
        "no response of these models has a score, so they are not compared: c",
        "1 instances are not compared, since not every model has a score there",
    )


def test_all_can_be_kept_and_is_said():
    kept = shared_scores(TABLE, common_only=False)
    assert kept.scores.height == 3
    assert kept.notes[-1].startswith("models are compared on all instances that two of them have a score for")


def test_nothing_left_out_is_not_noted():
    assert shared_scores(scores(("q1", "a", 0.5), ("q1", "b", 0.4))).notes == ()


def test_nothing_in_common_is_an_error():
    with pytest.raises(NothingJudgedError, match="no instance has a score for each of the 2 models"):
        shared_scores(scores(("q1", "a", 0.5), ("q2", "b", 0.4)))
    with pytest.raises(NothingJudgedError, match="none of the 1 responses has a score"):
        shared_scores(scores(("q1", "a", None)))
