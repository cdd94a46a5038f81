"""Judge what language models write, with checklists."""

from checkwise.version import __version__

__all__ = ["__version__"]
