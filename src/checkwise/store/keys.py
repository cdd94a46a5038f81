"""The key of an answer: a hash of everything that can change it."""

import hashlib
import json
from collections.abc import Mapping

from checkwise.questions import Choose, Generate

Identity = Mapping[str, str | int | float]
"""Everything about an engine that can change an answer."""


def generate_key(identity: Identity, question: Generate) -> str:
    """Compute the key of a request for text.

    Args:
        identity: The engine's identity.
        question: The whole request, sampling and repeat number included.

    Returns:
        A SHA-256, in hexadecimal.
    """
    return _digest({"engine": dict(identity), "generate": question.model_dump(exclude={"step"})})


def choose_keys(identity: Identity, question: Choose) -> list[str]:
    """Compute the key of each suffix's answer; it does not depend on the other suffixes.

    Args:
        identity: The engine's identity.
        question: The whole request.

    Returns:
        One SHA-256 a suffix, in hexadecimal.
    """
    # The seed decides nothing where nothing is sampled.
    sampling = set() if question.temperature else {"temperature", "seed"}
    shared = question.model_dump(exclude={"suffixes", "step"} | sampling)
    return [_digest({"engine": dict(identity), "choose": shared, "suffix": suffix}) for suffix in question.suffixes]


def translate_key(identity: Identity, piece: str, language: str, attempt: int) -> str:
    """Compute the key of the English of a piece of text.

    Args:
        identity: The translator's identity.
        piece: The piece.
        language: BCP 47 code of its language.
        attempt: 0 for the first time that it is asked for.

    Returns:
        A SHA-256, in hexadecimal.
    """
    return _digest({"translator": dict(identity), "text": piece, "language": language, "attempt": attempt})


def _digest(content: Mapping[str, object]) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    # Text from the wild may hold lone surrogates, which strict UTF-8 refuses.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
