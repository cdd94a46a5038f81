"""The judge's own digit for a whole response: the baseline without a checklist (RocketEval, section 4.1)."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from checkwise.methods.conversation import prompt_data
from checkwise.prompts import PromptLibrary
from checkwise.questions import Ask, Choose, Failure
from checkwise.records import Instance, Response, Score

DIGITS = tuple("0123456789")


@dataclass(frozen=True, kw_only=True)
class Direct:
    """Score a response by the probabilities of the digits 0 to 9 as the judge's next word.

    Args:
        readout: ``expected`` is the mean digit, weighted with the probabilities; ``likeliest`` the likeliest digit.
        low_mass: A score is flagged when the digits' probabilities add up to less than this, 0 to 1.
        prompts: Where the prompts come from.
    """

    name: ClassVar[str] = "direct"
    prompt_names: ClassVar[tuple[str, ...]] = ("direct/score",)

    readout: Literal["expected", "likeliest"] = "expected"
    low_mass: float = 0.5
    prompts: PromptLibrary = field(default_factory=PromptLibrary)

    async def score(self, instance: Instance, response: Response, ask: Ask) -> Score:
        """Have one response scored.

        Args:
            instance: What was asked; its reference is shown if it has one.
            response: What a model answered.
            ask: Puts questions to the judge.

        Returns:
            The digit divided by 9; unscored with a reason if no digit was among the judge's likeliest words.
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
            return Score(**about, status="unscored", reason=answer.reason)
        digits = {int(digit): p for digit, p in answer.probabilities.items() if p}
        if not digits:
            return Score(**about, status="unscored", reason="no digit was among the judge's likeliest words")
        if self.readout == "likeliest":
            digit: float = max(digits, key=lambda d: digits[d])
        else:
            digit = sum(d * p for d, p in digits.items()) / sum(digits.values())
        return Score(
            **about,
            # The weighted mean of nines alone may come out a rounding error above nine.
            value=min(digit / 9, 1.0),
            status="scored",
            scored_items=1,
            low_mass_items=int(answer.mass < self.low_mass),
            mean_mass=answer.mass,
        )
