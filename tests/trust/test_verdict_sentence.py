import pytest

from checkwise.bootstrap import Interval
from checkwise.trust.agreement import Agreement
from checkwise.trust.paired import AgreementDifference, DifferenceFromPeople
from checkwise.trust.verdict_sentence import verdict_sentence

JUDGE = Agreement(rate=0.64, interval=Interval(0.57, 0.7), kappa=0.4, votes=330, instances=16, left_out=0)
BETTER = AgreementDifference(0.091, Interval(0.029, 0.162), votes=330, instances=16, left_out=0)


def beside_people(value, low, high, *, questions=16, people=0.65):
    interval = None if low is None else Interval(low, high)
    return DifferenceFromPeople(value, interval, people + value, people, votes=200, instances=questions, left_out=0)


def beside_rule(value, low, high, *, questions=16):
    interval = None if low is None else Interval(low, high)
    return AgreementDifference(value, interval, votes=330, instances=questions, left_out=0)


def first(people, **settings):
    return verdict_sentence(JUDGE, people, BETTER, **settings).removesuffix(
        " It is better than the rule “the longer response wins” "
        "(difference +9.1 points, 95% interval +2.9 to +16.2; 16 questions)."
    )


def second(baseline, **settings):
    beside = beside_people(-0.01, -0.04, 0.02)
    return verdict_sentence(JUDGE, beside, baseline, **settings).removeprefix(first(beside) + " ")


def test_as_often_as_people():
    assert first(beside_people(-0.01, -0.04, 0.02)) == (
        "The judge agrees with people as often as people agree with each other "
        "(64.0% against 65.0%, difference −1.0 points, 95% interval −4.0 to +2.0; 16 questions)."
    )


@pytest.mark.parametrize(
    ("value", "low", "high", "how"),
    [
        (-0.12, -0.18, -0.06, "clearly less often than"),
        (-0.06, -0.11, -0.01, "less often than"),
        (-0.03, -0.05, -0.01, "a little less often than"),
        (0.0, -0.05, 0.05, "as often as"),
        (0.03, 0.01, 0.05, "a little more often than"),
        (0.06, 0.01, 0.11, "more often than"),
        (0.12, 0.06, 0.18, "clearly more often than"),
    ],
)
def test_how_often_is_told_by_the_interval(value, low, high, how):
    assert first(beside_people(value, low, high)).startswith(
        f"The judge agrees with people {how} people agree with each other ("
    )


def test_no_difference_seen_is_not_the_same_as_none():
    # The interval must shrink from 9 points either way to 4, and so needs (9 / 4)² times 16 questions: 81.
    assert first(beside_people(-0.01, -0.1, 0.08)) == (
        "It cannot be told whether the judge agrees with people as often as people agree with each other "
        "(64.0% against 65.0%, difference −1.0 points, 95% interval −10.0 to +8.0; 16 questions); "
        "roughly 81 questions would be needed."
    )


def test_what_is_needed_has_two_digits():
    # A difference of 8 points is to be told from none: (9 / 8)² times 16 is 20.25.
    assert "roughly 21 questions" in first(beside_people(-0.08, -0.17, 0.01))
    # (20 / 2.5)² times 16 is 1,024.
    assert "roughly 1,100 questions" in first(beside_people(-0.025, -0.225, 0.175))
    # Skewed: never fewer than there are.
    assert "roughly 17 questions" in first(beside_people(-0.08, -0.158, 0.001))


def test_a_wider_margin_calls_more_the_same():
    beside = beside_people(-0.01, -0.1, 0.08)
    assert "as often as people agree" in first(beside, margin=0.1).removeprefix("The judge agrees with people ")
    assert first(beside, margin=0.1).startswith("The judge agrees with people as often as")
    with pytest.raises(ValueError, match="above 0"):
        first(beside, margin=0)


@pytest.mark.parametrize(
    ("people", "why"),
    [
        (
            beside_people(0.0, None, None, questions=1),
            "difference 0.0 points; 1 question): 1 question shows too little",
        ),
        (beside_people(0.2, 0.1, 0.3, questions=4), "4 questions): 4 questions show too little of the spread"),
        (beside_people(0.0, 0.0, 0.0, questions=9), "9 questions): every question gives the same difference"),
    ],
)
def test_an_interval_over_next_to_nothing_is_not_believed(people, why):
    said = first(people)
    assert said.startswith("It cannot be told whether")
    assert why in said


def test_without_people_who_voted_on_the_same_pair_only_the_rate_is_told():
    assert first(None) == (
        "The judge agrees with 64.0% of 330 votes (16 questions, 95% interval 57.0% to 70.0%). "
        "No two people voted on the same pair of responses, so how often people agree with each other is not known."
    )
    alone = Agreement(rate=0.5, interval=None, kappa=None, votes=2, instances=1, left_out=0)
    assert verdict_sentence(alone, None, BETTER).startswith(
        "The judge agrees with 50.0% of 2 votes (1 question). No two"
    )


def test_a_judge_must_be_shown_to_beat_the_trivial_rule():
    assert second(BETTER).startswith("It is better than the rule “the longer response wins” (difference +9.1 points")
    # Four points are to be told from none: (7 / 4)² times 16 is 49.
    assert second(beside_rule(0.04, -0.03, 0.1)) == (
        "It is not shown to be better than the rule “the longer response wins” "
        "(difference +4.0 points, 95% interval −3.0 to +10.0; 16 questions); roughly 49 questions would be needed."
    )


def test_a_judge_that_is_no_better_or_worse_or_not_compared_is_said_to_be():
    assert second(beside_rule(-0.02, -0.09, 0.06)).endswith("95% interval −9.0 to +6.0; 16 questions).")
    assert second(beside_rule(-0.2, -0.3, -0.1)).startswith("It is worse than the rule")
    assert second(beside_rule(-0.2, -0.3, -0.1)).endswith("do not use it.")
    assert second(None) == (
        "It is not shown to be better than the rule “the longer response wins”: the two were not compared."
    )
    few = second(beside_rule(0.3, 0.1, 0.5, questions=3))
    assert few.startswith("It is not shown to be better")
    assert few.endswith("3 questions show too little of the spread.")
    assert second(None, rule="the first response wins").startswith(
        "It is not shown to be better than the rule “the first"
    )


def test_the_confidence_is_named():
    said = verdict_sentence(JUDGE, beside_people(-0.01, -0.04, 0.02), BETTER, confidence=0.9)
    assert said.count("90% interval") == 2
