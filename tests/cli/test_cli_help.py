"""Every command has help and an example, and help comes fast."""

import subprocess
import sys

import pytest
from typer.main import get_command

from checkwise.cli import app
from checkwise.runs import DEFAULT_JUDGE
from checkwise.version import __version__


def commands(command, path=()):
    yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, (*path, name))


ALL = list(commands(get_command(app)))


def test_all_commands_are_here():
    names = {" ".join(path) for path, _ in ALL}
    assert names == {
        "",
        *(
            "run",
            "compare",
            "cost",
            "trust",
            "supervise",
            "checklist",
            "grade",
            "rank",
            "gate",
            "report",
            "export",
            "doctor",
            "init",
            "view",
        ),
        *("models", "models list", "models get", "models verify", "models remove"),
        *("prompts", "prompts list", "prompts show", "prompts copy"),
    }


@pytest.mark.parametrize(("path", "command"), ALL, ids=[" ".join(path) or "checkwise" for path, _ in ALL])
def test_every_command_has_help_and_an_example_of_itself(path, command, checkwise):
    assert command.help
    assert "Example" in command.epilog
    assert " ".join(("checkwise", *path)) in command.epilog
    result = checkwise(*path, "--help")
    assert result.exit_code == 0
    assert "Example" in result.stdout
    assert all(getattr(option, "help", None) for option in command.params), "an option without help"


def test_examples_name_options_that_there_are():
    by_path = dict(ALL)
    for _, command in ALL:
        for line in command.epilog.split("\n\n"):
            words = line.rpartition("| ")[2].split()
            if words[:1] != ["checkwise"]:
                continue
            path = tuple(words[1:3]) if tuple(words[1:3]) in by_path else tuple(words[1:2])
            known = {option for p in by_path[path].params for option in (*p.opts, *p.secondary_opts)}
            assert {word for word in words if word.startswith("--")} <= known, line


def test_the_help_names_the_default_judge(checkwise):
    assert DEFAULT_JUDGE.removeprefix("local:") in checkwise("run", "--help").stdout


def test_the_version(checkwise):
    assert checkwise("--version").stdout == f"checkwise {__version__}\n"


def test_help_waits_for_no_heavy_library():
    code = """
import sys
from checkwise.cli import main
sys.argv = ["checkwise", "run", "--help"]
try:
    main()
finally:
    heavy = {"polars", "numpy", "xllamacpp", "huggingface_hub", "jinja2"} & set(sys.modules)
    print(sorted(heavy), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stderr == "[]\n"
    assert "--judge" in done.stdout
