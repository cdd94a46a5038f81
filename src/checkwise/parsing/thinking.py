"""Thinking that a model writes before its answer, taken off."""

import re

_SECTION = re.compile(
    r"^[ \t]*(?:<(?P<tag>think|thinking|thought)>|\[(?P<square>THINK)\])"
    r"(?P<thought>.*?)"
    r"(?:(?P<closed></(?:think|thinking|thought)>|\[/THINK\])|\Z)",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
# Some chat templates open the section themselves, so that the text holds the end alone. A tag in the middle of a line
# is no such end: a checklist item may speak about the tag.
_LONE_END = re.compile(
    r"\A.*(?:^[ \t]*(?:</(?:think|thinking|thought)>|\[/THINK\])"
    r"|(?:</(?:think|thinking|thought)>|\[/THINK\])[ \t]*$)",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)


def strip_thinking(text: str) -> tuple[str, bool]:
    """Take the thinking off what a model wrote.

    A section opens at the start of a line, with ``<think>``, ``<thinking>``, ``<thought>`` or ``[THINK]``.

    Args:
        text: What the model wrote, verbatim.

    Returns:
        The text outside the sections, without white space around it, and whether a section was left open: then the
        answer never came, and the text is incomplete.
    """
    is_open = False

    def drop(section: re.Match[str]) -> str:
        nonlocal is_open
        is_open = section["closed"] is None
        return ""

    outside = _SECTION.sub(drop, text)
    return _LONE_END.sub("", outside).strip(), is_open
