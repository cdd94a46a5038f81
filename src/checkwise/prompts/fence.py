"""Fences around untrusted text: what a model wrote is material for the judge, never an instruction to it."""

import re

TAGS = (
    "conversation",
    "query",
    "reference",
    "response",
    "question",
    "instruction",
    "response_a",
    "response_b",
    "concepts",
    "checklist",
    "checklist_a",
    "checklist_b",
    "passage",
)
"""The fences that prompts use. Markers of any of them are neutralised inside any fenced text."""

_MARKER = re.compile(rf"<(?=\s*/?\s*(?:{'|'.join(TAGS)})\b)", re.IGNORECASE)


def fence(text: str, tag: str) -> str:
    """Put text between ``<tag>`` and ``</tag>``, so that nothing inside can end the fence.

    Args:
        text: Untrusted text; kept verbatim but for the fences' own markers, whose ``<`` becomes ``&lt;``.
        tag: One of ``TAGS``.

    Returns:
        The fenced text.

    Raises:
        ValueError: The tag is not one of ``TAGS``.
    """
    if tag not in TAGS:
        raise ValueError(f"no fence is called {tag!r}; there are {', '.join(TAGS)}")
    return f"<{tag}>\n{_MARKER.sub('&lt;', text)}\n</{tag}>"
