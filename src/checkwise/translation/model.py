"""A language model as the translator: the judge, or another engine."""

from collections.abc import Mapping

from checkwise.parsing.thinking import strip_thinking
from checkwise.prompts import PromptLibrary
from checkwise.questions import Failure, Generate, Generation, Message
from checkwise.translation.base import Writer, untranslated

PROMPT = "ce_judge/translate"


class ModelTranslator:
    """Has a model translate.

    Args:
        engine: Runs the model; whoever opened it closes it.
        prompts: Where the prompt comes from.
        max_tokens: The most tokens of the English of a piece.
    """

    longest = 1000

    def __init__(self, engine: Writer, prompts: PromptLibrary, *, max_tokens: int = 1024) -> None:
        self._engine = engine
        self._prompt = prompts.get(PROMPT)
        self._max_tokens = max_tokens

    @property
    def name(self) -> str:
        """The model's name."""
        return self._engine.model

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """The engine's, and the prompt's version."""
        return {**self._engine.identity, "translate": self._prompt.version, "max_tokens": self._max_tokens}

    async def translate(self, piece: str, language: str, *, attempt: int = 0) -> Generation | Failure:
        """Ask for the English of a piece: greedily, then by sampling, since a greedy model repeats itself."""
        question = Generate(
            messages=(
                Message(role="system", content=self._prompt.render("system", language=language).strip()),
                Message(role="user", content=self._prompt.render("user", text=piece, language=language).strip()),
            ),
            max_tokens=self._max_tokens,
            temperature=0.5 if attempt else 0.0,
            seed=42 + attempt,
            repeat=attempt,
            step="translation",
        )
        answer = await self._engine.generate(question)
        if isinstance(answer, Failure):
            return answer
        if answer.finish == "length":
            return untranslated(f"the translation did not end within {self._max_tokens} tokens")
        text, unclosed = strip_thinking(answer.text)
        if unclosed or not text.strip():
            return untranslated(f"nothing was written, but: {answer.text[:200]!r}")
        return answer.model_copy(update={"text": _without_fence(text)})

    async def close(self) -> None:
        """Nothing is held."""


def _without_fence(text: str) -> str:
    """Take away the fence of the prompt, which small models write again around the translation."""
    return text.strip().removeprefix("<passage>").removesuffix("</passage>").strip()
