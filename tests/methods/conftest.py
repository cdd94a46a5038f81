import contextlib

import pytest

from checkwise.engines import ScriptedEngine
from checkwise.runs.ask import StoredAsk
from checkwise.store import Database


@pytest.fixture
def asking(tmp_path):
    """Give a way to ask a scripted model, through a store of its own; ``ask.engine.prompts`` is what was asked."""
    with contextlib.ExitStack() as stack:

        def asking(answer, **engine):
            script = answer if callable(answer) else lambda _: answer
            database = stack.enter_context(contextlib.closing(Database(tmp_path / f"{len(opened)}.sqlite")))
            opened.append(StoredAsk(ScriptedEngine(script, **engine), database))
            return opened[-1]

        opened = []
        yield asking
