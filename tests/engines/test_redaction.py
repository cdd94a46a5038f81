"""Keys in text from outside."""

import pytest

from checkwise.engines.redaction import redacted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Incorrect API key provided: sk-proj-abc123DEF456.", "Incorrect API key provided: [key]"),
        ("Authorization: Bearer abcdef.123456", "Authorization: [key]"),
        ("the key my-own-secret is wrong", "the key [key] is wrong"),
        ("ask-me-anything about risk-free desk-work", "ask-me-anything about risk-free desk-work"),
        ("Schlüssel 密钥 ok", "Schlüssel 密钥 ok"),
    ],
)
def test_keys_are_hidden_and_nothing_else(text, shown):
    assert redacted(text, "my-own-secret", None) == shown
