import json

import polars as pl
import pytest

from checkwise.datasets.rankings import read_ranking
from checkwise.errors import DataError


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_plain_table(tmp_path):
    path = tmp_path / "arena.csv"
    path.write_text("model,elo,lower,upper\ngpt-4,1185.4,1180,1190\n模型,900,,\n", encoding="utf-8")
    found = read_ranking(path)
    assert found.table.rows() == [("gpt-4", 1185.4, 1180.0, 1190.0), ("模型", 900.0, None, None)]
    assert (found.name, found.column, found.notes) == ("arena", "elo", ())


@pytest.mark.parametrize("field", ["rating", "elo", "score", "elo_20240329"])
@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".parquet", ".csv"])
def test_fields_and_kinds_of_file(tmp_path, field, suffix):
    path = tmp_path / f"ranking{suffix}"
    table = pl.DataFrame({"model": ["a", "b"], field: [2.5, 1.0]})
    {".jsonl": table.write_ndjson, ".json": table.write_json, ".parquet": table.write_parquet, ".csv": table.write_csv}[
        suffix
    ](path)
    assert read_ranking(path).table.select("model", "rating").rows() == [("a", 2.5), ("b", 1.0)]


def test_ratings_of_another_model_are_noted(tmp_path):
    path = lines(
        tmp_path / "rankings.jsonl",
        {"name": "Qwen2-7B", "arena_model": "qwen1.5-7b", "rating": 1054, "lower": 1050, "upper": 1060},
        {"name": "gpt4_0613", "arena_model": "gpt-4-0613", "rating": 1163},
        {"name": "gpt4_0613", "arena_model": "gpt-4-0613", "rating": 1163},
    )
    found = read_ranking(path)
    # Another spelling is not another model.
    assert found.stands_for == {"Qwen2-7B": "qwen1.5-7b"}
    assert found.notes == ("1 rows repeat the rating of a model, and count once",)
    assert found.table.rows() == [("Qwen2-7B", 1054.0, 1050.0, 1060.0), ("gpt4_0613", 1163.0, None, None)]


def test_models_without_a_rating_are_left_out_and_noted(tmp_path):
    path = lines(tmp_path / "r.jsonl", {"model": "a", "rating": 1}, {"model": "b", "rating": None})
    found = read_ranking(path)
    assert (found.table["model"].to_list(), found.notes) == (["a"], ("models without a rating are left out: b",))


def test_the_field_can_be_named(tmp_path):
    row = {"model": "a", "elo_2023": 1, "elo_2024": 2}
    path = lines(tmp_path / "r.jsonl", row)
    with pytest.raises(DataError, match="several fields could be the rating: elo_2023, elo_2024"):
        read_ranking(path)
    assert read_ranking(path, column="elo_2024").table["rating"].to_list() == [2.0]


@pytest.mark.parametrize(
    ("rows", "line", "what"),
    [
        ([{"model": "a", "rating": 1}, {"model": "a", "rating": 2}], 2, "the model has the ratings 1 and 2"),
        ([{"model": "a", "rating": "high"}], 1, "no finite number"),
        ([{"model": "a", "size": 7}], 1, "the field `rating` or `elo` or `score` or `elo_DATE` is missing"),
        ([{"rating": 1}], 1, "the field `model` or `name` is missing"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, rows, line, what):
    with pytest.raises(DataError, match=what) as caught:
        read_ranking(lines(tmp_path / "r.jsonl", *rows))
    assert caught.value.where.line == line
