"""Records of the sections of a report on responses that stand beside the leaderboard."""

from pydantic import Field

from checkwise.records import Record


class Meeting(Record):
    """How one model did against another, on the instances where both have a score."""

    model: str
    """The model."""
    opponent: str
    """The other one."""
    n: int
    """Instances."""
    wins: int
    """Of ``model``."""
    ties: int
    """Scores within the tie margin."""
    win_rate: float = Field(ge=0, le=1)
    """Ties counted half."""
    low: float | None = None
    """Lower end of the interval; None where there is none."""
    high: float | None = None
    """Upper end of it."""


class Distribution(Record):
    """How one model's scores are spread."""

    model: str
    """The model."""
    counts: tuple[int, ...]
    """Scores in each tenth from 0 to 1; 1 itself is in the last."""
    median: float
    """The middle score."""
    lowest: float
    """The lowest score."""
    highest: float
    """The highest score."""

    @property
    def most(self) -> int:
        """The largest count."""
        return max(self.counts)


class CostRow(Record):
    """What one model took in one step, over all answers in the run folder."""

    step: str
    """What was asked."""
    model: str
    """Who was asked."""
    answers: int
    """Answers."""
    prompt_tokens: int
    """Tokens of prompts."""
    reused_tokens: int
    """Those of them that came from the model's cache."""
    generated_tokens: int
    """Tokens written."""
    seconds: float
    """Time in the engine."""
    cost: str | None = None
    """What it cost; None where no price is known."""


class VerbUse(Record):
    """What items ask about with one verb."""

    verb: str
    """The verb, such as ``explain``; ``be`` with what follows for questions such as ``Is it concise?``."""
    count: int
    """Items."""
    objects: tuple[str, ...] = ()
    """What the verb is about, most frequent first."""


class ItemProfile(Record):
    """What the checklists of one category ask about (RocketEval, appendix A.5)."""

    category: str | None
    """The category; None for instances without one."""
    items: int
    """Items of its checklists."""
    read: int
    """Those whose verb could be told."""
    verbs: tuple[VerbUse, ...]
    """Most frequent first."""
