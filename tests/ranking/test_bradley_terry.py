import itertools
import time

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.optimize import minimize, root

from checkwise.errors import DataError, NothingJudgedError
from checkwise.ranking.bradley_terry import bradley_terry


def outcomes(*rows):
    schema = ("instance_id", "model_a", "model_b", "outcome")
    return pl.DataFrame(list(rows), schema=dict.fromkeys(schema, pl.String), orient="row")


def ratings(table):
    return dict(table.select("model", "rating").iter_rows())


def duel(wins, ties, losses, *, a="a", b="b", first=1):
    ends = ["model_a"] * wins + ["tie"] * ties + ["model_b"] * losses
    return [(f"q{number:03}", a, b, end) for number, end in enumerate(ends, start=first)]


def noisy(size, instances, *, seed, tie=0.0, spread=1.0):
    """Simulate a benchmark with known strengths; what a model got on an instance counts in all of its battles there."""
    generator = np.random.default_rng(seed)
    strengths = np.linspace(-spread, spread, size)
    # The difference of two Gumbel variables is logistic, so that each battle follows the Bradley-Terry model.
    levels = strengths + generator.gumbel(size=(instances, size))
    a, b = np.triu_indices(size, 1)
    gaps = levels[:, a] - levels[:, b]
    ends = np.where(np.abs(gaps) < tie, "tie", np.where(gaps > 0, "model_a", "model_b"))
    frame = pl.DataFrame(
        {
            "instance_id": np.repeat([f"q{i:05}" for i in range(instances)], len(a)),
            "model_a": np.tile([f"m{i:02}" for i in a], instances),
            "model_b": np.tile([f"m{i:02}" for i in b], instances),
            "outcome": ends.ravel(),
        }
    )
    return frame, 400 / np.log(10) * strengths + 1000


def by_optimizer(frame):
    """Maximise the likelihood battle by battle, with SciPy: nothing here is shared with the code under test."""
    models = sorted({*frame["model_a"], *frame["model_b"]})
    a, b = (np.array([models.index(name) for name in frame[column]]) for column in ("model_a", "model_b"))
    points = np.array([{"model_a": 1.0, "tie": 0.5, "model_b": 0.0}[end] for end in frame["outcome"]])

    def loss(x):
        gap = x[a] - x[b]
        pull = 1 / (1 + np.exp(-gap)) - points
        slope = np.bincount(a, pull, len(x)) - np.bincount(b, pull, len(x))
        return (points * np.logaddexp(0, -gap) + (1 - points) * np.logaddexp(0, gap)).sum(), slope

    def curvature(x):
        p = 1 / (1 + np.exp(x[b] - x[a]))
        matrix = np.zeros((len(x), len(x)))
        for i, j, weight in zip(a, b, p * (1 - p), strict=True):
            matrix[[i, j], [i, j]] += weight
            matrix[[i, j], [j, i]] -= weight
        return matrix

    start = minimize(loss, np.zeros(len(models)), jac=True, hess=curvature, method="trust-exact").x
    # The likelihood is too flat at its top to tell ratings apart to 1e-6; its slope is not. One model stands still.
    top = root(
        lambda x: loss(np.append(x, start[-1]))[1][:-1],
        start[:-1],
        jac=lambda x: curvature(np.append(x, start[-1]))[:-1, :-1],
        tol=1e-13,
    )
    found = np.append(top.x, start[-1])
    found -= found.mean()
    return dict(zip(models, 400 / np.log(10) * found + 1000, strict=True))


def test_two_models_by_hand():
    # a takes 7 + 2/2 = 8 of 10 points, so it is 4 times as strong: 400 * log10(4) = 240.82 above b.
    found = bradley_terry(outcomes(*duel(7, 2, 1)))
    assert ratings(found.table) == pytest.approx({"a": 1120.412, "b": 879.588}, abs=1e-3)
    assert found.table.select("rank", "model", "n", "wins", "ties", "losses").rows() == [
        (1, "a", 10, 7, 2, 1),
        (2, "b", 10, 1, 2, 7),
    ]
    assert found.beats.select("model_a", "model_b", "expected").rows() == [
        ("a", "b", pytest.approx(0.8)),
        ("b", "a", pytest.approx(0.2)),
    ]
    assert (found.virtual_tie, found.groups, found.anchor, found.level) == (0.0, (("a", "b"),), None, 1000.0)


@pytest.mark.parametrize(("size", "instances", "tie"), [(2, 30, 0.3), (5, 20, 0.0), (8, 60, 0.5), (12, 25, 1.0)])
def test_equals_an_independent_fit(size, instances, tie):
    frame, _ = noisy(size, instances, seed=size, tie=tie)
    assert ratings(bradley_terry(frame, draws=2).table) == pytest.approx(by_optimizer(frame), abs=1e-6)


def test_equals_an_independent_fit_where_few_pairs_met():
    # A chain: each model met only its neighbours.
    rows = [row for a, b in itertools.pairwise("abcdef") for row in duel(5, 1, 2, a=a, b=b)]
    frame = outcomes(*rows)
    found = ratings(bradley_terry(frame, draws=2).table)
    assert found == pytest.approx(by_optimizer(frame), abs=1e-6)
    # In a chain each step is on its own: 5.5 to 2.5 points.
    assert found["a"] - found["b"] == pytest.approx(400 * np.log10(5.5 / 2.5), abs=1e-6)


def test_equals_an_independent_fit_where_groups_hardly_met():
    groups = [row for a, b in ("ab", "xy") for row in duel(2900, 50, 2100, a=a, b=b)]
    frame = outcomes(*groups, ("q1", "a", "x", "model_a"), ("q2", "b", "y", "model_b"))
    assert ratings(bradley_terry(frame, draws=2).table) == pytest.approx(by_optimizer(frame), abs=1e-6)


def test_resamples_are_fitted_like_the_whole():
    # Instances that all hold the same battles give the same ratings in every resample.
    same = [(f"q{i}", *pair) for i in range(4) for pair in duel_of_three()]
    frame = outcomes(*same)
    found = bradley_terry(frame, draws=20)
    assert found.table["low"].to_list() == [None] * 3
    assert "every resample gives the same ratings, so resampling shows no spread" in found.notes
    assert ratings(found.table) == pytest.approx(by_optimizer(frame), abs=1e-6)


def duel_of_three():
    return [("a", "b", "model_a"), ("a", "b", "tie"), ("b", "c", "model_a"), ("c", "b", "tie"), ("a", "c", "model_b")]


def test_an_anchor_moves_all_ratings():
    frame = outcomes(*duel(7, 2, 1))
    plain = ratings(bradley_terry(frame, anchor="b").table)
    assert plain == pytest.approx({"a": 1240.824, "b": 1000.0}, abs=1e-3)
    given = bradley_terry(frame, anchor=("a", 1200))
    assert ratings(given.table) == pytest.approx({"a": 1200.0, "b": 959.176}, abs=1e-3)
    low, high = given.table.row(by_predicate=pl.col("model") == "b", named=True)["low"], given.table["high"].to_list()
    assert low < 959 < high[1]
    assert high[0] is None
    assert "ratings are relative to a, which therefore has no interval" in given.notes


def test_an_unknown_anchor_is_refused():
    with pytest.raises(DataError, match="'gpt-5' is none of the models") as caught:
        bradley_terry(outcomes(*duel(7, 2, 1)), anchor="gpt-5")
    assert caught.value.todo == "There are: a, b."


def test_a_model_that_wins_everything_is_rated_with_a_wide_interval():
    rows = [*duel(40, 0, 0), *duel(40, 0, 0, b="c"), *duel(25, 5, 10, a="b", b="c")]
    found = bradley_terry(outcomes(*rows))
    assert found.virtual_tie == 1.0
    assert found.virtual_draws == 1000
    assert any("(a won everything)" in note and "virtual tie of weight 1" in note for note in found.notes)
    first = found.table.row(0, named=True)
    assert (first["model"], first["rank_low"], first["rank_high"]) == ("a", 1, 1)
    # 40 wins and no loss leave 0.5% to 9% of losses open: the ends are hundreds of points apart.
    assert first["high"] - first["low"] > 400
    assert first["low"] < first["rating"] < first["high"]
    # b and c are as far apart as they would be without a: only a's battles got virtual ties.
    alone = ratings(bradley_terry(outcomes(*duel(25, 5, 10, a="b", b="c"))).table)
    both = ratings(found.table)
    assert both["b"] - both["c"] == pytest.approx(alone["b"] - alone["c"], abs=5)


def test_a_virtual_tie_by_hand():
    # 9.5 to 0.5 points: 400 * log10(19) = 511.50.
    found = ratings(bradley_terry(outcomes(*duel(9, 0, 0))).table)
    assert found["a"] - found["b"] == pytest.approx(400 * np.log10(19), abs=1e-6)


def test_groups_that_never_met_are_named():
    rows = [*duel(6, 2, 2), *duel(3, 2, 5, a="x", b="y")]
    found = bradley_terry(outcomes(*rows))
    assert found.groups == (("a", "b"), ("x", "y"))
    assert any(note.endswith("cannot be compared: a, b | x, y") for note in found.notes)
    table = {row["model"]: row for row in found.table.iter_rows(named=True)}
    # Without the virtual ties to x and y it would be 400 * log10(7 / 3) = 147.2.
    assert table["a"]["rating"] - table["b"]["rating"] == pytest.approx(147.2, abs=20)
    # Which group is better is not known: any rank is open to a.
    assert (table["a"]["rank_low"], table["a"]["rank_high"]) == (1, 4)
    assert all(np.isfinite([row["rating"], row["low"], row["high"]]).all() for row in table.values())


def test_nothing_but_ties():
    found = bradley_terry(outcomes(*duel(0, 8, 0), *duel(0, 8, 0, b="c")))
    assert (
        found.table.select("rank", "rating", "low", "high", "rank_low", "rank_high").rows()
        == [(1, pytest.approx(1000), None, None, 1, 1)] * 3
    )
    assert found.beats["probability"].to_list() == [0.5] * 6
    assert found.notes == ("every battle is a tie: no model is better than another, and resampling shows no spread",)


def test_one_instance_has_ratings_and_no_interval():
    found = bradley_terry(outcomes(("q1", "a", "b", "model_a"), ("q1", "b", "c", "model_a"), ("q1", "c", "a", "tie")))
    assert found.table["rating"].is_finite().all()
    assert found.table.select("low", "high", "rank_low").null_count().row(0) == (3, 3, 3)
    assert found.beats["probability"].null_count() == 6
    assert "one instance alone says nothing about the spread, so there are no intervals" in found.notes


def test_nothing_to_compare_is_an_error():
    with pytest.raises(NothingJudgedError, match="none of the 0 pairs of models has an outcome"):
        bradley_terry(outcomes())
    with pytest.raises(NothingJudgedError, match="none of the 1 pairs"):
        bradley_terry(outcomes(("q1", "a", "b", None)))


def test_few_instances_are_noted():
    said = "instances are few: intervals are rough"
    few, enough = (bradley_terry(noisy(3, instances, seed=1)[0], draws=20).notes for instances in (7, 8))
    assert any(said in note for note in few)
    assert not any(said in note for note in enough)


def test_undecided_pairs_are_left_out_and_counted():
    found = bradley_terry(outcomes(*duel(7, 2, 1), ("q900", "a", "c", None)))
    assert found.undecided == 1
    assert found.table["model"].to_list() == ["a", "b"]
    assert found.notes[0] == "1 pairs have no outcome, and are left out"


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_names_and_order_change_nothing(data):
    ends = st.sampled_from(["model_a", "model_b", "tie"])
    pairs = list(itertools.combinations("abcd", 2))
    rows = [(f"q{i}", a, b, data.draw(ends)) for i in range(5) for a, b in pairs]
    names = dict(zip("abcd", data.draw(st.permutations(["ä", "模型", "x y", "Z"])), strict=True))
    turned = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}
    other = [
        (i, names[b], names[a], turned[end]) if data.draw(st.booleans()) else (i, names[a], names[b], end)
        for i, a, b, end in data.draw(st.permutations(rows))
    ]
    one, two = (bradley_terry(outcomes(*table), draws=50) for table in (rows, other))
    renamed = one.table.with_columns(pl.col("model").replace(names)).sort("model")
    assert_frame_equal(renamed, two.table.sort("model"), abs_tol=1e-5)
    beats = one.beats.with_columns(pl.col("model_a", "model_b").replace(names)).sort("model_a", "model_b")
    assert_frame_equal(beats, two.beats, abs_tol=1e-9)


def test_twice_the_instances_leave_ratings_and_narrow_intervals():
    frame, _ = noisy(5, 60, seed=3)
    once = bradley_terry(frame).table
    twice = bradley_terry(
        pl.concat([frame, frame.with_columns(pl.format("copy of {}", "instance_id").alias("instance_id"))])
    ).table
    assert ratings(twice) == pytest.approx(ratings(once), abs=1e-6)
    ratio = ((twice["high"] - twice["low"]) / (once["high"] - once["low"])).mean()
    assert ratio == pytest.approx(1 / np.sqrt(2), abs=0.06)


def test_battles_of_an_instance_are_drawn_together():
    # The same battle five times on each instance is no more evidence than once.
    frame, _ = noisy(4, 40, seed=5)
    once, five = bradley_terry(frame).table, bradley_terry(pl.concat([frame] * 5)).table
    assert_frame_equal(once.select("model", "low", "high"), five.select("model", "low", "high"), abs_tol=1e-5)


def test_equal_seeds_give_equal_intervals():
    frame, _ = noisy(4, 30, seed=9)
    assert bradley_terry(frame, seed=1).table.equals(bradley_terry(frame, seed=1).table)
    assert not bradley_terry(frame, seed=1).table.equals(bradley_terry(frame, seed=2).table)


@pytest.mark.slow
@pytest.mark.parametrize("instances", [20, 100])
def test_intervals_cover_the_truth(instances):
    # Found: 94.1% with 20 instances, 95.6% with 100.
    simulations, size = 400, 6
    covered = []
    for seed in range(simulations):
        frame, truth = noisy(size, instances, seed=seed)
        table = bradley_terry(frame, draws=500).table.sort("model")
        covered.append((table["low"].to_numpy() <= truth) & (truth <= table["high"].to_numpy()))
    share = np.mean(covered)
    print(f"{instances} instances: {share:.1%} of {simulations * size} intervals cover the truth")
    assert 0.93 <= share <= 0.97


@pytest.mark.slow
def test_a_large_benchmark_takes_seconds():
    frame, _ = noisy(20, 5000, seed=1, tie=0.2)
    start = time.perf_counter()
    bradley_terry(frame)
    assert time.perf_counter() - start < 30
