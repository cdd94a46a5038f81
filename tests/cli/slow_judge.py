"""The real command line with a judge that takes its time, for tests that stop it: python slow_judge.py run ..."""

import asyncio
import os
from importlib import import_module

from checkwise.cli import main
from checkwise.engines import ScriptedEngine


class SlowEngine(ScriptedEngine):
    async def choose(self, question):
        async for answer in super().choose(question):
            await asyncio.sleep(float(os.environ["SECONDS_AN_ANSWER"]))
            yield answer

    async def generate(self, question):
        answer = await super().generate(question)
        await asyncio.sleep(float(os.environ["SECONDS_AN_ANSWER"]))
        return answer

    async def close(self):
        await asyncio.sleep(float(os.environ.get("SECONDS_TO_CLOSE", "0")))


def answer(prompt):
    if prompt.options is not None:
        return {"Yes": 0.75, "No": 0.25}
    return "Verdict: A" if "<response_a>" in prompt.text else "1. How is it said?"


def open_engine(name, *, options, progress):
    return SlowEngine(answer, model=name)


if __name__ == "__main__":
    import_module("checkwise.runs.run_models").open_engine = open_engine
    main()
