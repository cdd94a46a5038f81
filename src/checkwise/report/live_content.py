"""What the pages of ``checkwise view`` show beside a report, as plain records."""

from pydantic import Field

from checkwise.records import Record


class Live(Record):
    """What a page needs to follow a run, and to change its checklists."""

    token: str
    """Proves that a request comes from this page."""
    address: str = ""
    """Of the run on the server; empty for the list of runs."""
    version: str = ""
    """Of what is shown; another one means that there is more."""
    command: str | None = None
    """What grading again runs; None where nobody knows how the run was made."""


class RunCard(Record):
    """One run in the list."""

    address: str
    """Where its report is."""
    name: str
    """Its folder, below the one that is served."""
    data: str
    """What was judged."""
    method: str
    """How."""
    judge: str
    """By whom."""
    judged: int = Field(ge=0)
    """Responses or pairs that have been judged."""
    total: int = Field(ge=0)
    """All of them."""
    leader: str | None = None
    """The best model so far, with its score."""
    changed: str
    """When the run last grew, in UTC."""
    is_comparable: bool = True
    """Whether it can be held against another run: pairs cannot."""
    problem: str | None = None
    """Why it cannot be read, where it cannot."""


class ModelChange(Record):
    """What became of one model from one run to the other."""

    model: str
    """The model."""
    before: float | None
    """Its mean, 0-1; None where there is none."""
    after: float | None
    """The same, later."""
    difference: float | None
    """Later minus before."""
    low: float | None
    """Lower end of the interval of the difference."""
    high: float | None
    """Upper end of it."""
    instances: int
    """Instances that have a score in both."""
    left_out: int
    """Instances that have not."""
    rank_before: int | None
    """Its place in the earlier run."""
    rank_after: int | None
    """Its place in the later one."""


class FlippedItem(Record):
    """An item whose answer turned."""

    instance_id: str
    """The instance."""
    model: str
    """The model."""
    item: str
    """The question."""
    before: float
    """p_yes in the earlier run."""
    after: float
    """p_yes in the later run."""


class RunComparison(Record):
    """Two runs, held against each other."""

    before: str
    """The earlier run."""
    after: str
    """The later one."""
    before_address: str
    """Where its report is."""
    after_address: str
    """Where its report is."""
    models: tuple[ModelChange, ...]
    """Models that both have."""
    flipped: tuple[FlippedItem, ...]
    """Items whose answer turned, those that turned furthest first."""
    notes: tuple[str, ...] = ()
    """What a reader should know."""
