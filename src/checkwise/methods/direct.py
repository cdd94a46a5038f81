"""The judge's own digit for a response, or its own choice between two: the baseline without a checklist.

RocketEval (arXiv 2503.05142), section 4.1.
"""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from checkwise.methods.base import Compared, Scored
from checkwise.methods.conversation import pair_data, prompt_data
from checkwise.methods.verdict_asking import side_of
from checkwise.parsing.choices import yes_probability
from checkwise.prompts import PromptLibrary
from checkwise.questions import Ask, Choice, Choose, Failure
from checkwise.records import Comparison, Instance, Response, Score, Winner

DIGITS = tuple("0123456789")
FIRST, SECOND = "A", "B"
"""What the responses of a pair are called in the prompt, by the order in which they are shown."""


@dataclass(frozen=True, kw_only=True)
class Direct:
    """Judge by the probabilities of the judge's next word: the digits 0 to 9 for a response, A and B for a pair.

    Args:
        readout: ``expected`` is the mean digit, weighted with the probabilities; ``likeliest`` the likeliest digit.
        low_mass: A score is flagged when the digits' probabilities add up to less than this, 0 to 1.
        prompts: Where the prompts come from.
    """

    name: ClassVar[str] = "direct"
    prompt_names: ClassVar[tuple[str, ...]] = ("direct/score", "direct/compare")

    readout: Literal["expected", "likeliest"] = "expected"
    low_mass: float = 0.5
    prompts: PromptLibrary = field(default_factory=PromptLibrary)

    async def score(self, instance: Instance, response: Response, ask: Ask) -> Scored:
        """Have one response scored.

        Args:
            instance: What was asked; its reference is shown if it has one.
            response: What a model answered.
            ask: Puts questions to the judge.

        Returns:
            The digit divided by 9; unscored with a reason if no digit was among the judge's likeliest words. No text
            is written.
        """
        prompt = self.prompts.get("direct/score")
        data = prompt_data(instance, response)
        question = Choose(
            system=prompt.render("system", **data).strip(),
            shared=(prompt.render("instance", **data), prompt.render("response", **data)),
            suffixes=(prompt.render("question", **data),),
            options=DIGITS,
        )
        (answer,) = await ask.choose(question)
        about = {"instance_id": response.instance_id, "model": response.model, "items": 1}
        if isinstance(answer, Failure):
            return Score(**about, status="unscored", reason=answer.reason), ()
        digits = {int(digit): p for digit, p in answer.probabilities.items() if p}
        if not digits:
            return Score(**about, status="unscored", reason="no digit was among the judge's likeliest words"), ()
        if self.readout == "likeliest":
            digit: float = max(digits, key=lambda d: digits[d])
        else:
            digit = sum(d * p for d, p in digits.items()) / sum(digits.values())
        score = Score(
            **about,
            # The weighted mean of nines alone may come out a rounding error above nine.
            value=min(digit / 9, 1.0),
            status="scored",
            scored_items=1,
            low_mass_items=int(answer.mass < self.low_mass),
            mean_mass=answer.mass,
        )
        return score, ()

    async def compare(self, instance: Instance, first: Response, second: Response, ask: Ask) -> Compared:
        """Have two responses compared, shown in this order.

        Args:
            instance: What was asked; its reference is shown if it has one.
            first: The response that is shown first, as A.
            second: The response that is shown second, as B.
            ask: Puts questions to the judge.

        Returns:
            The likelier one, a tie only where both are exactly as likely, with its probability and the mass of both
            letters; unscored with a reason if neither was among the judge's likeliest words. No text is written.
        """
        prompt = self.prompts.get("direct/compare")
        data = pair_data(instance, first, second)
        question = Choose(
            system=prompt.render("system", **data).strip(),
            shared=(prompt.render("instance", **data), prompt.render("responses", **data)),
            suffixes=(prompt.render("question", **data),),
            options=(FIRST, SECOND),
        )
        (answer,) = await ask.choose(question)
        about = {"pair_id": instance.id, "first": side_of(first)}
        if isinstance(answer, Failure):
            return Comparison(**about, status="unscored", reason=answer.reason), ()
        read = yes_probability(answer, yes=FIRST, no=SECOND)
        if read.p_yes is None:
            reason = "neither A nor B was among the judge's likeliest words"
            return Comparison(**about, status="unscored", mass=read.mass, reason=reason), ()
        p_a = read.p_yes if side_of(first) == "A" else 1 - read.p_yes
        verdict = _likelier(answer, first, second)
        return Comparison(**about, verdict=verdict, p_a=p_a, mass=read.mass, status="judged"), ()


def _likelier(choice: Choice, first: Response, second: Response) -> Winner:
    # A letter that was not returned is no likelier than any that was.
    p_first, p_second = (choice.probabilities[letter] or 0.0 for letter in (FIRST, SECOND))
    if p_first == p_second:
        return "tie"
    return side_of(first if p_first > p_second else second)
