"""Outcomes of pairs as numbers: what every model took from every other on each instance."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array

from checkwise.bootstrap import Matrix
from checkwise.errors import NothingJudgedError
from checkwise.ranking.matrix import require_columns
from checkwise.ranking.pairs import PAIR, in_name_order


@dataclass(frozen=True, eq=False)
class Battles:
    """Decided pairs; a win is one point for the winner, a tie half a point for both."""

    models: tuple[str, ...]
    """In an order that rests on the outcomes and not on names, so that renaming a model changes no number."""
    instances: int
    """How many stand behind the battles."""
    points: csr_array
    """Shape (instances, models * models), rows sorted by instance id: what the first model took from the second."""
    undecided: int
    """Pairs left out because they have no outcome."""
    counts: pl.DataFrame
    """One row a model: model, n, wins, ties, losses."""

    def totals(self) -> Matrix:
        """Sum the points over instances: shape (models, models)."""
        totals: Matrix = self.weighted(np.ones((1, self.instances)))[0]
        return totals

    def weighted(self, weights: Matrix) -> Matrix:
        """Sum the points with a weight for each instance.

        Args:
            weights: Shape (draws, instances).

        Returns:
            Shape (draws, models, models).
        """
        size = len(self.models)
        sums: Matrix = (weights @ self.points).reshape(len(weights), size, size)
        return sums


def known_outcomes(outcomes: pl.DataFrame) -> pl.DataFrame:
    """Keep the pairs that have an outcome.

    Args:
        outcomes: instance_id, model_a, model_b, outcome (model_a, model_b, tie; null where unknown).

    Returns:
        The four columns, models in the order of their names.

    Raises:
        DataError: A column is missing, a model is set against itself, or an outcome is none of the three.
        NothingJudgedError: No pair has an outcome.
    """
    require_columns(outcomes, (*PAIR, "outcome"), of="outcomes")
    columns = outcomes.select(pl.col(*PAIR, "outcome").cast(pl.String))
    known = in_name_order(columns, "outcome").drop_nulls("outcome")
    if known.is_empty():
        raise NothingJudgedError(
            f"none of the {outcomes.height} pairs of models has an outcome",
            todo="Ratings need at least two models with a score for the same instance.",
        )
    return known


def both_ways(known: pl.DataFrame) -> pl.DataFrame:
    """See each pair with the eyes of either model.

    Args:
        known: Pairs that have an outcome; see ``known_outcomes``.

    Returns:
        instance_id, model, opponent, points (1, 0.5, 0); two rows a pair.
    """
    for_a = pl.col("outcome").replace_strict({"model_a": 1.0, "tie": 0.5, "model_b": 0.0}, return_dtype=pl.Float64)
    return pl.concat(
        [
            known.select("instance_id", model="model_a", opponent="model_b", points=for_a),
            known.select("instance_id", model="model_b", opponent="model_a", points=1 - for_a),
        ]
    )


def count_battles(seen: pl.DataFrame, *by: str) -> pl.DataFrame:
    """Count what came of battles.

    Args:
        seen: As ``both_ways`` gives it.
        by: The columns to group by.

    Returns:
        One row a group, sorted: ``by``, n, wins, ties, losses.
    """
    ends = {"wins": 1.0, "ties": 0.5, "losses": 0.0}
    counted = {name: (pl.col("points") == points).sum().cast(pl.Int64) for name, points in ends.items()}
    return seen.group_by(*by).agg(n=pl.len().cast(pl.Int64), **counted).sort(by)


def battles(outcomes: pl.DataFrame) -> Battles:
    """Bring outcomes into the form that ratings are fitted to.

    Args:
        outcomes: instance_id, model_a, model_b, outcome (model_a, model_b, tie; null where unknown), any number a pair,
            in either order. See ``pair_outcomes``; votes of people will do as well.

    Returns:
        The battles; the order of rows and of models changes nothing.

    Raises:
        DataError: A column is missing, a model is set against itself, or an outcome is none of the three.
        NothingJudgedError: No pair has an outcome.
    """
    known = known_outcomes(outcomes)
    seen = both_ways(known)
    names, places = seen["model"].unique().sort(), seen["instance_id"].unique().sort()
    row = seen["instance_id"].rank("dense").to_numpy().astype(np.int64) - 1
    model, opponent = (seen[column].rank("dense").to_numpy().astype(np.int64) - 1 for column in ("model", "opponent"))
    points = seen["points"].to_numpy()
    rank, order = _nameless(row, model, points, shape=(len(places), len(names)))
    cells = rank[model] * len(names) + rank[opponent]
    shape = (len(places), len(names) ** 2)
    return Battles(
        models=tuple(names[int(place)] for place in order),
        instances=len(places),
        points=csr_array((points, (row, cells)), shape=shape),
        undecided=outcomes.height - known.height,
        counts=count_battles(seen, "model"),
    )


def _nameless(
    row: NDArray[np.int64], model: NDArray[np.int64], points: NDArray[np.float64], *, shape: tuple[int, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Order models by what they took from the first instance, then from the second, and so on.

    Returns:
        Each model's place in that order, and the models in it.
    """
    taken = np.zeros(shape)
    np.add.at(taken, (row, model), points)
    order = np.lexsort(taken[::-1])[::-1]
    return np.argsort(order), order
