import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise.errors import NothingJudgedError
from checkwise.ranking.head_to_head import head_to_head


def outcomes(*rows):
    schema = ("instance_id", "model_a", "model_b", "outcome")
    return pl.DataFrame(list(rows), schema=dict.fromkeys(schema, pl.String), orient="row")


def duel(ends, *, a="a", b="b"):
    return [(f"q{number}", a, b, end) for number, end in enumerate(ends)]


def test_both_sides_of_every_pair():
    table = head_to_head(outcomes(*duel(["model_a", "model_a", "tie", "model_b"])))
    assert table.select("model_a", "model_b", "n", "wins", "ties", "losses", "win_rate").rows() == [
        ("a", "b", 4, 2, 1, 1, 0.625),
        ("b", "a", 4, 1, 1, 2, 0.375),
    ]
    low, high = table.select("low", "high").row(0)
    assert 0 <= low < 0.625 < high <= 1
    # What one side wins the other loses: the intervals mirror each other.
    assert table.select("low", "high").row(1) == pytest.approx((1 - high, 1 - low))


def test_pairs_may_be_named_either_way_round():
    one = outcomes(("q1", "a", "b", "model_a"), ("q2", "b", "a", "model_a"))
    assert head_to_head(one).select("wins", "losses").rows() == [(1, 1), (1, 1)]


def test_winning_everything_is_not_certainty():
    table = head_to_head(outcomes(*duel(["model_a"] * 20)))
    # Clopper and Pearson: 0.025 ** (1 / 20) = 0.8316.
    assert table.select("win_rate", "low", "high").rows() == [
        (1.0, pytest.approx(0.8316, abs=1e-4), 1.0),
        (0.0, 0.0, pytest.approx(0.1684, abs=1e-4)),
    ]


def test_a_single_instance_has_no_interval():
    table = head_to_head(outcomes(("q1", "a", "b", "tie")))
    assert table.select("win_rate", "low", "high").rows() == [(0.5, None, None)] * 2


def test_pairs_without_an_outcome_do_not_count():
    table = head_to_head(outcomes(*duel(["model_a", None, "tie"]), *duel([None], b="c")))
    assert table.select("model_a", "model_b", "n").rows() == [("a", "b", 2), ("b", "a", 2)]
    with pytest.raises(NothingJudgedError):
        head_to_head(outcomes(*duel([None])))


@given(ends=st.lists(st.sampled_from(["model_a", "model_b", "tie", None]), min_size=1, max_size=12))
def test_counts_add_up(ends):
    known = [end for end in ends if end]
    if not known:
        return
    first = head_to_head(outcomes(*duel(ends), *duel(ends, a="c", b="b")), draws=20).row(0, named=True)
    assert first["n"] == len(known) == first["wins"] + first["ties"] + first["losses"]
    assert first["win_rate"] == pytest.approx((known.count("model_a") + known.count("tie") / 2) / len(known))
