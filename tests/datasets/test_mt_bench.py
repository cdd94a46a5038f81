import json
import os
from pathlib import Path

import pytest

from checkwise.datasets import load, read_checklists
from checkwise.errors import DataError
from checkwise.records import Turn

DATA = Path(os.environ.get("CHECKWISE_DATA", Path(__file__).parents[2].parent / "shared" / "data"))


def bench(tmp_path: Path, **changes: object) -> Path:
    question = {"question_id": 81, "category": "writing", "turns": ["q1", "q2"], "reference": ["hint 1", "hint 2"]}
    reference = {"question_id": 81, "model_id": "ref", "choices": [{"index": 0, "turns": ["ref 1", ""]}]}
    answer = {"question_id": 81, "model_id": "gpt-4", "choices": [{"index": 0, "turns": ["a1", "a2"]}]}
    files = {
        "question.jsonl": question,
        "reference_answer/ref.jsonl": reference,
        "model_answer/x.jsonl": answer | changes,
    }
    for name, row in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(row), encoding="utf-8")
    return tmp_path


def user(text: str) -> Turn:
    return Turn(role="user", content=text)


def test_every_turn_is_an_instance_with_its_own_conversation(tmp_path: Path) -> None:
    dataset = load(bench(tmp_path))
    assert (dataset.format, dataset.notes) == ("mt-bench", ())
    assert [(i.id, i.turns, i.category) for i in dataset.instances] == [
        ("81-1", (user("q1"),), "writing"),
        ("81-2", (user("q1"), user("q2")), "writing"),
    ]
    assert [(r.instance_id, r.model, r.text, r.history) for r in dataset.responses] == [
        ("81-1", "gpt-4", "a1", None),
        ("81-2", "gpt-4", "a2", (user("q1"), Turn(role="assistant", content="a1"))),
    ]


def test_the_reference_answer_goes_before_the_question_s_own_reference(tmp_path: Path) -> None:
    assert [i.reference for i in load(bench(tmp_path)).instances] == ["ref 1", "hint 2"]


@pytest.mark.parametrize(("turn", "text"), [(1, "a1"), (2, "a2")])
def test_one_turn_can_be_kept(tmp_path: Path, turn: int, text: str) -> None:
    dataset = load(bench(tmp_path), turn=turn)
    assert [i.id for i in dataset.instances] == [f"81-{turn}"]
    assert [r.text for r in dataset.responses] == [text]


def test_of_several_choices_the_first_is_used_and_noted(tmp_path: Path) -> None:
    choices = [{"turns": ["first", "x"]}, {"turns": ["second", "y"]}]
    dataset = load(bench(tmp_path, choices=choices, model_id=None))
    assert [(r.model, r.text) for r in dataset.responses] == [("x", "first"), ("x", "x")]
    assert dataset.notes == ("1 answers in x.jsonl have several choices; the first of each is used.",)


def test_an_answer_to_the_first_turn_only_is_noted(tmp_path: Path) -> None:
    dataset = load(bench(tmp_path, choices=[{"turns": ["a1"]}]))
    assert dataset.notes == ("gpt-4 has no response for 1 of 2 queries: 81-2.",)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"question_id": 99}, r"x\.jsonl, line 1, id 99-1: .*no query has that id"),
        ({"choices": []}, "id 81: `choices` has no answer in it"),
        ({"choices": [{"turns": []}]}, "`turns` is not a list of texts"),
        ({"choices": [{"turns": [None]}]}, "`turns` is not text but null"),
    ],
)
def test_bad_answers_are_refused(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        load(bench(tmp_path, **changes))


def test_a_turn_that_no_question_has_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no question has a turn 3"):
        load(bench(tmp_path), turn=3)


@pytest.mark.skipif(not (DATA / "mt_bench").is_dir(), reason=f"no MT-Bench in {DATA}; set CHECKWISE_DATA")
def test_the_published_data_is_read_whole() -> None:
    dataset = load(DATA / "mt_bench")
    assert (len(dataset.instances), len(dataset.responses), len(dataset.models), dataset.notes) == (120, 720, 6, ())
    checklists, notes = read_checklists(DATA / "mt_bench" / "checklists.jsonl", dataset)
    assert ([c.instance_id for c in checklists], notes) == ([i.id for i in dataset.instances], [])
    kept = load(DATA / "mt_bench", turn=1, limit=16).instances
    assert len({i.category for i in kept}) == 8
    assert all([i.category for i in kept].count(category) == 2 for category in {i.category for i in kept})
