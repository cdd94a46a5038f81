"""A table of grades in an order that follows from what it holds, so that names and places decide nothing.

Trees draw features and cuts at random, and with the same seed the order of the columns decides which ones. Sorting by
name would make a score depend on what a model is called.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Classes = NDArray[np.int64]

_ROUNDS = 4
"""Refinements, after which rows and columns that are still alike are taken for the same."""


@dataclass(frozen=True, eq=False)
class Canonical:
    """Grades and labels in an order of their own; columns that nothing but their name tells apart are one."""

    cells: Matrix
    """Shape (rows, groups of columns)."""
    labels: Matrix
    """Shape (rows,)."""
    group: Classes
    """Shape (columns,): the group that each column of the original is in."""

    @property
    def sizes(self) -> Matrix:
        """How many columns are in each group."""
        return np.bincount(self.group, minlength=self.cells.shape[1]).astype(np.float64)

    def of(self, rows: Matrix) -> Matrix:
        """Bring other rows into the same form: a group of columns that were one gives their mean."""
        member = self.group[:, np.newaxis] == np.arange(self.cells.shape[1])
        mean: Matrix = rows @ member / self.sizes
        return mean

    def shared(self, weights: Matrix) -> Matrix:
        """Share the weight of each group equally among the columns in it."""
        shares: Matrix = (weights / self.sizes)[self.group]
        return shares


def canonical(cells: Matrix, labels: Matrix) -> Canonical:
    """Order rows and columns by content.

    Rows are told apart by their label and what they hold, columns by what they hold, and then, turn about, by the
    classes of the columns and rows in which they hold it (colour refinement). Columns that remain alike then become
    one, their mean: only a name could say which is which, and a new row may well differ in them.

    Args:
        cells: Shape (rows, columns), without NaN.
        labels: Shape (rows,).
    """
    values = _ranks(cells.reshape(-1, 1)).reshape(cells.shape)
    rows, columns = _ranks(labels.reshape(-1, 1)), np.zeros(cells.shape[1], dtype=np.int64)
    for _ in range(_ROUNDS):
        rows = _refined(rows, values, columns)
        columns = _refined(columns, values.T, rows)
    order = np.argsort(_refined(rows, values, columns), kind="stable")
    whole = Canonical(np.empty((0, columns.max(initial=-1) + 1)), labels[order], columns)
    return Canonical(whole.of(cells[order]), labels[order], columns)


def as_given(cells: Matrix, labels: Matrix) -> Canonical:
    """Order rows by content, and leave the columns where they are."""
    order = np.lexsort((*cells.T[::-1], labels))
    return Canonical(cells[order], labels[order], np.arange(cells.shape[1]))


def _refined(classes: Classes, values: Classes, across: Classes) -> Classes:
    """Split the classes of rows by what each row holds, and in which class of columns."""
    met = np.sort(across * (values.max(initial=0) + 1) + values, axis=1)
    return _ranks(np.column_stack([classes, met]))


def _ranks(rows: Matrix | Classes) -> Classes:
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
