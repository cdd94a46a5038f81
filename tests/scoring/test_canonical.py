import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from checkwise.scoring.canonical import as_given, canonical


def test_columns_that_are_the_same_become_one():
    table = canonical(np.array([[0.1, 0.9, 0.1], [0.2, 0.3, 0.2]]), np.array([5.0, 3.0]))
    assert table.cells.tolist() == [[0.3, 0.2], [0.9, 0.1]] or table.cells.tolist() == [[0.2, 0.3], [0.1, 0.9]]
    assert table.labels.tolist() == [3, 5]
    assert table.group[0] == table.group[2] != table.group[1]
    # Another response may tell them apart; their mean then stands for both.
    other = table.of(np.array([[0.0, 0.7, 1.0]]))[0]
    assert (other[table.group[0]], other[table.group[1]]) == (0.5, 0.7)
    weights = np.where(np.arange(2) == table.group[0], 0.6, 0.4)
    assert table.shared(weights).tolist() == [0.3, 0.4, 0.3]


def test_columns_can_be_left_where_they_are():
    table = as_given(np.array([[0.1, 0.9], [0.2, 0.3], [0.1, 0.4]]), np.array([5.0, 3.0, 5.0]))
    assert table.cells.tolist() == [[0.2, 0.3], [0.1, 0.4], [0.1, 0.9]]
    assert table.labels.tolist() == [3, 5, 5]


@given(st.integers(0, 10_000), st.sampled_from([1, 4, None]))
def test_order_does_not_matter(seed, steps):
    drawn = np.random.default_rng(seed)
    cells, labels = drawn.random((7, 5)), drawn.integers(1, 11, 7).astype(float)
    cells = cells if steps is None else np.round(cells * steps) / steps
    rows, columns = drawn.permutation(7), drawn.permutation(5)
    before, after = canonical(cells, labels), canonical(cells[rows][:, columns], labels[rows])
    np.testing.assert_array_equal(before.labels, after.labels)
    np.testing.assert_array_equal(np.sort(before.cells, axis=None), np.sort(after.cells, axis=None))
    if steps is None:
        np.testing.assert_array_equal(before.cells, after.cells)
        np.testing.assert_array_equal(before.group[columns], after.group)
