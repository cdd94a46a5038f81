import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checkwise.errors import NothingJudgedError
from checkwise.trust.tie_margin import fit_tie_margin


def scores(gaps):
    """Two models whose scores differ by so much on the 1-10 scale, a gap an instance."""
    rows = [row for id, gap in gaps.items() for row in ((id, "a", 0.5 + gap / 9), (id, "b", 0.5))]
    return pl.DataFrame(rows, schema=["instance_id", "model", "value"], orient="row")


def votes(winners):
    rows = [(id, "b", "a", winner, "someone") for id, winner in winners]
    return pl.DataFrame(rows, schema=["instance_id", "model_a", "model_b", "winner", "judge"], orient="row")


GAPS = {"1-1": 0.05, "1-2": 0.2, "2-1": 0.4, "2-2": 0.8, "3-1": 1.6, "3-2": 2.0}


def test_the_margin_gives_as_many_ties_as_people_give():
    # Three of six votes are ties, so that the three smallest differences shall be: 0.05, 0.2, 0.4 are below 0.6.
    cast = votes(
        [("1-1", "tie"), ("1-2", "tie"), ("2-1", "model_b"), ("2-2", "tie"), ("3-1", "model_b"), ("3-2", "model_a")]
    )
    found = fit_tie_margin(scores(GAPS), cast)
    assert found.margin == pytest.approx(0.6)
    assert (found.vote_tie_rate, found.tie_rate, found.votes, found.left_out) == (0.5, 0.5, 6, 0)
    # The published margin, 0.1, makes 1-1 alone a tie, and is right on it, on 2-1 and on 3-1.
    assert found.published.rate == pytest.approx(0.5)


def test_margins_are_judged_on_questions_they_were_not_fitted_to():
    cast = votes([(id, "tie" if gap < 0.5 else "model_b") for id, gap in GAPS.items()])
    found = fit_tie_margin(scores(GAPS), cast)
    # Three questions with two turns each: a fold each, and no question in two.
    assert (found.questions, found.folds) == (3, 3)
    # Question 1 is decided by a margin for one tie of four (2-1), 0.6; question 2 by one for two of four, 0.9, which
    # calls 2-2 a tie; question 3 by one for three of four, 0.6.
    assert found.held_out.rate == pytest.approx(5 / 6)
    assert found.held_out_tie_rate == pytest.approx(4 / 6)
    assert found.held_out.votes == 6


def test_no_ties_give_no_margin_and_nothing_but_ties_a_wide_one():
    none = fit_tie_margin(scores(GAPS), votes([(id, "model_a") for id in GAPS]))
    assert (none.margin, none.tie_rate) == (0.0, 0.0)
    everything = fit_tie_margin(scores(GAPS), votes([(id, "tie") for id in GAPS]))
    assert (everything.margin, everything.tie_rate) == (10.0, 1.0)


def test_equal_scores_are_a_tie_with_any_margin():
    found = fit_tie_margin(scores({"1": 0.0, "2": 0.0, "3": 1.0}), votes([(id, "model_a") for id in "123"]))
    assert (found.margin, found.tie_rate) == (0.0, pytest.approx(2 / 3))


def test_one_question_cannot_be_held_out():
    found = fit_tie_margin(scores({"1-1": 0.1, "1-2": 0.5}), votes([("1-1", "tie"), ("1-2", "model_b")]))
    assert (found.held_out, found.held_out_tie_rate, found.folds, found.questions) == (None, None, 0, 1)
    named = fit_tie_margin(
        scores({"x": 0.1, "y": 0.5}), votes([("x", "tie"), ("y", "model_b")]), questions={"x": "1", "y": "1"}
    )
    assert named.folds == 0


def test_votes_without_scores_or_winner_are_counted():
    cast = votes([("1-1", "tie"), ("2-1", "model_b"), ("2-1", None), ("9-1", "tie")])
    found = fit_tie_margin(scores(GAPS), cast)
    assert (found.votes, found.left_out) == (2, 2)
    with pytest.raises(NothingJudgedError, match="none of the 1 votes"):
        fit_tie_margin(scores(GAPS), votes([("9-1", "tie")]))


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_margin_is_as_good_as_any_other(data):
    numbers = st.integers(0, 20).map(lambda n: n / 10)
    gaps = {f"q{n}": data.draw(numbers) for n in range(8)}
    winners = [(id, data.draw(st.sampled_from(["model_a", "model_b", "tie"]))) for id in gaps]
    found = fit_tie_margin(scores(gaps), votes(winners), draws=2)
    ties = sum(winner == "tie" for _, winner in winners) / 8

    def off(margin):
        return abs(sum(gap < margin or gap == 0 for gap in gaps.values()) / 8 - ties)

    assert off(found.margin) == pytest.approx(min(off(n / 10 + 0.05) for n in range(-1, 22)))
    assert found.tie_rate == pytest.approx(off(found.margin) + ties) or found.tie_rate == pytest.approx(
        ties - off(found.margin)
    )
