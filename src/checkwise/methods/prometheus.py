"""Grading by a rubric in the manner of Prometheus 2: feedback, then ``[RESULT]`` with a score or a choice.

Kim et al., 2024, "Prometheus 2" (arXiv 2405.01535), section 3: absolute and relative grading. The prompts are our own,
for any judge; nothing here needs the Prometheus models.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from checkwise.methods.base import Compared, Scored
from checkwise.methods.conversation import conversation_text, pair_data
from checkwise.methods.verdict_asking import ask_by_prompt, comparison_by_position, score_by_guide
from checkwise.parsing.verdicts import read_choice, read_score
from checkwise.prompts import GUIDES, PromptLibrary, ScoringGuide
from checkwise.questions import Ask
from checkwise.records import Instance, Response


@dataclass(frozen=True, kw_only=True)
class Prometheus:
    """Judge a response by a rubric (absolute grading), or a pair by its criterion (relative grading).

    Args:
        guide: The rubric; a pair is compared by its sentence ``about``, or by what its highest score means.
        max_tokens: The most tokens of the judge's text.
        prompts: Where the prompts come from.
    """

    name: ClassVar[str] = "prometheus"
    prompt_names: ClassVar[tuple[str, ...]] = ("prometheus/absolute", "prometheus/relative")

    guide: ScoringGuide = field(default_factory=lambda: GUIDES["five"])
    max_tokens: int = 400
    prompts: PromptLibrary = field(default_factory=PromptLibrary)

    async def score(self, instance: Instance, response: Response, ask: Ask) -> Scored:
        """Have one response scored by the rubric.

        Args:
            instance: What was asked; its reference stands for the highest score if it has one.
            response: What a model answered.
            ask: Puts questions to the judge.

        Returns:
            The score, (verdict - low) / (high - low); unscored with a reason if no verdict could be read. The feedback
            beside it.
        """
        data = {
            "instruction": instance.query,
            "history": conversation_text(response.history or instance.history),
            "reference": instance.reference,
            "response": response.text,
            "guide": self.guide,
        }
        read = partial(read_score, low=self.guide.low, high=self.guide.high)
        prompt = self.prompts.get("prometheus/absolute")
        asked = await ask_by_prompt(ask, prompt, data, read, max_tokens=self.max_tokens)
        return score_by_guide(asked, response, self.guide)

    async def compare(self, instance: Instance, first: Response, second: Response, ask: Ask) -> Compared:
        """Have two responses compared by the rubric's criterion, shown in this order.

        Args:
            instance: What was asked; its reference is shown if it has one.
            first: The response that is shown first, as A.
            second: The response that is shown second, as B.
            ask: Puts questions to the judge.

        Returns:
            The verdict by the responses' own names; unscored with a reason if no verdict could be read. The feedback
            beside it.
        """
        data = pair_data(instance, first, second) | {"instruction": instance.query, "guide": self.guide}
        prompt = self.prompts.get("prometheus/relative")
        asked = await ask_by_prompt(ask, prompt, data, read_choice, max_tokens=self.max_tokens)
        return comparison_by_position(asked, first, second)
