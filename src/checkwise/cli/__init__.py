"""The command line: one small file a command."""

from checkwise.cli.app import app, main

__all__ = ["app", "main"]
