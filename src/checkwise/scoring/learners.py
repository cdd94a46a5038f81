"""What learns labels from grades: extremely randomized trees, or ridge regression."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.linear_model import Ridge as _Ridge
from sklearn.tree import ExtraTreeRegressor

Matrix = NDArray[np.float64]

SEED = 42
"""Of the trees, as in the reference code."""

_SEEDS = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class Fitted:
    """What was learned."""

    predict: Callable[[Matrix], Matrix]
    """From rows of features to labels."""
    importances: Matrix | None
    """Shape (features,): the mean decrease in impurity, summing to 1; None where no tree has split."""


@dataclass(frozen=True)
class Forest:
    """Extremely randomized trees. The defaults of ``PAPER`` are the reference code's."""

    trees: int = 30
    """How many are averaged."""
    depth: int | None = 2
    """The most cuts from root to leaf; None does not limit them."""
    leaf: int = 1
    """The fewest responses in a leaf."""

    def fit(self, features: Matrix, labels: Matrix) -> Fitted:
        """Learn; equal to scikit-learn's ``ExtraTreesRegressor``, without what it spends on small data.

        Source: Geurts, Ernst and Wehenkel, "Extremely randomized trees" (2006).
        """
        seeds = np.random.RandomState(SEED)
        single, column = features.astype(np.float32), labels.reshape(-1, 1)
        with sklearn.config_context(skip_parameter_validation=True):
            drawn = [self._tree(seeds.randint(_SEEDS)) for _ in range(self.trees)]
            trees = [tree.fit(single, column, check_input=False) for tree in drawn]
        return Fitted(lambda rows: _mean_of(trees, rows), _importances(trees))

    def _tree(self, seed: int) -> Any:  # noqa: ANN401  (scikit-learn has no types)
        return ExtraTreeRegressor(max_depth=self.depth, min_samples_leaf=self.leaf, max_features=1.0, random_state=seed)

    def __str__(self) -> str:
        """Name it with its settings."""
        depth = "without a limit of depth" if self.depth is None else f"of depth {self.depth}"
        return f"{self.trees} trees {depth}, {self.leaf} or more responses a leaf"


@dataclass(frozen=True)
class Ridge:
    """Linear regression that is kept from following few labels too far."""

    penalty: float = 1.0
    """How much large coefficients cost."""

    def fit(self, features: Matrix, labels: Matrix) -> Fitted:
        """Learn."""
        with sklearn.config_context(skip_parameter_validation=True):
            model = _Ridge(alpha=self.penalty).fit(features, labels)
        return Fitted(lambda rows: np.asarray(model.predict(rows), dtype=np.float64), None)

    def __str__(self) -> str:
        """Name it with its settings."""
        return f"ridge regression with penalty {self.penalty:g}"


Learner = Forest | Ridge

PAPER = Forest(trees=10, depth=2, leaf=1)
"""What the reference code uses."""


def _mean_of(trees: list[Any], rows: Matrix) -> Matrix:
    single = rows.astype(np.float32)
    mean: Matrix = np.mean([tree.tree_.predict(single)[:, 0] for tree in trees], axis=0)
    return mean


def _importances(trees: list[Any]) -> Matrix | None:
    split = [tree.feature_importances_ for tree in trees if tree.tree_.node_count > 1]
    if not split:
        return None
    mean: Matrix = np.mean(split, axis=0)
    return mean / mean.sum() if mean.sum() > 0 else None
