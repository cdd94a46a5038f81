"""The two kinds of question that a method may put to a model, and what comes back.

``Generate`` asks for text. ``Choose`` asks for the probability of each of a few options, for many suffixes behind one
shared prefix: that is what makes checklist grading cheap, since an engine computes the prefix once.
Success and failure are two types; a ``Failure`` is recorded and never reused as an answer.
"""

from typing import Literal, Protocol

from pydantic import Field

from checkwise.records import GradeMode, Record

FailureKind = Literal["context_exceeded", "incomplete", "no_answer", "unavailable", "untranslated"]
"""Why a question has no answer: it does not fit the context; the text broke off; no option was among the tokens; no
request came through; a translator did not translate."""


AskStep = Literal["checklist", "concepts", "translation", "grading", "judgment"]
"""What a question is for: writing a checklist; CE-Judge's first two steps; the answer to an item of a checklist; the
verdict on a response or a pair."""


class Message(Record):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    """Who speaks."""
    content: str
    """What is said."""


class Usage(Record):
    """What a question cost."""

    prompt_tokens: int = 0
    """Tokens of the whole prompt."""
    computed_tokens: int = 0
    """Tokens of the prompt that the engine had to compute; the rest came from its cache."""
    generated_tokens: int = 0
    """Tokens written."""
    seconds: float = 0.0
    """Wall time in the engine."""


class Generate(Record):
    """A request for text."""

    messages: tuple[Message, ...] = Field(min_length=1)
    """The prompt."""
    max_tokens: int = Field(default=1024, gt=0)
    """The most tokens to write."""
    temperature: float = Field(default=0.0, ge=0)
    """0 is greedy."""
    top_p: float = Field(default=1.0, gt=0, le=1)
    """Nucleus sampling."""
    seed: int = 42
    """For sampling, where the engine supports it."""
    repeat: int = Field(default=0, ge=0)
    """Number of the repetition, so that repeated samples stay apart."""
    step: AskStep = "judgment"
    """What it is for: that decides where its cost is shown, and nothing about the answer."""


class Choose(Record):
    """A request for the probabilities of a few options, for each suffix behind one shared prefix.

    The prompt of suffix *i* is the system message, then one user message made of all of ``shared`` and ``suffixes[i]``.
    """

    system: str | None = None
    """The system message."""
    shared: tuple[str, ...] = Field(min_length=1)
    """The user message up to the suffix, in segments: first what most questions share, last what fewest do."""
    suffixes: tuple[str, ...] = Field(min_length=1)
    """How the user message ends; one answer each."""
    options: tuple[str, ...] = Field(min_length=2)
    """The answers whose probabilities are wanted, such as Yes and No."""
    temperature: float = Field(default=0.0, ge=0)
    """0 reads the probabilities; above, one answer is sampled, and what it says has the probability 1."""
    seed: int = 42
    """For sampling, where the engine supports it."""
    repeat: int = Field(default=0, ge=0)
    """Number of the repetition, so that repeated samples stay apart."""
    step: AskStep = "judgment"
    """What it is for: that decides where its cost is shown, and nothing about the answer."""


class Generation(Record):
    """Text that a model wrote."""

    text: str
    """Verbatim, thinking included."""
    finish: Literal["stop", "length"]
    """Whether the model ended it or the token limit did."""
    usage: Usage = Usage()
    """What it cost."""


class Choice(Record):
    """The probabilities of a few options as the next words of a model."""

    probabilities: dict[str, float | None]
    """For each option the sum over its surface variants; None where no variant was among the returned tokens."""
    variants: dict[str, float]
    """Each returned token that is a variant of an option, with its probability."""
    floor: float = 0.0
    """The smallest returned probability: no token that was not returned is likelier; 0 for a sampled answer."""
    mode: GradeMode = "logprobs"
    """How the probabilities were found."""
    usage: Usage = Usage()
    """What it cost."""

    @property
    def mass(self) -> float:
        """The probability that the options have together."""
        return sum(probability or 0.0 for probability in self.probabilities.values())


class Translation(Record):
    """A text in English."""

    text: str
    """The whole text."""
    language: str | None = None
    """BCP 47 code of the language it was in; None where it could not be told."""
    note: str | None = None
    """What a reader should know, such as why it was left as it is."""


class Failure(Record):
    """A question without an answer."""

    kind: FailureKind
    """What kind of failure it is."""
    reason: str
    """What happened, for a person."""


class Ask(Protocol):
    """How a method asks a model; what stands behind it (store, limits, engine) is not its affair."""

    @property
    def model(self) -> str:
        """Name of the model that answers."""
        ...

    async def generate(self, question: Generate) -> Generation | Failure:
        """Ask for text."""
        ...

    async def choose(self, question: Choose) -> list[Choice | Failure]:
        """Ask for probabilities; one answer a suffix, in their order."""
        ...

    async def translate(self, text: str, language: str | None) -> Translation | Failure:
        """Ask for the English of a text; ``language`` is its BCP 47 code where it is known, else it is found out."""
        ...
