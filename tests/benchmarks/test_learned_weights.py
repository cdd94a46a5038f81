"""Item weights learned from votes on other questions."""

import numpy as np
import polars as pl
import pytest
from benchmarks.aggregate import aggregate_scores
from benchmarks.learned_weights import FEATURES, learn_item_weights

from checkwise.errors import NothingJudgedError
from checkwise.trust.items import item_statistics

MODELS = [f"m{n}" for n in range(6)]


def benchmark(questions=60, seed=0):
    """Lists of two telling items and two that are answered at random; people vote by what the telling ones say."""
    draw = np.random.default_rng(seed)
    grades, votes = [], []
    for q in range(questions):
        worth = draw.random(len(MODELS))
        for model, good in zip(MODELS, worth, strict=True):
            telling = np.clip(good + draw.normal(0, 0.05, 2), 0, 1)
            noise = draw.random(2)
            for number, p in enumerate([*telling, *noise], start=1):
                grades.append((f"q{q:02}", model, number, f"Item {number}?", float(p), 1.0, False))
        for a in range(len(MODELS)):
            for b in range(a + 1, len(MODELS)):
                winner = "model_a" if worth[a] > worth[b] else "model_b"
                votes.append((f"q{q:02}", MODELS[a], MODELS[b], winner, "someone"))
    columns = ["instance_id", "model", "number", "item", "p_yes", "mass", "low_mass"]
    table = pl.DataFrame(grades, schema=columns, orient="row")
    scores = table.select("instance_id", "model", status=pl.lit("scored")).unique()
    cast = pl.DataFrame(votes, schema=["instance_id", "model_a", "model_b", "winner", "judge"], orient="row")
    return table, item_statistics(table, scores), cast


def test_items_that_go_with_their_list_come_to_count_more_also_where_nobody_voted():
    grades, statistics, votes = benchmark()
    learned = learn_item_weights(grades, statistics, votes.filter(pl.col("instance_id") < "q30"))
    assert learned.votes == 30 * 15
    assert learned.coefficients["discrimination"] > 0.2
    elsewhere = learned.weights.filter(pl.col("instance_id") >= "q30")
    means = elsewhere.group_by("number").agg(pl.col("weight").mean()).sort("number")["weight"].to_list()
    assert min(means[:2]) > 1 > max(means[2:])
    assert elsewhere.group_by("instance_id").agg(pl.col("weight").mean())["weight"].to_list() == pytest.approx([1] * 30)


def test_weighted_scores_are_right_more_often_on_questions_that_nobody_voted_on():
    grades, statistics, votes = benchmark()
    seen, unseen = (votes.filter((pl.col("instance_id") < "q30") == early) for early in (True, False))
    weights = learn_item_weights(grades, statistics, seen).weights
    assert right(aggregate_scores(grades, weights=weights), unseen) > right(aggregate_scores(grades), unseen) + 0.02


def right(scores, votes):
    value = scores.select("instance_id", "model", "value")
    both = votes.join(value.rename({"model": "model_a", "value": "a"}), on=["instance_id", "model_a"]).join(
        value.rename({"model": "model_b", "value": "b"}), on=["instance_id", "model_b"]
    )
    return both.select(((pl.col("a") > pl.col("b")) == (pl.col("winner") == "model_a")).mean()).item()


def test_without_anything_to_learn_all_items_count_alike():
    grades, statistics, votes = benchmark(questions=4)
    ties = votes.with_columns(winner=pl.lit("tie"))
    learned = learn_item_weights(grades, statistics, ties)
    assert list(learned.coefficients) == list(FEATURES)
    assert all(np.isfinite(value) for value in learned.coefficients.values())


def test_votes_on_the_other_order_are_the_same_votes():
    grades, statistics, votes = benchmark(questions=8)
    turned = votes.select(
        "instance_id",
        "judge",
        model_a="model_b",
        model_b="model_a",
        winner=pl.col("winner").replace({"model_a": "model_b", "model_b": "model_a"}),
    )
    one, other = (learn_item_weights(grades, statistics, v).coefficients for v in (votes, turned))
    assert one == pytest.approx(other)


def test_votes_on_nothing_that_was_graded_are_an_error():
    grades, statistics, votes = benchmark(questions=2)
    with pytest.raises(NothingJudgedError, match="none of the 30 votes"):
        learn_item_weights(grades, statistics, votes.with_columns(instance_id=pl.lit("other")))
