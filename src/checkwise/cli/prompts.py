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
    help="List, print and copy the built-in prompts and scoring guides. Without a command it lists them.",
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
    """List the built-in prompts with their versions, which are hashes of their texts, and the scoring guides."""
    from checkwise.prompts import BUILT_IN, GUIDES, PromptLibrary

    versions = {name: PromptLibrary().get(name).version for name in sorted(BUILT_IN)}
    scales = {f"guides/{name}": f"{guide.low}-{guide.high}" for name, guide in GUIDES.items()}
    if as_json:
        print_json({"prompts": versions, "guides": scales})
        return
    for name, version in (versions | scales).items():
        say(f"{name}  {version}")


@app.command("show", epilog=examples("checkwise prompts show ce_judge/compare", "checkwise prompts show guides/ten"))
def show(name: Annotated[str, typer.Argument(metavar="NAME", help="Such as ce_judge/compare.")]) -> None:
    """Print a built-in prompt or scoring guide."""
    texts = {file.rsplit(".", 1)[0]: text for file, text in _files().items()}
    name = name if name in texts else f"guides/{name}"
    if name not in texts:
        name = name.removeprefix("guides/")
        raise PromptError(f"no prompt is called {name!r}", todo=f"Prompts: {', '.join(texts)}.")
    sys.stdout.write(texts[name])


@app.command("copy", epilog=examples("checkwise prompts copy my-prompts"))
def copy(folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder; made if it is not there.")]) -> None:
    """Copy all built-in prompts and scoring guides into a folder, to be changed. Files that are there stay.

    Prompts are used with --prompts and the folder, a guide with --guide and its file.
    """
    for name, text in _files().items():
        file = folder / name
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


def _files() -> dict[str, str]:
    from checkwise.prompts import BUILT_IN, GUIDE_FILES

    prompts = {f"{name}.md": text for name, text in sorted(BUILT_IN.items())}
    return prompts | {f"guides/{name}": text for name, text in GUIDE_FILES.items()}
