"""The items of a checklist in what a generator has written: a numbered or bulleted list, plain questions, or JSON."""

import re
from collections.abc import Iterable

from checkwise.parsing.checklist_json import json_items

# \d is a digit of any script. A full stop of another script needs no space behind it; after an ASCII one a digit would
# make a decimal number of it, such as 1.5.
_NUMBER = r"[(（\[]?\d{1,3}(?:[)）\]]\.?|[．、。：]|[.:](?!\d)|۔)"
_BULLET = r"[-*+•·‣◦▪●○–—□☐✓✔](?=\s|$)(?:\s+\[[ xX]\](?=\s))?"
_LABEL = r"(?:q(?:uestion)?|item)\s?\d{1,3}\s?[.:)：]"
_MARKER = re.compile(
    rf"(?P<indent>\s*)(?:#{{1,6}}\s+)?(?P<bold>\*\*|__)?"
    rf"(?:(?P<number>{_NUMBER}|(?i:{_LABEL}))|(?P<bullet>{_BULLET}))(?P<closed>(?:\*\*|__)(?=\s|$))?[^\S\n]?"
    r"(?P<text>.*)"
)
_QUESTION_END = re.compile(r"[?？؟\u037e⸮፧՞][\s\"'”’»」』)*_）]*$|[\u0370-\u03ff][^;]*;[\s*_»]*$")
_ANSWERS = re.compile(r"\s*[(（\[]\s*yes\s*(?:/|\||or)\s*no\s*[)）\]]\s*[.。]?$", re.IGNORECASE)
_EMPHASIS = re.compile(r"(\*{1,3}|_{1,3})(?=\S)((?:(?!\1).)+)(?<=\S)\1", re.DOTALL)
_OUTSIDE = re.compile(r"#{1,6}\s|(\*\*|__).+\1:?\s*$|-{3,}\s*$")
_FENCE = re.compile(r"\s*(?:```|~~~)")


def parse_checklist(text: str) -> list[str]:
    """Read the items of a checklist.

    Accepted are numbers (``1.``, ``1)``, ``１．``, ``١.``), bullets, ``Question 1:``, JSON lists of texts or of
    objects, fenced blocks, and, where there is no marker at all, two or more lines that are questions. The kind of the
    first marker makes the items. An indented line goes on with the item above it, and so does a line that follows an
    unfinished question; text before, between and after the items is left out. Lists below a group's title
    are its items where all of them are questions.

    Args:
        text: What the generator has written, without its thinking.

    Returns:
        The items in order, without their markers, without emphasis around the whole and a final "(Yes/No)"; none is
        blank and none stands twice. Empty where no item was found.
    """
    lines = _outside_of_fences(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    from_json = json_items("\n".join(lines).strip())
    if from_json is not None:
        return _clean(from_json)
    marked = _marked(lines)
    return _clean(marked if marked is not None else _unmarked(lines))


def _outside_of_fences(lines: list[str]) -> list[str]:
    """Give the inside of the fenced blocks where the list stands in one; else all lines, for an item may hold code."""
    fences = [number for number, line in enumerate(lines) if _FENCE.match(line)]
    if not fences or any(_MARKER.fullmatch(line) for line in lines[: fences[0]]):
        return lines
    inside: list[str] = []
    for start, end in zip(fences[::2], [*fences[1::2], len(lines)], strict=False):
        inside += lines[start + 1 : end]
    # The block may be code from the introduction, and the list stand behind it.
    has_list = any(_MARKER.fullmatch(line) for line in inside) or json_items("\n".join(inside).strip())
    return inside if has_list or not any(_MARKER.fullmatch(line) for line in lines) else lines


def _marked(lines: list[str]) -> list[str] | None:
    """Split at the markers of the first marker's kind and depth; None where there is no marker."""
    first = next((found for line in lines if (found := _MARKER.fullmatch(line))), None)
    if first is None:
        return None
    kind = "number" if first["number"] else "bullet"
    depth = _width(first["indent"])
    items: list[list[str]] = []
    is_open = after_blank = False
    indent = 0
    for line in lines:
        found = _MARKER.fullmatch(line)
        if found and found[kind] and _width(found["indent"]) < depth + 2:
            items.append([_first_line(found)])
            indent, is_open = len(line) - len(found["text"]), True
        elif not line.strip() or (found and not found["text"].strip()):
            after_blank = after_blank or not line.strip()
            continue
        elif is_open and (found or line[:1].isspace() or _goes_on(items[-1], line, after_blank=after_blank)):
            items[-1] += [""] * after_blank + [_dedent(line, indent)]
        else:
            is_open = False
        after_blank = False
    return [text for item in items for text in _groups(item)]


def _first_line(found: re.Match[str]) -> str:
    # In "**1. Is it short?**" the emphasis opens before the number: put it back before the text.
    reopened = found["bold"] if found["bold"] and not found["closed"] else ""
    return reopened + found["text"]


def _goes_on(item: list[str], line: str, *, after_blank: bool) -> bool:
    """Say whether a line that is not indented belongs to the item: only where the item's question has not ended yet."""
    return not after_blank and not _OUTSIDE.match(line) and not _QUESTION_END.search(item[-1])


def _groups(item: list[str]) -> list[str]:
    """Take the questions listed below a title for items; a list below a question belongs to the question."""
    head, below = item[0], [line for line in item[1:] if line.strip()]
    nested = [found for line in below if (found := _MARKER.fullmatch(line))]
    is_group = nested and len(nested) == len(below) and all(_QUESTION_END.search(found["text"]) for found in nested)
    if is_group and not _QUESTION_END.search(head):
        return [_first_line(found) for found in nested]
    return ["\n".join(item)]


def _unmarked(lines: Iterable[str]) -> list[str]:
    """Take lines that are questions; a single one may as well be the generator asking back."""
    questions = [line.lstrip("# ") for line in lines if _QUESTION_END.search(line)]
    return questions if len(questions) > 1 else []


def _clean(items: Iterable[str]) -> list[str]:
    cleaned = (_bare(item) for item in items)
    return list(dict.fromkeys(item for item in cleaned if item))


def _bare(item: str) -> str:
    item = item.strip()
    while True:
        bare = _ANSWERS.sub("", item).strip()
        emphasised = _EMPHASIS.fullmatch(bare)
        bare = emphasised[2].strip() if emphasised else bare
        if bare == item:
            return item
        item = bare


def _dedent(line: str, width: int) -> str:
    lead = len(line) - len(line.lstrip())
    return line[min(lead, width) :].rstrip()


def _width(space: str) -> int:
    return len(space.expandtabs(4))
