import math

import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import expit
from sklearn.isotonic import IsotonicRegression

from checkwise.errors import DataError
from checkwise.ranking.pairs import pair_outcomes
from checkwise.trust.calibration import calibration, pair_forecasts
from checkwise.trust.recalibration import (
    fitted_scale,
    recalibrated,
    split_by_question,
    win_probabilities,
    win_probability,
)


def forecasts_of(rows):
    """Rows of (instance, p, outcome)."""
    names = {"instance_id": pl.String, "p": pl.Float64, "outcome": pl.Float64}
    return pl.DataFrame(list(rows), schema=names, orient="row").with_columns(weight=pl.lit(1.0))


def overconfident(seed=1, *, questions=100, each=8):
    """A judge whose logits are three times too large."""
    draw = np.random.default_rng(seed)
    logits = draw.normal(0, 1, (questions, each))
    came = draw.random((questions, each)) < expit(logits)
    rows = ((f"{i}-{1 + k % 2}", expit(3 * logits[i, k]), came[i, k]) for i in range(questions) for k in range(each))
    return forecasts_of(rows)


def outcomes_of(*rows):
    """Rows of (instance, delta), of a against b."""
    schema = {"instance_id": pl.String, "delta": pl.Float64}
    return pl.DataFrame(list(rows), schema=schema, orient="row").with_columns(model_a=pl.lit("a"), model_b=pl.lit("b"))


def votes_of(*rows):
    """Rows of (instance, winner), of a against b."""
    schema = {"instance_id": pl.String, "winner": pl.String}
    sides = {"model_a": pl.lit("a"), "model_b": pl.lit("b"), "judge": pl.lit("eva")}
    return pl.DataFrame(list(rows), schema=schema, orient="row").with_columns(**sides)


def test_win_probability_by_hand():
    found = win_probability(np.array([0.0, 2.0, -2.0, math.nan]), 2.0)
    assert found[:3].tolist() == pytest.approx([0.5, math.e / (1 + math.e), 1 / (1 + math.e)])
    assert math.isnan(found[3])
    with pytest.raises(ValueError, match="above 0"):
        win_probability(np.array([1.0]), 0.0)


def test_pairs_without_a_score_have_no_probability():
    scores = pl.DataFrame({"instance_id": ["q", "q", "q"], "model": ["a", "b", "c"], "value": [0.5, 0.5, None]})
    found = win_probabilities(pair_outcomes(scores), 1.0)
    assert found["p_a"].to_list() == [0.5, None, None]


def test_the_scale_by_hand():
    # One difference only, and three of four votes go with it: p = 3/4, so delta / scale = ln 3.
    outcomes = outcomes_of(("q1", 2.0), ("q2", -2.0))
    votes = votes_of(("q1", "model_a"), ("q1", "model_a"), ("q2", "model_b"), ("q2", "model_a"))
    assert fitted_scale(outcomes, votes) == pytest.approx(2 / math.log(3), rel=1e-4)
    # A tie is half a win: three wins and two ties of five are 4 of 5.
    ties = votes_of(*[("q1", "model_a")] * 3, *[("q2", "tie")] * 2)
    assert fitted_scale(outcomes, ties) == pytest.approx(2 / math.log(4), rel=1e-4)


def random_votes(seed, *, questions=80, unit=1.0):
    draw = np.random.default_rng(seed)
    delta = draw.normal(0, 2, questions)
    won = draw.random(questions) < expit(delta / 1.5)
    outcomes = outcomes_of(*((f"q{i}", unit * delta[i]) for i in range(questions)))
    return outcomes, votes_of(*((f"q{i}", "model_a" if won[i] else "model_b") for i in range(questions)))


def test_the_scale_makes_votes_likeliest_whatever_the_unit():
    outcomes, votes = random_votes(3)
    delta, won = outcomes["delta"].to_numpy(), (votes["winner"] == "model_a").to_numpy()
    best = minimize_scalar(lambda scale: -np.log(expit(np.where(won, delta, -delta) / scale)).sum(), bounds=(0.1, 20))
    assert fitted_scale(outcomes, votes) == pytest.approx(best.x, rel=1e-3)
    assert fitted_scale(random_votes(3, unit=1000.0)[0], votes) == pytest.approx(1000 * best.x, rel=1e-3)


def test_turning_round_votes_changes_no_scale():
    outcomes, votes = random_votes(4)
    swapped = {"model_a": "model_b", "model_b": "model_a"}
    turned = votes.with_columns(model_a="model_b", model_b="model_a", winner=pl.col("winner").replace(swapped))
    assert fitted_scale(outcomes, turned) == pytest.approx(fitted_scale(outcomes, votes))


@pytest.mark.parametrize("delta", [0.0, -1.0])
def test_scores_that_do_not_go_with_votes_have_no_scale(delta):
    with pytest.raises(DataError, match="do not go with the 1 votes"):
        fitted_scale(outcomes_of(("q1", delta)), votes_of(("q1", "model_a")))


def test_a_scale_needs_votes_on_scored_pairs():
    with pytest.raises(DataError, match="no vote is about a pair"):
        fitted_scale(outcomes_of(("q1", None)), votes_of(("q1", "model_a")))


def test_turns_of_one_question_stay_together():
    rows = pl.DataFrame({"instance_id": [f"{question}-{turn}" for question in range(10) for turn in (1, 2)]})
    train, test = split_by_question(rows, train=0.3)
    questions = [{name.split("-")[0] for name in part["instance_id"]} for part in (train, test)]
    assert (len(questions[0]), len(questions[1])) == (3, 7)
    assert not questions[0] & questions[1]
    shuffled, _ = split_by_question(rows.sample(fraction=1, shuffle=True, seed=1), train=0.3)
    assert {*shuffled["instance_id"]} == {*train["instance_id"]}


def test_one_question_cannot_be_split_but_ids_may_end_in_numbers():
    rows = pl.DataFrame({"instance_id": ["task-1", "task-2"]})
    with pytest.raises(DataError, match="1 question"):
        split_by_question(rows)
    train, test = split_by_question(rows, suffix="")
    assert (train.height, test.height) == (1, 1)
    with pytest.raises(ValueError, match="between 0 and 1"):
        split_by_question(rows, train=1.0)


@pytest.mark.parametrize("method", ["isotonic", "logistic"])
def test_an_overconfident_judge_is_put_right(method):
    train, test = split_by_question(overconfident())
    found = recalibrated(train, test, method=method)
    assert found.before.expected_error.value > 0.12
    assert found.after.expected_error.value < 0.08
    assert found.after.brier.value < found.before.brier.value
    assert found.before.brier == calibration(test).brier


def test_platt_finds_the_factor():
    train, test = split_by_question(overconfident(questions=2000))
    put_right = recalibrated(train, test, method="logistic").put_right
    # Logits were three times too large.
    assert put_right(np.array([expit(3.0), 0.5])).tolist() == pytest.approx([expit(1.0), 0.5], abs=0.03)


def test_isotonic_is_that_of_scikit_learn():
    train, test = split_by_question(overconfident())
    theirs = IsotonicRegression(out_of_bounds="clip").fit(train["p"].to_numpy(), train["outcome"].to_numpy())
    given = np.linspace(0, 1, 30)
    np.testing.assert_allclose(recalibrated(train, test).put_right(given), theirs.predict(given))


def test_unscored_forecasts_stay_unscored():
    train, test = split_by_question(overconfident())
    found = recalibrated(train, pl.concat([test, forecasts_of([("new-1", None, 1.0)])]))
    assert (found.before.left_out, found.after.left_out) == (1, 1)


def test_nothing_is_reported_that_was_fitted_on():
    forecasts = forecasts_of([("81-1", 0.2, 0.0), ("82-1", 0.9, 1.0)])
    with pytest.raises(DataError, match="id 81: 1 questions are both fitted on and reported"):
        recalibrated(forecasts, forecasts_of([("81-2", 0.3, 1.0)]))
    with pytest.raises(DataError, match="1 outcomes to fit on are all alike"):
        recalibrated(forecasts_of([("1", 0.3, 1.0)]), forecasts_of([("2", 0.3, 1.0)]))


@pytest.mark.parametrize("method", ["isotonic", "logistic"])
def test_pairs_stay_symmetric(method):
    outcomes, votes = random_votes(7, questions=300)
    forecasts = pair_forecasts(win_probabilities(outcomes, 0.3), votes)
    train, test = split_by_question(forecasts)
    found = recalibrated(train, test, method=method)
    given = np.linspace(0.05, 0.95, 10)
    np.testing.assert_allclose(found.put_right(given) + found.put_right(1 - given), 1.0, atol=1e-6)
    assert found.after.brier.value < found.before.brier.value
