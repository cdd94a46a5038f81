"""About how many tokens a text has, where no tokenizer is at hand: from its characters, by script."""

import re
from functools import lru_cache
from math import ceil

_TOKENS_A_CHARACTER = (
    ("[A-Za-z]+", 0.235),
    (r"[0-9]+", 0.8),
    # Short words and accents of European languages other than English.
    ("[\u00c0-\u024f\u1e00-\u1eff]+", 1.5),
    ("[\u0370-\u03ff]+", 0.6),
    ("[\u0400-\u052f]+", 0.4),
    ("[\u0590-\u06ff]+", 0.4),
    ("[\u0900-\u097f]+", 0.75),
    ("[\u0980-\u0dff]+", 0.9),
    ("[\u0e00-\u0eff]+", 0.5),
    ("[\u3040-\u30ff]+", 0.65),
    ("[\u3400-\u9fff]+", 0.7),
    ("[\uac00-\ud7af]+", 0.7),
    (r"\n+", 0.4),
    (r"[^\S\n]+", 0.02),
)
"""Patterns of characters of one kind, and how many tokens such a character is; of what no pattern is about, each
character is ``_OTHER``. Measured with the tokenizer of Qwen2.5, whose 152,000 tokens are as many as those of hosted
models: within 12% on English text, prompts and code, on Russian, Arabic, Thai, Japanese and Korean. Other languages of
the Latin script come out up to 40% low, as do those of India, whose tokens differ most from model to model."""

_OTHER = 0.65

_KINDS = tuple((re.compile(pattern), tokens) for pattern, tokens in _TOKENS_A_CHARACTER)


@lru_cache(maxsize=4096)
def estimate_tokens(text: str) -> int:
    """Estimate how many tokens a text has.

    Args:
        text: Any text.

    Returns:
        Tokens, about; 0 only for no text.
    """
    tokens, rest = 0.0, len(text)
    for kind, weight in _KINDS:
        found = sum(map(len, kind.findall(text)))
        tokens += weight * found
        rest -= found
    return ceil(tokens + _OTHER * rest)
