"""What is stored in a run folder, read when it is asked for."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import polars as pl

from checkwise.costs.bill import Bill
from checkwise.costs.prices import Prices
from checkwise.records import Checklist, Finding
from checkwise.store import DATABASE, Database

Read = TypeVar("Read")

_REASON = 300
"""Characters of a reason in a note; the whole of it stands with the scores."""


@dataclass(frozen=True)
class StoredRun:
    """The records of the run in a folder.

    Args:
        folder: The run folder.

    Raises:
        DataError: There is no run in the folder.
    """

    folder: Path

    def __post_init__(self) -> None:
        """Refuse a folder without a run."""
        self._read(Database.facts)

    def _read(self, what: Callable[[Database], Read]) -> Read:
        with closing(Database(self.folder / DATABASE, create=False)) as database:
            return what(database)

    @cached_property
    def facts(self) -> dict[str, str]:
        """How the run was made: method, judge, generator, prompts with their versions, ..."""
        return self._read(Database.facts)

    @cached_property
    def checklists(self) -> dict[str, Checklist]:
        """The checklist of each instance, by its id, for a method that has one list an instance."""
        return self._read(Database.checklists)

    @cached_property
    def grades(self) -> pl.DataFrame:
        """One row an item and response; the columns are the fields of ``ItemGrade``."""
        return self._read(Database.grades_frame)

    @cached_property
    def findings(self) -> list[Finding]:
        """What the method wrote down on its way to its verdicts."""
        return self._read(Database.findings)

    def bill(self, prices: Prices | None = None) -> Bill:
        """Put a price on all answers in the folder, those of earlier runs there among them.

        Args:
            prices: What models cost; the prices that were given when the run was made fill in for what is not in it.

        Returns:
            Tokens, seconds and dollars, by step and model.
        """
        kept = Prices.from_json(self.facts["prices"]) if "prices" in self.facts else Prices()
        return Bill.of(self._read(Database.used), kept if prices is None else prices.over(kept))

    def shown_facts(self) -> dict[str, str]:
        """Give the facts that a report shows, with their labels."""
        shown = {label: self.facts[name] for name, label in SHOWN_FACTS.items() if name in self.facts}
        return shown | {"All answers here took": str(self.bill())}


def short(reason: str) -> str:
    """Cut a reason to the length that a note has room for."""
    return reason if len(reason) <= _REASON else reason[:_REASON] + "…"


SHOWN_FACTS = {
    "method": "Method",
    "judge": "Judge",
    "order": "Order",
    "margin": "Tie margin",
    "generator": "Checklists written by",
    "checklists": "Checklists",
    "translator": "Translator",
    "guide": "Scoring guide",
    "task": "Task",
    "prompts": "Prompts",
    "created": "Started",
    "version": "checkwise",
}
"""The facts that a report shows, with their labels."""
