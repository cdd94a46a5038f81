"""What the report shows, as plain records: everything but its looks."""

from pydantic import Field

from checkwise.records import ChecklistSource, GradeMode, Record, Status, StepName, Turn
from checkwise.report.metrics import MetricTable
from checkwise.report.sections import CostRow, Distribution, ItemProfile, Meeting
from checkwise.report.trust_page import TrustPage


class Fact(Record):
    """One line about the run."""

    label: str
    """What it is, such as Judge."""
    value: str
    """The value, for a person."""


class Count(Record):
    """How many of something there are, and whether a number leaves them out."""

    label: str
    """What is counted."""
    value: int = Field(ge=0)
    """How many."""
    left_out: bool = False
    """Whether these stand behind no number."""


class LeaderboardRow(Record):
    """One model's place, with what stands behind it."""

    rank: int | None
    """From 1; None where nothing was scored."""
    model: str
    """The model."""
    score: float | None = Field(ge=0, le=1, allow_inf_nan=False)
    """Mean over the instances, 0-1; None is unscored."""
    low: float | None = Field(allow_inf_nan=False)
    """Lower end of the interval; None where there is none."""
    high: float | None = Field(allow_inf_nan=False)
    """Upper end of the interval; None where there is none."""
    n: int
    """Instances behind the score."""
    coverage: float | None = Field(allow_inf_nan=False)
    """Share of the instances that have a score, 0-1."""
    unscored: int
    """Responses without a score."""
    empty: int
    """Empty responses, scored by rule."""
    mean_mass: float | None = Field(allow_inf_nan=False)
    """Mean P(Yes) + P(No) of the items."""
    low_mass_items: int
    """Items whose mass is below the threshold."""


class CategoryLeaderboard(Record):
    """The leaderboard of one category."""

    category: str | None
    """The category; None for instances without one."""
    rows: tuple[LeaderboardRow, ...]
    """In the order of rank."""


class Cell(Record):
    """One item of one response."""

    p_yes: float | None = Field(default=None, allow_inf_nan=False)
    """P(Yes) / (P(Yes) + P(No)); None is unscored, and then there is a reason."""
    mass: float | None = Field(default=None, allow_inf_nan=False)
    """P(Yes) + P(No)."""
    mode: GradeMode | None = None
    """What produced the grade; None where the item was not graded."""
    low_mass: bool = False
    """Whether the mass is below the threshold."""
    bounded: bool = False
    """Whether p_yes rests on a bound."""
    reason: str | None = None
    """Why it is unscored, or by which rule it was scored."""


class FindingContent(Record):
    """Something that a method wrote down on its way to a verdict."""

    step: StepName
    """What it is."""
    text: str | None = None
    """What was written, verbatim; one item a line where it is a list. None is missing, and then there is a reason."""
    reason: str | None = None
    """Why it is missing, or what a reader should know of it."""


class ResponseContent(Record):
    """One model's response to one instance."""

    model: str
    """The model; for pairs the side."""
    text: str
    """What it wrote, verbatim."""
    language: str | None = None
    """BCP 47 code of the text's language."""
    history: tuple[Turn, ...] | None = None
    """The conversation as this model saw it, where that differs from model to model."""
    score: float | None = Field(default=None, allow_inf_nan=False)
    """0-1; None is unscored, and then there is a reason."""
    status: Status = "unscored"
    """How the score came about."""
    verdict: float | None = Field(default=None, allow_inf_nan=False)
    """What the judge said in words, on its own scale, where it did."""
    retried: bool = False
    """Whether the judge had to be asked a second time."""
    reason: str | None = None
    """Why it is unscored, or by which rule it was scored."""
    cells: tuple[Cell, ...] = ()
    """One an item of the checklist, in its order."""
    findings: tuple[FindingContent, ...] = ()
    """What the method wrote down about it, in the order of its steps."""


class InstanceContent(Record):
    """One instance, its checklist and the responses to it."""

    id: str
    """Unique within the benchmark."""
    category: str | None = None
    """The kind of task."""
    language: str | None = None
    """BCP 47 code of the query's language."""
    query: str
    """The last user turn."""
    history: tuple[Turn, ...] = ()
    """Everything said before the query."""
    reference: str | None = None
    """A response known to be good."""
    items: tuple[str, ...] = ()
    """The checklist; empty where there is none."""
    source: ChecklistSource | None = None
    """Where the checklist comes from."""
    generator: str | None = None
    """The model that wrote the checklist."""
    findings: tuple[FindingContent, ...] = ()
    """What the method wrote down about the instruction, in the order of its steps."""
    responses: tuple[ResponseContent, ...] = ()
    """Best-ranked model first."""
    upset: float | None = Field(default=None, allow_inf_nan=False)
    """How far the judge's preference between two responses was from that of people, at most, 0-1; None where nobody
    voted."""

    @property
    def unscored(self) -> int:
        """Responses without a score."""
        return sum(response.score is None for response in self.responses)


class ReportContent(Record):
    """Everything that the report shows."""

    title: str
    """The name of the data."""
    facts: tuple[Fact, ...] = ()
    """How the run was made."""
    counts: tuple[Count, ...] = ()
    """What stands behind the numbers, and what was left out of them."""
    leaderboard: tuple[LeaderboardRow, ...] = ()
    """Models in order."""
    categories: tuple[CategoryLeaderboard, ...] = ()
    """The same by category."""
    meetings: tuple[Meeting, ...] = ()
    """Each model against each other one."""
    distributions: tuple[Distribution, ...] = ()
    """The spread of each model's scores, in the order of the leaderboard."""
    metrics: tuple[MetricTable, ...] = ()
    """The scores against people's ratings."""
    trust: TrustPage | None = None
    """How far to trust the judge, where it was held against people."""
    profiles: tuple[ItemProfile, ...] = ()
    """What the checklists of each category ask about."""
    costs: tuple[CostRow, ...] = ()
    """What it took, by step and model."""
    instances: tuple[InstanceContent, ...] = ()
    """In the order of the data."""
    notes: tuple[str, ...] = ()
    """What a reader of the numbers should know."""
