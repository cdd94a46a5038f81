"""``checkwise init``: write a commented file of settings."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any

import typer

from checkwise.cli.console import say
from checkwise.cli.settings import FILE, names_of, options_of, shared_options, walk
from checkwise.errors import UserError

_WIDTH = 100
_HEAD = f"""\
# Settings of checkwise, read from {FILE} in the folder where it is called, or from --settings FILE.
# A line without its # sets the default of an option; what is given on the command line wins.
# Options above the commands count for every command that has them; those under a command for that one only.
"""


def init(
    context: typer.Context,
    *,
    to: Annotated[Path, typer.Option(metavar="FILE", help="Where to write it.")] = Path(FILE),
) -> None:
    """Write a commented checkwise.yaml: all that can be set, with what it means; nothing is set yet."""
    from checkwise.files import write_whole

    if to.exists():
        raise UserError(f"{to} is there already", todo="Edit it, or name another file with --to.")
    write_whole(to, template(context.find_root().command).encode())
    say(f"Wrote {to}. Take the # away before what you want to set.")


def template(group: Any) -> str:  # noqa: ANN401 - of a library inside Typer
    """Write the file from the help of all commands, so that it knows every option that there is.

    Args:
        group: All commands.

    Returns:
        YAML in which everything is commented out.
    """
    commands = dict(walk(group))
    shared = shared_options(commands)
    parts = [_HEAD, *(_lines(option, "") for option in shared.values())]
    for name, command in commands.items():
        own = [option for option in options_of(command) if names_of(option)[0] not in shared]
        if own:
            parts.append("\n".join(_section(name, command, own)) + "\n")
    return "\n".join(parts)


def _section(name: str, command: Any, own: list[Any]) -> Iterator[str]:  # noqa: ANN401 - of a library inside Typer
    yield f"# {'-' * (_WIDTH - 2)}"
    yield f"# {(command.help or '').splitlines()[0]}"
    yield f"#{name}:"
    for option in own:
        yield _lines(option, "  ").rstrip("\n")


def _lines(option: Any, indent: str) -> str:  # noqa: ANN401 - of a library inside Typer
    text = wrap(option.help or "", _WIDTH - len(indent) - 2, break_on_hyphens=False)
    value = _example(option)
    return "".join([*(f"{indent}# {line}\n" for line in text), f"#{indent}{names_of(option)[0]}: {value}\n"])


def _example(option: Any) -> str:  # noqa: ANN401 - of a library inside Typer
    default = option.default
    if isinstance(default, bool):
        return "true" if default else "false"
    if default is None:
        return "..."
    return json.dumps(getattr(default, "value", str(default)) if not isinstance(default, int | float) else default)
