"""``checkwise view``: the reports of all runs in a folder, served while they grow."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from checkwise.cli.console import note, say
from checkwise.errors import Place, UserError


def view(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="What the runs lie in, or one run.")] = Path("runs"),
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to serve; 0 takes a free port.")] = 8765,
    opens_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
) -> None:
    """Serve the reports of all runs in a folder, on this machine only, until Ctrl-C.

    The pages follow runs that are still growing, hold two runs against each other, and let you edit checklists and
    grade again only what changed.
    """
    from checkwise.view import ViewServer

    if not folder.is_dir():
        raise UserError("there is no such folder", where=Place(folder), todo="Name the folder that your runs lie in.")
    try:
        server = ViewServer(folder, port=port)
    except OSError as error:
        raise UserError(
            f"port {port} cannot be used: {error.strerror or error}", todo="Name another with --port, or 0 for any."
        ) from error
    say(f"Serving {folder} at {server.address}")
    note("Stop with Ctrl-C.")
    if opens_browser:
        webbrowser.open(server.address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
