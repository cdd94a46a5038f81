"""Runs the same benchmark in one process after another, and kills each in the middle: python killed_driver.py.

Reads lines ``[out, questions, seconds]``: a run in the folder ``out`` is killed ``seconds`` after it has asked so many
questions, or not at all where ``questions`` is null. Answers each line with the run's exit code, negative for a signal.
A run appends the key of each question to ``OUT.log`` before it answers it.
"""

import json
import os
import signal
import sys
import time
import traceback
from pathlib import Path

from checkwise import run as run_checkwise  # Here and not in each process, which would spend its time importing.
from checkwise.engines import ScriptedEngine
from checkwise.records import Dataset, Instance, Response, Turn
from checkwise.store import choose_keys, generate_key

SECONDS_A_QUESTION = 0.01
INSTANCES, MODELS, ITEMS = 12, 3, 5

DATA = Dataset(
    name="killed",
    format="plain",
    instances=tuple(Instance(id=f"i{n}", turns=(Turn(role="user", content=f"query {n}"),)) for n in range(INSTANCES)),
    responses=tuple(
        Response(instance_id=f"i{n}", model=f"m{m}", text=f"m{m} on {n}")
        for n in range(INSTANCES)
        for m in range(MODELS)
    ),
)


def answer(prompt):
    time.sleep(SECONDS_A_QUESTION)
    if prompt.options is None:
        return "".join(f"{number}. Is it {number}?\n" for number in range(1, ITEMS + 1))
    p_yes = (sum(prompt.text.encode()) % 100) / 100
    return {"Yes": p_yes, "No": 1 - p_yes}


class Logged(ScriptedEngine):
    """Writes down what it is asked before it answers."""

    log: int

    def note(self, key):
        os.write(self.log, f"{key}\n".encode())

    async def generate(self, question):
        self.note(generate_key(self.identity, question))
        return await super().generate(question)

    async def choose(self, question):
        for suffix, key in zip(question.suffixes, choose_keys(self.identity, question), strict=True):
            self.note(key)
            async for each in super().choose(question.model_copy(update={"suffixes": (suffix,)})):
                yield each


def run(out, log):
    """Run in a process of its own; give its id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        os.setsid()
        engine = Logged(answer)
        engine.log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        run_checkwise(DATA, judge=engine, out=out)
        code = 0
    except BaseException:  # noqa: BLE001 - a forked process must not go on as its parent
        traceback.print_exc()
    finally:
        os._exit(code)


def kill(child, log, questions, seconds):
    """Kill a run once it has asked so many more questions, and a little later."""
    enough = size(log) + questions * 65
    while size(log) < enough and os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        time.sleep(0.001)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)


def size(log):
    return log.stat().st_size if log.exists() else 0


def main():
    for line in sys.stdin:
        out, questions, seconds = json.loads(line)
        log = Path(out).parent / f"{Path(out).name}.log"
        child = run(out, log)
        if questions is not None:
            kill(child, log, questions, seconds)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
