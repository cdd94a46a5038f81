"""Grading a run again after its checklists were edited: the command that made it is called once more."""

import json
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from checkwise.errors import UserError
from checkwise.runs.stored_run import StoredRun

_LAST_WORDS = 2_000
"""Characters of what a command said that are shown."""


@dataclass(frozen=True)
class Command:
    """How a run was made."""

    arguments: tuple[str, ...]
    """What stood behind ``checkwise``."""
    folder: Path
    """Where it was called."""

    @classmethod
    def of(cls, run: Path) -> "Command | None":
        """Read how a run was made; None where it was made by a program, or from standard input.

        A file of checklists is left out: the lists of the run folder are what has been edited.
        """
        kept = StoredRun(run).facts.get("command")
        if kept is None:
            return None
        document = json.loads(kept)
        return cls(tuple(_without_lists(document["arguments"])), Path(document["folder"]))

    def __str__(self) -> str:
        """Write it as a person would type it."""
        return shlex.join(["checkwise", *self.arguments])


@dataclass
class Regrading:
    """The commands that are running, one a run at most."""

    running: dict[Path, "subprocess.Popen[str]"] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def start(self, run: Path) -> None:
        """Call the command of a run again.

        Args:
            run: The run folder.

        Raises:
            UserError: Nobody knows how the run was made, or it is being graded already.
        """
        command = Command.of(run)
        if command is None:
            raise UserError(
                "nobody knows how this run was made: a program made it, or its data came from standard input",
                todo="Make the run again as it was made; only what changed is asked.",
            )
        with self._lock:
            if self.is_running(run):
                raise UserError("this run is being graded already", todo="Wait until it has finished.")
            if run in self.running:
                self.running.pop(run).communicate()
            self.running[run] = subprocess.Popen(
                [sys.executable, "-m", "checkwise", *command.arguments],
                cwd=command.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
            )

    def is_running(self, run: Path) -> bool:
        """Say whether the command of a run is at work."""
        return run in self.running and self.running[run].poll() is None

    def failure(self, run: Path) -> str | None:
        """Give what the last command of a run said, where it has ended with an error; once."""
        process = self.running.get(run)
        if process is None or process.poll() in (None, 0):
            return None
        _, said = process.communicate()
        del self.running[run]
        return said[-_LAST_WORDS:].strip() or f"it ended with exit code {process.returncode}"

    def stop(self) -> None:
        """Stop all of them; what they have judged is kept."""
        for process in self.running.values():
            process.terminate()
            process.communicate()


def _without_lists(arguments: list[str]) -> list[str]:
    kept, skip = [], False
    for argument, following in zip(arguments, [*arguments[1:], ""], strict=True):
        if skip:
            skip = False
        elif argument == "--checklists" and following != "generate":
            skip = True
        elif not argument.startswith("--checklists=") or argument.endswith("=generate"):
            kept.append(argument)
    return kept
