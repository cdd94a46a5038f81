import json
from collections.abc import Callable
from html.parser import HTMLParser

import polars as pl
import pytest

from checkwise.records import (
    Checklist,
    Comparison,
    Dataset,
    Finding,
    Instance,
    ItemGrade,
    Pair,
    PairSet,
    Response,
    Score,
    Turn,
)
from checkwise.report import (
    MetricRow,
    MetricTable,
    PairReportContent,
    ReportContent,
    build_content,
    build_pair_content,
)

HOSTILE = (
    "</script><script>document.title='owned'</script><!--<script> & \u2028\u2029\u202eevil\u202c "
    '<img src="http://evil.example/x.png" onerror="alert(1)">'
)
CONTEXT = "the prompt needs 9312 tokens and the context holds 8192"


VOID = {"meta", "input", "line", "circle"}


class Page(HTMLParser):
    """What a browser would make of the file: its elements with their attributes, and the text in each."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data):
        if self._open:
            self.texts.append((self._open[-1], data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def text(self, tag: str) -> list[str]:
        return [data for name, data in self.texts if name == tag]

    def payloads(self) -> list[str]:
        scripts = zip(self.all("script"), self.text("script"), strict=True)
        return [text for attributes, text in scripts if attributes.get("type") == "application/json"]


@pytest.fixture
def page_of() -> Callable[[str], Page]:
    """Parses a page."""
    return Page


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


@pytest.fixture
def pair_content() -> PairReportContent:
    """Two pairs: an Arabic one that was judged in both orders, with findings, and a hostile one that is unscored."""
    asked = (Turn(role="user", content="أهلا"), Turn(role="assistant", content="أهلا بك"))

    def found(step, model=None, **more):
        return Finding(instance_id="p 1", step=step, model=model, **more)

    def hostile_pair(step, model=None, **more):
        return Finding(instance_id="p2", step=step, model=model, text=HOSTILE, reason=HOSTILE, **more)

    return build_pair_content(
        PairSet(
            name="demo",
            format="jsonl",
            pairs=(
                Pair(
                    instance=Instance(
                        id="p 1", turns=(*asked, Turn(role="user", content="لماذا السماء زرقاء؟")), language="ar"
                    ),
                    a="ضوء الشمس يتبعثر\n```python\nblue = True\n```",
                    b="天空是蓝色的",
                    label="A",
                    subset="chat",
                    model_a="writer one",
                ),
                Pair(
                    instance=Instance(id="p2", turns=(Turn(role="user", content=HOSTILE),)),
                    a=HOSTILE,
                    b=HOSTILE + "x",
                    subset=HOSTILE,
                    model_b=HOSTILE,
                ),
            ),
            notes=("from the data",),
        ),
        [
            Comparison(pair_id="p 1", first="A", verdict="A", p_a=0.75, mass=0.9, status="judged"),
            Comparison(pair_id="p 1", first="B", verdict="A", status="judged", retried=True),
            Comparison(pair_id="p2", first="A", status="unscored", reason=HOSTILE),
            Comparison(pair_id="p2", first="B", status="unscored", reason=HOSTILE),
        ],
        [
            found("concepts", text="- scattering of light"),
            found("translation", text="Why is the sky blue?", reason="translated from ar by llm"),
            found("translation", "A", reason="the translator failed twice"),
            found("checklist from response", "A", reason="there is no translation"),
            found("checklist from instruction", "A", text="How is blue explained?\nWhich light is named?"),
            found("checklist from response", "B", text="What does it leave open?"),
            found("feedback", first="A", text="A names <b>light</b>."),
            found("feedback", first="B", text="B is short."),
            found("retry", first="B", text="The better response is B."),
            hostile_pair("concepts"),
            hostile_pair("translation", "A"),
            hostile_pair("checklist from instruction", "B"),
            hostile_pair("feedback", first="A"),
            hostile_pair("retry", first="B"),
        ],
        metrics=[
            MetricTable(
                title="All pairs",
                rows=(
                    MetricRow(label="Accuracy", value=1.0, n=1, reason="one pair alone", chance=0.5),
                    MetricRow(label=HOSTILE, group=HOSTILE, value=None, n=0, reason=HOSTILE),
                ),
            )
        ],
        facts={"Judge": "local:small"},
        notes=["from the run"],
    )
