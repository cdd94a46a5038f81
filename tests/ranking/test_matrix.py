import numpy as np
import polars as pl
import pytest

from checkwise.errors import DataError
from checkwise.ranking.matrix import score_matrix

SCORES = pl.DataFrame(
    {
        "instance_id": ["q2", "q1", "q1", "q3"],
        "model": ["b", "a", "b", "a"],
        "value": [0.2, 0.1, None, float("nan")],
    }
)


def test_rows_and_columns_are_sorted_and_gaps_are_nan():
    matrix = score_matrix(SCORES)
    assert (matrix.instances, matrix.models) == (("q1", "q2", "q3"), ("a", "b"))
    nan = np.nan
    np.testing.assert_array_equal(matrix.values, [[0.1, nan], [nan, 0.2], [nan, nan]])


def test_a_model_may_have_the_name_of_a_column():
    matrix = score_matrix(SCORES.with_columns(model=pl.lit("instance_id")).head(1))
    assert matrix.models == ("instance_id",)


def test_ids_may_be_numbers():
    matrix = score_matrix(SCORES.with_columns(instance_id=pl.Series([82, 81, 81, 9])))
    assert matrix.instances == ("81", "82", "9")


def test_common_keeps_the_instances_that_all_models_have():
    scores = pl.DataFrame(
        {"instance_id": ["x", "x", "y", "y"], "model": ["a", "b", "a", "b"], "value": [0.1, 0.2, 0.3, None]}
    )
    common = score_matrix(scores).common()
    assert common.instances == ("x",)
    np.testing.assert_array_equal(common.values, [[0.1, 0.2]])


def test_two_scores_for_one_response_are_refused_by_name():
    with pytest.raises(DataError, match=r"id q1: .* more than one row for a; 1 such"):
        score_matrix(pl.concat([SCORES, SCORES.filter(model="a", instance_id="q1")]))


def test_a_missing_column_is_named():
    with pytest.raises(DataError, match="lack value"):
        score_matrix(SCORES.drop("value"))
