"""CE-Judge: judge text in any language with checklists engineered in English, in two directions.

"CE-Judge" (arXiv 2507.06774), section 3: (1) concepts of each text, (2) translation into English, (3) two checklists
for each response, (4) the judgment. Training-free. For a pair, steps 1 to 3 know no order: a second order repeats only
the judgment, since the store has the answers to the rest.

As published, the prompt of the direction from the instruction to the response asks for questions that refer to the
response, which it is not given. Here each direction refers to the words of the text that it is given, and to the other
text by its concepts alone.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Literal, TypeVar

from checkwise.errors import UserError
from checkwise.methods.base import Compared, Scored
from checkwise.methods.conversation import conversation_text
from checkwise.methods.verdict_asking import (
    AskedVerdict,
    ask_by_prompt,
    comparison_by_position,
    score_by_guide,
    side_of,
)
from checkwise.parsing.checklist_items import parse_checklist
from checkwise.parsing.thinking import strip_thinking
from checkwise.parsing.verdicts import read_choice, read_score
from checkwise.prompts import GUIDES, Prompt, PromptLibrary, ScoringGuide
from checkwise.questions import Ask, AskStep, Failure, Generate, Message
from checkwise.records import Comparison, Finding, Instance, Response, Score, StepName

Task = Literal["reasoning", "chat", "translation", "general"]
"""What kind of text is judged; it decides what the prompts ask to mind."""

TASKS: tuple[Task, ...] = ("reasoning", "chat", "translation", "general")

V = TypeVar("V")

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
_BULLET = re.compile(r"^\s*(?:[-*+•·]|\d{1,2}[.)])\s+")


@dataclass(frozen=True)
class Written:
    """What one step gave, or why it gave nothing."""

    text: str | None = None
    """What was written."""
    reason: str | None = None
    """Why there is nothing."""


@dataclass(frozen=True)
class Analysis:
    """What steps 1 to 3 made of an instruction and one response to it."""

    items: tuple[str, ...]
    """The checklist: the response's direction first."""
    findings: tuple[Finding, ...]
    """Every step, for people to look at."""
    reason: str | None
    """Why there is no item, where there is none."""


@dataclass(frozen=True, kw_only=True)
class CEJudge:
    """Judge with engineered checklists, a response alone or a pair (arXiv 2507.06774, section 3).

    Args:
        task: What kind of text is judged; None takes the instance's category where it names a kind, else ``general``.
        guide: The scale of a score and what its points mean; None takes LitEval's 1-7 for translations, else one for
            any response, also 1-7.
        language: BCP 47 code of all instructions; None takes what the data says, or what the text looks like.
        response_language: The same for all responses.
        most: The most items kept of a list: from the response, and from the instruction.
        max_tokens: The most tokens of concepts or of a list, and of a judgment.
        prompts: Where the prompts come from.
    """

    name: ClassVar[str] = "ce-judge"
    prompt_names: ClassVar[tuple[str, ...]] = (
        "ce_judge/task",
        "ce_judge/concepts",
        "ce_judge/translate",
        "ce_judge/checklist_from_response",
        "ce_judge/checklist_from_instruction",
        "ce_judge/score",
        "ce_judge/compare",
    )

    task: Task | None = None
    guide: ScoringGuide | None = None
    language: str | None = None
    response_language: str | None = None
    most: tuple[int, int] = (3, 6)
    max_tokens: tuple[int, int] = (256, 256)
    prompts: PromptLibrary = field(default_factory=PromptLibrary)

    def __post_init__(self) -> None:
        """Refuse a language that no translator would know."""
        for option in ("language", "response_language"):
            code = getattr(self, option)
            if code is not None and not _LANGUAGE.fullmatch(code):
                raise UserError(
                    f"{option} is {code!r}, which is no BCP 47 code", todo="Write a code such as en, de or zh-Hant."
                )

    async def score(self, instance: Instance, response: Response, ask: Ask) -> Scored:
        """Have one response scored on the guide's scale.

        Args:
            instance: What was asked.
            response: What a model answered.
            ask: Puts questions to the judge and to the translator.

        Returns:
            The score, (verdict - low) / (high - low); unscored with a reason if there is no checklist or no verdict.
            Concepts, translations, both lists and the feedback beside it.
        """
        analysis = await self._analysed(instance, response, ask)
        if not analysis.items:
            score = Score(instance_id=instance.id, model=response.model, status="unscored", reason=analysis.reason)
            return score, analysis.findings
        guide = self._guide(instance)
        data = {
            "instruction": self._instruction(instance, response),
            "response": response.text,
            "checklist": _numbered(analysis.items),
            "guide": guide,
        }
        read = partial(read_score, low=guide.low, high=guide.high)
        asked = await self._judgment("score", instance, data, ask, read)
        score, written = score_by_guide(asked, response, guide, items=len(analysis.items))
        return score, (*analysis.findings, *written)

    async def compare(self, instance: Instance, first: Response, second: Response, ask: Ask) -> Compared:
        """Have two responses compared, shown in this order.

        Args:
            instance: What was asked.
            first: The response that is shown first, as A.
            second: The response that is shown second, as B.
            ask: Puts questions to the judge and to the translator.

        Returns:
            The verdict by the responses' own names; unscored with a reason if a response has no checklist or there is
            no verdict. Concepts, translations, all lists and the feedback beside it.
        """
        # In the order of the names, so that both orders ask alike and the engine finds what it has computed.
        by_side = {side_of(r): await self._analysed(instance, r, ask) for r in sorted((first, second), key=side_of)}
        # What is about the instruction is in both analyses.
        findings = tuple(dict.fromkeys(finding for analysis in by_side.values() for finding in analysis.findings))
        without = [f"{side}: {analysis.reason}" for side, analysis in by_side.items() if not analysis.items]
        if without:
            unscored = Comparison(
                pair_id=instance.id, first=side_of(first), status="unscored", reason="; ".join(without)
            )
            return unscored, findings
        data = {
            "instruction": self._instruction(instance, first),
            "response_a": first.text,
            "response_b": second.text,
            "checklist_a": _numbered(by_side[side_of(first)].items),
            "checklist_b": _numbered(by_side[side_of(second)].items),
        }
        asked = await self._judgment("compare", instance, data, ask, read_choice)
        comparison, written = comparison_by_position(asked, first, second)
        return comparison, (*findings, *written)

    async def _analysed(self, instance: Instance, response: Response, ask: Ask) -> Analysis:
        """Do steps 1 to 3 for one response."""
        instruction = self._instruction(instance, response)
        task = self._task(instance)
        concepts = (
            await self._concepts(instruction, "instruction", task, ask),
            await self._concepts(response.text, "response", task, ask),
        )
        english = (
            await self._english(instruction, self.language or instance.language, ask),
            # A response may be in another language than its instruction, so that one's language says nothing here.
            await self._english(response.text, self.response_language or response.language, ask),
        )
        lists = (
            await self._checklist("response", english[1], concepts[0], task, ask),
            await self._checklist("instruction", english[0], concepts[1], task, ask),
        )
        about = partial(Finding, instance_id=instance.id)
        steps: tuple[tuple[StepName, str | None, Written], ...] = (
            ("concepts", None, concepts[0]),
            ("concepts", response.model, concepts[1]),
            ("translation", None, english[0]),
            ("translation", response.model, english[1]),
            ("checklist from response", response.model, lists[0]),
            ("checklist from instruction", response.model, lists[1]),
        )
        return Analysis(
            items=tuple(item for found in lists if found.text for item in found.text.split("\n")),
            findings=tuple(
                about(model=model, step=step, text=written.text, reason=written.reason)
                for step, model, written in steps
            ),
            reason=_why_no_checklist(lists),
        )

    async def _concepts(self, text: str, about: str, task: Task, ask: Ask) -> Written:
        """Step 1: the skeleton of one text, untranslated."""
        prompt = self.prompts.get("ce_judge/concepts")
        written = await self._write(prompt, ask, "concepts", text=text, about=about, task=task)
        if written.text is None:
            return Written(reason=f"no concepts of the {about}: {written.reason}")
        lines = [_BULLET.sub("", line).strip() for line in written.text.splitlines()]
        return Written("\n".join(f"- {line}" for line in lines if line))

    async def _english(self, text: str, language: str | None, ask: Ask) -> Written:
        """Step 2: one text in English."""
        translation = await ask.translate(text, language)
        if isinstance(translation, Failure):
            return Written(reason=translation.reason)
        return Written(translation.text, translation.note)

    async def _checklist(self, direction: str, text: Written, concepts: Written, task: Task, ask: Ask) -> Written:
        """Step 3: one direction, from the words of one text and the concepts of the other."""
        for missing in (text, concepts):
            if missing.text is None:
                return Written(reason=missing.reason)
        prompt = self.prompts.get(f"ce_judge/checklist_from_{direction}")
        data = {direction: text.text, "concepts": concepts.text, "task_points": self._points(task)}
        written = await self._write(prompt, ask, "checklist", **data)
        if written.text is None:
            return written
        items = parse_checklist(written.text)[: self.most[_DIRECTIONS.index(direction)]]
        if not items:
            return Written(reason=f"no question was written, but: {written.text[:200]!r}")
        return Written("\n".join(" ".join(item.split()) for item in items))

    async def _write(self, prompt: Prompt, ask: Ask, step: AskStep, **data: str | None) -> Written:
        message = Message(role="user", content=prompt.render("user", **data).strip())
        answer = await ask.generate(Generate(messages=(message,), max_tokens=self.max_tokens[0], step=step))
        if isinstance(answer, Failure):
            return Written(reason=answer.reason)
        text, unclosed = strip_thinking(answer.text)
        if answer.finish == "length":
            # The limit may have cut the last line, and half of one says something else.
            text = "\n".join(text.splitlines()[:-1]) or text
        if unclosed or not text.strip():
            return Written(reason=f"nothing was written, but: {answer.text[:200]!r}")
        return Written(text)

    async def _judgment(
        self,
        step: Literal["score", "compare"],
        instance: Instance,
        data: Mapping[str, object],
        ask: Ask,
        read: Callable[[str], V | None],
    ) -> AskedVerdict[V]:
        """Step 4: the verdict, from the untranslated texts and the checklist."""
        prompt = self.prompts.get(f"ce_judge/{step}")
        data = {**data, "task_points": self._points(self._task(instance))}
        return await ask_by_prompt(ask, prompt, data, read, max_tokens=self.max_tokens[1])

    def _guide(self, instance: Instance) -> ScoringGuide:
        return self.guide or GUIDES["liteval" if self._task(instance) == "translation" else "quality"]

    def _instruction(self, instance: Instance, response: Response) -> str:
        """Write what a response answers: the query, behind the conversation where there is one; a source text alone."""
        history = conversation_text(response.history or instance.history)
        bare = history is None or self._task(instance) == "translation"
        return instance.query if bare else f"{history}\n\nUSER: {instance.query}"

    def _task(self, instance: Instance) -> Task:
        if self.task is not None:
            return self.task
        return next((task for task in TASKS if task == (instance.category or "").casefold()), "general")

    def _points(self, task: Task) -> str:
        return self.prompts.get("ce_judge/task").render(task).strip()


_DIRECTIONS = ("response", "instruction")
"""Where a list starts from, in the order in which the two are put together."""


def _why_no_checklist(lists: tuple[Written, Written]) -> str:
    """Say why there is no item at all; the two directions often fail for one reason."""
    reasons = dict(zip(_DIRECTIONS, (written.reason for written in lists), strict=True))
    if len(set(reasons.values())) == 1:
        return f"no checklist from the response or from the instruction: {reasons['response']}"
    return "; ".join(f"no checklist from the {direction}: {reason}" for direction, reason in reasons.items())


def _numbered(items: tuple[str, ...]) -> str:
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, start=1))
