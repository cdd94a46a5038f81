"""The page of every run in a folder, served while they grow."""

from checkwise.view.server import ViewServer

__all__ = ["ViewServer"]
