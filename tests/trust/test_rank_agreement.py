import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkwise.errors import DataError
from checkwise.ranking.bradley_terry import bradley_terry
from checkwise.ranking.pairs import pair_outcomes
from checkwise.trust.rank_agreement import rank_agreement, rating_agreement


def scores(means, *, instances=30, noise=0.05, seed=0):
    generator = np.random.default_rng(seed)
    rows = [
        (f"q{i:02}", model, float(np.clip(mean + generator.normal(0, noise), 0, 1)))
        for i in range(instances)
        for model, mean in means.items()
    ]
    return pl.DataFrame(rows, schema=["instance_id", "model", "value"], orient="row")


def ranking(**ratings):
    return pl.DataFrame({"model": list(ratings), "rating": list(ratings.values())}, schema_overrides={"rating": float})


MEANS = {"a": 0.8, "b": 0.6, "c": 0.4, "d": 0.2}


def test_two_neighbours_the_wrong_way_round():
    found = rank_agreement(scores(MEANS), ranking(a=1200, b=1000, c=1100, d=900))
    # Ranks differ by 0, 1, 1, 0: rho = 1 - 6 * 2 / (4 * 15) = 0.8; five of six pairs are in order: tau = 4 / 6.
    assert found.spearman.value == pytest.approx(0.8)
    assert found.kendall.value == pytest.approx(2 / 3)
    assert (found.spearman.n, found.models, found.instances) == (4, ("a", "b", "c", "d"), 30)


def test_means_that_are_far_apart_come_in_the_same_order_in_every_resample():
    found = rank_agreement(scores(MEANS), ranking(a=4, b=3, c=2, d=1))
    assert found.spearman.value == 1.0
    assert found.spearman.interval is None
    assert found.spearman.reason == "every resample ranks alike, so resampling shows no spread"


def test_means_that_are_close_give_an_interval():
    close = scores({"a": 0.52, "b": 0.51, "c": 0.50, "d": 0.49}, noise=0.1)
    found = rank_agreement(close, ranking(a=4, b=3, c=2, d=1))
    for figure in (found.spearman, found.kendall):
        assert figure.interval.low <= figure.value <= figure.interval.high
    assert found.spearman.interval.low < 0.5


def test_models_in_one_ranking_only_are_listed():
    found = rank_agreement(scores(MEANS), ranking(a=4, b=3, c=2, x=1, y=None))
    assert (found.models, found.only_here, found.only_there) == (("a", "b", "c"), ("d",), ("x",))
    assert found.spearman.n == 3


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"a": 2, "b": 1}, "2 models are in both rankings; a rank correlation needs 3"),
        ({"x": 2}, "0 models are in both rankings; a rank correlation needs 3"),
        ({"a": 1, "b": 1, "c": 1}, "the other ranking has all models level"),
    ],
)
def test_what_is_undefined_says_why(other, reason):
    found = rank_agreement(scores(MEANS), ranking(**other))
    assert (found.spearman.value, found.spearman.interval, found.spearman.reason) == (None, None, reason)
    assert found.kendall.reason == reason


def test_equal_scores_are_undefined():
    level = scores(dict.fromkeys("abc", 0.5), noise=0)
    found = rank_agreement(level, ranking(a=3, b=2, c=1))
    assert (found.kendall.value, found.kendall.reason) == (None, "all models have the same score")


def test_one_instance_has_a_value_and_no_interval():
    found = rank_agreement(scores(MEANS, instances=1), ranking(a=4, b=3, c=2, d=1))
    assert found.spearman.value == 1.0
    assert found.spearman.reason == "one instance alone says nothing about the spread"


def test_means_are_over_common_instances_unless_told_otherwise():
    table = pl.DataFrame(
        [("q1", "a", 0.5), ("q1", "b", 0.4), ("q1", "c", 0.3), ("q2", "a", None), ("q2", "b", 0.9), ("q2", "c", 0.3)],
        schema=["instance_id", "model", "value"],
        orient="row",
    )
    other = ranking(a=3, b=2, c=1)
    assert rank_agreement(table, other).spearman.value == pytest.approx(1.0)
    # b has the mean 0.65 over both instances, and is ahead of a.
    assert rank_agreement(table, other, common_only=False).spearman.value == pytest.approx(0.5)


def test_ratings_are_held_against_it_with_their_own_resamples():
    close = scores({"a": 0.52, "b": 0.51, "c": 0.50, "d": 0.49}, noise=0.1)
    rated = bradley_terry(pair_outcomes(close))
    found = rating_agreement(rated, ranking(a=4, b=3, c=2, d=1, e=0))
    order = rated.table["model"].to_list()
    expected = 1 - 6 * sum((order.index(m) - i) ** 2 for i, m in enumerate("abcd")) / 60
    assert found.spearman.value == pytest.approx(expected)
    assert found.spearman.interval.low < found.spearman.interval.high
    assert found.only_there == ("e",)


def test_two_ratings_for_a_model_are_refused():
    with pytest.raises(DataError, match="more than one row for a"):
        rank_agreement(scores(MEANS), pl.concat([ranking(a=1), ranking(a=2)]))


@settings(max_examples=20, deadline=None)
@given(order=st.permutations(list("abcd")), names=st.permutations(["w", "x", "y", "z"]))
def test_names_and_rows_change_nothing(order, names):
    other = ranking(a=3, b=4, c=2, d=1)
    table = scores({"a": 0.5, "b": 0.52, "c": 0.48, "d": 0.47})
    renamed = dict(zip("abcd", names, strict=True))
    again = rank_agreement(
        table.with_columns(pl.col("model").replace(renamed)).sample(fraction=1, shuffle=True, seed=1),
        ranking(**{renamed[m]: dict(other.iter_rows())[m] for m in order}),
        draws=50,
    )
    plain = rank_agreement(table, other, draws=50)
    assert again.spearman.value == pytest.approx(plain.spearman.value)
    assert again.spearman.interval.low == pytest.approx(plain.spearman.interval.low)
