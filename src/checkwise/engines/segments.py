"""Compute prompts in fixed segments, so that an answer does not depend on what was asked before.

llama.cpp computes slightly different logits for the same text when a different part of it was already cached, because
the shapes of its batches differ. So a prompt is cut into segments (what all prompts share, the instance's part, the
response's part, the item), and each segment is always computed whole, in one request of its own that begins exactly
where the segment begins. The server reuses every token that the new prompt has in common with the last one; where that
would reach into a segment that must be computed, a throw-away token, which the segment does not start with, is sent
first to cut the cache back to the segment's beginning.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from checkwise.engines.llama_server import Tokens


@dataclass(frozen=True)
class Computed:
    """What the model returned for the last segment of a prompt, and what it took."""

    answer: dict[str, Any]
    """The server's answer to the last segment."""
    prompt_tokens: int
    """Tokens of the whole prompt."""
    computed_tokens: int
    """Tokens computed for it: the segments that were not there yet, and throw-away tokens."""


class Complete(Protocol):
    """Have the model read a prompt and answer."""

    def __call__(self, prompt: Tokens, *, answer: bool) -> dict[str, Any]:
        """Send ``prompt``; ``answer`` tells whether the answer matters or only that the prompt is computed."""
        ...


@dataclass
class SegmentedSlot:
    """The one slot of a llama.cpp server and what lies in its cache."""

    cached: tuple[Tokens, ...] = field(default=())
    """The segments in the cache, from the prompt's beginning."""
    unknown_rest: bool = False
    """Whether tokens that nobody kept track of may follow the cached segments: written by the model, or left by an
    interrupted request."""

    def compute(self, segments: Sequence[Tokens], complete: Complete, *, writes: bool = False) -> Computed:
        """Compute the segments that are not cached, each whole, and return the answer after the last one.

        Args:
            segments: The prompt's parts, each with at least one token; the last one is always computed.
            complete: Sends a prompt to the server.
            writes: Whether the model writes text after the prompt, which then lies in the cache too.

        Returns:
            The server's answer to the last segment.
        """
        keep = self._in_common(segments[:-1])
        prefix = _joined(segments[:keep])
        computed = 0
        answer: dict[str, Any] = {}
        for number, segment in enumerate(segments[keep:], start=keep):
            if self._would_be_reused(prefix, segment):
                throw_away = int(segment[0] == 0)
                self._send((*segments[:number], (throw_away,)), complete, answer=False)
                computed += 1
            last = number == len(segments) - 1
            answer = self._send(segments[: number + 1], complete, answer=last, writes=writes and last)
            prefix += segment
            computed += len(segment)
        return Computed(answer, prompt_tokens=len(prefix), computed_tokens=computed)

    def _in_common(self, segments: Sequence[Tokens]) -> int:
        for number, (segment, cached) in enumerate(zip(segments, self.cached, strict=False)):
            if segment != cached:
                return number
        return min(len(segments), len(self.cached))

    def _would_be_reused(self, prefix: Tokens, segment: Tokens) -> bool:
        cached = _joined(self.cached)
        if len(cached) > len(prefix):
            return cached[len(prefix)] == segment[0]
        return self.unknown_rest

    def _send(
        self, segments: Sequence[Tokens], complete: Complete, *, answer: bool, writes: bool = False
    ) -> dict[str, Any]:
        # Forgotten first: after an interrupted request nobody knows what lies in the slot.
        self.cached, self.unknown_rest = (), True
        result = complete(_joined(segments), answer=answer)
        self.cached, self.unknown_rest = tuple(segments), writes
        return result


def _joined(segments: Sequence[Tokens]) -> Tokens:
    return tuple(token for segment in segments for token in segment)
