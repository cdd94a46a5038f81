"""Scoring guides: built in, read from a file, and refused with a word on what is wrong."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from checkwise.errors import DataError, UserError
from checkwise.prompts import GUIDES, ScoringGuide, find_guide, read_guide

MINE = """\
about: How funny a joke is.
low: 0
high: 3
points:
  3: People laugh aloud.
  0: >-
    Nobody
    smiles.
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "joke.yaml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("name", "low", "high", "described"),
    [
        ("liteval", 1, 7, [1, 3, 5, 7]),
        ("quality", 1, 7, [1, 3, 5, 7]),
        ("five", 1, 5, [1, 2, 3, 4, 5]),
        ("ten", 1, 10, [1, 4, 7, 10]),
    ],
)
def test_the_built_in_guides(name, low, high, described):
    guide = find_guide(name)
    assert guide is GUIDES[name]
    assert (guide.name, guide.low, guide.high, list(guide.points)) == (name, low, high, described)


def test_a_guide_of_ones_own(tmp_path: Path):
    guide = find_guide(str(write(tmp_path, MINE)))
    assert (guide.name, guide.low, guide.high) == ("joke", 0, 3)
    assert guide.text == "How funny a joke is.\n0: Nobody smiles.\n3: People laugh aloud."


def test_a_guide_without_a_sentence_is_its_points():
    assert ScoringGuide(name="x", low=1, high=2, points={2: "gut", 1: "schlecht"}).text == "1: schlecht\n2: gut"


def test_points_of_any_language(tmp_path: Path):
    guide = read_guide(write(tmp_path, "\ufefflow: 1\nhigh: 2\npoints: {1: 差, 2: 好}\n"))
    assert guide.text == "1: 差\n2: 好"


def test_a_score_as_a_share_of_the_scale():
    assert [GUIDES["liteval"].share(score) for score in (1, 4, 7)] == [0, 0.5, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("low: 5\nhigh: 5\npoints: {5: a, 6: b}", r"low \(5\) must be below high \(5\)"),
        ("low: 1\nhigh: 5\npoints: {1: a, 6: b}", "the point 6 is outside 1 to 5"),
        ("low: 1\nhigh: 5\npoints: {1: a, 5: ' '}", "the point 5 has no description"),
        ("low: 1\nhigh: 5\npoints: {1: a}", "points: .*at least 2 items"),
        ("low: 1\nhigh: 5", "points: Field required"),
        ("low: 1.5\nhigh: 5\npoints: {2: a, 5: b}", "low: .*valid integer"),
        ("low: 1\nhigh: yes\npoints: {1: a, 5: b}", "high: .*valid integer"),
        ("low: 1\nhigh: 5\npoints: {1: a, top: b}", "points.top: .*valid integer"),
        ("low: 1\nhigh: 5\npoints: {1: a, 5: [b]}", "points.5: .*valid string"),
        ("low: 1\nhigh: 5\npoints: {1: a, 5: b}\nscale: 5", "scale: Extra inputs are not permitted"),
        ("", "has no fields"),
        ("- 1\n- 5", "has no fields"),
        ("low: 1\nhigh: [", "is not valid YAML"),
        ("low: !!python/object/apply:os.getcwd []", "is not valid YAML"),
    ],
)
def test_an_invalid_guide_is_refused_with_its_file(tmp_path: Path, text: str, message: str):
    file = write(tmp_path, text)
    with pytest.raises(DataError, match=message) as error:
        read_guide(file)
    assert error.value.where.file == file


def test_broken_yaml_is_refused_with_its_line(tmp_path: Path):
    with pytest.raises(DataError) as error:
        read_guide(write(tmp_path, "low: 1\nhigh: 5\npoints: {1: a\nabout: x: y"))
    assert error.value.where.line == 4


def test_a_file_that_is_not_text_is_refused(tmp_path: Path):
    file = tmp_path / "joke.yaml"
    file.write_bytes(b"low: 1\nabout: \xff\xfe")
    with pytest.raises(DataError, match="not UTF-8"):
        read_guide(file)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(DataError, match="cannot be read"):
        read_guide(tmp_path / "nowhere.yaml")
    with pytest.raises(UserError, match="there is no scoring guide 'liteeval'") as error:
        find_guide("liteeval")
    assert "five, liteval, quality, ten" in error.value.todo


def test_a_guide_is_frozen():
    with pytest.raises(ValidationError):
        GUIDES["five"].low = 0
