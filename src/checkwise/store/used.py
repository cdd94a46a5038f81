"""What stored answers took."""

from dataclasses import dataclass
from typing import Literal, get_args

from checkwise.questions import AskStep, Usage

AnswerKind = Literal["generate", "choose", "translate"]
"""What an answer was asked for."""

USAGE = tuple(Usage.model_fields)
"""The names of what is counted."""


@dataclass(frozen=True)
class Used:
    """What the answers of one kind that one model gave in one step took together."""

    step: AskStep | None
    """The step; None for answers from before steps were kept."""
    kind: AnswerKind
    """What was asked for."""
    model: str
    """The model, or the translator."""
    questions: int
    """Answers."""
    prompt_tokens: int = 0
    """Tokens of the whole prompts."""
    computed_tokens: int = 0
    """Tokens of the prompts that had to be computed; the rest came from the model's cache."""
    generated_tokens: int = 0
    """Tokens written."""
    seconds: float = 0.0
    """Wall time in the engine."""

    @property
    def usage(self) -> Usage:
        """Tokens and seconds."""
        return Usage(**{name: getattr(self, name) for name in USAGE})

    def place(self) -> tuple[int, str, str]:
        """Say where it stands among others: in the order of a run."""
        steps = get_args(AskStep)
        return (len(steps) if self.step is None else steps.index(self.step), self.model, self.kind)
