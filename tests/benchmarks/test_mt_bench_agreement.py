import importlib.util
import json
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("CHECKWISE_DATA", ROOT.parent / "shared" / "data")) / "mt_bench"

_spec = importlib.util.spec_from_file_location("mt_bench_agreement", ROOT / "benchmarks" / "mt_bench_agreement.py")
benchmark = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(benchmark)


def lines_of(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def vote(question, winner, judge, a="ant", b="bee"):
    return {"question_id": question, "turn": 1, "model_a": a, "model_b": b, "winner": winner, "judge": judge}


@pytest.fixture
def data(tmp_path):
    """Two questions, two models; ant is longer on both, GPT-4 says ant then bee."""
    lines_of(
        tmp_path / "question.jsonl",
        {"question_id": 1, "category": "writing", "turns": ["Write."]},
        {"question_id": 2, "category": "math", "turns": ["Count."]},
    )
    for model, text in (("ant", "a long answer"), ("bee", "short")):
        answers = [{"question_id": q, "model_id": model, "choices": [{"index": 0, "turns": [text]}]} for q in (1, 2)]
        lines_of(tmp_path / "model_answer" / f"{model}.jsonl", *answers)
    lines_of(
        tmp_path / "human_votes.jsonl",
        vote(1, "model_a", "eva"),
        vote(1, "model_b", "tom", a="bee", b="ant"),
        vote(2, "model_b", "eva"),
        vote(2, "tie", "tom"),
    )
    lines_of(tmp_path / "gpt4_pair_votes.jsonl", vote(1, "model_a", "gpt4_pair"), vote(2, "model_b", "gpt4_pair"))
    return tmp_path


@pytest.fixture
def scores(tmp_path):
    def write(*rows):
        path = tmp_path / "scores.csv"
        lines = [f"{instance},{model},{value}" for instance, model, value in rows]
        path.write_text("\n".join(["instance_id,model,value", *lines]) + "\n", encoding="utf-8")
        return path

    return write


def cells(text, name):
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith(f"| {name} |")]
    return [row[1:] for row in rows]


def test_every_judge_is_measured_on_the_same_votes(data, scores, capsys):
    path = scores(("1-1", "ant", 0.9), ("1-1", "bee", 0.2), ("2-1", "ant", 0.5), ("2-1", "bee", 0.5))
    assert benchmark.main([str(data), "--scores", f"checklists={path}"]) == 0
    text = capsys.readouterr().out
    overall = {name: cells(text, name)[0] for name in ("checklists", "longer wins", "gpt4_pair", "human-human")}
    assert {name: (row[0], row[3], row[4]) for name, row in overall.items()} == {
        "checklists": ("75.0%", "4", "2"),
        "longer wins": ("50.0%", "4", "2"),
        "gpt4_pair": ("75.0%", "4", "2"),
        "human-human": ("50.0%", "2", "2"),
    }
    assert cells(text, "math") == [["2", "50%", "0%", "50%", "0%"]]
    assert cells(text, "writing") == [["2", "100%", "100%", "100%", "100%"]]
    assert cells(text, "longer wins")[1] == ["+25.0", "+0.0 to +50.0"]


def test_votes_on_what_one_judge_did_not_score_are_left_out_for_all(data, scores, capsys):
    path = scores(("1-1", "ant", 0.9), ("1-1", "bee", 0.2), ("2-1", "ant", ""), ("2-1", "bee", 0.5))
    assert benchmark.main([str(data), "--scores", f"checklists={path}"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("2 of 4 human votes are on pairs that all judges decided")
    assert cells(text, "longer wins")[0][0] == "100.0%"


def test_scores_that_fit_no_vote_are_a_failure(data, scores, capsys):
    assert benchmark.main([str(data), "--scores", f"checklists={scores(('1', 'ant', 0.9), ('1', 'bee', 0.1))}"]) == 3
    assert "no vote is about a pair that every judge decided" in capsys.readouterr().err


def test_a_score_on_another_scale_is_named_with_its_line(data, scores, capsys):
    assert benchmark.main([str(data), "--scores", f"x={scores(('1-1', 'ant', 0.5), ('1-1', 'bee', 7.5))}"]) == 1
    assert "line 3: `value` is '7.5'" in capsys.readouterr().err


@pytest.mark.skipif(not DATA.exists(), reason=f"MT-Bench is not at {DATA}; set CHECKWISE_DATA")
def test_published_votes_give_the_known_figures(capsys):
    assert benchmark.main([str(DATA), "--draws", "50"]) == 0
    text = capsys.readouterr().out
    rates = {name: float(cells(text, name)[0][0].rstrip("%")) for name in ("longer wins", "gpt4_pair", "human-human")}
    assert rates["longer wins"] == pytest.approx(54, abs=3)
    assert rates["gpt4_pair"] == pytest.approx(66, abs=3)
    assert rates["human-human"] == pytest.approx(65, abs=3)
