"""Reading what a chat endpoint answered; nothing of it is trusted to be there."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from checkwise.engines.limits import TemporaryError
from checkwise.parsing.thinking import strip_thinking
from checkwise.questions import Failure, Generation, Usage

Tokens = list[tuple[str, float]]
"""The likeliest tokens with their probabilities."""

_FIELD = re.compile(r"""^\s*(?:```\w*\s*)?\{\s*("answer")\s*:\s*"(\w+)""")
"""The answer within the JSON that was asked for, also where its end was cut off."""
_FILTERED = "the provider's content filter stopped the answer"


@dataclass(frozen=True)
class Written:
    """One of the answers in a response of the endpoint."""

    text: str
    """The answer, thinking included where it is part of it."""
    thinking: str
    """Thinking that the endpoint keeps apart."""
    finish: str
    """Why it ends there."""
    logprobs: list[Mapping[str, Any]] | None
    """One entry a token; None where there are none."""
    refusal: str | None
    """Why there is no answer, where the endpoint says so."""

    @property
    def thought(self) -> bool:
        """Whether the model thought first."""
        return bool(self.thinking) or self.text.lstrip().casefold().startswith("<think")


@dataclass(frozen=True)
class Answered:
    """A response of the endpoint."""

    answers: tuple[Written, ...]
    """At least one."""
    model: str | None
    """The model that it says has answered."""
    usage: Usage
    """What it cost."""
    reasoning_tokens: int = 0
    """Tokens that the model thought with, as far as the endpoint says."""


def read_response(body: object, *, seconds: float) -> Answered:
    """Read a response of ``/chat/completions``.

    Args:
        body: The JSON value.
        seconds: How long it took.

    Returns:
        Its answers.

    Raises:
        TemporaryError: It is none, or has no answer.
    """
    if not isinstance(body, Mapping) or not isinstance(body.get("choices"), list):
        raise TemporaryError("the endpoint answered what is no chat response")
    answers = tuple(_written(choice) for choice in body["choices"] if isinstance(choice, Mapping))
    if not answers:
        raise TemporaryError("the endpoint answered without a choice")
    model = body.get("model")
    usage = body.get("usage")
    return Answered(
        answers, model if isinstance(model, str) else None, _usage(usage, seconds), _reasoning_tokens(usage)
    )


def read_text(written: Written, usage: Usage) -> Generation | Failure:
    """Read text that was asked for.

    Args:
        written: The answer.
        usage: What it cost.

    Returns:
        The text, with thinking before it in ``<think>``; or why there is none.
    """
    failure = _no_answer(written)
    if failure is not None:
        return failure
    thinking = f"<think>\n{written.thinking}\n</think>\n" if written.thinking else ""
    return Generation(
        text=thinking + written.text, finish="length" if written.finish == "length" else "stop", usage=usage
    )


def read_word(written: Written) -> str | Failure:
    """Read the first word of a sampled answer.

    Args:
        written: The answer: a word, or JSON with the one field ``answer``.

    Returns:
        The word, empty where there is none; or why nothing can be read.
    """
    failure = _no_answer(written)
    if failure is not None:
        return failure
    said, is_open = strip_thinking(written.text)
    if is_open or (written.thought and not said):
        return Failure(kind="incomplete", reason="the model was still thinking when its tokens were used up")
    word = _FIELD.search(said) or re.search(r"()(\w+)", said)
    return word[2] if word else ""


def read_tokens(written: Written) -> Tokens | Failure | None:
    """Read the likeliest tokens at the place where the answer begins, after any thinking.

    Args:
        written: The answer.

    Returns:
        The tokens, at least one; None where there are no log-probabilities; or why there is no answer.
    """
    failure = _no_answer(written)
    if failure is not None:
        return failure
    if not written.logprobs:
        return None
    if not written.thought:
        return _likeliest(written.logprobs[0])
    said, is_open = strip_thinking(written.text)
    if is_open or not said:
        return Failure(kind="incomplete", reason="the model was still thinking when its tokens were used up")
    rest = ""
    for entry in reversed(written.logprobs):
        rest = str(entry.get("token", "")) + rest
        if rest.strip() == said:
            return _likeliest(entry)
    return None


def _likeliest(entry: Mapping[str, Any]) -> Tokens | None:
    listed = entry.get("top_logprobs") or [entry]
    tokens = [
        (one["token"], math.exp(one["logprob"]))
        for one in listed
        if isinstance(one, Mapping)
        and isinstance(one.get("token"), str)
        and isinstance(one.get("logprob"), int | float)
    ]
    return tokens or None


def _written(choice: Mapping[str, Any]) -> Written:
    message = choice.get("message")
    message = message if isinstance(message, Mapping) else {}
    thinking = message.get("reasoning_content") or message.get("reasoning") or ""
    logprobs = choice.get("logprobs")
    entries = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    return Written(
        text=str(message.get("content") or ""),
        thinking=thinking if isinstance(thinking, str) else "",
        finish=str(choice.get("finish_reason") or ""),
        logprobs=[one for one in entries if isinstance(one, Mapping)] if isinstance(entries, list) else None,
        refusal=str(message["refusal"]) if message.get("refusal") else None,
    )


def _no_answer(written: Written) -> Failure | None:
    if written.refusal is not None:
        return Failure(kind="no_answer", reason=f"the model refused: {written.refusal}")
    if written.finish == "content_filter":
        return Failure(kind="no_answer", reason=_FILTERED)
    if written.text or written.logprobs:
        return None
    if written.thought or written.finish == "length":
        return Failure(kind="incomplete", reason="the tokens were used up before the model said anything")
    return Failure(kind="no_answer", reason="the answer is empty")


def _usage(usage: object, seconds: float) -> Usage:
    told = usage if isinstance(usage, Mapping) else {}
    details = told.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, Mapping) else None
    prompt = _count(told.get("prompt_tokens"))
    return Usage(
        prompt_tokens=prompt,
        computed_tokens=max(0, prompt - _count(cached)),
        generated_tokens=_count(told.get("completion_tokens")),
        seconds=seconds,
    )


def _reasoning_tokens(usage: object) -> int:
    details = usage.get("completion_tokens_details") if isinstance(usage, Mapping) else None
    return _count(details.get("reasoning_tokens")) if isinstance(details, Mapping) else 0


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
