"""Argos Translate: models for pairs of languages on this machine, by ``argostranslate``; no network once installed."""

import asyncio
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec

from checkwise.errors import MissingExtraError
from checkwise.questions import Failure, Generation
from checkwise.translation.base import untranslated


class ArgosTranslator:
    """Has Argos Translate translate, with the language packages that the user has installed.

    Raises:
        MissingExtraError: ``argostranslate`` is not installed.
    """

    name = "argos"
    longest = 4500

    def __init__(self) -> None:
        if find_spec("argostranslate") is None:
            raise MissingExtraError(
                "translating with Argos needs the package argostranslate",
                todo="Install it: pip install 'checkwise[argos]'; then a language: argospm install translate-de_en.",
            )

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """The package and its version."""
        return {"translator": "argos", "argostranslate": version("argostranslate")}

    async def translate(self, piece: str, language: str, *, attempt: int = 0) -> Generation | Failure:
        """Translate a piece; every attempt gives the same."""
        try:
            return await asyncio.to_thread(_translate, piece, language)
        except Exception as error:  # noqa: BLE001 - whatever the package raises
            return untranslated(f"Argos did not translate: {type(error).__name__}: {str(error)[:200]}")

    async def close(self) -> None:
        """Nothing is held."""


def _translate(piece: str, language: str) -> Generation | Failure:
    from argostranslate.translate import get_language_from_code  # noqa: PLC0415 - optional, and slow to import

    code = language.replace("_", "-").casefold().split("-")[0]
    source, english = get_language_from_code(code), get_language_from_code("en")
    translation = source.get_translation(english) if source is not None and english is not None else None
    if translation is None:
        return untranslated(
            f"Argos has no package from {code} to English installed; `argospm install translate-{code}_en` installs it"
        )
    return Generation(text=translation.translate(piece), finish="stop")
