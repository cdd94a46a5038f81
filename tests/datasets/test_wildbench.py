"""WildBench's results, one file a model."""

import json

import pytest

from checkwise.datasets import load
from checkwise.errors import DataError

ROW = {
    "session_id": "s1",
    "chat_history": ["Hello.", "Hi!", "Write a poem."],
    "model_input": "n/a",
    "output": ["Roses."],
    "generator": "m1",
    "primary_tag": "Creative Writing",
    "dataset": "wild_bench",
}


def results(folder, **rows):
    for name, row in rows.items():
        (folder / f"{name}.json").write_text(json.dumps([row]), encoding="utf-8")
    return folder


def test_results_of_two_models(tmp_path):
    other = {key: value for key, value in ROW.items() if key != "generator"} | {"output": ["Violets."]}
    dataset = load(results(tmp_path, first=ROW, second=other))
    (instance,) = dataset.instances
    assert (dataset.format, dataset.models) == ("wildbench", ("m1", "second"))
    assert (instance.query, instance.category) == ("Write a poem.", "Creative Writing")
    assert [(turn.role, turn.content) for turn in instance.history] == [("user", "Hello."), ("assistant", "Hi!")]
    assert {response.model: response.text for response in dataset.responses} == {"m1": "Roses.", "second": "Violets."}


def test_a_session_must_be_the_same_in_every_file(tmp_path):
    other = {**ROW, "generator": "m2", "chat_history": ["Another question."]}
    with pytest.raises(DataError, match=r"query differ from those in .*first\.json"):
        load(results(tmp_path, first=ROW, second=other))


def test_the_model_has_not_the_last_word(tmp_path):
    with pytest.raises(DataError, match="ends with the query"):
        load(results(tmp_path, first={**ROW, "chat_history": ["Hello.", "Hi!"]}))
