"""Ways to put the items of a checklist to a judge: one by one, one after another in a conversation, or all at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from checkwise.parsing.choices import yes_probability
from checkwise.parsing.numbered_answers import read_numbered_answers
from checkwise.prompts import Prompt
from checkwise.questions import Ask, Choice, Choose, Failure, Generate, Message
from checkwise.records import GradeMode

Data = Mapping[str, Any]
"""What a prompt is told about instance and response."""

YES, NO = "Yes", "No"

NEITHER = "neither Yes nor No was among the judge's likeliest words"
"""The reason of an item whose probabilities say nothing."""

TOKENS_A_LINE = 24
"""Room for one answer among all of a list: its number, the word, and half a question that a judge repeats."""


@dataclass(frozen=True)
class ItemAnswer:
    """What a judge says about one item."""

    mode: GradeMode
    """How it was found out."""
    p_yes: float | None = None
    """Between 0 and 1; None is unscored."""
    mass: float | None = None
    """The probability of Yes and No together, where it was measured."""
    bounded: bool = False
    """Whether one side was not among the returned tokens, so that p_yes rests on its upper bound."""
    answers: int | None = None
    """How many sampled answers were Yes or No."""
    yes_answers: int | None = None
    """How many of them were Yes."""
    reason: str | None = None
    """Why it is unscored."""


@dataclass(frozen=True)
class Alone:
    """Each item on its own, behind what all of them share (RocketEval, section 3.2).

    Args:
        samples: Answers to sample; 0 reads the probabilities.
        temperature: For sampling, above 0.
    """

    samples: int = 0
    temperature: float = 1.0

    async def ask(self, items: Sequence[str], prompt: Prompt, data: Data, ask: Ask, *, paper: bool) -> list[ItemAnswer]:
        """Put all items to the judge.

        Args:
            items: The questions.
            prompt: With the blocks ``system``, ``instance``, ``response``, ``ask`` and ``item``.
            data: What is told about instance and response.
            ask: Puts questions to the judge.
            paper: Compute p_yes as the reference code does.

        Returns:
            One answer an item, in their order.
        """
        question = self.question(items, prompt, data)
        if self.samples:
            sampled = [
                await ask.choose(question.model_copy(update={"temperature": self.temperature, "repeat": repeat}))
                for repeat in range(self.samples)
            ]
            return [_counted(answers) for answers in zip(*sampled, strict=True)]
        return [read_choice_of_yes(answer, paper=paper) for answer in await ask.choose(question)]

    def question(self, items: Sequence[str], prompt: Prompt, data: Data) -> Choose:
        """Word what is asked; see ``ask``."""
        return Choose(
            system=prompt.render("system", **data).strip(),
            shared=(
                prompt.render("instance", **data),
                prompt.render("response", **data) + prompt.render("ask", **data),
            ),
            suffixes=tuple(prompt.render("item", **data, item=item) for item in items),
            options=(YES, NO),
            step="grading",
        )


@dataclass(frozen=True)
class InTurn:
    """One item after another, each seeing the ones before it with the judge's answers (RocketEval's ablation)."""

    async def ask(self, items: Sequence[str], prompt: Prompt, data: Data, ask: Ask, *, paper: bool) -> list[ItemAnswer]:
        """Put all items to the judge; see ``Alone``."""
        wording = prompt.render("ask", **data)
        shared = [prompt.render("instance", **data), prompt.render("response", **data) + wording]
        found: list[ItemAnswer] = []
        for item in items:
            suffix = prompt.render("item", **data, item=item)
            (answer,) = await ask.choose(
                Choose(
                    system=prompt.render("system", **data).strip(),
                    shared=tuple(shared),
                    suffixes=(suffix,),
                    options=(YES, NO),
                    step="grading",
                )
            )
            found.append(read_choice_of_yes(answer, paper=paper))
            p_yes = found[-1].p_yes
            # An item that has no answer is left out of what the next ones see.
            if p_yes is not None:
                shared.append(f"{suffix.strip()}\n{YES if p_yes >= 0.5 else NO}\n\n{wording}")
        return found


@dataclass(frozen=True)
class Together:
    """All items in one prompt, answered in one text: the cheapest way."""

    async def ask(self, items: Sequence[str], prompt: Prompt, data: Data, ask: Ask, *, paper: bool) -> list[ItemAnswer]:
        """Put all items to the judge.

        Args:
            items: The questions.
            prompt: With the blocks ``system`` and ``user``.
            data: What is told about instance and response.
            ask: Puts questions to the judge.
            paper: Nothing here: no probability is read.

        Returns:
            One answer an item, in their order, 0 or 1; unscored where the text has none for it.
        """
        system, user = (prompt.render(block, **data, items=items).strip() for block in ("system", "user"))
        answer = await ask.generate(
            Generate(
                messages=(Message(role="system", content=system), Message(role="user", content=user)),
                max_tokens=TOKENS_A_LINE * len(items),
                step="grading",
            )
        )
        if isinstance(answer, Failure):
            return [ItemAnswer(mode="written", reason=answer.reason) for _ in items]
        missing = f"the judge's text has no clear answer to it: {answer.text[:100]!r}"
        return [
            ItemAnswer(mode="written", reason=missing) if yes is None else ItemAnswer(mode="written", p_yes=float(yes))
            for yes in read_numbered_answers(answer.text, len(items))
        ]


Asking = Alone | InTurn | Together
"""A way to put items to a judge."""


def read_choice_of_yes(answer: Choice | Failure, *, paper: bool) -> ItemAnswer:
    """Read the probabilities of Yes and No.

    Args:
        answer: What the judge answered.
        paper: Compute p_yes as the reference code does.

    Returns:
        The answer; unscored with a reason where neither is among the likeliest words.
    """
    if isinstance(answer, Failure):
        return ItemAnswer(mode="logprobs", reason=answer.reason)
    read = yes_probability(answer, yes=YES, no=NO, paper=paper)
    return ItemAnswer(
        mode=answer.mode,
        p_yes=read.p_yes,
        mass=read.mass,
        bounded=read.bounded,
        reason=NEITHER if read.p_yes is None else None,
    )


def _counted(answers: Sequence[Choice | Failure]) -> ItemAnswer:
    """Count the sampled answers that are Yes or No; the mass is their share."""
    failures = [answer.reason for answer in answers if isinstance(answer, Failure)]
    said = [answer.probabilities[YES] for answer in answers if isinstance(answer, Choice) and answer.variants]
    if not said:
        reason = failures[0] if failures else f"none of {len(answers)} sampled answers was Yes or No"
        return ItemAnswer(mode="sampled", answers=0, yes_answers=0, reason=reason)
    yes = sum(bool(probability) for probability in said)
    return ItemAnswer(
        mode="sampled",
        p_yes=yes / len(said),
        mass=len(said) / len(answers),
        answers=len(said),
        yes_answers=yes,
    )
