"""Scoring guides: the scale on which a judge gives a whole number, and what points of it mean."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, StrictInt, StrictStr, ValidationError, field_validator, model_validator

from checkwise.errors import DataError, Place, UserError
from checkwise.records import Record


class ScoringGuide(Record):
    """A scale of whole numbers, and what some of them mean."""

    name: StrictStr = Field(min_length=1)
    """What it is called."""
    low: StrictInt
    """The lowest score."""
    high: StrictInt
    """The highest score."""
    points: Mapping[StrictInt, StrictStr] = Field(min_length=2)
    """What scores mean, from the lowest to the highest; not every score needs a meaning."""
    about: StrictStr | None = None
    """One sentence on what is scored."""

    @field_validator("points")
    @classmethod
    def _in_order(cls, points: Mapping[int, str]) -> Mapping[int, str]:
        return {score: " ".join(points[score].split()) for score in sorted(points)}

    @model_validator(mode="after")
    def _fits_together(self) -> "ScoringGuide":
        if self.low >= self.high:
            raise ValueError(f"low ({self.low}) must be below high ({self.high})")
        for score, meaning in self.points.items():
            if not self.low <= score <= self.high:
                raise ValueError(f"the point {score} is outside {self.low} to {self.high}")
            if not meaning:
                raise ValueError(f"the point {score} has no description")
        return self

    @property
    def text(self) -> str:
        """The guide for a prompt: what is scored where it says so, then one line a point."""
        lines = [f"{score}: {meaning}" for score, meaning in self.points.items()]
        return "\n".join([self.about.strip(), *lines] if self.about else lines)

    def share(self, score: float) -> float:
        """Put a score between 0, the lowest, and 1, the highest."""
        return (score - self.low) / (self.high - self.low)


def read_guide(path: Path) -> ScoringGuide:
    """Read a guide from a YAML file.

    Args:
        path: A file with ``low``, ``high``, ``points`` (score: description) and, where wanted, ``about`` and ``name``;
            without a name it is called like the file.

    Returns:
        The guide.

    Raises:
        DataError: The file cannot be read, is not YAML in UTF-8, or holds no valid guide; says what is wrong.
    """
    try:
        return _guide(path.read_text(encoding="utf-8-sig"), path)
    except OSError as error:
        raise DataError(f"the scoring guide cannot be read: {error.strerror}", where=Place(path)) from error
    except UnicodeDecodeError as error:
        raise DataError("the scoring guide is not UTF-8 text", where=Place(path), todo="Save it as UTF-8.") from error


def find_guide(name_or_path: str) -> ScoringGuide:
    """Find a guide by the name of a built-in one, or by its file.

    Args:
        name_or_path: One of ``GUIDES``, or the path of a YAML file.

    Returns:
        The guide.

    Raises:
        UserError: It is neither.
        DataError: The file holds no valid guide.
    """
    if name_or_path in GUIDES:
        return GUIDES[name_or_path]
    path = Path(name_or_path)
    if not path.is_file():
        raise UserError(
            f"there is no scoring guide {name_or_path!r}",
            todo=f"Name a YAML file, or one of: {', '.join(sorted(GUIDES))}.",
        )
    return read_guide(path)


def _guide(text: str, path: Path) -> ScoringGuide:
    try:
        fields = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it is empty or damaged"
        where = Place(path, None if mark is None else mark.line + 1)
        raise DataError(f"the scoring guide is not valid YAML: {problem}", where=where) from error
    todo = "A guide has low, high and points, such as `points: {1: poor, 5: excellent}`, and may have name and about."
    if not isinstance(fields, dict):
        raise DataError("the scoring guide has no fields", where=Place(path), todo=todo)
    try:
        return ScoringGuide(**{"name": path.stem} | {str(name): value for name, value in fields.items()})
    except ValidationError as error:
        raise DataError(f"the scoring guide is not valid: {_first(error)}", where=Place(path), todo=todo) from error


def _first(error: ValidationError) -> str:
    """Say the first thing that is wrong, and where."""
    problem: Mapping[str, Any] = error.errors()[0]
    field = ".".join(str(part) for part in problem["loc"] if part != "[key]")
    message = problem["msg"].removeprefix("Value error, ")
    return f"{field}: {message}" if field else message


def _built_in() -> Mapping[str, str]:
    folder = files("checkwise.prompts") / "guides"
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.iterdir(), key=lambda f: f.name)}


GUIDE_FILES: Mapping[str, str] = _built_in()
"""The text of the built-in guides, by file name."""

GUIDES: Mapping[str, ScoringGuide] = {
    guide.name: guide for guide in (_guide(text, Path(name)) for name, text in GUIDE_FILES.items())
}
"""The built-in guides, by name."""
