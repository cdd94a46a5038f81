"""Prompt templates: Markdown files with Jinja blocks, one file a step of a method.

A template's blocks are the parts of a prompt (``system``, ``instance``, ``response``, ``item``, ...); each is rendered
on its own. What data contains is never treated as a template: data only fills variables, in Jinja's sandbox. A user's
folder with a file of the same name (for example ``rocketeval/grade.md``) replaces a built-in one.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError, nodes
from jinja2.sandbox import SandboxedEnvironment

from checkwise.errors import Place, PromptError
from checkwise.prompts.fence import fence


@dataclass(frozen=True)
class Prompt:
    """One template, as it will be used."""

    name: str
    """Method and step, such as ``rocketeval/grade``."""
    source: str
    """The template's text."""
    file: Path | None = None
    """The user's file; None for a built-in template."""

    @property
    def version(self) -> str:
        """The first 12 hexadecimal digits of the text's SHA-256."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:12]

    @property
    def origin(self) -> str:
        """Which template this is, for the record of a run."""
        return f"{self.file or 'built-in'}@{self.version}"

    @cached_property
    def _template(self) -> Template:
        environment = SandboxedEnvironment(
            autoescape=False,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        environment.filters["fence"] = fence
        try:
            outside = [node for node in environment.parse(self.source).body if not isinstance(node, nodes.Block)]
            if any(not isinstance(node, nodes.Output) or _says_something(node) for node in outside):
                raise PromptError(
                    f"the prompt {self.name} has text outside its blocks, which no model would see",
                    where=Place(self.file, outside[0].lineno),
                    todo="Move it into a block, or make it a comment: {# ... #}.",
                )
            return environment.from_string(self.source)
        except TemplateError as error:
            raise self._broken(error) from error

    def render(self, block: str, **data: Any) -> str:  # noqa: ANN401 - a template takes anything
        """Render one block.

        Args:
            block: The block's name.
            **data: The variables that the block may use.

        Returns:
            The rendered text.

        Raises:
            PromptError: The template has no such block, uses a variable that it is not given, or is not valid Jinja.
        """
        template = self._template
        if block not in template.blocks:
            raise PromptError(
                f"the prompt {self.name} has no block {block!r}",
                where=Place(self.file),
                todo=f"Keep the blocks of the built-in file; `checkwise prompts show {self.name}` prints it.",
            )
        try:
            return "".join(template.blocks[block](template.new_context(data)))
        except (TemplateError, TypeError, ValueError) as error:
            raise self._broken(error) from error

    def _broken(self, error: Exception) -> PromptError:
        line = getattr(error, "lineno", None)
        return PromptError(
            f"the prompt {self.name} does not render: {error}",
            where=Place(self.file, line),
            todo="Correct the template; the built-in one shows which variables there are.",
        )


def _says_something(output: nodes.Output) -> bool:
    return any(not isinstance(part, nodes.TemplateData) or part.data.strip() for part in output.nodes)


@dataclass(frozen=True)
class PromptLibrary:
    """The prompts of a run: built-in ones, and those that a user's folder replaces.

    Args:
        folder: A folder laid out like the built-in one, or None.

    Raises:
        PromptError: The folder is not there, or holds a file that replaces no built-in prompt.
    """

    folder: Path | None = None

    def __post_init__(self) -> None:
        """Refuse a folder that would silently replace nothing."""
        if self.folder is None:
            return
        if not self.folder.is_dir():
            raise PromptError("the prompt folder does not exist", where=Place(self.folder), todo="Check --prompts.")
        for file in sorted(self.folder.rglob("*.md")):
            name = file.relative_to(self.folder).with_suffix("").as_posix()
            if name not in BUILT_IN:
                raise PromptError(
                    f"no step of a method has a prompt called {name}",
                    where=Place(file),
                    todo=f"A prompt is called one of: {', '.join(sorted(BUILT_IN))}.",
                )

    def get(self, name: str) -> Prompt:
        """Find a prompt by method and step, such as ``rocketeval/grade``."""
        file = self.folder / f"{name}.md" if self.folder is not None else None
        if file is not None and file.is_file():
            try:
                return Prompt(name, file.read_text(encoding="utf-8"), file)
            except UnicodeDecodeError as error:
                raise PromptError(
                    "the prompt is not UTF-8 text", where=Place(file), todo="Save it as UTF-8."
                ) from error
        return Prompt(name, BUILT_IN[name])


def _built_in() -> Mapping[str, str]:
    root = files("checkwise.prompts")
    return {
        f"{method.name}/{file.name.removesuffix('.md')}": file.read_text(encoding="utf-8")
        for method in root.iterdir()
        if method.is_dir()
        for file in method.iterdir()
        if file.name.endswith(".md")
    }


BUILT_IN: Mapping[str, str] = _built_in()
"""The text of every built-in prompt, by name."""
