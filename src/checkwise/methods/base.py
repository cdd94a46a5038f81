"""What a run needs of a method."""

from typing import ClassVar, Protocol, runtime_checkable

from checkwise.prompts import PromptLibrary
from checkwise.questions import Ask
from checkwise.records import Checklist, Instance, ItemGrade, Response, Score


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

    async def score(self, instance: Instance, response: Response, ask: Ask) -> Score:
        """Have one response scored."""
        ...


Method = ChecklistMethod | ScoreMethod
"""A way to judge responses one at a time."""
