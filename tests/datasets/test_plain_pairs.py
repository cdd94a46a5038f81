import json
from pathlib import Path

import polars as pl
import pytest

from checkwise.datasets import load_pairs
from checkwise.errors import DataError
from checkwise.records import Turn

Fields = dict[str, object]


def row(**changes: object) -> Fields:
    return {"id": "tea", "query": "Tea {x}?", "response_a": "Yes.", "response_b": "No.", "label": "A"} | changes


def without(*names: str) -> Fields:
    return {key: value for key, value in row().items() if key not in names}


def table(tmp_path: Path, *rows: Fields) -> Path:
    path = tmp_path / "drinks.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_row_is_a_pair_read_verbatim(tmp_path: Path) -> None:
    more = {"model_a": "Nemo", "model_b": "Gemma", "language": "en", "category": "chat", "subset": "hard"}
    path = table(tmp_path, row(response_b="مرحبا 👩‍👩‍👧 {x} %s\r\n", reference="Of course.", **more), row(id=7))
    pairs = load_pairs(path)
    assert (pairs.name, pairs.format, pairs.notes) == ("drinks", "pairs", ())
    first, second = pairs.pairs
    assert (first.id, first.instance.query, first.a, first.b) == ("tea", "Tea {x}?", "Yes.", "مرحبا 👩‍👩‍👧 {x} %s\r\n")
    assert (first.label, first.subset, first.model_a, first.model_b) == ("A", "hard", "Nemo", "Gemma")
    assert (first.instance.language, first.instance.category, first.instance.reference) == ("en", "chat", "Of course.")
    assert (second.id, second.subset, second.model_a, second.model_b) == ("7", None, None, None)


def test_the_query_may_be_called_an_instruction_or_be_a_conversation(tmp_path: Path) -> None:
    said = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi"},
        {"role": "user", "content": "Tea?"},
    ]
    rows = [
        without("query") | {"id": 1, "instruction": "Tea?"},
        row(id=2, query=None, instruction="Tea?"),
        without("query") | {"id": 3, "messages": said},
        row(id=4, query="Tea?", messages=said),
    ]
    pairs = load_pairs(table(tmp_path, *rows)).pairs
    assert [pair.instance.query for pair in pairs] == ["Tea?"] * 4
    assert [len(pair.instance.history) for pair in pairs] == [0, 0, 2, 2]
    assert pairs[2].instance.history[0] == Turn(role="user", content="Hello")


@pytest.mark.parametrize(
    ("label", "winner"),
    [
        ("A", "A"),
        ("b", "B"),
        (" Tie ", "tie"),
        ("model_a", "A"),
        ("MODEL_B", "B"),
        (None, None),
        ("", None),
        (" ", None),
    ],
)
def test_a_label_is_read_in_any_case(tmp_path: Path, label: object, winner: str | None) -> None:
    assert load_pairs(table(tmp_path, row(label=label))).pairs[0].label == winner


def test_a_label_may_be_missing(tmp_path: Path) -> None:
    assert load_pairs(table(tmp_path, without("label"))).pairs[0].label is None


def test_an_empty_response_stays_and_a_null_one_leaves_the_pair_out(tmp_path: Path) -> None:
    rows = [row(id=1, response_a=""), row(id=2, response_a=None), row(id=3, response_b=None), row(id=4)]
    pairs = load_pairs(table(tmp_path, *rows))
    assert [(pair.id, pair.a) for pair in pairs.pairs] == [("1", ""), ("4", "Yes.")]
    assert pairs.notes == ("Left out 2 of 4 pairs, since a response is null: 2, 3.",)
    with pytest.raises(DataError, match="no pair has two responses"):
        load_pairs(table(tmp_path, *rows[1:3]))


def test_all_kinds_of_table_give_the_same(tmp_path: Path) -> None:
    frame = pl.DataFrame([row(id="007", response_a='a;\n"b", c'), row(id="8", label=None, response_b="")])
    read = []
    for kind in ("csv", "parquet", "ndjson"):
        getattr(frame, f"write_{kind}")(tmp_path / f"drinks.{kind}")
        read.append(load_pairs(tmp_path / f"drinks.{kind}").pairs)
    assert read[0] == read[1] == read[2]
    assert [(p.id, p.a, p.b, p.label) for p in read[0]] == [
        ("007", 'a;\n"b", c', "No.", "A"),
        ("8", "Yes.", "", None),
    ]


def test_llmbar_as_published_is_called_after_the_file(tmp_path: Path) -> None:
    path = tmp_path / "Natural.json"
    rows = [
        {"input": "Tea?", "output_1": "Yes.", "output_2": "No.", "label": 1},
        {"input": "Milk?", "output_1": "No.", "output_2": "Yes.", "label": 2},
    ]
    path.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    pairs = load_pairs(path)
    assert [(p.id, p.instance.query, p.a, p.b, p.label) for p in pairs.pairs] == [
        ("Natural-1", "Tea?", "Yes.", "No.", "A"),
        ("Natural-2", "Milk?", "No.", "Yes.", "B"),
    ]
    assert pairs.notes == ("Pairs have no id; they are called Natural-1 and so on, in the order of the file.",)
    frame = pl.DataFrame(rows)
    frame.write_csv(tmp_path / "Natural.csv")
    assert load_pairs(tmp_path / "Natural.csv").pairs == pairs.pairs
    rows[0]["label"] = 0
    with pytest.raises(DataError, match=r"line 1, id drinks-1: `label` is '0'\nIt must be one of 1, 2, or empty"):
        load_pairs(table(tmp_path, *rows))


def test_the_plain_form_counts_in_a_file_that_has_both(tmp_path: Path) -> None:
    both = row(input="Milk?", output_1="?", output_2="!")
    (pair,) = load_pairs(table(tmp_path, both)).pairs
    assert (pair.id, pair.instance.query, pair.a, pair.b) == ("tea", "Tea {x}?", "Yes.", "No.")


def test_llmbar_with_some_ids_must_have_all(tmp_path: Path) -> None:
    rows: list[Fields] = [
        {"id": 1, "input": "Tea?", "output_1": "Yes.", "output_2": "No."},
        {"input": "Tea?", "output_1": "Yes.", "output_2": "No."},
    ]
    assert load_pairs(table(tmp_path, rows[0])).pairs[0].id == "1"
    with pytest.raises(DataError, match="line 2: the field `id` is missing"):
        load_pairs(table(tmp_path, *rows))


def test_a_pair_stands_once(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"line 3, id tea: the pair tea stands twice; first in line 1"):
        load_pairs(table(tmp_path, row(), row(id=2), row()))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (row(label="C"), r"`label` is 'C'\nIt must be one of A, B, tie, model_a, model_b, or empty"),
        (row(label="tie (inconsistent)"), r"`label` is 'tie \(inconsistent\)'"),
        (row(label=1), "`label` is '1'"),
        (row(label=True), "`label` is 'True'"),
        (row(label=["A"]), r'`label` is "\[\'A\'\]"'),
        (row(response_a=3), "`response_a` is not text but a number"),
        (row(response_a=None, response_b=[]), "`response_b` is not text but a list"),
        (row(response_b="\ud83d"), "`response_b` has half a character"),
        (row(query="\udc00"), "`query` has half a character"),
        (row(query=" "), "the query is empty"),
        (row(query=None), "`query` is not text but null"),
        (row(query="", messages=[]), "`messages` is an empty list"),
        (row(messages=[{"role": "user", "content": "Milk?"}]), "`query` and the last of `messages` differ"),
        (row(model_a=5), "`model_a` is not text but a number"),
        (row(subset={"a": 1}), "`subset` is not text but an object"),
        (row(language=5), "`language` is not text but a number"),
        (without("query"), "the field `query` or `instruction` or `messages` is missing"),
        (without("response_a"), "the field `response_a` is missing"),
        (without("response_b"), "the field `response_b` is missing"),
    ],
)
def test_a_bad_row_is_refused_with_its_place(tmp_path: Path, bad: Fields, message: str) -> None:
    with pytest.raises(DataError, match=rf"drinks\.jsonl, line 2, id bad(.|\n)*{message}"):
        load_pairs(table(tmp_path, row(), bad | {"id": "bad"}))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (without("id"), "the field `id` is missing"),
        (row(id=" "), "`id` is blank"),
        (row(id=None), "`id` is neither text nor a whole number but null"),
        (row(id=1.5), "`id` is neither text nor a whole number"),
        (row(id="\ud83d"), "`id` has half a character"),
    ],
)
def test_a_bad_id_is_refused_with_its_line(tmp_path: Path, bad: Fields, message: str) -> None:
    with pytest.raises(DataError, match=rf"drinks\.jsonl, line 2: {message}"):
        load_pairs(table(tmp_path, row(), bad))
