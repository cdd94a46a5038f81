"""Prompts as tokens, by a tokenizer and a chat template as the hub keeps them; text of others is never markup."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from checkwise.engines.chat_template import around_contents
from checkwise.errors import Place
from checkwise.parsing.choices import surface
from checkwise.questions import Choose, Generate

Tokens = tuple[int, ...]


class HubTokens:
    """Tokenize questions.

    Args:
        tokenizer: A tokenizer of ``transformers``, with a chat template.
        where: What a message of error says about whose it is.
    """

    def __init__(self, tokenizer: Any, where: Place) -> None:  # noqa: ANN401 - of an extra
        self._tokenizer = tokenizer
        self._where = where
        self._template = lru_cache(maxsize=64)(self._around)
        self.plain = lru_cache(maxsize=4096)(self._plain)

    def prompts(self, question: Choose) -> list[Tokens]:
        """Tokenize the prompt of each suffix."""
        roles = ("system", "user") if question.system is not None else ("user",)
        *heads, tail = self._template(roles)
        shared = heads[0]
        if question.system is not None:
            shared += self.plain(question.system) + heads[1]
        for part in question.shared:
            shared += self.plain(part)
        return [shared + self.plain(suffix) + tail for suffix in question.suffixes]

    def messages(self, question: Generate) -> Tokens:
        """Tokenize the prompt of a request for text."""
        *heads, tail = self._template(tuple(message.role for message in question.messages))
        prompt: Tokens = ()
        for head, message in zip(heads, question.messages, strict=True):
            prompt += head + self.plain(message.content)
        return prompt + tail

    def that_say(self, options: Iterable[str]) -> list[int]:
        """List the tokens that say one of a few words, in any case, with or without white space around."""
        return sorted(number for option in options for number in self._by_surface.get(surface(option), ()))

    def texts(self, numbers: Iterable[int]) -> list[str]:
        """Write tokens as text, one by one."""
        return list(self._tokenizer.batch_decode([[number] for number in numbers]))

    def _plain(self, text: str) -> Tokens:
        return tuple(self._tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True))

    def _around(self, roles: Sequence[str]) -> tuple[Tokens, ...]:
        def render(messages: list[dict[str, str]]) -> str:
            rendered: str = self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
            return rendered

        pieces = around_contents(roles, render, where=self._where)
        return tuple(tuple(self._tokenizer.encode(piece, add_special_tokens=False)) for piece in pieces)

    @cached_property
    def _by_surface(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, text in enumerate(self.texts(range(len(self._tokenizer)))):
            found.setdefault(surface(text), []).append(number)
        return found
