"""What flows through checkwise: frozen, validated records, each field documented under it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Status = Literal["scored", "empty", "unscored"]
"""How a score came about: by the judge; by the rule for an empty response; not at all."""

GradeMode = Literal["logprobs", "sampled", "rule"]
"""What produced a grade: token probabilities; the share of sampled answers; a rule, without asking the judge."""

ChecklistSource = Literal["generated", "imported", "fixed", "edited"]
"""Where a list comes from: a generator; a file; one file for the whole benchmark; a person who changed a list."""


class Record(BaseModel):
    """Frozen, and closed to fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Turn(Record):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    """Who speaks."""
    content: str
    """What is said, verbatim."""


class Instance(Record):
    """One thing the models were asked: a conversation whose last turn is the user's query."""

    id: str = Field(min_length=1)
    """Unique within the benchmark."""
    turns: tuple[Turn, ...] = Field(min_length=1)
    """The conversation; the last turn is the user's."""
    reference: str | None = None
    """A response known to be good, where there is one."""
    category: str | None = None
    """The kind of task, for tables by category."""
    language: str | None = None
    """BCP 47 code of the query's language, where the data says so."""

    @model_validator(mode="after")
    def _ends_with_the_user(self) -> "Instance":
        if self.turns[-1].role != "user":
            raise ValueError("the last message must be the user's query")
        return self

    @property
    def query(self) -> str:
        """The last user turn: what the response answers."""
        return self.turns[-1].content

    @property
    def history(self) -> tuple[Turn, ...]:
        """Everything said before the query, oldest first."""
        return self.turns[:-1]


class Response(Record):
    """What one model wrote for one instance."""

    instance_id: str = Field(min_length=1)
    """The instance it answers."""
    model: str = Field(min_length=1)
    """The model that wrote it."""
    text: str
    """What it wrote, verbatim; may be empty."""
    history: tuple[Turn, ...] | None = None
    """The conversation before the query as this model saw it, where that differs from model to model."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing but white space was written."""
        return not self.text.strip()


class Checklist(Record):
    """The questions that a response to one instance is held against."""

    instance_id: str = Field(min_length=1)
    """The instance it belongs to."""
    items: tuple[str, ...] = Field(min_length=1)
    """The questions, in order; Yes is the desirable answer to each."""
    source: ChecklistSource = "imported"
    """Where the list comes from."""
    generator: str | None = None
    """The model that wrote it, where a model did."""

    @model_validator(mode="after")
    def _has_no_blank_item(self) -> "Checklist":
        for number, item in enumerate(self.items, start=1):
            if not item.strip():
                raise ValueError(f"item {number} is blank")
        return self


class Dataset(Record):
    """A benchmark: instances, and what models wrote for them."""

    name: str
    """What the data is called, from its file or folder."""
    format: str
    """The reader that understood it."""
    instances: tuple[Instance, ...]
    """In the order of the file."""
    responses: tuple[Response, ...] = ()
    """In the order of the files; each answers one of the instances, at most one a model and instance."""
    checklists: tuple[Checklist, ...] = ()
    """Lists that came with the data, such as WildBench's."""
    notes: tuple[str, ...] = ()
    """What a reader wants the user to know, such as queries that nobody answered."""

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, sorted."""
        return tuple(sorted({response.model for response in self.responses}))


class ItemGrade(Record):
    """The judge's answer to one item of a checklist for one response."""

    instance_id: str
    """The instance."""
    model: str
    """The model whose response was graded."""
    number: int = Field(ge=1)
    """The item's place in the checklist, from 1."""
    item: str
    """The question."""
    p_yes: float | None = Field(default=None, ge=0, le=1)
    """P(Yes) / (P(Yes) + P(No)); None is unscored (RocketEval, section 3.2)."""
    mass: float | None = Field(default=None, ge=0)
    """P(Yes) + P(No); None where nothing was measured."""
    mode: GradeMode
    """What produced the grade."""
    bounded: bool = False
    """Whether one side was not among the returned tokens, so that p_yes rests on its upper bound."""
    low_mass: bool = False
    """Whether the mass is below the threshold: the judge wanted to say something other than Yes or No."""
    reason: str | None = None
    """Why it is unscored, or by which rule it was scored."""


class Score(Record):
    """One number for one response, with what stands behind it."""

    instance_id: str
    """The instance."""
    model: str
    """The model whose response was scored."""
    value: float | None = Field(default=None, ge=0, le=1)
    """Between 0 and 1; None is unscored."""
    status: Status
    """How the score came about."""
    items: int = Field(default=0, ge=0)
    """Items of the checklist."""
    scored_items: int = Field(default=0, ge=0)
    """Items that have a p_yes."""
    low_mass_items: int = Field(default=0, ge=0)
    """Items whose mass is below the threshold."""
    mean_mass: float | None = None
    """Mean mass of the scored items."""
    reason: str | None = None
    """Why it is unscored, or by which rule it was scored."""

    @property
    def on_ten(self) -> float | None:
        """The score on the 1-10 scale, 9·value + 1 (RocketEval, section 3.3)."""
        return None if self.value is None else 9 * self.value + 1
