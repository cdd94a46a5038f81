import json
from pathlib import Path

import pytest

from checkwise.records import Dataset, Finding, Instance, Response, Score, Turn
from checkwise.report import MetricRow, MetricTable, ReportContent, build_content, write_html

DATA = Dataset(
    name="demo",
    format="jsonl",
    instances=(Instance(id="q", turns=(Turn(role="user", content="Q"),)),),
    responses=(
        Response(instance_id="q", model="able", text="gut", language="de"),
        Response(instance_id="q", model="weak", text="schlecht"),
    ),
)


def found(step, model=None, **more) -> Finding:
    return Finding(instance_id="q", step=step, model=model, **more)


@pytest.fixture
def built(board) -> ReportContent:
    return build_content(
        DATA,
        {},
        [],
        [
            Score(instance_id="q", model="able", value=4 / 6, status="scored", verdict=5, retried=True),
            Score(instance_id="q", model="weak", status="unscored", retried=True, reason="no verdict"),
        ],
        leaderboard=board((1, "able", 4 / 6, None, None, 1), (None, "weak", None, None, None, 0)),
        by_category=None,
        facts={},
        notes=(),
        findings=[
            found("retry", "able", text="Score: 5"),
            found("feedback", "able", text="Good."),
            found("concepts", text="- a question"),
            found("concepts", text="- a question"),
            found("translation", "weak", reason="the translator failed"),
        ],
        metrics=[
            MetricTable(
                title="By pair of languages",
                rows=(MetricRow(label="Kendall τ-b", group="de-en", value=0.25, n=9, kind="correlation"),),
            )
        ],
    )


def test_what_was_found_stands_with_the_instruction_or_the_response(built):
    (instance,) = built.instances
    able, weak = instance.responses
    assert [(f.step, f.text) for f in instance.findings] == [("concepts", "- a question")]
    assert [(f.step, f.text) for f in able.findings] == [("feedback", "Good."), ("retry", "Score: 5")]
    assert [(f.step, f.reason) for f in weak.findings] == [("translation", "the translator failed")]


def test_what_the_judge_said_stands_beside_the_score(built):
    able, weak = built.instances[0].responses
    assert (able.verdict, able.retried, able.language) == (5, True, "de")
    assert (weak.score, weak.verdict, weak.retried) == (None, None, True)


def test_findings_travel_with_the_page(built, tmp_path: Path, page_of):
    write_html(built, tmp_path / "r.html")
    page = page_of((tmp_path / "r.html").read_text(encoding="utf-8"))
    (payload,) = page.payloads()
    assert json.loads(payload)["responses"][1]["findings"] == [
        {"step": "translation", "reason": "the translator failed"}
    ]
    assert page.text("h2") == [
        *("Leaderboard", "Distribution of scores", "Against people's ratings"),
        *("Instances", "How this was made"),
    ]
    assert "By pair of languages" in page.text("bdi")


def test_a_method_that_writes_nothing_down_leaves_the_payload_as_it_was(content):
    dumped = content.instances[0].model_dump(exclude_defaults=True)
    assert "findings" not in dumped
    assert not any({"findings", "verdict", "retried"} & response.keys() for response in dumped["responses"])
