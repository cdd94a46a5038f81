"""What language a text is in."""

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from checkwise.errors import MissingExtraError
from checkwise.translation.pieces import PROTECTED

if TYPE_CHECKING:
    from lingua import LanguageDetector

_LONG = 120
"""Letters from which on lingua's small models are as good as its large ones, which take a gigabyte of memory."""
_LEAST_DISTANCE = 0.1
"""How much likelier a language must be than the next one."""


def detect_language(text: str) -> str | None:
    """Tell the language of a text; code, formulas and addresses in it do not count.

    Args:
        text: Any text.

    Returns:
        Its BCP 47 code, such as ``de``; None where it has no letters, or could as well be in another language.

    Raises:
        MissingExtraError: ``lingua`` is not installed.
    """
    prose = PROTECTED.sub(" ", text)
    letters = _letters(prose)
    if not letters:
        return None
    found = _detector(small=len(letters) >= _LONG).detect_language_of(prose)
    return None if found is None else found.iso_code_639_1.name.lower()


def is_english(language: str) -> bool:
    """Say whether a BCP 47 code is one of English."""
    return re.split(r"[-_]", language.casefold())[0] in ("en", "eng")


def seems_english(text: str) -> bool:
    """Say whether a translation may be English: False only where that can be told for certain.

    Args:
        text: What a translator gave.

    Returns:
        False if most letters are of another script, or if it is long and clearly in another language.
    """
    letters = _letters(text)
    latin = sum(unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    if latin * 2 < len(letters):
        return False
    if latin < _LONG:
        return True
    try:
        language = detect_language(text)
    except MissingExtraError:
        return True
    return language is None or is_english(language)


def _letters(text: str) -> list[str]:
    return [character for character in text if character.isalpha()]


@cache
def _detector(*, small: bool) -> "LanguageDetector":
    try:
        from lingua import LanguageDetectorBuilder  # noqa: PLC0415 - optional
    except ImportError as error:
        raise MissingExtraError(
            "telling the language of a text needs the package lingua-language-detector",
            todo="Install it: pip install 'checkwise[translate]'. Or name the languages in the data or by option.",
        ) from error
    builder = LanguageDetectorBuilder.from_all_languages().with_minimum_relative_distance(_LEAST_DISTANCE)
    return (builder.with_low_accuracy_mode() if small else builder).build()
