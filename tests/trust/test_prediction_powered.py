import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t, ttest_1samp

from checkwise.bootstrap import Interval
from checkwise.errors import DataError, MissingExtraError
from checkwise.trust.prediction_powered import prediction_powered, prediction_powered_by

ROW = {"instance_id": pl.String, "value": pl.Float64, "label": pl.Float64}


def rows_of(*rows):
    """Rows of (instance, value, label)."""
    return pl.DataFrame(list(rows), schema=ROW, orient="row")


def judged(seed, *, labelled=20, unlabelled=200, rho=0.8, each=1):
    """Normal labels around 0, and a judge that correlates with them; rows of one instance share most of it."""
    draw = np.random.default_rng(seed)
    count = labelled + unlabelled
    label = draw.normal(size=(count, 1)) + 0.3 * draw.normal(size=(count, each)) * (each > 1)
    value = rho * label + np.sqrt(1 - rho**2) * draw.normal(size=label.shape)
    return rows_of(
        *((f"q{i:04}", value[i, k], label[i, k] if i < labelled else None) for i in range(count) for k in range(each))
    )


def theirs(rows, confidence=0.95):
    from ppi_py import ppi_mean_ci

    both, alone = rows.drop_nulls("label"), rows.filter(pl.col("label").is_null())
    label, value, other = both["label"].to_numpy(), both["value"].to_numpy(), alone["value"].to_numpy()
    scale = label.std() / value.std()
    (low,), (high,) = ppi_mean_ci(label, scale * value, scale * other, alpha=1 - confidence)
    return low, high


def test_the_estimate_by_hand():
    # The judge is right up to its scale: people's labels are ten times its values, so nothing is left to guess.
    rows = rows_of(
        *(("q1", 0.1, 1.0), ("q2", 0.2, 2.0), ("q3", 0.3, 3.0), ("q4", 0.4, 4.0)),
        *((f"r{i}", value, None) for i, value in enumerate([0.5, 0.6, 0.7, 0.8] * 25)),
    )
    found = prediction_powered(rows)
    assert (found.labelled.value, found.labelled.n, found.unlabelled) == (2.5, 4, 100)
    assert found.judge == pytest.approx((1.0 + 65.0) / 104)
    # Cov(label, value) over the variance of all values, less what n = 4 and N = 100 share, times the means' distance.
    all_values = np.array([0.1, 0.2, 0.3, 0.4] + [0.5, 0.6, 0.7, 0.8] * 25)
    weight = 0.125 / np.var(all_values, ddof=1) / (1 + 4 / 100)
    assert found.powered.value == pytest.approx(2.5 + weight * (0.65 - 0.25))


@pytest.mark.parametrize("labelled", [3, 10, 60])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_it_is_the_estimate_of_ppi_py_with_an_interval_for_few_labels(labelled, confidence):
    rows = judged(1, labelled=labelled)
    low, high = theirs(rows, confidence)
    found = prediction_powered(rows, confidence=confidence).powered
    assert found.value == pytest.approx((low + high) / 2)
    tail = (1 + confidence) / 2
    wider = t.ppf(tail, labelled - 2) / norm.ppf(tail) * np.sqrt(labelled / (labelled - 2))
    assert found.interval.high - found.interval.low == pytest.approx(wider * (high - low))
    assert found.n == labelled


def test_labels_alone_have_the_interval_of_student():
    rows = judged(2)
    expected = ttest_1samp(rows["label"].drop_nulls().to_numpy(), 0).confidence_interval(0.95)
    found = prediction_powered(rows).labelled.interval
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_a_judge_that_goes_with_people_narrows_the_interval():
    for seed in range(20):
        found = prediction_powered(judged(seed, rho=0.9, labelled=30))
        assert found.gain > 1.5
        assert found.powered.interval.high - found.powered.interval.low < (
            found.labelled.interval.high - found.labelled.interval.low
        )


def test_the_gain_is_in_labels():
    # With many unlabelled instances, 1 - rho² of the variance is left: 0.36, so labels count nearly three times.
    found = prediction_powered(judged(3, labelled=2000, unlabelled=100_000))
    assert found.gain == pytest.approx(1 / 0.36, rel=0.1)


def test_a_judge_that_only_guesses_does_no_harm_and_no_good():
    found = prediction_powered(judged(4, rho=0.0, labelled=100))
    assert found.gain == pytest.approx(1.0, abs=0.1)
    against = prediction_powered(judged(4, rho=-0.9, labelled=100))
    assert against.powered.value == pytest.approx(against.labelled.value)


@settings(max_examples=25, deadline=None)
@given(st.floats(0.01, 100), st.floats(-50, 50), st.integers(0, 1000))
def test_the_scale_of_the_judge_changes_nothing(factor, shift, seed):
    rows = judged(seed)
    plain = prediction_powered(rows).powered
    other = prediction_powered(rows.with_columns(factor * pl.col("value") + shift)).powered
    assert other.value == pytest.approx(plain.value, abs=1e-6)
    assert other.interval.low == pytest.approx(plain.interval.low, abs=1e-6)


def test_rows_of_one_instance_count_once():
    rows = judged(5)
    repeated = prediction_powered(pl.concat([rows] * 4))
    once = prediction_powered(rows)
    assert (repeated.powered.n, repeated.unlabelled) == (20, 200)
    assert repeated.powered.interval.low == pytest.approx(once.powered.interval.low)
    assert repeated.labelled.interval.low == pytest.approx(once.labelled.interval.low)


def test_rows_that_cannot_be_used_are_counted():
    rows = judged(6)
    extra = rows_of(("q0000", 0.9, None), ("q0001", None, 0.4), ("new", None, 0.4), ("new2", float("nan"), None))
    found = prediction_powered(pl.concat([rows, extra]))
    assert (found.beside, found.unscored) == (1, 3)
    assert found.powered.value == pytest.approx(prediction_powered(rows).powered.value)


def test_the_order_of_rows_changes_nothing():
    rows = judged(7, each=3)
    assert prediction_powered(rows.sample(fraction=1, shuffle=True, seed=1)) == prediction_powered(rows)


@pytest.mark.parametrize(
    ("rows", "labelled", "powered", "reason"),
    [
        ([], None, None, "0 labelled instances are too few"),
        ([("q1", 0.5, None)] * 3, None, None, "0 labelled instances are too few"),
        ([("q1", 0.5, 1.0), ("q2", 0.4, None)], 1.0, None, "1 labelled instances are too few"),
        ([("q1", 0.5, 1.0), ("q2", 0.4, 0.0)], 0.5, None, "2 labelled instances are too few"),
        ([(f"q{i}", i / 4, i / 2) for i in range(3)], 0.5, 0.5, "0 instances are unlabelled"),
        ([(f"q{i}", i / 9, i / 2 if i < 3 else None) for i in range(4)], 0.5, 0.5, "1 instances are unlabelled"),
        ([(f"q{i}", 0.3, i / 2 if i < 3 else None) for i in range(9)], 0.5, 0.5, "the judge gives all labelled"),
        ([(f"q{i}", i / 9, 1.0 if i < 3 else None) for i in range(9)], 1.0, 1.0, "all labels are equal"),
    ],
)
def test_too_little_is_said_not_guessed(rows, labelled, powered, reason):
    found = prediction_powered(rows_of(*rows))
    assert (found.labelled.value, found.powered.value) == (labelled, powered)
    assert found.reason.startswith(reason)
    assert (found.labelled.interval is None) == (found.labelled.reason is not None)
    assert found.gain in (None, 1.0)


def test_each_model_on_its_own():
    one, two = judged(8).with_columns(model=pl.lit("b")), judged(9).with_columns(model=pl.lit("a"))
    nobody = rows_of(("q1", 0.4, None)).with_columns(model=pl.lit("c"))
    table = prediction_powered_by(pl.concat([one, two, nobody]))
    assert table["model"].to_list() == ["a", "b", "c"]
    assert table["powered"].to_list()[:2] == [prediction_powered(rows).powered.value for rows in (two, one)]
    assert table["labelled_n"].to_list() == [20, 20, 0]
    assert table["reason"].to_list()[:2] == [None, None]
    assert table["reason"][2].startswith("0 labelled instances")
    assert Interval(table["powered_low"][0], table["powered_high"][0]) == prediction_powered(two).powered.interval
    assert not any(table.select(pl.col(pl.Float64).is_nan().any()).row(0))
    assert prediction_powered_by(pl.concat([one, two]).clear()).is_empty()


def test_labels_may_be_true_and_false_but_not_words():
    rows = judged(10).with_columns(label=pl.col("label") > 0)
    assert 0 < prediction_powered(rows).powered.value < 1
    with pytest.raises(DataError, match="the label of the rows is not a number but String"):
        prediction_powered(rows.with_columns(label=pl.lit("good")))
    with pytest.raises(ValueError, match="between 0 and 1"):
        prediction_powered(rows, confidence=95)


def test_without_the_package_the_pip_line_is_given(monkeypatch):
    monkeypatch.setitem(sys.modules, "ppi_py", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'checkwise\[ppi\]'"):
        prediction_powered(judged(11))


def test_warnings_stay_on_after_the_package_was_imported():
    code = (
        "import warnings\n"
        "from checkwise.trust.prediction_powered import _mean_interval\n"
        "before = list(warnings.filters)\n"
        "_mean_interval(); assert warnings.filters == before"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
@pytest.mark.parametrize(("labelled", "each"), [(3, 1), (5, 1), (12, 1), (12, 4), (50, 1)])
def test_the_interval_holds_the_truth_as_often_as_it_says(labelled, each):
    found = [prediction_powered(judged(seed, labelled=labelled, each=each)).powered.interval for seed in range(1000)]
    assert np.mean([interval.low <= 0 <= interval.high for interval in found]) > 0.93
