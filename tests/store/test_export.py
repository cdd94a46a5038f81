import csv
import io
import json

import polars as pl

from checkwise.records import Checklist, Instance, Turn
from checkwise.store.export import checklists_table, items_table, table_bytes

TABLE = pl.DataFrame({"model": ["模型 é", 'b,"c"\nd'], "value": [None, 0.25], "reason": ["", None]})


def test_json_lines_keep_null_and_every_script():
    data = table_bytes(TABLE, "jsonl")
    assert [json.loads(line) for line in data.decode("utf-8").splitlines()] == TABLE.to_dicts()
    assert "模型 é" in data.decode("utf-8")


def test_csv_tells_an_empty_text_from_nothing():
    text = table_bytes(TABLE, "csv").decode("utf-8")
    assert text.splitlines()[:2] == ["model,value,reason", '模型 é,,""']
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[2] == ['b,"c"\nd', "0.25", ""]


def test_parquet_comes_back_as_it_was():
    assert pl.read_parquet(io.BytesIO(table_bytes(TABLE, "parquet"))).equals(TABLE)


def test_checklists_one_a_row_and_one_item_a_row():
    instance = Instance(id="q", turns=(Turn(role="user", content="Say\n  hello " + "to everyone " * 20),))
    lists = [Checklist(instance_id="q", items=("Is it short?", "Is it kind?"), source="generated", generator="g")]
    (row,) = checklists_table(lists, [instance]).to_dicts()
    assert row.pop("query").startswith("Say hello to everyone")
    assert row == {
        "id": "q",
        "checklist": ["Is it short?", "Is it kind?"],
        "source": "generated",
        "generator": "g",
    }
    assert items_table(lists).rows() == [
        ("q", 1, "Is it short?", "generated", "g"),
        ("q", 2, "Is it kind?", "generated", "g"),
    ]
