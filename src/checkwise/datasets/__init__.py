"""Readers: one a published format, detected from what lies there."""
