"""AlpacaEval's outputs, as published."""

import json

import pytest

from checkwise.datasets import load
from checkwise.errors import DataError

ROWS = [
    {"dataset": "koala", "instruction": "Name a colour.", "output": "Red.", "generator": "m1", "datasplit": "eval"},
    {"dataset": "koala", "instruction": "Translate.", "input": "Haus", "output": ["house", "home"], "generator": "m1"},
]


def written(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def test_a_file_of_one_model(tmp_path):
    dataset = load(written(tmp_path / "model_outputs.json", ROWS))
    assert (dataset.format, dataset.models) == ("alpaca-eval", ("m1",))
    assert [(i.id, i.category, i.query) for i in dataset.instances] == [
        ("1", "koala", "Name a colour."),
        ("2", "koala", "Translate.\n\nHaus"),
    ]
    assert [response.text for response in dataset.responses] == ["Red.", "house"]


def test_the_same_instruction_of_another_model_is_the_same_instance(tmp_path):
    written(tmp_path / "m1" / "model_outputs.json", ROWS)
    other = [{**row, "output": "Blue.", "generator": None} for row in reversed(ROWS)]
    written(tmp_path / "m2" / "model_outputs.json", other)
    dataset = load(tmp_path)
    assert dataset.models == ("m1", "m2")
    assert len(dataset.instances) == 2
    assert sorted(response.instance_id for response in dataset.responses if response.model == "m2") == ["1", "2"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"instruction": " ", "output": "a"}, "the query is empty"),
        ({"instruction": "a", "output": []}, "`output` is an empty list"),
        ({"instruction": "a", "output": None}, "`output` is not text"),
    ],
)
def test_bad_rows_are_refused_with_their_line(tmp_path, row, message):
    path = written(tmp_path / "model_outputs.json", [ROWS[0], row])
    with pytest.raises(DataError, match=message) as raised:
        load(path)
    assert raised.value.where.line == 1
