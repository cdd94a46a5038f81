"""Arena-Hard-Auto's layout, its second version, and the benchmark's real prompts and answers where they are here."""

import json
import os
from pathlib import Path

import pytest

from checkwise.datasets import load
from checkwise.errors import DataError

DATA = Path(os.environ.get("CHECKWISE_DATA", Path(__file__).parents[2].parent / "shared" / "data")) / "arena_hard"
QUESTION = {"uid": "q1", "category": "hard_prompt", "subcategory": "coding", "prompt": "Write a loop."}
ANSWER = {
    "uid": "q1",
    "ans_id": "x",
    "model": "m1",
    "messages": [{"role": "user", "content": "Write a loop."}, {"role": "assistant", "content": {"answer": "for"}}],
}


def bench(folder, answer=ANSWER):
    (folder / "model_answer").mkdir()
    (folder / "question.jsonl").write_text(json.dumps(QUESTION), encoding="utf-8")
    (folder / "model_answer" / "file.jsonl").write_text(json.dumps(answer), encoding="utf-8")
    return folder


def test_prompts_and_answers(tmp_path):
    dataset = load(bench(tmp_path))
    (instance,), (response,) = dataset.instances, dataset.responses
    assert (dataset.format, instance.id, instance.query, instance.category) == (
        "arena-hard",
        "q1",
        "Write a loop.",
        "coding",
    )
    assert (response.model, response.text) == ("m1", "for")


def test_the_file_names_the_model_and_an_answer_may_be_plain_text(tmp_path):
    messages = [ANSWER["messages"][0], {"role": "assistant", "content": "while"}]
    (response,) = load(bench(tmp_path, {"uid": "q1", "messages": messages})).responses
    assert (response.model, response.text) == ("file", "while")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({**ANSWER, "messages": []}, "no answer in it"),
        ({**ANSWER, "messages": ANSWER["messages"][:1]}, "not the assistant's"),
        ({**ANSWER, "uid": "q2"}, "no query has that id"),
    ],
)
def test_bad_answers_are_refused(tmp_path, answer, message):
    with pytest.raises(DataError, match=message):
        load(bench(tmp_path, answer))


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no Arena-Hard in {DATA}; set CHECKWISE_DATA")
def test_real_prompts_and_answers():
    dataset = load(DATA)
    assert (dataset.format, len(dataset.instances), len(dataset.models)) == ("arena-hard", 125, 25)
    assert len(dataset.responses) == 125 * 25
