import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from checkwise.errors import DataError
from checkwise.ranking.pairs import in_name_order, pair_outcomes


def scores(*rows):
    return pl.DataFrame(
        list(rows), schema={"instance_id": pl.String, "model": pl.String, "value": pl.Float64}, orient="row"
    )


def test_a_pair_is_decided_on_the_scale_of_ten():
    # 0.50, 0.51 and 0.52 are 5.50, 5.59 and 5.68: next neighbours are closer than 0.1, the outer two are not.
    outcomes = pair_outcomes(scores(("q1", "c", 0.52), ("q1", "a", 0.50), ("q1", "b", 0.51)))
    assert outcomes.drop("delta").rows() == [
        ("q1", "a", "b", "tie"),
        ("q1", "a", "c", "model_b"),
        ("q1", "b", "c", "tie"),
    ]
    assert outcomes["delta"].to_list() == pytest.approx([-0.09, -0.18, -0.09])


def test_the_margin_is_an_option_and_equal_scores_always_tie():
    table = scores(("q1", "a", 0.7), ("q1", "b", 0.7), ("q1", "c", 0.69))
    assert pair_outcomes(table, margin=0)["outcome"].to_list() == ["tie", "model_a", "model_a"]
    assert pair_outcomes(table, margin=5)["outcome"].to_list() == ["tie", "tie", "tie"]


def test_a_missing_score_decides_nothing():
    outcomes = pair_outcomes(scores(("q1", "a", None), ("q1", "b", 0.5), ("q1", "c", None)))
    assert outcomes.select("outcome", "delta").rows() == [(None, None)] * 3


def test_pairs_are_within_an_instance():
    assert pair_outcomes(scores(("q1", "a", 0.1), ("q2", "b", 0.9))).is_empty()


def test_turning_a_pair_round_turns_its_winner():
    pairs = pl.DataFrame(
        {
            "instance_id": ["q1"] * 4,
            "model_a": ["b", "b", "b", "a"],
            "model_b": ["a", "a", "a", "b"],
            "outcome": ["model_a", "tie", None, "model_a"],
            "delta": [2.0, 0.0, None, 1.0],
        }
    )
    turned = in_name_order(pairs, "outcome")
    assert turned.rows() == [
        ("q1", "a", "b", "model_b", -2.0),
        ("q1", "a", "b", "tie", 0.0),
        ("q1", "a", "b", None, None),
        ("q1", "a", "b", "model_a", 1.0),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("q1", "a", "b", "A"), "'A'"),
        (("q1", "a", "a", "tie"), "against itself"),
    ],
)
def test_unsound_pairs_are_refused(row, message):
    pairs = pl.DataFrame([row], schema=["instance_id", "model_a", "model_b", "outcome"], orient="row")
    with pytest.raises(DataError, match=message):
        in_name_order(pairs, "outcome")


rows = st.dictionaries(
    st.tuples(st.sampled_from("xyz"), st.sampled_from("abcd")), st.one_of(st.none(), st.floats(0, 1)), min_size=1
)


@settings(max_examples=50, deadline=None)
@given(rows, st.permutations("abcd"), st.floats(0, 2))
def test_renaming_models_renames_the_outcomes(table, names, margin):
    new = dict(zip("abcd", names, strict=True))
    before = pair_outcomes(scores(*((i, m, v) for (i, m), v in table.items())), margin=margin)
    after = pair_outcomes(scores(*((i, new[m], v) for (i, m), v in table.items())), margin=margin)
    renamed = in_name_order(before.with_columns(pl.col("model_a", "model_b").replace(new)), "outcome")
    assert_frame_equal(renamed, after, check_row_order=False)
