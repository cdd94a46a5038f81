"""How a run tells how far it is."""

from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True)
class Step:
    """How far one part of a run has come."""

    name: Literal["checklists", "grading", "comparing"]
    """The part."""
    done: int
    """Checklists, responses or pairs that are finished."""
    total: int
    """Checklists, responses or pairs that there are."""
    fresh: int
    """Those of them that a model had to be asked for; the others came from the store."""
    questions: int | None = None
    """Questions that models have answered so far, where one part takes many; told also between two parts."""


class RunProgress(Protocol):
    """Told after each checklist and each response."""

    def __call__(self, step: Step, /) -> None:
        """Take note."""
        ...


def silent(_step: Step, /) -> None:
    """Tell nobody."""
