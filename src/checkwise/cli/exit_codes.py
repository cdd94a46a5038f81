"""What the exit code of a command says."""

from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ended; the errors of ``errors.py`` carry the same numbers."""

    OK = 0
    USER_ERROR = 1
    ENGINE_ERROR = 2
    NOTHING_JUDGED = 3
    BUDGET_SPENT = 4
    WAITING = 5
    GATE_CLOSED = 6
    FAULT = 70
    INTERRUPTED = 130


MEANINGS = {
    ExitCode.OK: "all went well",
    ExitCode.USER_ERROR: "something in the command, the data or the folders must be put right",
    ExitCode.ENGINE_ERROR: "the model cannot be had or run",
    ExitCode.NOTHING_JUDGED: "not one response has a score",
    ExitCode.WAITING: "batches were sent; run again later to collect their answers",
    ExitCode.BUDGET_SPENT: "stopped at --max-cost or --max-calls; what was done is kept",
    ExitCode.GATE_CLOSED: "checkwise gate: a model is not good enough",
    ExitCode.FAULT: "a fault in checkwise itself",
    ExitCode.INTERRUPTED: "stopped by Ctrl-C; what was done is kept",
}
"""What each code means, for the help."""
