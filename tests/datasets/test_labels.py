import gzip
import json
import os
from pathlib import Path

import polars as pl
import pytest

from checkwise.datasets.labels import NOT_GIVEN, OTHER_TEXT, read_labels
from checkwise.errors import DataError

SHARED = Path(os.environ.get("CHECKWISE_DATA", Path(__file__).parents[3] / "shared" / "data"))


def lines(path, *rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_published_layout_has_a_file_a_model_in_a_folder_a_labeler(tmp_path):
    scores = tmp_path / "score"
    lines(scores / "gpt-4o" / "m1.jsonl", {"session_id": "q1", "model_test": "m1", "score": 3.0})
    (scores / "gpt-4o" / "m2.json").write_text('[{"session_id": "q1", "score": "7"}]', encoding="utf-8")
    lines(scores / "anna" / "m1.jsonl", {"session_id": "q1", "model_test": "m1", "score": 4})
    expected = [("q1", "m1", 4.0, "anna", None), ("q1", "m1", 3.0, "gpt-4o", None), ("q1", "m2", 7.0, "gpt-4o", None)]
    assert read_labels(scores).rows() == expected
    assert read_labels(scores / "gpt-4o").rows() == expected[1:]


@pytest.mark.parametrize("name", ["labels.csv", "labels.jsonl", "labels.parquet"])
def test_plain_tables_of_every_kind_say_the_same(tmp_path, name):
    frame = pl.DataFrame(
        {"id": ["q1", "q1"], "model": ["a", "b"], "label": [8.5, None], "labeler": ["anna", None]},
        schema_overrides={"labeler": pl.String},
    )
    path = tmp_path / name
    writers = {".csv": frame.write_csv, ".jsonl": frame.write_ndjson, ".parquet": frame.write_parquet}
    writers[path.suffix](path)
    assert read_labels(path).rows() == [("q1", "a", 8.5, "anna", None), ("q1", "b", None, None, NOT_GIVEN)]


def test_a_label_of_another_text_is_left_out_and_stays_countable(tmp_path):
    path = lines(
        tmp_path / "scores.jsonl",
        {"question_id": 81, "turn": 2, "model": "a", "score": 9, "judge": "gpt-4", "judged_text_matches": False},
        {"question_id": 81, "turn": 1, "model": "a", "score": 9, "judge": "gpt-4", "judged_text_matches": True},
    )
    assert read_labels(path).rows() == [("81-2", "a", None, "gpt-4", OTHER_TEXT), ("81-1", "a", 9.0, "gpt-4", None)]


@pytest.mark.parametrize(
    ("written", "said"),
    [("0.9", "`score` is 0.9"), ("10.5", "`score` is 10.5"), ("NaN", "no finite number"), ('"good"', "'good'")],
)
def test_what_is_no_number_between_1_and_10_is_refused_by_line(tmp_path, written, said):
    path = tmp_path / "scores.jsonl"
    good = '{"id": "q1", "model": "a", "score": 5}\n'
    path.write_text(good + '{"id": "q2", "model": "a", "score": ' + written + "}\n", encoding="utf-8")
    with pytest.raises(DataError, match=said) as caught:
        read_labels(path)
    assert (caught.value.where.line, caught.value.where.id) == (2, "q2")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"model": "a", "score": 1}, "`instance_id` or `id` or `question_id` or `session_id` is missing"),
        ({"id": "q1", "score": 1}, "`model` or `model_test` is missing"),
        ({"id": "q1", "model": "a"}, "`label` or `score` is missing"),
        ({"id": "q1", "model": "a", "score": 1, "judged_text_matches": "maybe"}, "'maybe'"),
    ],
)
def test_a_row_that_lacks_something_is_refused(tmp_path, row, said):
    with pytest.raises(DataError, match=said):
        read_labels(lines(tmp_path / "scores.jsonl", row))


def test_one_labeler_labels_a_response_once(tmp_path):
    row = {"id": "q1", "model": "a", "score": 1}
    assert read_labels(lines(tmp_path / "two.jsonl", row | {"judge": "x"}, row | {"judge": "y"})).height == 2
    with pytest.raises(DataError, match=r"two labels for q1 by a from one labeler; first in line 1") as caught:
        read_labels(lines(tmp_path / "doubled.jsonl", row, row | {"score": 2}))
    assert caught.value.where.line == 2


def test_a_folder_without_tables_and_a_missing_file_are_refused(tmp_path):
    with pytest.raises(DataError, match="no table of labels"):
        read_labels(tmp_path)
    with pytest.raises(DataError, match="no such file"):
        read_labels(tmp_path / "labels.csv")


def test_label_files_are_only_read(tmp_path):
    path = tmp_path / "m1.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"session_id": "q1", "model": "m1", "score": 3}\n'))
    path.chmod(0o444)
    before = path.read_bytes(), path.stat().st_mtime_ns
    assert read_labels(path)["label"].to_list() == [3.0]
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not SHARED.exists(), reason=f"no data at {SHARED}")
def test_gpt_4_scores_of_arena_bench():
    labels = read_labels(SHARED / "arena_bench_v1" / "gpt4_scores.jsonl.gz")
    # 2,250 scores; 77 are about another text, and of the others some have no number.
    assert (labels.height, labels["labeler"].unique().to_list()) == (2250, ["gpt-4"])
    assert labels.filter(pl.col("reason") == OTHER_TEXT).height == 77
    assert labels["label"].null_count() == labels["reason"].count()


def test_another_scale_has_other_ends(tmp_path):
    path = lines(tmp_path / "scores.jsonl", {"id": "q1", "model": "a", "score": 87.5})
    assert read_labels(path, scale=(0, 100))["label"].to_list() == [87.5]
    assert read_labels(path, scale=None)["label"].to_list() == [87.5]
    with pytest.raises(DataError, match="Labels lie between 1 and 7"):
        read_labels(path, scale=(1, 7))
