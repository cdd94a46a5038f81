"""Reasons before the verdict: the judge names strengths and weaknesses, then gives a score or a choice.

The baseline called CoT in RocketEval (arXiv 2503.05142), section 4.1.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from checkwise.methods.base import Compared, Scored
from checkwise.methods.conversation import conversation_text, pair_data, prompt_data
from checkwise.methods.verdict_asking import ask_by_prompt, comparison_by_position, score_by_guide
from checkwise.parsing.verdicts import read_choice, read_score
from checkwise.prompts import GUIDES, PromptLibrary, ScoringGuide
from checkwise.questions import Ask
from checkwise.records import Instance, Response


@dataclass(frozen=True, kw_only=True)
class CoT:
    """Judge a response or a pair after naming strengths and weaknesses.

    Args:
        guide: The scale of a score and what its points mean.
        max_tokens: The most tokens of the judge's text.
        prompts: Where the prompts come from.
    """

    name: ClassVar[str] = "cot"
    prompt_names: ClassVar[tuple[str, ...]] = ("cot/score", "cot/compare")

    guide: ScoringGuide = field(default_factory=lambda: GUIDES["ten"])
    max_tokens: int = 400
    prompts: PromptLibrary = field(default_factory=PromptLibrary)

    async def score(self, instance: Instance, response: Response, ask: Ask) -> Scored:
        """Have one response scored on the guide's scale.

        Args:
            instance: What was asked; its reference is shown if it has one.
            response: What a model answered.
            ask: Puts questions to the judge.

        Returns:
            The score, (verdict - low) / (high - low); unscored with a reason if no verdict could be read. What the
            judge wrote beside it.
        """
        history = conversation_text(response.history or instance.history)
        data = prompt_data(instance, response) | {"history": history, "guide": self.guide}
        read = partial(read_score, low=self.guide.low, high=self.guide.high)
        prompt = self.prompts.get("cot/score")
        asked = await ask_by_prompt(ask, prompt, data, read, max_tokens=self.max_tokens)
        return score_by_guide(asked, response, self.guide)

    async def compare(self, instance: Instance, first: Response, second: Response, ask: Ask) -> Compared:
        """Have two responses compared, shown in this order.

        Args:
            instance: What was asked; its reference is shown if it has one.
            first: The response that is shown first, as A.
            second: The response that is shown second, as B.
            ask: Puts questions to the judge.

        Returns:
            The verdict by the responses' own names; unscored with a reason if no verdict could be read. What the judge
            wrote beside it.
        """
        prompt, data = self.prompts.get("cot/compare"), pair_data(instance, first, second)
        asked = await ask_by_prompt(ask, prompt, data, read_choice, max_tokens=self.max_tokens)
        return comparison_by_position(asked, first, second)
