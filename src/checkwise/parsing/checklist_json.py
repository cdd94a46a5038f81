"""A checklist written as JSON: a list of texts or of objects, in an object or bare, with text around it."""

import json
import re

_DECODER = json.JSONDecoder()
_START = re.compile(r"^[ \t]*(?=\[|\{)", re.MULTILINE)
_LOOKS_LIKE_JSON = re.compile(r"\A(?:\[\s*[\"{]|\{\s*\")")
_TRAILING_COMMA = re.compile(r",(?=\s*[\]}])")
_NUMBERED = re.compile(r"(\d+)[.)]\s+")
_TEXT_FIELDS = ("question", "text", "item", "criterion")


def json_items(text: str) -> list[str] | None:
    """Find the items of a list in JSON that begins a line.

    Args:
        text: What a generator has written.

    Returns:
        The texts, in order; empty where the text is JSON but broken off or without a list; None where it is no JSON.
    """
    for candidate in (text, _TRAILING_COMMA.sub("", text)):
        for start in _START.finditer(candidate):
            if candidate[: start.start()].strip() and _has_marker_before(candidate[: start.start()]):
                break
            items = _items(_values(candidate, start.end()))
            if items:
                return _without_numbers(items)
    return [] if _LOOKS_LIKE_JSON.match(text) else None


def _has_marker_before(text: str) -> bool:
    # JSON behind the first marker is part of an item.
    return re.search(r"^\s*(?:[-*•]|\d+[.)])\s", text, re.MULTILINE) is not None


def _values(text: str, position: int) -> list[object]:
    """Decode one value behind the other, as in JSON Lines."""
    values: list[object] = []
    while position < len(text):
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        values.append(value)
        position += len(text[position:]) - len(text[position:].lstrip())
    return values


def _items(values: list[object]) -> list[str]:
    if len(values) == 1:
        value = values[0]
        if isinstance(value, list):
            return _texts(value)
        if isinstance(value, dict):
            lists = [_texts(inner) for inner in value.values() if isinstance(inner, list)]
            numbered = list(value.values()) if all(key.isdigit() for key in value) else [value]
            return next((texts for texts in lists if texts), _texts(numbered))
    return _texts(values)


def _texts(values: list[object]) -> list[str]:
    """Give the texts of a list; none where one of its members has no text, for then it is no checklist."""
    texts = [_text(value) for value in values]
    return [text for text in texts if text is not None] if None not in texts else []


def _text(value: object) -> str | None:
    if isinstance(value, dict):
        value = next((value[name] for name in _TEXT_FIELDS if name in value), None)
    return value if isinstance(value, str) else None


def _without_numbers(items: list[str]) -> list[str]:
    """Take off numbers that only count the items; a number that does not count them is text."""
    matches = [_NUMBERED.match(item) for item in items]
    counts = [int(match[1]) for match in matches if match is not None]
    if counts != list(range(1, len(items) + 1)):
        return items
    return [_NUMBERED.sub("", item, count=1) for item in items]
