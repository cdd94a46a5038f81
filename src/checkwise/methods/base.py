"""What a run needs of a method."""

from typing import ClassVar, Protocol, runtime_checkable

from checkwise.prompts import PromptLibrary
from checkwise.questions import Ask
from checkwise.records import Checklist, Comparison, Finding, Instance, ItemGrade, Response, Score

Scored = tuple[Score, tuple[Finding, ...]]
"""A score, and what was written down on the way to it."""

Compared = tuple[Comparison, tuple[Finding, ...]]
"""A verdict on a pair shown in one order, and what was written down on the way to it."""


@runtime_checkable
class ChecklistMethod(Protocol):
    """Grades the items of a checklist; scoring turns the grades into a score."""

    name: ClassVar[str]
    prompt_names: ClassVar[tuple[str, ...]]

    @property
    def prompts(self) -> PromptLibrary:
        """Where its prompts come from."""
        ...

    async def checklist(self, instance: Instance, ask: Ask) -> Checklist:
        """Have the checklist of one instance written."""
        ...

    async def grade(self, instance: Instance, checklist: Checklist, response: Response, ask: Ask) -> list[ItemGrade]:
        """Have each item of the checklist answered for one response."""
        ...


@runtime_checkable
class ScoreMethod(Protocol):
    """Scores a response as a whole, without a checklist."""

    name: ClassVar[str]
    prompt_names: ClassVar[tuple[str, ...]]

    @property
    def prompts(self) -> PromptLibrary:
        """Where its prompts come from."""
        ...

    async def score(self, instance: Instance, response: Response, ask: Ask) -> Scored:
        """Have one response scored; it is not empty."""
        ...


@runtime_checkable
class PairMethod(Protocol):
    """Says which of two responses is better, seeing both."""

    name: ClassVar[str]
    prompt_names: ClassVar[tuple[str, ...]]

    @property
    def prompts(self) -> PromptLibrary:
        """Where its prompts come from."""
        ...

    async def compare(self, instance: Instance, first: Response, second: Response, ask: Ask) -> Compared:
        """Have two responses compared, shown in this order; neither is empty, and their models are the sides."""
        ...


Method = ChecklistMethod | ScoreMethod
"""A way to judge responses one at a time."""

ComparingMethod = PairMethod | Method
"""A way to judge pairs: seeing both responses, or by the scores of each."""
