"""Asking for a text that ends in a verdict, with one more try where none can be read, and recording what came of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from checkwise.methods.base import Compared, Scored
from checkwise.prompts import Prompt, ScoringGuide
from checkwise.questions import Ask, Failure, Generate, Generation, Message
from checkwise.records import Comparison, Finding, Response, Score, Side

V = TypeVar("V")

RETRY_TOKENS = 24
"""The most tokens of the second try: a closing line and no more."""

_EXCERPT = 120


@dataclass(frozen=True)
class AskedVerdict(Generic[V]):
    """What came of asking for a verdict."""

    verdict: V | None = None
    """The verdict; None if there is none that can be read."""
    text: str | None = None
    """What the judge wrote first, verbatim; None if it wrote nothing."""
    retry_text: str | None = None
    """What it wrote when asked again, verbatim."""
    retried: bool = False
    """Whether it was asked again."""
    reason: str | None = None
    """Why there is no verdict."""


async def ask_by_prompt(
    ask: Ask, prompt: Prompt, data: dict[str, Any], read: Callable[[str], V | None], *, max_tokens: int
) -> AskedVerdict[V]:
    """Ask for a verdict with a prompt that has the blocks ``system``, ``user`` and ``restate``.

    Args:
        ask: Puts questions to the judge.
        prompt: The prompt.
        data: Its variables.
        read: Reads the verdict of a text; None where it has none.
        max_tokens: The most tokens of the first text.

    Returns:
        The verdict with the texts, or why there is none.
    """
    system, user, restate = (prompt.render(block, **data).strip() for block in ("system", "user", "restate"))
    messages = (Message(role="system", content=system), Message(role="user", content=user))
    return await ask_for_verdict(ask, Generate(messages=messages, max_tokens=max_tokens), read, restate)


async def ask_for_verdict(
    ask: Ask, question: Generate, read: Callable[[str], V | None], restate: str
) -> AskedVerdict[V]:
    """Ask for a text and read its verdict; where none can be read, go on with the conversation and ask for it alone.

    Args:
        ask: Puts questions to the judge.
        question: Asks for the text.
        read: Reads the verdict of a text; None where it has none.
        restate: The message that asks for the closing line alone.

    Returns:
        The verdict with the texts, or why there is none. A failure of the first question is final.
    """
    answer = await ask.generate(question)
    if isinstance(answer, Failure):
        return AskedVerdict(reason=answer.reason)
    verdict = read(_complete_lines(answer))
    if verdict is not None:
        return AskedVerdict(verdict, answer.text)
    again = await ask.generate(
        question.model_copy(
            update={
                "messages": (
                    *question.messages,
                    Message(role="assistant", content=answer.text),
                    Message(role="user", content=restate),
                ),
                "max_tokens": RETRY_TOKENS,
                "temperature": 0.0,
            }
        )
    )
    if isinstance(again, Failure):
        failed = f"no verdict could be read, and the judge could not be asked again: {again.reason}"
        return AskedVerdict(None, answer.text, retried=True, reason=failed)
    verdict = read(_complete_lines(again))
    reason = f"no verdict could be read, not even when asked again: {_end(again.text)!r}" if verdict is None else None
    return AskedVerdict(verdict, answer.text, again.text, retried=True, reason=reason)


def feedback(
    asked: AskedVerdict[V], *, instance_id: str, model: str | None = None, first: Side | None = None
) -> tuple[Finding, ...]:
    """Give what the judge wrote as findings.

    Args:
        asked: What came of asking.
        instance_id: The instance or pair.
        model: The model whose response it is about; None for a pair.
        first: For a pair, the response that was shown first.

    Returns:
        The feedback, and the second try where there was one; what is missing carries the reason.
    """
    about = {"instance_id": instance_id, "model": model, "first": first}
    found = [
        Finding(**about, step="feedback", text=asked.text, reason=None if asked.text is not None else asked.reason)
    ]
    if asked.retried:
        missing = None if asked.retry_text is not None else asked.reason
        found.append(Finding(**about, step="retry", text=asked.retry_text, reason=missing))
    return tuple(found)


def score_by_guide(asked: AskedVerdict[int], response: Response, guide: ScoringGuide, *, items: int = 1) -> Scored:
    """Record the score of one response, judged as a whole.

    Args:
        asked: What came of asking for a number on the guide's scale.
        response: The response.
        guide: The scale.
        items: Questions of the checklist that the judge had before it; 1 without a checklist.

    Returns:
        The score, (verdict - low) / (high - low), or unscored with a reason; what the judge wrote beside it.
    """
    about = {"instance_id": response.instance_id, "model": response.model, "items": items, "retried": asked.retried}
    findings = feedback(asked, instance_id=response.instance_id, model=response.model)
    if asked.verdict is None:
        return Score(**about, status="unscored", reason=asked.reason), findings
    value = guide.share(asked.verdict)
    return Score(**about, value=value, status="scored", scored_items=items, verdict=asked.verdict), findings


def comparison_by_position(asked: AskedVerdict[str], first: Response, second: Response) -> Compared:
    """Record the verdict on a pair under the responses' own names.

    Args:
        asked: What came of asking: A is the response that was shown first, B the second.
        first: The response that was shown first.
        second: The response that was shown second.

    Returns:
        The verdict, or unscored with a reason; what the judge wrote beside it.
    """
    shown_first = side_of(first)
    about = {"pair_id": first.instance_id, "first": shown_first, "retried": asked.retried}
    findings = feedback(asked, instance_id=first.instance_id, first=shown_first)
    if asked.verdict is None:
        return Comparison(**about, status="unscored", reason=asked.reason), findings
    better = first if asked.verdict == "A" else second
    return Comparison(**about, verdict=side_of(better), status="judged"), findings


def side_of(response: Response) -> Side:
    """Say which side of its pair a response is: its model's name.

    Raises:
        ValueError: It is no response of a pair.
    """
    if response.model not in ("A", "B"):
        raise ValueError(f"a response of a pair has the model A or B, not {response.model!r}")
    return "A" if response.model == "A" else "B"


def _complete_lines(answer: Generation) -> str:
    # The limit may have cut the last line: "Score: 1" may have been on its way to 10.
    return answer.text if answer.finish == "stop" else answer.text.rpartition("\n")[0]


def _end(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _EXCERPT else f"…{text[-_EXCERPT:]}"
