"""Settings that a team repeats: ``checkwise.yaml`` gives options their defaults, and flags win over it."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from checkwise.cli import options
from checkwise.errors import DataError, Place

FILE = "checkwise.yaml"
"""The file that is looked for in the working directory."""

SHARED = (options.MODEL, options.DATA, options.COST)
"""Panels of options that mean the same in every command, and so may stand at the top of the file."""

Defaults = dict[str, Any]
"""By command, and below it by option, as the command line wants them."""


def read_settings(path: Path, group: Any) -> Defaults:  # noqa: ANN401 - of a library inside Typer
    """Read the file.

    Args:
        path: The file.
        group: All commands.

    Returns:
        The default of each option that it sets.

    Raises:
        DataError: The file is no YAML, or sets what there is not; says the line.
    """
    whole, lines = _parse(path)
    commands = dict(walk(group))
    common = shared_options(commands)
    for name in whole:
        if name not in common and name not in commands:
            raise _unknown(name, {*common, *commands}, Place(path, lines.get((name,))))
    defaults: Defaults = {}
    for name, command in commands.items():
        own = whole.get(name) or {}
        if not isinstance(own, Mapping):
            raise DataError(
                f"`{name}` is a command, and has no options under it",
                where=Place(path, lines.get((name,))),
                todo="Write them on lines of their own, indented: `limit: 10`.",
            )
        known = {key: parameter for parameter in options_of(command) for key in names_of(parameter)}
        for key in own:
            if key not in known:
                raise _unknown(str(key), known, Place(path, lines.get((name, key))))
        shared = {key: value for key, value in whole.items() if key in common and key in known}
        chosen = {known[key].name: _value(known[key], value) for key, value in (shared | dict(own)).items()}
        _put(defaults, name.split(), {key: value for key, value in chosen.items() if value is not None})
    return defaults


def walk(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - of a library inside Typer
    """List the commands that do something, by what is typed to call them."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from walk(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def options_of(command: Any) -> list[Any]:  # noqa: ANN401 - of a library inside Typer
    """List the options of a command that the file may set: all but those that say how to print."""
    return [
        parameter
        for parameter in command.params
        if parameter.param_type_name == "option" and parameter.name not in ("help", "as_json")
    ]


def names_of(option: Any) -> list[str]:  # noqa: ANN401 - of a library inside Typer
    """Give what an option is called in the file: as on the command line, without the dashes."""
    return [name.lstrip("-") for name in option.opts if name.startswith("--")]


def shared_options(commands: Mapping[str, Any]) -> dict[str, Any]:
    """List the options that mean the same in every command that has them, by name; several commands have each."""
    found: dict[str, list[Any]] = {}
    for command in commands.values():
        for option in options_of(command):
            if getattr(option, "rich_help_panel", None) in SHARED:
                for name in names_of(option):
                    found.setdefault(name, []).append(option)
    return {name: same[0] for name, same in found.items() if len(same) > 1}


def _parse(path: Path) -> tuple[dict[str, Any], dict[tuple[str, ...], int]]:
    """Read the file, and the line of each name in it, those below a name under both."""
    import yaml

    from checkwise.datasets.tables import read_text

    text = read_text(path)
    try:
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
        whole = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else mark.line + 1
        what = getattr(error, "problem", None) or error
        raise DataError(f"this is not YAML: {what}", where=Place(path, line), todo="Write `name: value`.") from error
    if whole is None:
        return {}, {}
    if not isinstance(whole, dict):
        raise DataError("the settings are no names with values", where=Place(path), todo="Write `name: value`.")
    lines: dict[tuple[str, ...], int] = {}
    assert isinstance(tree, yaml.MappingNode)  # noqa: S101 - a dictionary was read from it
    for key, value in tree.value:
        lines[key.value,] = key.start_mark.line + 1
        if isinstance(value, yaml.MappingNode):
            lines |= {(key.value, inner.value): inner.start_mark.line + 1 for inner, _ in value.value}
    return {str(key): value for key, value in whole.items()}, lines


def _unknown(name: str, known: Any, place: Place) -> DataError:  # noqa: ANN401 - any collection of names
    near = get_close_matches(name, sorted(known), n=1)
    todo = f"Did you mean `{near[0]}`?" if near else "Names are those of options, without the dashes."
    return DataError(f"there is no option, and no command, called `{name}`", where=place, todo=todo)


def _value(option: Any, value: Any) -> Any:  # noqa: ANN401 - of a library inside Typer, and of YAML
    """Write a value as the command line has it: what is a list for people may be commas there."""
    if isinstance(value, list) and not option.multiple:
        return ",".join(map(str, value))
    if option.multiple and not isinstance(value, list):
        value = [value]
    return value if isinstance(value, bool | list) or value is None else str(value)


def _put(defaults: Defaults, path: list[str], values: dict[str, Any]) -> None:
    for name in path[:-1]:
        defaults = defaults.setdefault(name, {})
    defaults[path[-1]] = values
