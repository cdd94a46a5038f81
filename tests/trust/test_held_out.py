"""Choosing by votes without looking at the votes that the choice is measured on."""

import polars as pl
import pytest

from checkwise.errors import DataError
from checkwise.trust.agreement import agreement
from checkwise.trust.held_out import Candidate, chosen_on_other_folds, held_out_outcomes, question_folds

INSTANCES = [f"q{n}" for n in range(12)]
FOLDS = {instance: n % 4 for n, instance in enumerate(INSTANCES)}


def votes(winners):
    return pl.DataFrame(
        {
            "instance_id": INSTANCES,
            "model_a": ["a"] * 12,
            "model_b": ["b"] * 12,
            "winner": winners,
            "judge": ["someone"] * 12,
        }
    )


def always(winner):
    table = pl.DataFrame({"instance_id": INSTANCES, "model_a": ["a"] * 12, "model_b": ["b"] * 12})
    return table.with_columns(outcome=pl.lit(winner))


def remembering():
    """Knows the votes it has seen by heart, and says tie to all others."""

    def outcomes(seen):
        known = seen.select("instance_id", known="winner")
        return (
            always("tie")
            .join(known, on="instance_id", how="left")
            .with_columns(outcome=pl.coalesce("known", "outcome"))
        )

    return Candidate("remembering", outcomes)


def test_turns_of_a_question_are_in_the_same_fold():
    folds = question_folds({f"{n}-{turn}": str(n) for n in range(20) for turn in (1, 2)}, folds=5)
    assert all(folds[f"{n}-1"] == folds[f"{n}-2"] for n in range(20))
    assert sorted(list(folds.values()).count(fold) for fold in range(5)) == [8] * 5
    assert question_folds({"b": "b", "a": "a", "c": "c"}, folds=3) == question_folds(
        {"a": "a", "b": "b", "c": "c"}, folds=3
    )


@pytest.mark.parametrize("folds", [1, 4])
def test_fewer_questions_than_folds_are_refused(folds):
    with pytest.raises(DataError, match="3 questions cannot be dealt"):
        question_folds({"a": "a", "b": "b", "c": "c"}, folds=folds)


def test_what_was_learned_by_heart_is_worth_nothing_on_other_questions():
    cast = votes(["model_a", "model_b"] * 6)
    assert agreement(remembering().outcomes(cast), cast).rate == 1
    assert agreement(held_out_outcomes(remembering(), cast, FOLDS), cast).rate == 0


def test_the_candidate_that_does_best_on_the_other_folds_is_chosen():
    cast = votes(["model_a"] * 9 + ["model_b"] * 3)
    candidates = [
        Candidate("b", lambda _: always("model_b")),
        Candidate("a", lambda _: always("model_a")),
        remembering(),
    ]
    chosen = chosen_on_other_folds(candidates, cast, FOLDS)
    assert chosen.times == {"a": 4}
    assert agreement(chosen.outcomes, cast).rate == 0.75
    assert sorted(chosen.outcomes["instance_id"]) == sorted(INSTANCES)


def test_where_two_do_equally_well_the_first_is_taken():
    cast = votes(["model_a"] * 12)
    same = [Candidate("simple", lambda _: always("model_a")), Candidate("clever", lambda _: always("model_a"))]
    assert chosen_on_other_folds(same, cast, FOLDS).times == {"simple": 4}


def test_the_choice_never_sees_the_fold_that_it_decides():
    seen = []

    def watching(training):
        seen.append(set(training["instance_id"]))
        return always("model_a")

    chosen_on_other_folds([Candidate("w", watching)], votes(["model_a"] * 12), FOLDS)
    # For each fold: once for each of the three inner folds, then on all three.
    for fold, at in zip(range(4), range(0, 16, 4), strict=True):
        held_out = {instance for instance, number in FOLDS.items() if number == fold}
        assert all(not held_out & training for training in seen[at : at + 4])
        assert [len(training) for training in seen[at : at + 4]] == [6, 6, 6, 9]


def test_votes_on_an_instance_in_no_fold_are_an_error():
    with pytest.raises(DataError, match="12 votes are about instances in no fold, such as q0"):
        held_out_outcomes(remembering(), votes(["tie"] * 12), {"other": 0, "more": 1})
