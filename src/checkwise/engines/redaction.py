"""Keys taken out of text that comes from outside, before it goes into an error, a log or the store."""

import re

HIDDEN = "[key]"
"""What stands in a key's place."""

_KEYS = re.compile(r"\b(?:sk|pk|rk|xai|gsk|hf|AIza)[-_][\w*.-]{6,}|(?i:\bbearer\s+)[\w.~+/=*-]{6,}")


def redacted(text: str, *keys: str | None) -> str:
    """Replace keys by ``[key]``.

    Args:
        text: What a provider or a library said.
        *keys: The keys that are in use; what looks like one of another is replaced, too.

    Returns:
        The text without them.
    """
    for key in keys:
        if key:
            text = text.replace(key, HIDDEN)
    return _KEYS.sub(HIDDEN, text)
