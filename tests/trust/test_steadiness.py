"""How often a judge says the same again."""

from itertools import combinations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise.trust.steadiness import item_steadiness, steadiness


def grades(*counts):
    """One item a row: (instance, answers, yes answers)."""
    rows = [(instance, "m", number, n, k) for number, (instance, n, k) in enumerate(counts, start=1)]
    schema = {"instance_id": pl.String, "model": pl.String, "number": pl.Int64}
    return pl.DataFrame(rows, schema=schema | {"answers": pl.Int64, "yes_answers": pl.Int64}, orient="row")


def test_by_hand():
    # Of 4 answers with 3 Yes there are 6 pairs, 3 of them the same; of 2 with 1 Yes there is 1 pair, which is not.
    found = item_steadiness(grades(("q", 4, 3), ("q", 2, 1), ("r", 5, 5), ("r", 1, 1), ("r", None, None)))
    assert found["agreement"].to_list() == pytest.approx([3 / 6, 0.0, 1.0])
    whole = steadiness(grades(("q", 4, 3), ("q", 2, 1), ("r", 5, 5), ("r", 1, 1), ("r", None, None)))
    assert whole.agreement.value == pytest.approx((3 + 0 + 10) / (6 + 1 + 10))
    assert (whole.agreement.n, whole.items, whole.left_out) == (17, 3, 2)
    assert whole.unanimous.value == pytest.approx(1 / 3)
    assert whole.agreement.interval.low <= whole.agreement.value <= whole.agreement.interval.high


@given(st.lists(st.booleans(), min_size=2, max_size=8))
def test_it_is_the_share_of_pairs_that_are_the_same(answers):
    same = [one == other for one, other in combinations(answers, 2)]
    found = item_steadiness(grades(("q", len(answers), sum(answers))))
    assert found["agreement"].item() == pytest.approx(sum(same) / len(same))


def test_where_nothing_was_sampled_there_is_no_figure():
    found = steadiness(grades(("q", None, None)))
    assert (found.agreement.value, found.agreement.reason) == (None, "no item has two sampled answers")
