"""What an endpoint takes of a request: found out from what it refuses, once."""

import re
from dataclasses import dataclass, field
from typing import Any

from checkwise.engines.provider_errors import RefusedError

OPTIONAL = ("seed", "top_p", "temperature", "response_format", "n", "top_logprobs", "logprobs")
"""Parameters that a request can do without, if need be in another way."""

_NEWER_NAMES = {"max_tokens": "max_completion_tokens"}
_FEWEST_TOKENS = "top_logprobs"
_LOGPROBS = {"logprobs", "top_logprobs"}
_USUAL_LIMITS = (20, 5)
"""Numbers of log-probabilities that servers are known to give at most."""


@dataclass
class Dialect:
    """The parameters that an endpoint takes."""

    left_out: set[str] = field(default_factory=set)
    """Those that it does not know."""
    renamed: dict[str, str] = field(default_factory=dict)
    """Those that it knows under another name."""
    most_logprobs: int | None = None
    """The most log-probabilities that it gives; None while unknown."""

    @property
    def logprobs(self) -> bool:
        """Whether log-probabilities can be asked for, as far as is known."""
        return not _LOGPROBS & self.left_out

    def spoken(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """Say what is wanted in the endpoint's words.

        Args:
            wanted: Parameters by their usual names.

        Returns:
            Those that it takes.
        """
        said = {self.renamed.get(name, name): value for name, value in wanted.items() if name not in self.left_out}
        if self.most_logprobs is not None and _FEWEST_TOKENS in said:
            said[_FEWEST_TOKENS] = min(said[_FEWEST_TOKENS], self.most_logprobs)
        return said

    def learn(self, refused: RefusedError, sent: dict[str, Any]) -> bool:
        """Learn from a refusal what to leave out or call by another name.

        Args:
            refused: What the endpoint did not take.
            sent: The parameters that were sent.

        Returns:
            Whether something was learned, so that the request is worth sending again.
        """
        if refused.too_long:
            return False
        named = self._named(refused, sent)
        if named is None:
            return False
        if named == _FEWEST_TOKENS and self._fewer_logprobs(refused.said, sent[named]):
            return True
        if named in _NEWER_NAMES and named not in self.renamed:
            self.renamed[named] = _NEWER_NAMES[named]
            return True
        if named not in OPTIONAL or named in self.left_out:
            return False
        self.left_out |= _LOGPROBS if named in _LOGPROBS else {named}
        return True

    def _named(self, refused: RefusedError, sent: dict[str, Any]) -> str | None:
        if refused.parameter in sent:
            return refused.parameter
        # The longest first: max_tokens lies within max_completion_tokens, logprobs within top_logprobs.
        for name in sorted(sent, key=len, reverse=True):
            if re.search(rf"\b{re.escape(name)}\b", refused.said):
                return name
        return None

    def _fewer_logprobs(self, said: str, asked: int) -> bool:
        allowed = [int(number) for number in re.findall(r"\b\d+\b", said)]
        below = [number for number in (*allowed, *_USUAL_LIMITS) if 0 < number < asked]
        if not below:
            return False
        self.most_logprobs = max(below)
        return True
