import json
from pathlib import Path

import pytest

from checkwise.datasets import READERS, load
from checkwise.errors import DataError


def bench(tmp_path: Path, categories: list[str | None]) -> Path:
    rows = [{"id": n, "query": "Why?", "category": c} for n, c in enumerate(categories)]
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    answers = [{"id": n, "model": m, "response": "x"} for n in range(len(rows)) for m in ("a", "b", "c")]
    (tmp_path / "responses.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("categories", "limit", "kept"),
    [
        ([None] * 5, 3, ["0", "1", "2"]),
        (["x", "x", "x", "y", "y", "z"], 3, ["0", "3", "5"]),
        (["x", "x", "x", "y", "y", "z"], 5, ["0", "1", "3", "4", "5"]),
        (["x", "x", "x", "y"], 2, ["0", "3"]),
        (["x", "y", "z"], 2, ["0", "1"]),
        (["x", None, "x"], 2, ["0", "1"]),
        (["x", "y"], 9, ["0", "1"]),
    ],
)
def test_a_limit_is_spread_over_the_categories(
    tmp_path: Path, categories: list[str | None], limit: int, kept: list[str]
) -> None:
    dataset = load(bench(tmp_path, categories), limit=limit)
    assert [i.id for i in dataset.instances] == kept
    assert {r.instance_id for r in dataset.responses} == set(kept)
    assert bool(dataset.notes) == (len(kept) < len(categories))


def test_models_can_be_chosen(tmp_path: Path) -> None:
    assert load(bench(tmp_path, [None]), models=["c", "a"]).models == ("a", "c")


def test_a_chosen_model_without_a_response_to_what_is_kept_is_noted(tmp_path: Path) -> None:
    path = bench(tmp_path, [None, None])
    with (path / "responses.jsonl").open("a", encoding="utf-8") as file:
        file.write('\n{"id": 1, "model": "late", "response": "x"}')
    assert "late has no response for 1 of 1 queries: 0." in load(path, limit=1, models=["late"]).notes


def test_an_unknown_model_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no response is by gpt-9\nModels: a, b, c"):
        load(bench(tmp_path, [None]), models=["a", "gpt-9"])
    (tmp_path / "responses.jsonl").unlink()
    with pytest.raises(DataError, match="none, since the data has no responses"):
        load(tmp_path, models=["a"])


def test_queries_without_responses_are_enough(tmp_path: Path) -> None:
    path = bench(tmp_path, [None])
    (path / "responses.jsonl").unlink()
    dataset = load(path)
    assert (len(dataset.instances), dataset.models, dataset.notes) == (1, (), ())


def test_options_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    path = bench(tmp_path, [None])
    with pytest.raises(DataError, match="the limit is 0"):
        load(path, limit=0)
    with pytest.raises(DataError, match="the layout plain has no turns"):
        load(path, turn=1)
    with pytest.raises(DataError, match=r"no layout is called 'wild'\nLayouts: inspect, promptfoo, .*plain"):
        load(path, format="wild")
    with pytest.raises(DataError, match="there is no such file or folder"):
        load(tmp_path / "gone")


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({}, "the folder is empty"),
        ({"a.txt": "x", "b.jsonl": "{}"}, r"the folder has a\.txt, b\.jsonl"),
        ({f"{n}.txt": "x" for n in range(8)}, r"0\.txt, 1\.txt, 2\.txt, 3\.txt, 4\.txt and 3 more"),
    ],
)
def test_a_folder_that_nothing_fits_gets_one_error_that_lists_the_layouts(
    tmp_path: Path, files: dict[str, str], found: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=found) as caught:
        load(tmp_path)
    for wanted in [reader.name for reader in READERS] + ["session_id", "question_id", "responses/<model>", "messages"]:
        assert wanted in str(caught.value)


def test_a_file_that_nothing_fits_is_told_by_its_fields(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"question": "x", "uid": 1}', encoding="utf-8")
    with pytest.raises(DataError, match="no known layout fits; the first row has the fields question, uid"):
        load(tmp_path / "q.jsonl")
    (tmp_path / "q.docx").write_text("x", encoding="utf-8")
    with pytest.raises(DataError, match="the suffix tells no kind of table"):
        load(tmp_path / "q.docx")


def test_where_many_models_leave_gaps_they_share_one_note(tmp_path: Path) -> None:
    path = bench(tmp_path, [None, None])
    with (path / "responses.jsonl").open("a", encoding="utf-8") as file:
        for n in range(7):
            file.write(f'\n{{"id": 1, "model": "late{n}", "response": "x"}}')
    assert load(path).notes == (
        "7 models have no response for some of the 2 queries: late0 (1), late1 (1), late2 (1), late3 (1), late4 (1) "
        "and 2 more.",
    )
