"""A run folder for trying a run out: it has another folder's answers and checklists, and changes nothing there."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from checkwise.store.database import Answer, Database
from checkwise.store.run_folder import CHECKLISTS, DATABASE, RunFolder


class ShadowDatabase(Database):
    """A database whose answers are its own and another one's.

    Args:
        path: Its own file.
        below: The other one, which is only read; None if there is none.
        answers: Whether the other one's answers are found.
    """

    def __init__(self, path: Path, below: Database | None, *, answers: bool) -> None:
        super().__init__(path)
        self._below = below
        self._answers = answers
        self._found: set[str] = set()
        if below is not None:
            with self.placing(below.placed_checklists()):
                pass

    @property
    def below(self) -> Database | None:
        """The other database."""
        return self._below

    @property
    def found_below(self) -> int:
        """How many answers of the other database have been asked for."""
        return len(self._found)

    def find_answer(self, key: str, kind: type[Answer]) -> Answer | None:
        """Look an answer up, in both."""
        if self._below is not None and self._answers:
            answer = self._below.find_answer(key, kind)
            if answer is not None:
                self._found.add(key)
                return answer
        return super().find_answer(key, kind)


class ShadowFolder(RunFolder):
    """A run folder with a ``ShadowDatabase``."""

    def __init__(self, path: Path, below: Database | None, *, answers: bool) -> None:
        super().__init__(path)
        self.database.close()
        self.shadow = self.database = ShadowDatabase(path / DATABASE, below, answers=answers)


@contextmanager
def shadow_of(path: Path | None, *, answers: bool = True) -> Iterator[ShadowFolder]:
    """Make a folder for trying out a run that would go on in another one.

    Args:
        path: The run folder; it need not exist, and stays as it is. None for none.
        answers: Whether its answers are found; without, all is asked again.

    Yields:
        The folder; it is gone in the end.

    Raises:
        UserError: The run folder cannot be read.
    """
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="checkwise-")))
        below = None
        if path is not None and (path / DATABASE).is_file():
            below = stack.enter_context(closing(Database(path / DATABASE, create=False)))
        if path is not None and (path / CHECKLISTS).is_file():
            shutil.copyfile(path / CHECKLISTS, scratch / CHECKLISTS)
        yield stack.enter_context(ShadowFolder(scratch, below, answers=answers))
