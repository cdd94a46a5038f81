import json
from pathlib import Path

import pytest

from checkwise.datasets import load
from checkwise.errors import DataError
from checkwise.records import Turn

QUERY: dict[str, object] = {
    "session_id": "s1",
    "conversation_input": [
        {"role": "user", "content": "q1", "language": "English"},
        {"role": "assistant", "content": "a1"},
        {"role": "user", "content": "q2"},
    ],
    "references": {"gpt-4": "", "claude": "A good one."},
    "checklist": ["Is it short?", "Is it {kind}?"],
    "primary_tag": "Editing",
    "language": "English",
}
RESPONSE: dict[str, object] = {
    "session_id": "s1",
    "output": ["out"],
    "generator": "m",
    "chat_history": ["q1", "a1", "q2"],
}


def bench(tmp_path: Path, query: dict[str, object] = QUERY, response: dict[str, object] = RESPONSE) -> Path:
    (tmp_path / "response").mkdir()
    (tmp_path / "query.jsonl").write_text(json.dumps(query), encoding="utf-8")
    (tmp_path / "response" / "file-name.jsonl").write_text(json.dumps(response), encoding="utf-8")
    return tmp_path


def test_queries_responses_and_checklists_are_read(tmp_path: Path) -> None:
    dataset = load(bench(tmp_path))
    instance, response, checklist = dataset.instances[0], dataset.responses[0], dataset.checklists[0]
    assert (dataset.format, instance.id, instance.query) == ("rocketeval", "s1", "q2")
    assert [turn.content for turn in instance.history] == ["q1", "a1"]
    assert (instance.reference, instance.category, instance.language) == ("A good one.", "Editing", None)
    assert (response.model, response.text, response.history) == ("m", "out", None)
    assert (checklist.items, checklist.source) == (("Is it short?", "Is it {kind}?"), "imported")


def test_a_model_s_own_conversation_is_kept_where_it_differs(tmp_path: Path) -> None:
    response = load(bench(tmp_path, response=RESPONSE | {"chat_history": ["q1", "mine", "q2"]})).responses[0]
    assert response.history == (Turn(role="user", content="q1"), Turn(role="assistant", content="mine"))


def test_the_file_names_the_model_where_the_row_does_not(tmp_path: Path) -> None:
    response = {"session_id": "s1", "output": "plain text"}
    assert [(r.model, r.text) for r in load(bench(tmp_path, response=response)).responses] == [
        ("file-name", "plain text")
    ]


def test_only_id_and_conversation_are_needed(tmp_path: Path) -> None:
    bare = {name: QUERY[name] for name in ("session_id", "conversation_input")} | {"checklist": [], "references": {}}
    path = tmp_path / "wild.jsonl"
    path.write_text(json.dumps(bare), encoding="utf-8")
    dataset = load(path)
    assert (dataset.format, dataset.checklists, dataset.instances[0].reference) == ("rocketeval", (), None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"session_id": None}, "line 1: `session_id` is neither text nor a whole number but null"),
        ({"conversation_input": "x"}, "id s1: `conversation_input` is not JSON"),
        ({"checklist": 3}, "`checklist` is not a list but a number"),
        ({"checklist": ["Is it?", " "]}, "item 2 of the checklist is blank"),
        ({"references": ["x"]}, "`references` is not an object"),
    ],
)
def test_bad_queries_are_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        load(bench(tmp_path, query=QUERY | change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"output": []}, "`output` is an empty list"),
        ({"output": None}, "`output` is not text but null"),
        ({"session_id": "s2"}, r"file-name\.jsonl, line 1, id s2: the response of m answers 's2'"),
    ],
)
def test_bad_responses_are_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        load(bench(tmp_path, response=RESPONSE | change))
