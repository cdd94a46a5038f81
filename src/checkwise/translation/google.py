"""Google's public translation page, by ``deep-translator``: no key, but a network, and it may refuse at any time."""

import asyncio
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec

from checkwise.errors import MissingExtraError
from checkwise.questions import Failure, Generation
from checkwise.translation.base import untranslated

_OWN_CODES = {
    "zh": "zh-CN",
    "zh-hans": "zh-CN",
    "zh-cn": "zh-CN",
    "zh-sg": "zh-CN",
    "zh-hant": "zh-TW",
    "zh-tw": "zh-TW",
    "zh-hk": "zh-TW",
    "he": "iw",
    "jv": "jw",
    "nb": "no",
    "nn": "no",
    "mni": "mni-Mtei",
}
"""What Google calls some languages, by BCP 47 code in lower case."""


_UNREACHABLE = ("ConnectionError", "ConnectTimeout", "ReadTimeout")
"""What the package lets through from ``requests`` where there is no network."""


class GoogleTranslator:
    """Has Google translate; texts leave the machine.

    Args:
        timeout: Seconds until an answer is given up.

    Raises:
        MissingExtraError: ``deep-translator`` is not installed.
    """

    name = "google"
    longest = 4500

    def __init__(self, *, timeout: float = 30.0) -> None:
        if find_spec("deep_translator") is None:
            raise MissingExtraError(
                "translating with Google needs the package deep-translator",
                todo="Install it: pip install 'checkwise[translate]'.",
            )
        self._timeout = timeout

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """The service, and the package that asks it."""
        return {"translator": "google", "deep-translator": version("deep-translator")}

    async def translate(self, piece: str, language: str, *, attempt: int = 0) -> Generation | Failure:
        """Ask for the English of a piece; before a later attempt the service is left in peace for a while."""
        await asyncio.sleep(2.0 * attempt)
        try:
            english = await asyncio.wait_for(asyncio.to_thread(_ask, piece, language), self._timeout)
        except TimeoutError:
            return untranslated(f"Google did not answer within {self._timeout:g} seconds")
        except Exception as error:  # noqa: BLE001 - whatever the package or the network raises
            return untranslated(_reason(error))
        if not english:
            return untranslated("Google gave an empty answer")
        return Generation(text=english, finish="stop")

    async def close(self) -> None:
        """Nothing is held."""


def _reason(error: Exception) -> str:
    """Say what went wrong; errors of the network carry the whole address, with the text in it."""
    if type(error).__name__ in _UNREACHABLE:
        return "Google cannot be reached"
    return f"Google did not translate: {type(error).__name__}: {str(error)[:100]}"


def _ask(piece: str, language: str) -> str | None:
    from deep_translator import GoogleTranslator as Page  # noqa: PLC0415 - optional

    code = language.replace("_", "-").casefold()
    answer: str | None = Page(source=_OWN_CODES.get(code, code.split("-")[0]), target="en").translate(piece)
    return answer
