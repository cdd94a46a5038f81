"""The registry of weights."""
