"""How supervised scores are learned: what is fixed, and what is chosen by cross-validation."""

from dataclasses import dataclass
from typing import Literal

from checkwise.errors import DataError
from checkwise.scoring.learners import PAPER, Forest, Learner, Ridge

Predictor = Literal["auto", "forest", "ridge", "global", "none"]
"""What learns: whichever does best; trees or ridge regression for each instance; one forest for all; nothing."""

Alpha = float | Literal["entropy"]
"""The weight of what was learned: a number, or by the entropy of an instance's labels."""


@dataclass(frozen=True)
class Choice:
    """One way to make scores of grades and labels."""

    learner: Learner | None
    """What learns labels from grades; None leaves the unsupervised score."""
    alpha: Alpha = 1.0
    """The weight of what it says."""
    everywhere: bool = False
    """Whether it learns once over all instances, not for each one."""
    fewest: int = 2
    """Labelled responses that an instance must have to be learned from."""
    by_content: bool = True
    """Whether the order of items is taken from what their grades are; the reference code keeps the list's."""

    def __str__(self) -> str:
        """Say it in words."""
        if self.learner is None:
            return "the unsupervised score"
        weight = "by the entropy of the labels" if self.alpha == "entropy" else f"{self.alpha:g}"
        return f"{self.learner}, {'over all instances' if self.everywhere else 'for each instance'}, alpha {weight}"


_FORESTS = (Forest(depth=2), Forest(depth=2, leaf=3), Forest(depth=None, leaf=2))
_RIDGES = (Ridge(10.0), Ridge(1.0))
_GLOBAL = (Forest(trees=100, depth=3, leaf=5), Forest(trees=100, depth=None, leaf=5))
_LEARNERS: dict[Predictor, tuple[Learner | None, ...]] = {
    "auto": (None, *_RIDGES, *_FORESTS),
    "forest": _FORESTS,
    "ridge": _RIDGES,
    "global": _GLOBAL,
    "none": (None,),
}
_ALPHAS: tuple[Alpha, ...] = (0.25, 0.5, 0.75, 1.0, "entropy")


@dataclass(frozen=True)
class SupervisedSettings:
    """What to learn with. The defaults choose by cross-validation over training models.

    Raises:
        DataError: A value is out of range.
    """

    paper: bool = False
    """As published: 10 trees of depth 2 with seed 42 for each instance, alpha by entropy; nothing is chosen."""
    predictor: Predictor = "auto"
    """What learns."""
    alpha: Alpha | Literal["auto"] = "auto"
    """The weight of what was learned; 1 relies on it alone."""
    calibrate: bool = False
    """Whether the unsupervised part is first brought to the labels' scale by isotonic regression."""
    folds: int = 5
    """Into how many groups training models are dealt, at least two models each where that can be."""
    sample: int = 200
    """Instances by which settings are chosen, where there are more; figures are over all."""
    draws: int = 1000
    """Resamples of instances behind each interval."""
    seed: int = 42
    """Of the resamples."""
    confidence: float = 0.95
    """Of the intervals."""

    def __post_init__(self) -> None:
        if not isinstance(self.alpha, str) and not 0 <= self.alpha <= 1:
            raise DataError(f"alpha is {self.alpha}", todo="It must lie between 0 and 1, or be entropy or auto.")
        if self.predictor not in _LEARNERS or (isinstance(self.alpha, str) and self.alpha not in ("auto", "entropy")):
            raise DataError(
                f"the predictor is {self.predictor!r} and alpha {self.alpha!r}",
                todo=f"Predictors: {', '.join(_LEARNERS)}. Alpha: a number between 0 and 1, entropy or auto.",
            )
        if self.folds < 2 or self.sample < 1 or self.draws < 1 or not 0 < self.confidence < 1:
            raise DataError(
                "folds, sample, draws or confidence are out of range",
                todo="At least 2 folds, 1 instance and 1 draw; the confidence lies between 0 and 1.",
            )

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What cross-validation chooses from, the simplest first."""
        if self.paper:
            return (Choice(PAPER, "entropy", fewest=1, by_content=False),)
        alphas = _ALPHAS if self.alpha == "auto" else (self.alpha,)
        return tuple(
            choice
            for learner in _LEARNERS[self.predictor]
            for choice in (
                [Choice(None)]
                if learner is None
                else [Choice(learner, alpha, everywhere=self.predictor == "global") for alpha in alphas]
            )
        )
