"""A text in pieces that a translator takes: cut at sentence ends, with nothing lost, code and formulas put aside."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sentencex import segment

_BLOCKS = (
    r"^(?P<fence>```+|~~~+)[^\n]*\n.*?(?:^(?P=fence)[`~]*[ \t]*$|\Z)",
    r"\$\$.+?\$\$",
    r"\\\[.+?\\\]",
    r"\\begin\{(?P<name>[^}\n]+)\}.*?\\end\{(?P=name)\}",
)
_INLINE = (
    r"(?P<ticks>`+)(?!`)[^\n]+?(?<!`)(?P=ticks)(?!`)",
    r"\\\([^\n]+?\\\)",
    # A price is no formula: no white space inside the signs, no digit behind the second.
    r"(?<![\\$\w])\$(?=[^\s$])[^$\n]*?(?<=[^\s\\$])\$(?![\d$])",
    r"https?://[^\s<>\"'`，。、）)\]]*[^\s<>\"'`，。、）)\].,;:!?]",
    r"[⟦⟧]+",
)
PROTECTED = re.compile("|".join((*_BLOCKS, *_INLINE)), re.DOTALL | re.MULTILINE)
"""What no translator may touch: code, formulas, addresses."""

MARK = re.compile(r"⟦(\d+)⟧")
"""What stands in a piece for protected text, by its number."""


@dataclass(frozen=True)
class Piece:
    """A part of a text, without the white space around it."""

    before: str
    """White space in front of it."""
    text: str
    """What is to be translated, protected text in it replaced by marks."""
    after: str
    """White space behind it."""

    @property
    def has_words(self) -> bool:
        """Whether there is anything to translate."""
        return any(character.isalpha() for character in MARK.sub("", self.text))

    @property
    def marks(self) -> list[str]:
        """The marks in it, sorted."""
        return sorted(found.group() for found in MARK.finditer(self.text))


@dataclass(frozen=True)
class Cut:
    """A text in pieces.

    Put together in order and with marks replaced, they are the text again, character by character.
    """

    pieces: tuple[Piece, ...]
    protected: tuple[str, ...]
    """What the marks stand for, by number."""

    def restore(self, text: str) -> str:
        """Replace marks by what they stand for."""
        return MARK.sub(lambda found: self.protected[int(found.group(1))], text)


def cut(text: str, language: str, longest: int) -> Cut:
    """Cut a text at sentence ends.

    Args:
        text: The text.
        language: BCP 47 code, which decides where sentences end.
        longest: The most characters of a piece, at least 1; only a sentence that is longer is cut inside.

    Returns:
        The pieces.
    """
    protected: list[str] = []

    def mark(found: re.Match[str]) -> str:
        protected.append(found.group())
        return f"⟦{len(protected) - 1}⟧"

    marked = PROTECTED.sub(mark, text)
    return Cut(tuple(_piece(part) for part in _parts(marked, language, longest)), tuple(protected))


def between_marks(piece: Piece) -> Iterator[Piece | str]:
    """Take a piece apart into its marks, as text, and what stands between them."""
    end = 0
    for found in MARK.finditer(piece.text):
        yield _piece(piece.text[end : found.start()])
        yield found.group()
        end = found.end()
    yield _piece(piece.text[end:])


def _piece(part: str) -> Piece:
    core = part.strip()
    start = part.index(core)
    return Piece(part[:start], core, part[start + len(core) :])


def _parts(text: str, language: str, longest: int) -> Iterator[str]:
    """Put sentences together as long as they fit."""
    part = ""
    for sentence in segment(re.split(r"[-_]", language)[0], text):
        for short in _fitting(sentence, longest):
            if part and len((part + short).strip()) > longest:
                yield part
                part = ""
            part += short
    if part:
        yield part


def _fitting(sentence: str, longest: int) -> Iterator[str]:
    """Cut a sentence that is too long, behind white space or a comma where there is one, never inside a mark."""
    rest = sentence
    while len(rest.strip()) > longest:
        window = rest[: longest + len(rest) - len(rest.lstrip())]
        spaces = [found.end() for found in re.finditer(r"[\s,;:，、；：،]", window)]
        end = spaces[-1] if spaces and rest[: spaces[-1]].strip() else len(window)
        inside = next((found for found in MARK.finditer(rest) if found.start() < end < found.end()), None)
        if inside is not None:
            end = inside.start() or inside.end()
        yield rest[:end]
        rest = rest[end:]
    if rest:
        yield rest
