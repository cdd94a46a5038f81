import json
from collections.abc import Callable

import polars as pl
import pytest

from checkwise.records import Checklist, Dataset, Instance, ItemGrade, Response, Score, Turn
from checkwise.report import ReportContent, build_content

HOSTILE = (
    "</script><script>document.title='owned'</script><!--<script> & \u2028\u2029\u202eevil\u202c "
    '<img src="http://evil.example/x.png" onerror="alert(1)">'
)
CONTEXT = "the prompt needs 9312 tokens and the context holds 8192"


@pytest.fixture
def hostile() -> str:
    return HOSTILE


@pytest.fixture
def context_reason() -> str:
    return CONTEXT


@pytest.fixture(name="board")
def board_fixture() -> Callable[..., pl.DataFrame]:
    return board


@pytest.fixture(name="grade")
def grade_fixture() -> Callable[..., ItemGrade]:
    return grade


def board(*rows: tuple[int | None, str, float | None, float | None, float | None, int]) -> pl.DataFrame:
    """A leaderboard of (rank, model, score, low, high, n); the rest is the same in every row."""
    names = ("rank", "model", "score", "low", "high", "n")
    rest = {"coverage": 0.5, "unscored": 1, "empty": 0, "mean_mass": None, "low_mass_items": 0}
    return pl.DataFrame(
        [dict(zip(names, row, strict=True)) | rest for row in rows],
        schema_overrides={"score": pl.Float64, "low": pl.Float64, "high": pl.Float64, "mean_mass": pl.Float64},
        infer_schema_length=None,
    )


def grade(instance: str, model: str, number: int, item: str, p_yes: float | None, **more: object) -> ItemGrade:
    fields = {"instance_id": instance, "model": model, "number": number, "item": item, "p_yes": p_yes}
    return ItemGrade.model_validate(fields | {"mode": "logprobs"} | more)


@pytest.fixture
def content() -> ReportContent:
    """Two instances and two models: one item of low mass, one response unscored, one hostile, one missing."""
    dataset = Dataset(
        name="demo",
        format="jsonl",
        instances=(
            Instance(id="q 1", turns=(Turn(role="user", content="سؤال"),), category="chat", language="ar"),
            Instance(id="q2", turns=(Turn(role="user", content=HOSTILE),), reference="R", category=HOSTILE),
        ),
        responses=(
            Response(instance_id="q 1", model="weak", text="no"),
            Response(instance_id="q 1", model="able", text="好"),
            Response(instance_id="q2", model="able", text=HOSTILE),
        ),
        notes=("from the data",),
    )
    return build_content(
        dataset,
        {
            "q 1": Checklist(instance_id="q 1", items=("Is it polite?", "Is it short?"), source="edited"),
            "q2": Checklist(instance_id="q2", items=(HOSTILE,), source="generated", generator="writer"),
        },
        [
            grade("q 1", "able", 1, "Is it polite?", 0.75, mass=0.9),
            grade("q 1", "able", 2, "Is it short?", 0.25, mass=0.3, low_mass=True),
            grade("q 1", "weak", 1, "Is it polite?", None, reason=CONTEXT),
            grade("q2", "able", 1, "An item that was edited since", 1.0, mass=1.0),
        ],
        [
            Score(instance_id="q 1", model="able", value=0.5, status="scored", items=2, scored_items=2),
            Score(instance_id="q 1", model="weak", value=None, status="unscored", items=2, reason=CONTEXT),
        ],
        leaderboard=board((1, "able", 0.5, 0.42, 0.58, 1), (None, "weak", None, None, None, 0)),
        by_category=board((1, "able", 0.5, None, None, 1)).insert_column(0, pl.Series("category", ["chat"])),
        facts={"Judge": "local:small", "Tie margin": "0.1"},
        notes=["from the run"],
    )


@pytest.fixture
def harmless(content: ReportContent) -> ReportContent:
    """The same with a plain word wherever something hostile stands."""
    return ReportContent.model_validate_json(
        content.model_dump_json().replace(json.dumps(HOSTILE, ensure_ascii=False)[1:-1], "word")
    )
