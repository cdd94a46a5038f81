"""What flows through checkwise: frozen, validated records, each field documented under it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Status = Literal["scored", "empty", "unscored"]
"""How a score came about: by the judge; by the rule for an empty response; not at all."""

GradeMode = Literal["logprobs", "sampled", "written", "rule"]
"""What produced a grade: token probabilities; the share of sampled answers; a Yes or No in a text that the judge wrote;
a rule, without asking the judge."""

ChecklistSource = Literal["generated", "imported", "fixed", "edited"]
"""Where a list comes from: a generator; a file; one file for the whole benchmark; a person who changed a list."""

Side = Literal["A", "B"]
"""One of the two responses of a pair, as the data names them; no word about which of them a judge is shown first."""

Winner = Literal["A", "B", "tie"]
"""Which of two responses is better."""

PairStatus = Literal["judged", "empty", "identical", "unscored"]
"""How the verdict on a pair came about: by the judge, by the rule for empty or identical responses, or not at all."""

StepName = Literal[
    "concepts", "translation", "checklist from response", "checklist from instruction", "feedback", "retry"
]
"""What a method may write down on its way to a verdict."""


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
    language: str | None = None
    """BCP 47 code of the text's language, where the data says so and it may differ from the query's."""
    rating: float | None = None
    """What a person gave it, on the data's own scale; higher is better."""

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


class Pair(Record):
    """Two responses to one instance, to be compared."""

    instance: Instance
    """What was asked; its id is the pair's."""
    a: str
    """The response that the data names A, verbatim; may be empty."""
    b: str
    """The response that the data names B, verbatim; may be empty."""
    label: Winner | None = None
    """Which one is better, where the data says so."""
    subset: str | None = None
    """The part of the benchmark that it belongs to, for tables by subset."""
    model_a: str | None = None
    """Who wrote A, where the data says so."""
    model_b: str | None = None
    """Who wrote B, where the data says so."""

    @property
    def id(self) -> str:
        """Unique within the benchmark."""
        return self.instance.id

    def response(self, side: Side) -> Response:
        """Give one of the responses as a record, whose model is the side."""
        return Response(instance_id=self.id, model=side, text=self.a if side == "A" else self.b)


class PairSet(Record):
    """A benchmark of pairs."""

    name: str
    """What the data is called, from its file or folder."""
    format: str
    """The reader that understood it."""
    pairs: tuple[Pair, ...]
    """In the order of the file."""
    notes: tuple[str, ...] = ()
    """What a reader wants the user to know, such as the seed that decided positions."""

    @property
    def dataset(self) -> Dataset:
        """The same as instances with the responses of two models, A and B."""
        return Dataset(
            name=self.name,
            format=self.format,
            instances=tuple(pair.instance for pair in self.pairs),
            responses=tuple(pair.response(side) for pair in self.pairs for side in ("A", "B")),
            notes=self.notes,
        )


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
    answers: int | None = None
    """How many sampled answers were Yes or No, where answers were sampled."""
    yes_answers: int | None = None
    """How many of them were Yes."""
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
    verdict: float | None = None
    """What the judge said in words, on its own scale, where it did."""
    retried: bool = False
    """Whether the judge had to be asked a second time for a verdict that can be read."""
    reason: str | None = None
    """Why it is unscored, or by which rule it was scored."""

    @property
    def on_ten(self) -> float | None:
        """The score on the 1-10 scale, 9·value + 1 (RocketEval, section 3.3)."""
        return None if self.value is None else 9 * self.value + 1


class Comparison(Record):
    """The judge's verdict on a pair, shown in one order."""

    pair_id: str
    """The pair."""
    first: Side | None
    """The response that was shown first; None where none was, because each was scored alone."""
    verdict: Winner | None = None
    """The better response, by its name and not its position; None is unscored."""
    p_a: float | None = Field(default=None, ge=0, le=1)
    """The judge's probability that A is better, where probabilities were read."""
    mass: float | None = Field(default=None, ge=0)
    """The probability that both answers have together, where probabilities were read."""
    status: PairStatus
    """How the verdict came about."""
    retried: bool = False
    """Whether the judge had to be asked a second time for a verdict that can be read."""
    reason: str | None = None
    """Why it is unscored, or by which rule it was decided."""


class Finding(Record):
    """Something that a method wrote down on its way to a verdict, for people to look at."""

    instance_id: str
    """The instance or pair."""
    model: str | None = None
    """The model whose response it is about, for pairs the side; None where it is about the instruction or the pair."""
    first: Side | None = None
    """For a verdict on a pair: the response that was shown first."""
    step: StepName
    """What it is."""
    text: str | None = None
    """What was written, verbatim; one item a line where it is a list."""
    reason: str | None = None
    """Why it is missing, or what a reader should know of it."""
