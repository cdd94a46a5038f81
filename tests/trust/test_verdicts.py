import polars as pl
import pytest

from checkwise.errors import DataError
from checkwise.trust.verdicts import orders_asked, pair_verdicts


def comparisons_of(*rows):
    """Rows of (pair, first, verdict, label)."""
    schema = dict.fromkeys(("pair_id", "first", "verdict", "label"), pl.String)
    return pl.DataFrame(list(rows), schema=schema, orient="row")


def both(pair, when_a_first, when_b_first, label):
    return [(pair, "A", when_a_first, label), (pair, "B", when_b_first, label)]


@pytest.mark.parametrize(
    ("verdicts", "label", "outcome", "consistent", "credit"),
    [
        (("A", "A"), "A", "A", True, 1.0),
        (("B", "B"), "A", "B", True, 0.0),
        (("A", "B"), "A", "inconsistent", False, 0.5),
        (("B", "A"), "A", "inconsistent", False, 0.5),
        (("tie", "tie"), "A", "tie", True, 0.5),
        (("tie", "A"), "A", "inconsistent", False, 0.5),
        (("tie", "tie"), "tie", "tie", True, 1.0),
        (("A", "A"), "tie", "A", True, 0.0),
        (("A", "tie"), "tie", "inconsistent", False, 0.5),
        (("A", "A"), None, "A", True, None),
        (("A", None), "A", None, None, None),
        ((None, None), "A", None, None, None),
    ],
)
def test_two_orders_make_one_verdict(verdicts, label, outcome, consistent, credit):
    found = pair_verdicts(comparisons_of(*both("p", *verdicts, label)), 2)
    assert found.rows() == [("p", label, outcome, consistent, credit)]


@pytest.mark.parametrize("first", ["A", "B", None])
@pytest.mark.parametrize(
    ("verdict", "label", "credit"), [("A", "A", 1.0), ("B", "A", 0.0), ("tie", "B", 0.5), ("A", "tie", 0.0)]
)
def test_one_order_cannot_be_consistent(first, verdict, label, credit):
    found = pair_verdicts(comparisons_of(("p", first, verdict, label)), 1)
    assert found.rows() == [("p", label, verdict, None, credit)]


def test_a_missing_order_leaves_the_pair_without_an_outcome():
    assert pair_verdicts(comparisons_of(("p", "A", "A", "A")), 2).rows() == [("p", "A", None, None, None)]


def test_a_pair_compared_without_an_order_needs_one_row():
    rows = comparisons_of(("p", None, "A", "A"), *both("q", "A", "A", "A"))
    assert pair_verdicts(rows, 2)["outcome"].to_list() == ["A", "A"]


def test_rules_show_no_order():
    rows = comparisons_of(*both("p", "A", "A", "A"), *both("q", "A", "A", "A"))
    ruled = rows.with_columns(status=pl.Series(["empty", "empty", "judged", "judged"]))
    assert pair_verdicts(ruled, 2).rows() == [("p", "A", "A", None, 1.0), ("q", "A", "A", True, 1.0)]


def test_pairs_come_sorted():
    rows = comparisons_of(("q", "A", "A", "A"), ("p", "A", "B", "A"))
    assert pair_verdicts(rows, 1)["pair_id"].to_list() == ["p", "q"]
    assert pair_verdicts(rows.clear(), 2).is_empty()


def test_both_orders_were_asked_where_any_pair_has_both():
    assert orders_asked(comparisons_of(("p", "A", "A", "A"))) == 1
    assert orders_asked(comparisons_of(("p", "A", "A", "A"), *both("q", "A", "A", "A"))) == 2
    assert orders_asked(comparisons_of()) == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("p", "A", "A", "A"), ("p", "A", "B", "A")], "id p: .*more than one row for A"),
        ([("p", None, "A", "A"), ("p", None, "B", "A")], "id p: .*more than one row for None"),
        ([("p", "C", "A", "A")], "id p: 1 comparisons have a first such as 'C'"),
        ([("p", "A", "draw", "A")], "a verdict such as 'draw'"),
        ([("p", "A", "A", "model_a")], "a label such as 'model_a'"),
        ([("p", "A", "A", "A"), ("p", "B", "A", "B")], "its rows differ in label"),
        ([("p", "A", "A", "A"), ("p", "B", "A", None)], "its rows differ in label"),
        ([("p", "A", "A", "A"), ("p", None, "A", "A")], "with an order and without"),
        ([(None, "A", "A", "A")], "1 comparisons lack a pair_id"),
    ],
)
def test_rows_that_cannot_be_are_refused(rows, message):
    with pytest.raises(DataError, match=message):
        pair_verdicts(comparisons_of(*rows), 2)


def test_a_missing_column_is_refused():
    with pytest.raises(DataError, match="comparisons lack label"):
        pair_verdicts(comparisons_of().drop("label"), 2)


def test_two_orders_where_one_was_asked_are_refused():
    with pytest.raises(DataError, match=r"id p: .*compared in both orders; 1 such"):
        pair_verdicts(comparisons_of(*both("p", "A", "A", "A")), 1)


@pytest.mark.parametrize("orders", [0, 3])
def test_a_pair_has_one_or_two_orders(orders):
    with pytest.raises(ValueError, match="one or two"):
        pair_verdicts(comparisons_of(), orders)
