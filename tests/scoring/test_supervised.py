import math
import random
import time

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from sklearn.ensemble import ExtraTreesRegressor

from checkwise.errors import DataError
from checkwise.scoring.alpha import label_alpha
from checkwise.scoring.learning import EQUAL, UNTAUGHT
from checkwise.scoring.settings import SupervisedSettings
from checkwise.scoring.supervised import supervise
from checkwise.scoring.supervised_table import NO_GRADES, NO_TREES, NOT_LEFT_OUT, UNGRADED_ITEM, UNSPLIT

PAPER = SupervisedSettings(paper=True)


class World:
    """Grades of every model on every instance, in which the second item tells good responses from bad ones."""

    def __init__(self, *, instances=4, models=8, items=5, seed=0, hard=False, equal=False):
        drawn = np.random.default_rng(seed)
        self.goodness = drawn.random((instances, models))
        self.p_yes = drawn.random((instances, models, items))
        self.p_yes[:, :, 1] = 0.9 * self.goodness + 0.1 * drawn.random((instances, models))
        if hard:
            self.p_yes = self.p_yes.round()
        self.labels = np.ones((instances, models)) * 4 if equal else (1 + 9 * self.goodness).round()
        self.instances = [f"q{place}" for place in range(instances)]
        self.models = [f"m{place}" for place in range(models)]

    @property
    def grades(self):
        rows = [
            (instance, model, number + 1, f"Is it {number}?", float(self.p_yes[i, m, number]), 0.9)
            for i, instance in enumerate(self.instances)
            for m, model in enumerate(self.models)
            for number in range(self.p_yes.shape[2])
        ]
        return pl.DataFrame(rows, schema=["instance_id", "model", "number", "item", "p_yes", "mass"], orient="row")

    @property
    def scores(self):
        return frame(self, self.p_yes.mean(axis=2), "value").with_columns(
            status=pl.lit("scored"), reason=pl.lit(None, pl.String)
        )

    @property
    def given(self):
        return frame(self, self.labels, "label")

    def supervise(self, **options):
        return supervise(self.grades, self.scores, self.given, **options)


def frame(world, values, name):
    rows = [
        (instance, model, float(values[i, m]))
        for i, instance in enumerate(world.instances)
        for m, model in enumerate(world.models)
    ]
    return pl.DataFrame(rows, schema=["instance_id", "model", name], orient="row")


def no_nan(table):
    numbers = table.select(pl.col(pl.Float64))
    return not numbers.select(pl.any_horizontal(pl.all().is_nan().any())).item() if numbers.width else True


def test_as_published_scores_are_those_of_scikit_learn():
    world = World()
    found = world.supervise(test_models=["m6", "m7"], settings=PAPER)
    for i, instance in enumerate(world.instances):
        forest = ExtraTreesRegressor(n_estimators=10, max_depth=2, random_state=42)
        forest.fit(world.p_yes[i, :6], world.labels[i, :6])
        predicted = forest.predict(world.p_yes[i, 6:])
        alpha = label_alpha(world.labels[i, :6])
        expected = alpha * predicted + (1 - alpha) * (9 * world.p_yes[i, 6:].mean(axis=1) + 1)
        ours = found.table.filter(instance_id=instance, role="test")
        np.testing.assert_allclose(9 * ours["predicted"].to_numpy() + 1, predicted, rtol=0, atol=1e-12)
        np.testing.assert_allclose(9 * ours["value"].to_numpy() + 1, expected, rtol=0, atol=1e-12)
        assert ours["alpha"].to_list() == [alpha, alpha]
        weights = found.weights.filter(instance_id=instance)["weight"].to_numpy()
        np.testing.assert_allclose(weights, forest.feature_importances_, rtol=0, atol=1e-12)


def test_the_item_that_decides_has_most_of_the_weight():
    weights = World(instances=6, models=12).supervise(settings=SupervisedSettings(predictor="forest")).weights
    assert weights.columns == ["instance_id", "number", "item", "weight", "reason"]
    sums = weights.group_by("instance_id").agg(pl.col("weight").sum())
    assert sums["weight"].to_list() == pytest.approx([1] * 6)
    heaviest = weights.filter(pl.col("weight") == pl.col("weight").max().over("instance_id"))
    assert heaviest["number"].to_list() == [2] * 6


def test_the_default_finds_out_that_supervision_pays():
    found = World(instances=12, models=12).supervise(test_models=["m1", "m4", "m9"])
    assert found.held_out.agreement.verdict == "better"
    assert found.held_out.agreement.supervised > 0.8
    assert found.held_out.agreement.unsupervised < 0.7
    assert found.tested.agreement.gain > 0
    assert (found.held_out.models, found.tested.models) == (9, 3)
    assert (found.training_models[:2], found.test_models) == (("m0", "m10"), ("m1", "m4", "m9"))


def test_where_nothing_can_be_learned_supervision_is_not_called_better():
    world = World(instances=8)
    world.labels = np.random.default_rng(5).integers(1, 11, world.labels.shape).astype(float)
    assert world.supervise().held_out.agreement.verdict != "better"


def test_figures_by_hand():
    world = World(instances=1, models=6)
    world.labels[0] = [1, 4, 7, 10, 3, 8]
    scores = world.scores.with_columns(
        value=pl.when(model="m4").then(0.5).when(model="m5").then(0.25).otherwise("value")
    )
    unsupervised = SupervisedSettings(predictor="none")
    found = supervise(world.grades, scores, world.given, test_models=["m4", "m5"], settings=unsupervised).tested
    # m4: score 5.5, label 3; m5: score 3.25, label 8. The only pair is the wrong way round.
    assert (found.error.unsupervised, found.error.n) == (pytest.approx((2.5 + 4.75) / 2), 2)
    assert (found.agreement.supervised, found.agreement.gain, found.agreement.n) == (0, 0, 1)


def test_labels_of_test_models_change_no_score():
    world = World()
    before = world.supervise(test_models=["m6", "m7"])
    world.labels[:, 6:] = 11 - world.labels[:, 6:]
    after = world.supervise(test_models=["m6", "m7"])
    assert_frame_equal(before.table, after.table)
    assert_frame_equal(before.weights, after.weights)
    assert (before.chosen, before.held_out) == (after.chosen, after.held_out)
    assert before.tested.error.supervised != after.tested.error.supervised
    assert "8 labels are about test models; nothing was learned from them." in after.notes


def test_no_training_model_is_scored_by_its_own_labels():
    world = World()
    before = world.supervise(settings=PAPER).table.filter(model="m3")
    # The order in which models are dealt into folds follows from their labels: m3 stays where it is.
    world.labels[0, 3] += 0.001
    assert_frame_equal(before, world.supervise(settings=PAPER).table.filter(model="m3"))


def test_a_training_model_cannot_be_a_test_model():
    with pytest.raises(DataError, match="m2 would be both training and test models"):
        World().supervise(train_models=["m1", "m2", "m3"], test_models=["m2", "m5"])


@pytest.mark.parametrize("role", ["train_models", "test_models"])
def test_an_unknown_model_is_named(role):
    with pytest.raises(DataError, match="no response is by gpt-9"):
        World().supervise(**{role: ["gpt-9"]})


def test_labels_of_test_models_alone_teach_nothing():
    world = World()
    with pytest.raises(DataError, match=r"all 8 labels are about test models \(m6, m7\)"):
        supervise(
            world.grades,
            world.scores,
            world.given.filter(pl.col("model").is_in(["m6", "m7"])),
            test_models=["m6", "m7"],
        )


def test_a_training_model_without_labels_is_scored_like_a_test_model_and_named():
    world = World()
    labels = world.given.filter(pl.col("model") != "m3")
    found = supervise(world.grades, world.scores, labels, train_models=["m0", "m1", "m2", "m3"], settings=PAPER)
    assert found.training_models == ("m0", "m1", "m2")
    assert "1 training models have no label that can be learned from: m3." in found.notes


def test_without_test_models_whoever_has_no_label_is_one():
    world = World()
    found = supervise(world.grades, world.scores, world.given.filter(pl.col("model") != "m7"))
    assert (found.test_models, found.tested) == (("m7",), None)


def test_labels_that_fit_nothing_are_listed_with_counts():
    world = World()
    strange = pl.DataFrame(
        [("q0", "gpt-9", 3.0), ("q1", "gpt-9", 3.0), ("q9", "m0", 3.0), ("q0", "m7", None), ("q0", "m0", 1.0)],
        schema=["instance_id", "model", "label"],
        orient="row",
    )
    found = supervise(
        world.grades,
        world.scores.filter((pl.col("model") != "m7") | (pl.col("instance_id") != "q1")),
        pl.concat([world.given, strange]),
        settings=PAPER,
    )
    left = found.left_out
    assert (left.unknown_models, left.unknown_instances) == ((("gpt-9", 2),), (("q9", 1),))
    assert (left.unanswered, left.missing, left.averaged) == (1, 1, 1)
    assert "2 labels are about models without a response: gpt-9 (2)." in found.notes


def test_labels_of_another_benchmark_are_refused():
    world = World()
    other = world.given.with_columns(instance_id=pl.format("other {}", "instance_id"))
    with pytest.raises(DataError, match="none of the 32 labels is about a scored response; they look like other q0 by"):
        supervise(world.grades, world.scores, other)


def test_empty_and_unscored_responses_keep_their_scores_and_teach_nothing():
    world = World()
    first = (pl.col("instance_id") == "q0") & (pl.col("model") == "m0")
    second = (pl.col("instance_id") == "q0") & (pl.col("model") == "m1")
    scores = world.scores.with_columns(
        value=pl.when(first).then(0.0).when(second).then(None).otherwise("value"),
        status=pl.when(first).then(pl.lit("empty")).when(second).then(pl.lit("unscored")).otherwise("status"),
        reason=pl.when(second).then(pl.lit("the judge said nothing")).otherwise("reason"),
    )
    found = supervise(world.grades, scores, world.given, settings=PAPER)
    empty, unscored = found.table.filter(first), found.table.filter(second)
    assert empty.select("value", "predicted", "alpha", "status").row(0) == (0.0, None, None, "empty")
    assert unscored.select("value", "predicted", "reason").row(0) == (None, None, "the judge said nothing")
    assert (found.left_out.empty, found.left_out.unscored, found.left_out.unusable) == (1, 1, 2)


def test_an_unscored_item_counts_as_its_mean_over_the_responses_that_are_learned_from():
    world = World()
    gap = (pl.col("instance_id") == "q0") & (pl.col("model") == "m7") & (pl.col("number") == 2)
    mean = float(world.p_yes[0, :6, 1].mean())
    options = {"test_models": ["m6", "m7"], "settings": PAPER}
    holed = world.grades.with_columns(p_yes=pl.when(~gap).then("p_yes"))
    put = world.grades.with_columns(p_yes=pl.when(gap).then(mean).otherwise("p_yes"))
    found = supervise(holed, world.scores, world.given, **options)
    expected = supervise(put, world.scores, world.given, **options)
    assert_frame_equal(found.table, expected.table)
    assert (found.left_out.filled, expected.left_out.filled) == (1, 0)


def test_an_item_without_grades_of_training_models_has_no_weight():
    world = World()
    unseen = (pl.col("instance_id") == "q0") & (pl.col("model") != "m7") & (pl.col("number") == 3)
    grades = world.grades.with_columns(p_yes=pl.when(~unseen).then("p_yes"))
    found = supervise(grades, world.scores, world.given, test_models=["m7"], settings=PAPER)
    third = found.weights.filter(instance_id="q0", number=3)
    assert third.select("weight", "reason").row(0) == (None, UNGRADED_ITEM)
    assert found.weights.filter(instance_id="q0")["weight"].sum() == pytest.approx(1)


def test_a_score_without_grades_stays():
    world = World()
    found = supervise(world.grades.filter(pl.col("model") != "m0"), world.scores, world.given, settings=PAPER)
    assert found.table.filter(model="m0")["reason"].to_list() == [NO_GRADES] * 4
    assert found.table.filter(model="m0")["value"].equals(world.scores.filter(model="m0")["value"])
    assert found.left_out.ungraded == 4


def test_equal_labels_leave_the_unsupervised_scores():
    for options in (PAPER, SupervisedSettings(), SupervisedSettings(predictor="forest", alpha=1)):
        world = World(equal=True)
        found = world.supervise(test_models=["m7"], settings=options)
        assert found.table["value"].to_list() == pytest.approx(world.scores["value"].to_list(), abs=1e-12)
        assert found.weights["weight"].null_count() == found.weights.height
        assert found.held_out.agreement.reason == "no two labels to compare differ"
    assert found.table["reason"].unique().to_list() == [EQUAL]


def test_constant_grades_give_no_weights_and_the_mean_label():
    world = World()
    world.p_yes[:] = 0.25
    found = world.supervise(test_models=["m7"], settings=SupervisedSettings(predictor="forest", alpha=1))
    assert found.weights["reason"].unique().to_list() == [UNSPLIT]
    expected = (world.labels[:, :7].mean(axis=1) - 1) / 9
    np.testing.assert_allclose(found.table.filter(model="m7")["value"].to_numpy(), expected, atol=1e-12)
    assert found.held_out.agreement.supervised == 0.5


def test_one_model_and_one_instance():
    found = World(instances=1, models=1).supervise(settings=PAPER)
    row = found.table.row(0, named=True)
    assert (row["value"], row["predicted"], row["reason"]) == (row["unsupervised"], None, NOT_LEFT_OUT)
    assert found.held_out.agreement.verdict == "unknown"
    assert "fewer than 3 training models" in found.held_out.error.reason
    with pytest.raises(DataError, match="settings cannot be chosen with 1 training models; 3 are needed"):
        World(instances=1, models=1).supervise()


def test_one_instance_has_no_interval():
    gain = World(instances=1).supervise().held_out.agreement
    assert (gain.low, gain.high, gain.verdict) == (None, None, "unknown")
    assert gain.reason == "1 instances are too few for an interval; 5 are needed"


@pytest.mark.parametrize("models", [1, 2])
def test_fewer_than_three_training_models_can_teach_what_is_fixed(models):
    train = [f"m{place}" for place in range(models)]
    fixed = SupervisedSettings(predictor="global", alpha=1)
    with pytest.raises(DataError, match="settings cannot be chosen"):
        World().supervise(train_models=train, settings=fixed)
    found = World().supervise(train_models=train, settings=PAPER)
    assert found.table.filter(role="train")["reason"].unique().to_list() == [NOT_LEFT_OUT]
    assert found.table["value"].null_count() == 0


def test_three_training_models_are_left_out_one_by_one():
    found = World().supervise(train_models=["m0", "m1", "m2"])
    assert found.held_out.agreement.reason == "no two labels to compare differ"
    assert found.held_out.error.n == 12


def test_an_instance_with_too_few_labels_keeps_its_scores():
    world = World()
    sparse = world.given.filter((pl.col("instance_id") != "q0") | (pl.col("model") == "m0"))
    found = supervise(
        world.grades, world.scores, sparse, test_models=["m7"], settings=SupervisedSettings(predictor="ridge")
    )
    row = found.table.filter(instance_id="q0", model="m7").row(0, named=True)
    assert (row["value"], row["alpha"], row["reason"]) == (row["unsupervised"], 0.0, UNTAUGHT)


def test_one_predictor_for_all_instances():
    found = World(instances=10).supervise(settings=SupervisedSettings(predictor="global", alpha=1))
    assert_frame_equal(found.table.select(value="predicted"), found.table.select("value"))
    assert found.weights["reason"].unique().to_list() == [NO_TREES]
    assert "over all instances, alpha 1" in found.chosen


def test_calibration_keeps_the_order_of_unsupervised_scores():
    world = World(instances=10)
    world.labels = 1 + 2 * world.goodness
    options = SupervisedSettings(predictor="none", calibrate=True)
    found = world.supervise(test_models=["m7"], settings=options)
    test = found.table.filter(role="test").sort("unsupervised")
    assert test["value"].is_sorted() and test["value"].equals(test["base"])
    assert found.held_out.error.verdict == "better"


def test_alpha_of_zero_is_the_unsupervised_score():
    world = World()
    found = world.supervise(settings=SupervisedSettings(predictor="ridge", alpha=0))
    assert found.table["value"].to_list() == pytest.approx(world.scores["value"].to_list(), abs=1e-12)


@pytest.mark.parametrize("options", [{"alpha": 2}, {"alpha": "much"}, {"predictor": "oracle"}, {"folds": 1}])
def test_settings_out_of_range_are_refused(options):
    with pytest.raises(DataError):
        SupervisedSettings(**options)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"grades": lambda g: pl.concat([g, g.head(1)])}, "the grades hold more than one row for m0"),
        ({"scores": lambda s: pl.concat([s, s.head(1)])}, "the scores hold more than one row for m0"),
        ({"grades": lambda g: g.drop("p_yes")}, "the grades lack p_yes"),
        ({"labels": lambda g: g.drop("label")}, "the labels lack label"),
        ({"labels": lambda g: g.with_columns(label=pl.lit("good"))}, "the labels are not numbers"),
        ({"labels": lambda g: g.with_columns(label=pl.lit(0.5))}, "the label of m0 is 0.5"),
        ({"labels": lambda g: g.with_columns(label=pl.lit(None))}, "none of the 32 rows of labels holds a label"),
    ],
)
def test_frames_that_are_not_what_they_should_be_are_refused(change, said):
    world = World()
    frames = {"grades": world.grades, "scores": world.scores, "labels": world.given}
    with pytest.raises(DataError, match=said):
        supervise(**{name: change.get(name, lambda same: same)(table) for name, table in frames.items()})


def test_other_columns_and_the_order_of_scores_stay():
    world = World()
    scores = world.scores.with_columns(category=pl.lit("math")).reverse()
    table = supervise(world.grades, scores, world.given, settings=PAPER).table
    assert_frame_equal(
        table.select("instance_id", "model", "category"), scores.select("instance_id", "model", "category")
    )
    made = ["value", "unsupervised", "base", "predicted", "alpha", "role"]
    assert table.columns == ["instance_id", "model", *made, "status", "reason", "category"]


ways = st.sampled_from(
    [
        SupervisedSettings(predictor="forest"),
        SupervisedSettings(predictor="ridge", calibrate=True),
        SupervisedSettings(predictor="global"),
        SupervisedSettings(predictor="forest", alpha="entropy", sample=2),
        PAPER,
    ]
)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000), way=ways, hard=st.booleans(), order=st.randoms(use_true_random=False))
# Two items that the training rows cannot tell apart, and the response of the test model can.
@example(seed=40, way=SupervisedSettings(predictor="forest"), hard=True, order=random.Random(0))
def test_names_and_order_change_nothing(seed, way, hard, order):
    world = World(instances=6, models=7, items=4, seed=seed, hard=hard and not way.paper)
    before = world.supervise(test_models=["m2"], settings=way)
    names = dict(zip(world.models, order.sample(["z", "é", "B", "a", "1", "m", "中"], 7), strict=True))
    ids = dict(zip(world.instances, order.sample(["x", "9", "b", "A", "q", "ß"], 6), strict=True))
    # As published, the order of a list's items decides which features a tree draws.
    numbers = [1, 2, 3, 4] if way.paper else order.sample([1, 2, 3, 4], 4)
    renamed = [pl.col("instance_id").replace(ids), pl.col("model").replace(names)]
    item = [pl.col("number").replace(dict(zip([1, 2, 3, 4], numbers, strict=True))), pl.format("New {}", "number")]
    after = supervise(
        world.grades.with_columns(*renamed, item[0], item=item[1]).sample(fraction=1, shuffle=True, seed=seed),
        world.scores.with_columns(*renamed).sample(fraction=1, shuffle=True, seed=seed),
        world.given.with_columns(*renamed).sample(fraction=1, shuffle=True, seed=seed),
        test_models=[names["m2"]],
        settings=way,
    )
    assert after.chosen == before.chosen
    assert_frame_equal(before.table.with_columns(*renamed), after.table, check_row_order=False, rel_tol=0, abs_tol=1e-9)
    weights = before.weights.select(renamed[0], item[0], "weight", "reason")
    assert_frame_equal(weights, after.weights.select(weights.columns), check_row_order=False, rel_tol=0, abs_tol=1e-9)
    for ours, theirs in ((before.held_out, after.held_out), (before.tested, after.tested)):
        for figure in ("supervised", "unsupervised", "gain", "low", "high"):
            assert getattr(ours.agreement, figure) == pytest.approx(getattr(theirs.agreement, figure), abs=1e-9)
            assert getattr(ours.error, figure) == pytest.approx(getattr(theirs.error, figure), abs=1e-9)


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10_000), way=ways)
def test_an_unscored_response_changes_no_other_score(seed, way):
    world = World(seed=seed, items=3)
    before = world.supervise(test_models=["m6"], settings=way)
    unscored = {"instance_id": "q1", "model": "new", "value": None, "status": "unscored", "reason": "no answer"}
    grade = {"instance_id": "q1", "model": "new", "number": 1, "item": "Is it 0?", "p_yes": None, "mass": None}
    after = supervise(
        pl.concat([world.grades, pl.DataFrame([grade], schema=world.grades.schema)]),
        pl.concat([world.scores, pl.DataFrame([unscored], schema=world.scores.schema)]),
        world.given,
        test_models=["m6"],
        settings=way,
    )
    assert_frame_equal(before.table, after.table.filter(pl.col("model") != "new"))
    assert (after.chosen, after.held_out, after.left_out.unscored) == (before.chosen, before.held_out, 1)


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10_000), way=ways, gaps=st.floats(0, 0.6))
def test_no_number_is_nan_and_every_gap_has_a_reason(seed, way, gaps):
    world = World(seed=seed, items=3)
    there = pl.Series(np.random.default_rng(seed).random(world.grades.height) >= gaps)
    found = supervise(
        world.grades.with_columns(p_yes=pl.when(there).then("p_yes")), world.scores, world.given, settings=way
    )
    assert no_nan(found.table) and no_nan(found.weights)
    assert found.table.filter(pl.col("predicted").is_null() & pl.col("reason").is_null()).is_empty()
    assert found.weights.filter(pl.col("weight").is_null() & pl.col("reason").is_null()).is_empty()
    assert found.table["value"].is_between(0, 1).all()
    sums = found.weights.drop_nulls("weight").group_by("instance_id").agg(pl.col("weight").sum())
    assert all(math.isclose(total, 1) for total in sums["weight"])


def test_hundreds_of_instances_take_seconds():
    world = World(instances=300, models=8, items=4)
    frames = world.grades, world.scores, world.given
    start = time.perf_counter()
    supervise(*frames, test_models=["m6", "m7"], settings=PAPER)
    # Some 3 seconds on one core; a loop over rows would take minutes.
    assert time.perf_counter() - start < 30
