"""``checkwise prompts``: what the models are asked, to read and to change."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
import sys
from pathlib import Path
from typing import Annotated

import typer

from checkwise.cli import options
from checkwise.cli.console import print_json, say
from checkwise.cli.options import examples
from checkwise.errors import Place, PromptError, UserError

app = typer.Typer(
    name="prompts",
    help="List, print and copy the built-in prompts. Without a command it lists them, with their versions.",
    epilog=examples(
        "checkwise prompts", "checkwise prompts copy my-prompts", "checkwise run data/ --prompts my-prompts"
    ),
    invoke_without_command=True,
)


@app.callback()
def _prompts(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_prompts()


@app.command("list", epilog=examples("checkwise prompts list"))
def list_prompts(as_json: options.AsJson = False) -> None:
    """List the built-in prompts with their versions, which are hashes of their texts."""
    from checkwise.prompts import BUILT_IN, PromptLibrary

    versions = {name: PromptLibrary().get(name).version for name in sorted(BUILT_IN)}
    if as_json:
        print_json({"prompts": versions})
        return
    for name, version in versions.items():
        say(f"{name}  {version}")


@app.command("show", epilog=examples("checkwise prompts show rocketeval/grade"))
def show(name: Annotated[str, typer.Argument(metavar="NAME", help="Such as rocketeval/grade.")]) -> None:
    """Print a built-in prompt."""
    from checkwise.prompts import BUILT_IN

    if name not in BUILT_IN:
        raise PromptError(f"no prompt is called {name!r}", todo=f"Prompts: {', '.join(sorted(BUILT_IN))}.")
    sys.stdout.write(BUILT_IN[name])


@app.command("copy", epilog=examples("checkwise prompts copy my-prompts"))
def copy(folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder; made if it is not there.")]) -> None:
    """Copy all built-in prompts into a folder, to be changed and used with --prompts. Files that are there stay."""
    from checkwise.prompts import BUILT_IN

    for name, text in sorted(BUILT_IN.items()):
        file = folder / f"{name}.md"
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("x", encoding="utf-8", newline="") as stream:
                stream.write(text)
        except FileExistsError:
            say(f"{file} was there, and stays as it is")
        except OSError as error:
            raise UserError(
                f"the prompt cannot be written: {error.strerror or error}",
                where=Place(file),
                todo="Choose a folder that may be written to.",
            ) from error
        else:
            say(str(file))
