"""Everything that checkwise raises on purpose.

CheckwiseError                what went wrong, where, and what to do about it
├── UserError                 something the user can put right; exit code 1
│   ├── DataError             a file, line or record that cannot be read or does not fit the others
│   ├── ChecklistError        no checklist could be had for an instance
│   ├── PromptError           a prompt template that is missing or does not render
│   ├── UnknownModelError     a model or engine name that nothing answers to
│   └── RunBusyError          another process is working in the run folder
├── EngineError               the model cannot be loaded or has stopped answering; exit code 2
│   ├── MissingExtraError     an optional package is not installed
│   └── WeightsError          weights that are missing, damaged or do not fit on the disk
├── NothingJudgedError        the command ran, and not one response has a score; exit code 3
├── BudgetSpentError          a limit that the user set is reached; what was done is kept; exit code 4
├── WaitingForBatchesError    batches were sent, and their answers are not there yet; exit code 5
└── InterruptedRunError       stopped by the user; what was done is kept; exit code 130
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Place:
    """Where in the input something stands, as far as it is known."""

    file: Path | str | None = None
    line: int | None = None
    id: str | None = None

    def __str__(self) -> str:
        """Write the place as people read it, for example ``data/queries.jsonl, line 3, id q7``."""
        parts = [str(self.file) if self.file is not None else None]
        parts.append(f"line {self.line}" if self.line is not None else None)
        parts.append(f"id {self.id}" if self.id is not None else None)
        return ", ".join(part for part in parts if part)


class CheckwiseError(Exception):
    """What went wrong, where, and what to do about it.

    Args:
        what: One sentence that says what is wrong.
        where: The file, line and id it concerns; empty where there is none.
        todo: One sentence that says what the user can do.
    """

    exit_code = 2

    def __init__(self, what: str, *, where: Place | None = None, todo: str | None = None) -> None:
        self.what = what
        self.where = where if where is not None else Place()
        self.todo = todo
        super().__init__(str(self))

    def __str__(self) -> str:
        """Put what, where and what to do on one line each, leaving out what is not known."""
        head = f"{self.where}: {self.what}" if str(self.where) else self.what
        return f"{head}\n{self.todo}" if self.todo else head


class UserError(CheckwiseError):
    """Something the user can put right."""

    exit_code = 1


class DataError(UserError):
    """A file, line or record that cannot be read or does not fit the others."""


class ChecklistError(UserError):
    """No checklist could be had for an instance."""


class PromptError(UserError):
    """A prompt template that is missing or does not render."""


class UnknownModelError(UserError):
    """A model or engine name that nothing answers to."""


class RunBusyError(UserError):
    """Another process is working in the run folder."""


class EngineError(CheckwiseError):
    """The model cannot be loaded or has stopped answering."""

    exit_code = 2


class MissingExtraError(EngineError):
    """An optional package is not installed; ``todo`` carries the exact pip line."""


class WeightsError(EngineError):
    """Weights that are missing, damaged or do not fit on the disk."""


class NothingJudgedError(CheckwiseError):
    """The command ran, and not one response has a score."""

    exit_code = 3


class BudgetSpentError(CheckwiseError):
    """A limit on cost or questions that the user set is reached; what was done is kept."""

    exit_code = 4


class WaitingForBatchesError(CheckwiseError):
    """Batches were sent, and their answers are not there yet; running again collects them."""

    exit_code = 5


class InterruptedRunError(CheckwiseError):
    """Stopped by the user; what was done is kept."""

    exit_code = 130
