import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise.records import Checklist, ItemGrade, Response
from checkwise.scoring.mean import empty_grades, empty_score, mean_score

PROBABILITY = st.floats(min_value=0, max_value=1)


def grade(number, p_yes, mass=0.9, *, low_mass=False):
    return ItemGrade(
        instance_id="q1",
        model="m",
        number=number,
        item=f"Item {number}?",
        p_yes=p_yes,
        mass=mass,
        mode="logprobs",
        low_mass=low_mass,
        reason=None if p_yes is not None else "neither Yes nor No was among the tokens",
    )


def score_of(*p_yes):
    return mean_score([grade(i, p) for i, p in enumerate(p_yes, start=1)], instance_id="q1", model="m")


def test_the_score_is_the_mean_of_p_yes():
    score = score_of(0.9, 0.5, 0.1, 0.7)
    assert score.value == pytest.approx(0.55)
    assert score.on_ten == pytest.approx(5.95)
    assert (score.status, score.items, score.scored_items, score.reason) == ("scored", 4, 4, None)


def test_unscored_items_are_skipped_not_filled_in():
    score = score_of(0.8, None, 0.6)
    assert score.value == pytest.approx(0.7)
    assert (score.items, score.scored_items) == (3, 2)


def test_half_of_the_items_is_enough():
    assert score_of(0.8, None, 0.4, None).value == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("p_yes", "reason"),
    [
        ((0.8, None, None), "1 of 3 items is scored, fewer than half: neither Yes nor No was among the tokens"),
        (
            (0.8, 0.9, None, None, None),
            "2 of 5 items are scored, fewer than half: neither Yes nor No was among the tokens",
        ),
        ((None, None), "0 of 2 items are scored, fewer than half: neither Yes nor No was among the tokens"),
        ((), "no item was graded"),
    ],
)
def test_fewer_than_half_is_unscored_and_says_how_many(p_yes, reason):
    score = score_of(*p_yes)
    assert (score.value, score.status, score.reason) == (None, "unscored", reason)
    assert (score.items, score.scored_items) == (len(p_yes), sum(p is not None for p in p_yes))


def test_mass_is_averaged_over_scored_items_and_flags_are_counted_over_all():
    grades = [
        grade(1, 0.9, mass=0.9),
        grade(2, 0.4, mass=0.3, low_mass=True),
        grade(3, None, mass=0.0, low_mass=True),
        grade(4, 1.0, mass=None),
    ]
    score = mean_score(grades, instance_id="q1", model="m")
    assert score.mean_mass == pytest.approx(0.6)
    assert score.low_mass_items == 2


def test_without_any_mass_there_is_no_mean_mass():
    assert mean_score([grade(1, 0.5, mass=None)], instance_id="q1", model="m").mean_mass is None


@given(st.lists(PROBABILITY, min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter_and_the_score_stays_within_them(p_yes, random):
    shuffled = list(p_yes)
    random.shuffle(shuffled)
    value = score_of(*p_yes).value
    assert value == score_of(*shuffled).value
    assert min(p_yes) - 1e-15 <= value <= max(p_yes) + 1e-15


LIST = Checklist(instance_id="q1", items=("Is it polite?", "Is it short?"))


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_response_is_scored_by_rule(text):
    response = Response(instance_id="q1", model="m", text=text)
    grades = empty_grades(response, LIST)
    score = empty_score(response, LIST)
    assert [(g.number, g.item, g.p_yes, g.mode, g.mass) for g in grades] == [
        (1, "Is it polite?", 0.0, "rule", None),
        (2, "Is it short?", 0.0, "rule", None),
    ]
    assert (score.value, score.status, score.items, score.scored_items) == (0.0, "empty", 2, 2)
    assert score.reason == grades[0].reason == "the response is empty, so it satisfies no item"


def test_the_rule_refuses_a_response_with_text():
    response = Response(instance_id="q1", model="m", text="Hello")
    with pytest.raises(ValueError, match="not empty"):
        empty_score(response, LIST)
    with pytest.raises(ValueError, match="not empty"):
        empty_grades(response, LIST)
