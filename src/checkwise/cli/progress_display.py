"""How far a run is, on standard error: a bar on a terminal, else a plain line now and then."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Self

from checkwise.cli.console import err, note

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from checkwise.runs import Step

SECONDS_BETWEEN_LINES = 30.0
UNITS = {"checklists": "checklists", "grading": "responses", "comparing": "pairs"}
"""What the steps of a run count."""


@dataclass
class Pace:
    """How fast a model answers. What comes from the store takes no time, and says nothing about what is left.

    Args:
        last: When the work began, in seconds of the clock that ``take`` is told.
    """

    last: float
    seconds: float = 0.0
    fresh: int = 0
    done: int = 0

    def take(self, step: "Step", now: float) -> None:
        """Take note of a step; the time since the last one counts if a model was asked."""
        if step.done == self.done:
            return
        if step.fresh > self.fresh:
            self.seconds += now - self.last
            self.fresh = step.fresh
        self.last, self.done = now, step.done

    def describe(self, step: "Step") -> str:
        """Write rate and time left, such as ``4.2 a minute, 3:12 min left``; nothing before a model was asked."""
        if not self.fresh or self.seconds <= 0:
            return ""
        rate = self.fresh / self.seconds
        shown = f"{rate:.1f} a second" if rate >= 1 else f"{60 * rate:.1f} a minute"
        return f"{shown}, {duration((step.total - step.done) / rate)} left"


@dataclass
class ProgressDisplay:
    """Shows steps of a run and bytes of a file; a context manager.

    Args:
        clock: Seconds that only ever grow.
    """

    clock: Callable[[], float] = time.monotonic
    done: dict[str, tuple[int, int]] = field(default_factory=dict)
    """For each step that has begun, what is done and what there is."""

    def __post_init__(self) -> None:
        """Begin the clock."""
        self._paces: dict[str, Pace] = {}
        self._bar: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._last = self._last_line = self.clock()

    def __enter__(self) -> Self:
        """Nothing is shown before there is something to show."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def step(self, step: "Step", /) -> None:
        """Show how far a run is."""
        now = self.clock()
        pace = self._paces.setdefault(step.name, Pace(last=self._last))
        pace.take(step, now)
        self._last = pace.last
        self.done[step.name] = (step.done, step.total)
        state = f"{step.done} of {step.total} {UNITS[step.name]}"
        if step.questions is not None:
            state += f", {step.questions} questions answered"
        self._show(step.name, step.done, step.total, ", ".join(filter(None, (state, pace.describe(step)))))

    def bytes(self, done: int, total: int, what: str, /) -> None:
        """Show how far fetching or checking a file is."""
        # A wait is told as 0 of 1.
        state = f"{megabytes(done)} of {megabytes(total)}" if total > 1 else ""
        self._show(what, done, total, state)

    def _show(self, name: str, done: int, total: int, state: str) -> None:
        if err().is_terminal:
            self._show_bar(name, done, total, state)
        elif self.clock() - self._last_line >= SECONDS_BETWEEN_LINES:
            self._last_line = self.clock()
            note(f"{name}: {state}")

    def _show_bar(self, name: str, done: int, total: int, state: str) -> None:
        from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415 - help must not wait for it

        if self._bar is None:
            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.fields[state]}", markup=False),
            )
            self._bar = Progress(*columns, console=err(), transient=True)
            self._bar.start()
        if name not in self._tasks:
            self._tasks[name] = self._bar.add_task(name, total=total, state=state)
        self._bar.update(self._tasks[name], completed=done, total=total, state=state)


def duration(seconds: float) -> str:
    """Write a time, such as ``3:12 min`` or ``1:05:40 h``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02} h" if hours else f"{minutes}:{rest:02} min"


def megabytes(size: int) -> str:
    """Write a number of bytes, such as ``98.4 MB`` or ``1.12 GB``."""
    return f"{size / 1e9:.2f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"
