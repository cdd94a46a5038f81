"""How a command ends: an error is one message that says what, where and what to do, and an exit code."""

import errno
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NoReturn

from typer.core import TyperGroup

from checkwise.cli.console import note, prepare_streams, print_json
from checkwise.cli.exit_codes import ExitCode
from checkwise.errors import BudgetSpentError, CheckwiseError, InterruptedRunError, Place

DEBUG = "CHECKWISE_DEBUG"
"""The environment variable that asks for the traceback of a fault."""


class Commands(TyperGroup):
    """All commands; turns errors into messages and exit codes. With ``--json`` the error is on standard output too."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:  # noqa: ANN401 - Typer's own
        """Run a command and leave the process with its exit code."""
        prepare_streams()
        as_json = "--json" in (sys.argv[1:] if args is None else args)
        try:
            return super().main(args, *rest, **options)
        except CheckwiseError as error:
            _show(error, as_json=as_json)
            sys.exit(error.exit_code)
        except SystemExit as end:
            problem = getattr(end.__context__, "format_message", None)
            if problem is None:
                raise
            # Typer has shown the usage error; its exit code for one is that of an engine error here.
            if as_json:
                print_json(_document("UsageError", problem(), ExitCode.USER_ERROR))
            sys.exit(ExitCode.USER_ERROR)
        except OSError as error:
            if not _output_failed(error):
                return _fault(error, as_json=as_json)
            # Nobody reads any more, or the disk behind the output is full: there is no one left to tell but here.
            note(f"Error: the output cannot be written: {error.strerror or error}")
            os._exit(ExitCode.USER_ERROR)
        except Exception as error:  # noqa: BLE001 - a fault of ours, told as one
            return _fault(error, as_json=as_json)


def _output_failed(error: OSError) -> bool:
    return error.errno in (errno.EPIPE, errno.ENOSPC, errno.EBADF)


def _fault(error: Exception, *, as_json: bool) -> NoReturn:
    if os.environ.get(DEBUG):
        raise error
    what = f"{type(error).__name__}: {error}"
    note(f"This is a fault in checkwise: {what}\nPlease report it, with what {DEBUG}=1 before the command shows.")
    if as_json:
        print_json(_document("Fault", what, ExitCode.FAULT))
    sys.exit(ExitCode.FAULT)


def _show(error: CheckwiseError, *, as_json: bool) -> None:
    note(str(error) if isinstance(error, InterruptedRunError | BudgetSpentError) else f"Error: {error}")
    if as_json:
        print_json(_document(type(error).__name__, error.what, error.exit_code, where=error.where, todo=error.todo))


def _document(
    kind: str, what: str, exit_code: int, *, where: Place | None = None, todo: str | None = None
) -> dict[str, dict[str, Any]]:
    where = where or Place()
    place = asdict(where) | {"file": None if where.file is None else str(where.file)}
    return {"error": {"kind": kind, "what": what, "where": place, "todo": todo, "exit_code": int(exit_code)}}
