"""The verdict at the end of what a judge writes: a score or a choice between two responses, in its closing line."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from functools import cache, partial
from typing import Literal, TypeVar

from checkwise.parsing.thinking import strip_thinking

SCORE_LABELS = ("Score", "Rating", "Grade", "Result")
"""What a closing line with a score is called; case and brackets around it do not matter."""

CHOICE_LABELS = (
    *("Verdict", "Better response", "Better", "Best response", "Preferred response", "Preference", "Winner"),
    *("Choice", "Decision", "Judgment", "Judgement", "Answer", "Result"),
)
"""What a closing line with a choice is called; case and brackets around it do not matter."""

V = TypeVar("V")


class _Not(Enum):
    """Why a closing line gives no verdict."""

    DECIDED = auto()
    """It was meant to: there is none, and no other line's takes its place."""
    MEANT = auto()
    """It describes the form of a verdict, so that an earlier line may still give one."""


_Read = Callable[[str], V | _Not]
"""Reads what stands behind a label."""


def read_score(text: str, *, low: int, high: int, labels: Sequence[str] = SCORE_LABELS) -> int | None:
    """Read a whole number from the last closing line, such as ``Score: 5``, ``**Score:** 5/7`` or ``[RESULT] 5``.

    A closing line begins a line or a sentence. The value may stand on the next line, in brackets, in digits of any
    script, as an English word up to ten, with ``.0``, with the top of the scale, or with a remark behind it. The last
    line may be the bare number. Markup and thinking do not matter.

    Args:
        text: What the judge wrote, verbatim.
        low: The lowest score.
        high: The highest score.
        labels: What the closing line may be called.

    Returns:
        The score. None where no line has one, where thinking was left open, and where the last closing line has a
        number out of the range, none that is whole, two, or one of another scale (``5/10`` where ``high`` is 7): an
        earlier line's score does not take its place.
    """
    return _last_verdict(text, tuple(labels), begin=_NUMBER, bare=_BARE_SCORE, read=partial(_score, low=low, high=high))


def read_choice(text: str, *, labels: Sequence[str] = CHOICE_LABELS) -> Literal["A", "B"] | None:
    """Read A or B from the last closing line, such as ``Verdict: A``, ``**Verdict: Response B**`` or ``[[A]]``.

    A closing line begins a line or a sentence. The letter may stand on the next line, in brackets, in either case,
    full-width, as the Cyrillic or Greek letter that looks the same, and with a remark behind it. The last line may be
    the bare letter. Markup and thinking do not matter.

    Args:
        text: What the judge wrote, verbatim.
        labels: What the closing line may be called.

    Returns:
        The letter. None where no line has one, where thinking was left open, and where the last closing line names
        both, neither or a tie: an earlier line's letter does not take its place.
    """
    return _last_verdict(text, tuple(labels), begin=_SIDE, bare=_BARE_CHOICE, read=_choice)


def _last_verdict(text: str, labels: tuple[str, ...], *, begin: str, bare: re.Pattern[str], read: _Read[V]) -> V | None:
    answer, unclosed = strip_thinking(text)
    lines = [] if unclosed else [plain for line in answer.splitlines() if (plain := _plain(line))]
    # A mere "5." behind other lines may as well be the number of a list's last item.
    if lines and bare.fullmatch(lines[-1]) and not (len(lines) > 1 and _LIST_MARKER.fullmatch(lines[-1])):
        found = read(lines[-1])
        return None if isinstance(found, _Not) else found
    for value in _values(lines, labels, begin):
        found = read(value)
        if found is not _Not.MEANT:
            return None if isinstance(found, _Not) else found
    return None


def _values(lines: list[str], labels: tuple[str, ...], begin: str) -> Iterator[str]:
    """Give what stands behind each label, from the last to the first."""
    closing = _closing_line(labels, begin)
    sentences = [sentence for line in lines for sentence in _SENTENCE_END.split(line) if sentence.strip()]
    for number in range(len(sentences) - 1, -1, -1):
        found = closing.match(sentences[number]) or _DOUBLE_BRACKETS.search(sentences[number])
        if found:
            # "Score:" with the value on the next line.
            yield next(filter(None, found.groups()), None) or "".join(sentences[number + 1 : number + 2])


@cache
def _closing_line(labels: tuple[str, ...], begin: str) -> re.Pattern[str]:
    names = "|".join(r"\s+".join(map(re.escape, label.strip("[]").split())) for label in labels)
    lead = r"(?:(?:so|thus|therefore|hence|overall|final|total|the|my|our|feedback)\b[,:]?\s*)*"
    # Only a value makes a closing line of "The score is 5" or "Score 5"; without one they are prose.
    return re.compile(
        rf"\s*{lead}(?:[\[(<]+(?:{names})[\])>]+\s*[:=]?|(?:{names})\s*(?:\([^()]*\)\s*)?(?:[:=]|-+>?(?=\s)))\s*(.*)"
        rf"|\s*{lead}(?:{names})\s*(?:\bis\b|\bof\b)?\s*[:]?\s*(?=[\[(<]*{begin})(.*)",
        re.IGNORECASE | re.DOTALL,
    )


_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBER = rf"(?:[-+]?\d{{1,9}}(?!\d)|(?:{'|'.join(_WORDS)})\b)"
_OPEN, _CLOSE = r"[\s\[(<]*", r"[\s\])>]*"
_HEDGE = r"(?:or|to|and|maybe|perhaps|possibly|tie|tied|both|equal|neither)\b"
_SCORE = re.compile(
    rf"{_OPEN}(?P<number>{_NUMBER})(?:(?:[.٫]|,(?!\d{{3}}))(?P<decimals>\d{{1,9}}))?{_CLOSE}"
    rf"(?:[,(]?\s*(?:/|out\s+of\b|of\b)\s*(?P<top>\d{{1,9}})(?![.,]?\d){_CLOSE})?(?:points?\b|stars?\b|pts?\b)?"
    rf"(?:[\s,(]+(?P<again>{_NUMBER}){_CLOSE})?"
    # A remark: behind punctuation, unless it takes the number back.
    rf"(?:$|[.!;]*\s*$|[.,;:!(-]++\s*+(?!{_HEDGE}|{_NUMBER}|[\d%]).+|(?:because|since|as)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_BARE_SCORE = re.compile(
    rf"{_OPEN}[-+]?\d+(?:[.,٫]\d+)?{_CLOSE}(?:(?:/|out\s+of\b)\s*\d+{_CLOSE})?[.!]?\s*", re.IGNORECASE
)
_PLACEHOLDER = re.compile(
    r"\W*(?:[NX]|(?:the\s+|your\s+)?(?:score|rating|grade)|(?:an?\s+|the\s+|your\s+)?(?:whole\s+)?(?:number|integer)\b.*)?\W*"
    r"(?:/\s*\d+\W*)?",
    re.IGNORECASE,
)


def _score(value: str, *, low: int, high: int) -> int | _Not:
    is_form = re.fullmatch(rf"\W*{low}\s*(?:-+|to|\.\.+)\s*{high}\W*", value)
    if is_form or _PLACEHOLDER.fullmatch(value):
        return _Not.MEANT
    found = _SCORE.fullmatch(value)
    if not found or int(found["decimals"] or 0) or int(found["top"] or high) != high:
        return _Not.DECIDED
    number = _whole(found["number"])
    if found["again"] and _whole(found["again"]) != number:
        return _Not.DECIDED
    return number if low <= number <= high else _Not.DECIDED


def _whole(number: str) -> int:
    return _WORDS.index(number.casefold()) if number.casefold() in _WORDS else int(number)


_SIDE = r"(?:the\s+)?(?:(?:response|answer|assistant|option|candidate|output|model|translation)[\s_-]*)?[\[(<]*[AB]\b"
_BETTER = (
    r"\s+(?:is|was)\s+(?:(?:the|clearly|much|far|slightly|significantly|somewhat|marginally|overall)\s+)*"
    r"(?:better|best|stronger|superior|preferred|winner)"
    rf"(?:\s+(?:response|answer|one|translation|choice|option))?(?:\s+(?:than|to)\s+{_SIDE}{_CLOSE})?"
)
_CHOICE = re.compile(
    rf"{_OPEN}(?P<side>{_SIDE})(?:\s*>+\s*{_SIDE}{_CLOSE}"
    rf"|{_CLOSE}(?:[.!;]*\s*$|{_BETTER}\b.*|(?:because|since|as)\b.*)"
    # A remark: behind punctuation, unless it names the other one or takes the letter back.
    rf"|{_CLOSE}(?:[\s,(]+(?P<again>{_SIDE}){_CLOSE}|[.,;:!(-]++\s*+(?!{_HEDGE}|{_SIDE}).+))",
    re.IGNORECASE | re.DOTALL,
)
_BARE_CHOICE = re.compile(rf"{_OPEN}{_SIDE}{_CLOSE}[.!]?\s*", re.IGNORECASE)
_CHOICE_FORM = re.compile(r"<[^<>]*(?:\bor\b|/|\|)[^<>]*>\W*", re.IGNORECASE)


def _choice(value: str) -> Literal["A", "B"] | _Not:
    if not re.search(r"\w", value) or _CHOICE_FORM.fullmatch(value):
        return _Not.MEANT
    found = _CHOICE.fullmatch(value)
    if not found or (found["again"] and _letter(found["again"]) != _letter(found["side"])):
        return _Not.DECIDED
    return _letter(found["side"])


def _letter(side: str) -> Literal["A", "B"]:
    return "A" if side[-1] in "Aa" else "B"


_SENTENCE_END = re.compile(r"(?<=[!?。।؟])\s*|(?<=[.;])\s+")
_DOUBLE_BRACKETS = re.compile(r"(?:^|\s)\[\[([^\[\]]+)\]\]\W*$")
_LIST_MARKER = re.compile(r"\w+[.)]")
_LEAD = re.compile(r"\A(?:[\s>#+•·]+|-+\s+|\d{1,2}[.)]\s+(?=[^\W\d]|\[))+")
_MARKUP = re.compile(r"<\|.*?\|>|</\w+>|\\(?:boxed|text|mathbf|textbf)\b|[*`~\"“”„«»{}$\\|]|(?<![^\W_])_+|_+(?![^\W_])")
_LOOKALIKE = re.compile(r"(?<!\w)[АВΑΒ](?!\w)")
_LATIN = dict(zip("АВΑΒ", "ABAB", strict=True))
_SAME = str.maketrans(
    {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    | dict(zip(map(ord, "【】「」『』〔〕︰﹕∶–—−‐‑\u3000"), "[][][][]:::----- ", strict=True))
)
"""Full-width forms, brackets, colons and dashes of other scripts, as ASCII."""


def _plain(line: str) -> str:
    """Write a line without markup, with ASCII digits, brackets and colons."""
    line = _LOOKALIKE.sub(lambda letter: _LATIN[letter[0]], line)
    line = "".join(_digit(char) for char in line.translate(_SAME))
    return _LEAD.sub("", _MARKUP.sub(" ", line).strip()).strip()


def _digit(char: str) -> str:
    value = None if char.isascii() else unicodedata.digit(char, None)
    return char if value is None else str(value)
