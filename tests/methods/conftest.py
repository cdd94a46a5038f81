import contextlib

import pytest

from checkwise import PromptLibrary
from checkwise.engines import ScriptedEngine
from checkwise.runs.ask import StoredAsk
from checkwise.store import Database
from checkwise.translation import open_translator


@pytest.fixture
def asking(tmp_path):
    """Give a way to ask a scripted model, through a store of its own; ``ask.engine.prompts`` is what was asked."""
    with contextlib.ExitStack() as stack:

        def asking(answer, *, translator="none", **engine):
            script = answer if callable(answer) else lambda _: answer
            database = stack.enter_context(contextlib.closing(Database(tmp_path / f"{len(opened)}.sqlite")))
            model = ScriptedEngine(script, **engine)
            if isinstance(translator, str):
                translator = open_translator(translator, engine=model, prompts=PromptLibrary())
            opened.append(StoredAsk(model, database, translator=translator))
            return opened[-1]

        opened = []
        yield asking
