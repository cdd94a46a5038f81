"""From next-token probabilities to p_yes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise.parsing.choices import sum_over_variants, yes_probability
from checkwise.questions import Choice


def choice(tokens: dict[str, float], floor: float = 0.0) -> Choice:
    probabilities, variants = sum_over_variants(tokens.items(), ("Yes", "No"))
    return Choice(probabilities=probabilities, variants=variants, floor=floor)


def test_surface_variants_of_an_option_add_up():
    read = yes_probability(choice({"Yes": 0.4, " yes": 0.1, "YES": 0.1, "No": 0.2, "▁no": 0.1, "Maybe": 0.1}))
    assert read.p_yes == pytest.approx(0.6 / 0.9)
    assert read.mass == pytest.approx(0.9)
    assert not read.bounded


def test_words_that_only_begin_like_an_option_do_not_count():
    read = yes_probability(choice({"Yes": 0.3, "Yesterday": 0.4, "No": 0.1, "Not": 0.2}))
    assert read.p_yes == pytest.approx(0.75)
    assert read.mass == pytest.approx(0.4)


def test_a_side_that_was_not_returned_is_bounded_by_the_floor_and_not_zero():
    read = yes_probability(choice({"Yes": 0.9, "The": 0.08, "A": 0.02}, floor=0.02))
    assert read.p_yes == pytest.approx(0.9 / 0.92)
    assert read.bounded
    assert read.mass == pytest.approx(0.9)


def test_neither_side_returned_is_unscored():
    read = yes_probability(choice({"The": 0.6, "A": 0.4}, floor=0.4))
    assert read.p_yes is None
    assert read.mass == 0


def test_paper_takes_the_likeliest_variant_and_a_missing_side_as_zero():
    assert yes_probability(choice({"Yes": 0.4, " yes": 0.2, "No": 0.1}), paper=True).p_yes == pytest.approx(0.8)
    assert yes_probability(choice({"Yes": 0.4, "The": 0.6}, floor=0.4), paper=True).p_yes == 1
    assert yes_probability(choice({"The": 1.0}), paper=True).p_yes == 0.5


@given(st.lists(st.floats(-20, 0), min_size=2, max_size=12))
def test_p_yes_equals_the_exp_normalised_log_probabilities(logprobs: list[float]):
    """The reference's maths, worked out independently: exp(yes) / (exp(yes) + exp(no)), by the log-sum-exp way."""
    surfaces = ["Yes", "No", " yes", " no", "YES", "NO", " Yes", " No", "yes", "no", " YES", " NO"][: len(logprobs)]
    read = yes_probability(choice({s: math.exp(lp) for s, lp in zip(surfaces, logprobs, strict=True)}))
    logsumexp = lambda values: max(values) + math.log(sum(math.exp(v - max(values)) for v in values))  # noqa: E731
    difference = logsumexp(logprobs[1::2]) - logsumexp(logprobs[0::2])
    assert read.p_yes == pytest.approx(1 / (1 + math.exp(difference)), abs=1e-6)
