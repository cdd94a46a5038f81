"""``checkwise models``: the weights of the models that have a name."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from checkwise.cli import options
from checkwise.cli.console import out, print_json, say
from checkwise.cli.options import examples
from checkwise.cli.progress_display import ProgressDisplay, megabytes

if TYPE_CHECKING:
    from checkwise.models import ModelEntry

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name that checkwise models lists.")]

app = typer.Typer(
    name="models",
    help="List, fetch, check and remove the weights of models. Without a command it lists them.",
    epilog=examples("checkwise models", "checkwise models get qwen2.5-coder-1.5b"),
    invoke_without_command=True,
)


@app.callback()
def _models(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_models()


@app.command("list", epilog=examples("checkwise models list"))
def list_models(as_json: options.AsJson = False) -> None:
    """List the models that have a name: size, licence, and whether the weights are here and were found right."""
    from checkwise.models import DEFAULT_MODEL, known_models, list_cached

    cached = {weights.entry.name: weights for weights in list_cached()}
    rows = [
        {
            "name": entry.name,
            "default": entry.name == DEFAULT_MODEL,
            "size": entry.size,
            "licence": entry.licence,
            "condition": cached[entry.name].condition if entry.name in cached else None,
            "path": str(cached[entry.name].path) if entry.name in cached else None,
            "description": entry.description,
        }
        for entry in known_models()
    ]
    if as_json:
        print_json({"models": rows})
    else:
        _show(rows)


@app.command("get", epilog=examples("checkwise models get smollm2-135m"))
def get(name: Name) -> None:
    """Fetch the weights of a model, unless they are here, and check them."""
    from checkwise.models import weights_path

    with ProgressDisplay() as display:
        path = weights_path(_entry(name), progress=display.bytes)
    say(str(path))


@app.command("verify", epilog=examples("checkwise models verify smollm2-135m"))
def verify(name: Name) -> None:
    """Read the weights of a model from end to end, and check their sha256."""
    from checkwise.models import verify as verify_weights

    entry = _entry(name)
    with ProgressDisplay() as display:
        path = verify_weights(entry, progress=display.bytes)
    say(f"{path} is right: sha256 {entry.sha256}")


@app.command("remove", epilog=examples("checkwise models remove smollm2-135m"))
def remove(name: Name) -> None:
    """Delete the weights of a model from the cache."""
    from checkwise.models import remove as remove_weights

    entry = _entry(name)
    freed = remove_weights(entry)
    say(f"{megabytes(freed)} freed" if freed else f"the weights of {entry.name} were not here")


def _entry(name: str) -> "ModelEntry":
    from checkwise.models import find_model

    return find_model(name.removeprefix("local:"))


def _show(rows: Sequence[Mapping[str, object]]) -> None:
    from rich.table import Table

    table = Table()
    for header in ("name", "size", "licence", "weights", "where"):
        table.add_column(header, overflow="fold", justify="right" if header == "size" else "left")
    for row in rows:
        name = f"{row['name']} (default)" if row["default"] else str(row["name"])
        size, condition, path = (row[key] for key in ("size", "condition", "path"))
        table.add_row(
            name, megabytes(int(str(size))), str(row["licence"]), str(condition or "not here"), str(path or "")
        )
    out().print(table)
    for row in rows:
        say(f"{row['name']}: {row['description']}")
