"""The run folder: every answer once, on disk before anything else happens with it."""

from checkwise.store.database import Database, PlacedChecklist
from checkwise.store.keys import choose_keys, generate_key, translate_key
from checkwise.store.run_folder import CHECKLISTS, DATABASE, REPORT, TRUST, RunFolder
from checkwise.store.shadow import shadow_of
from checkwise.store.used import Used

__all__ = [
    "CHECKLISTS",
    "DATABASE",
    "REPORT",
    "TRUST",
    "Database",
    "PlacedChecklist",
    "RunFolder",
    "Used",
    "choose_keys",
    "generate_key",
    "shadow_of",
    "translate_key",
]
