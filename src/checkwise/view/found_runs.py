"""The runs below a folder, and how far each of them is."""

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from checkwise.errors import CheckwiseError
from checkwise.report.live_content import RunCard
from checkwise.runs import PairResult, Result, open_result
from checkwise.runs.stored_run import StoredRun
from checkwise.store import CHECKLISTS, DATABASE, TRUST, Database

_DEEPEST = 3
"""Folders below the one that is served in which runs are looked for."""


@dataclass(frozen=True)
class FoundRun:
    """A run folder.

    Args:
        folder: Where it lies.
        name: What it is called: its path below the folder that is served.
    """

    folder: Path
    name: str

    @property
    def address(self) -> str:
        """Where its report is on the server."""
        return f"/run/{quote(self.name)}/"

    @property
    def version(self) -> str:
        """Of what is stored: it changes when anything there does."""
        files = [self.folder / name for name in (DATABASE, f"{DATABASE}-wal", CHECKLISTS, TRUST)]
        stamps = [file.stat() for file in files if file.is_file()]
        return "-".join(f"{stamp.st_mtime_ns:x}.{stamp.st_size:x}" for stamp in stamps)

    @cached_property
    def result(self) -> Result | PairResult:
        """What is stored, as it is when this is first asked for."""
        return open_result(self.folder)

    def progress(self) -> tuple[int, int]:
        """Count what has been judged, and all that there is."""
        with closing(Database(self.folder / DATABASE, create=False)) as database:
            facts = database.facts()
            if "order" in facts:
                judged = database.comparisons_frame()["pair_id"].n_unique()
                return judged, len(database.pair_set().pairs)
            return database.scores_frame().height, len(database.dataset().responses)

    def card(self) -> RunCard:
        """Say what it is, in one line of the list."""
        try:
            return self._card()
        except CheckwiseError as error:
            return RunCard(
                address=self.address,
                name=self.name,
                data="",
                method="",
                judge="",
                judged=0,
                total=0,
                changed=self._changed(),
                is_comparable=False,
                problem=error.what,
            )

    def _card(self) -> RunCard:
        facts = StoredRun(self.folder).facts
        judged, total = self.progress()
        is_pairs = "order" in facts
        return RunCard(
            address=self.address,
            name=self.name,
            data=facts.get("dataset", ""),
            method=facts.get("method", ""),
            judge=facts.get("judge", ""),
            judged=judged,
            total=total,
            leader=None if is_pairs else self._leader(),
            changed=self._changed(),
            is_comparable=not is_pairs,
        )

    def _leader(self) -> str | None:
        try:
            first = Result(self.folder).rank(common_only=False, draws=1).table.row(0, named=True)
        except CheckwiseError:
            return None
        return None if first["score"] is None else f"{first['model']} ({first['score']:.3f})"

    def _changed(self) -> str:
        stamp = (self.folder / DATABASE).stat().st_mtime
        return datetime.fromtimestamp(stamp, UTC).isoformat(sep=" ", timespec="minutes").removesuffix("+00:00")


def find_runs(folder: Path) -> list[FoundRun]:
    """Find the run folders in a folder, itself among them.

    Args:
        folder: The folder.

    Returns:
        Runs, those that grew last first.
    """
    found = [
        FoundRun(path.parent, str(path.parent.relative_to(folder)).replace("\\", "/"))
        for depth in range(_DEEPEST + 1)
        for path in folder.glob("/".join(["*"] * depth + [DATABASE]))
    ]
    named = [FoundRun(run.folder, folder.resolve().name) if run.name == "." else run for run in found]
    return sorted(named, key=lambda run: (run.folder / DATABASE).stat().st_mtime, reverse=True)
