"""A whole text through a translator that takes pieces."""

from collections.abc import Awaitable, Callable

from checkwise.questions import Failure, Generation
from checkwise.translation.base import untranslated
from checkwise.translation.language import seems_english
from checkwise.translation.pieces import MARK, Piece, between_marks, cut

TranslatePiece = Callable[[str, str, int], Awaitable[Generation | Failure]]
"""Gives the English of a piece, from the piece, its language and the number of the attempt."""

_SHORT = 20
"""Letters up to which a text may be the same in English, such as a name."""


async def translate_text(
    text: str, language: str, translate_piece: TranslatePiece, *, longest: int, attempts: int = 3
) -> str | Failure:
    """Translate a text of any length into English; code, formulas, addresses and white space stay as they are.

    Args:
        text: The text.
        language: BCP 47 code of its language.
        translate_piece: Translates one piece.
        longest: The most characters of a piece.
        attempts: How often a piece is tried, at least 1.

    Returns:
        The whole text in English; or the failure of the first piece that could not be translated, since a part of a
        text is not the text.
    """
    taken_apart = cut(text, language, longest)
    trying = _Trying(language, translate_piece, attempts)
    done: list[str] = []
    for number, piece in enumerate(taken_apart.pieces, start=1):
        english = await trying.whole(piece)
        if isinstance(english, Failure):
            where = f"piece {number} of {len(taken_apart.pieces)}" if len(taken_apart.pieces) > 1 else "the text"
            return untranslated(f"{where} was not translated from {language}, tried {attempts} times: {english.reason}")
        done.append(english)
    return taken_apart.restore("".join(done))


class _Trying:
    """Tries pieces until the answer can be a translation."""

    def __init__(self, language: str, translate_piece: TranslatePiece, attempts: int) -> None:
        self.language = language
        self.translate_piece = translate_piece
        self.attempts = attempts

    async def whole(self, piece: Piece) -> str | Failure:
        """Translate a piece; one whose marks do not come back is translated between its marks."""
        english = await self._core(piece)
        if not isinstance(english, Failure) or not piece.marks:
            return english
        parts: list[str] = [piece.before]
        for part in between_marks(piece):
            english = part if isinstance(part, str) else await self._core(part)
            if isinstance(english, Failure):
                return english
            parts.append(english)
        return "".join((*parts, piece.after))

    async def _core(self, piece: Piece) -> str | Failure:
        if not piece.has_words:
            return piece.before + piece.text + piece.after
        failure = untranslated("it was not tried")
        for attempt in range(self.attempts):
            answer = await self.translate_piece(piece.text, self.language, attempt)
            if isinstance(answer, Failure):
                failure = answer
                continue
            fault = _fault(piece, answer.text)
            if fault is None:
                return piece.before + answer.text.strip() + piece.after
            failure = untranslated(f"{fault}: {answer.text[:100]!r}")
        return failure


def _fault(piece: Piece, english: str) -> str | None:
    """Say why an answer cannot be a translation of a piece."""
    if not english.strip():
        return "the answer is empty"
    if sorted(found.group() for found in MARK.finditer(english)) != piece.marks:
        return "the answer lost code, a formula or an address"
    words = MARK.sub("", english)
    letters = sum(character.isalpha() for character in words)
    if english.strip().casefold() == piece.text.casefold() and letters > _SHORT:
        return "the answer is the text itself"
    return None if seems_english(words) else "the answer is not in English"
