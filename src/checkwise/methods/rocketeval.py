"""RocketEval: a strong model writes a checklist for each query, a small one grades each item.

Wei et al., 2025, "RocketEval: Efficient Automated LLM Evaluation via Grading Checklist" (arXiv 2503.05142), section 3.
"""

from dataclasses import asdict, dataclass, field
from typing import ClassVar

from checkwise.errors import ChecklistError, Place
from checkwise.methods.conversation import conversation_text, prompt_data
from checkwise.methods.item_asking import Alone, Asking, Together
from checkwise.parsing.checklist_items import parse_checklist
from checkwise.parsing.thinking import strip_thinking
from checkwise.prompts import PromptLibrary
from checkwise.questions import Ask, Failure, Generate, Message
from checkwise.records import Checklist, Instance, ItemGrade, Response


@dataclass(frozen=True, kw_only=True)
class RocketEval:
    """Grade each item of an instance's checklist on its own (Wei et al., 2025, section 3).

    Args:
        items: The fewest and the most questions that the generator is asked for.
        temperature: For writing checklists, 0 or more.
        top_p: For writing checklists, above 0 and at most 1.
        max_tokens: The most tokens of a checklist.
        low_mass: An item is flagged when P(Yes) + P(No) is below this, 0 to 1.
        paper: Compute p_yes as the reference code does (likeliest variant, 0.5 where neither was returned).
        asking: How items are put to the judge: ``Alone``, ``InTurn`` or ``Together``.
        prompts: Where the prompts come from.
    """

    name: ClassVar[str] = "rocketeval"
    prompt_names: ClassVar[tuple[str, ...]] = ("rocketeval/checklist", "rocketeval/grade", "rocketeval/grade_together")

    items: tuple[int, int] = (5, 10)
    temperature: float = 0.7
    top_p: float = 0.95
    max_tokens: int = 1024
    low_mass: float = 0.5
    paper: bool = False
    asking: Asking = field(default_factory=Alone)
    prompts: PromptLibrary = field(default_factory=PromptLibrary)

    async def checklist(self, instance: Instance, ask: Ask) -> Checklist:
        """Have the checklist of one instance written (section 3.1).

        Args:
            instance: The instance; its reference is shown if it has one.
            ask: Puts questions to the generator.

        Returns:
            The checklist.

        Raises:
            ChecklistError: The generator wrote no question; the message carries what it wrote.
        """
        prompt = self.prompts.get("rocketeval/checklist")
        data = {
            "query": instance.query,
            "history": conversation_text(instance.history),
            "reference": instance.reference,
            "at_least": self.items[0],
            "at_most": self.items[1],
        }
        parts = (
            ("system", "system"),
            ("user", "first_query"),
            ("assistant", "first_checklist"),
            ("user", "second_query"),
            ("assistant", "second_checklist"),
            ("user", "user"),
        )
        question = Generate(
            messages=tuple(Message(role=role, content=prompt.render(block, **data).strip()) for role, block in parts),
            max_tokens=self.max_tokens,
            temperature=self.temperature,
            top_p=self.top_p,
            step="checklist",
        )
        answer = await ask.generate(question)
        if isinstance(answer, Failure):
            raise ChecklistError(f"no checklist was written: {answer.reason}", where=Place(id=instance.id))
        text, unclosed = strip_thinking(answer.text)
        questions = [] if unclosed else parse_checklist(text)
        if answer.finish == "length" and len(questions) > 1:
            # The limit may have cut the last question, and half of one asks something else.
            questions.pop()
        if not questions:
            raise ChecklistError(
                f"the generator {ask.model} wrote no question; it wrote: {answer.text!r}",
                where=Place(id=instance.id),
                todo="Use a stronger generator, or give a list of your own with --checklists.",
            )
        return Checklist(instance_id=instance.id, items=tuple(questions), source="generated", generator=ask.model)

    async def grade(self, instance: Instance, checklist: Checklist, response: Response, ask: Ask) -> list[ItemGrade]:
        """Have the judge answer each item on its own (section 3.2).

        Args:
            instance: What was asked.
            checklist: The instance's items.
            response: What a model answered.
            ask: Puts questions to the judge.

        Returns:
            One grade an item, in the checklist's order; unscored ones carry the reason.
        """
        together = isinstance(self.asking, Together)
        prompt = self.prompts.get("rocketeval/grade_together" if together else "rocketeval/grade")
        answers = await self.asking.ask(checklist.items, prompt, prompt_data(instance, response), ask, paper=self.paper)
        return [
            ItemGrade(
                instance_id=response.instance_id,
                model=response.model,
                number=number,
                item=item,
                low_mass=answer.mass is not None and answer.mass < self.low_mass,
                **asdict(answer),
            )
            for number, (item, answer) in enumerate(zip(checklist.items, answers, strict=True), start=1)
        ]
