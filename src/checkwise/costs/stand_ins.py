"""Texts that stand in for what a model would write, so that a method can be led through all of its steps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from types import MappingProxyType

from checkwise.costs.text_tokens import estimate_tokens
from checkwise.methods.item_asking import TOKENS_A_LINE
from checkwise.questions import AskStep, Generate
from checkwise.store import Database
from checkwise.translation.pieces import MARK

CHECKLIST = """\
1. Does the response give the exact result that the query asks for?
2. Does the response name each of the three things that the query mentions?
3. Does the response keep to the length and the form that the query sets?
4. Does the response explain why its main step is right, with the numbers that it rests on?
5. Is every fact about the subject in the response right, such as names, dates and places?
6. Does the response leave out what the query says that it must not contain?
7. Does the response mention the exception that the general rule has in this case?
8. Is the order of the steps in the response one that a reader can follow without guessing?"""
"""Eight questions: the published lists have 8.8 on average, and ours are asked to have five to ten."""

CONCEPTS = """\
- the goal of the text and its reader
- the facts and limits that it gives
- the form that an answer must have
- the main difficulty"""

FEEDBACK = (
    "Feedback: The response takes up the main point of the query and answers it directly, and its tone suits the "
    "reader. It gives a correct overview with two fitting examples, and the order of its parts is easy to follow. It "
    "is weaker where it should explain why the second step follows from the first, leaves out one of the limits that "
    "were asked for, and states one detail with more certainty than the text allows."
)
"""Some seventy words; the prompts ask for eighty at most, or for two or three sentences."""

_ENGLISH = "This is what the passage says, put into plain English words for a reader who does not know the language. "

_ANSWER = "{}. Yes"


@dataclass(frozen=True)
class StandIns:
    """What a model is taken to write in each step.

    Args:
        score: A score on the scale of the method's guide.
        texts: Texts of the run itself for some of the steps.
        lengths: Mean lengths of its texts, in tokens.
        counts: How many texts that is the mean of.
    """

    score: int = 4
    texts: Mapping[AskStep, str] = field(default_factory=lambda: MappingProxyType({}))
    lengths: Mapping[AskStep, float] = field(default_factory=lambda: MappingProxyType({}))
    counts: Mapping[AskStep, int] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def learned(cls, database: Database | None, model: str, *, score: int) -> "StandIns":
        """Learn from what a model has written in a run so far.

        Args:
            database: The run's answers; None where there is no run yet.
            model: The model.
            score: A score on the scale of the method's guide.

        Returns:
            The texts of median length and the mean lengths of all.
        """
        if database is None:
            return cls(score)
        written = {
            used.step: used
            for used in database.used()
            if used.model == model and used.kind == "generate" and used.step is not None
        }
        texts = {step: text for step in written if (text := database.typical_text(model, step))}
        lengths = {step: used.generated_tokens / used.questions for step, used in written.items()}
        return cls(score, texts, lengths, {step: used.questions for step, used in written.items()})

    def text(self, question: Generate) -> str:
        """Write what stands in for the answer to a question."""
        match question.step:
            case "checklist" | "concepts":
                return self.texts.get(question.step, CHECKLIST if question.step == "checklist" else CONCEPTS)
            case "grading":
                return "\n".join(map(_ANSWER.format, range(1, question.max_tokens // TOKENS_A_LINE + 1)))
            case "translation":
                return self.translation(question.messages[-1].content)
            case "judgment":
                # With both closing lines, so that whoever reads it finds a verdict and need not ask again.
                return f"{FEEDBACK}\nScore: {self.score}\nVerdict: A"

    def translation(self, passage: str) -> str:
        """Write English of about a passage's length, with the marks that a translation has to keep."""
        sentences = max(ceil(estimate_tokens(passage) / estimate_tokens(_ENGLISH)), 1)
        return " ".join((*(found.group() for found in MARK.finditer(passage)), (_ENGLISH * sentences).strip()))

    def length(self, question: Generate) -> float | None:
        """Give the mean length of the run's own texts, in tokens; None where there are none."""
        return self.lengths.get(question.step)
