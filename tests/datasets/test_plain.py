import io
import json
import sys
from pathlib import Path

import polars as pl
import pytest

from checkwise.datasets import load
from checkwise.errors import DataError
from checkwise.records import Turn

Rows = list[dict[str, object]]

QUERIES: Rows = [{"id": "q1", "query": "Hi?"}, {"id": 7, "query": "Why {x} %s?", "extra": [1]}]
RESPONSES: Rows = [
    {"id": "q1", "model": "a", "response": "Hello"},
    {"id": 7, "model": "a", "response": ""},
    {"id": "q1", "model": "b", "response": "مرحبا 👩‍👩‍👧 {x} %s"},
    {"id": "7", "model": "b", "response": "長" * 200_000},
]


def jsonl(path: Path, rows: Rows) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def folder(tmp_path: Path, queries: Rows = QUERIES, responses: Rows = RESPONSES) -> Path:
    jsonl(tmp_path / "bench" / "queries.jsonl", queries)
    jsonl(tmp_path / "bench" / "responses.jsonl", responses)
    return tmp_path / "bench"


def test_a_folder_of_queries_and_responses_is_read_verbatim(tmp_path: Path) -> None:
    dataset = load(folder(tmp_path))
    assert (dataset.name, dataset.format, dataset.notes) == ("bench", "plain", ())
    assert [(i.id, i.query, i.history) for i in dataset.instances] == [("q1", "Hi?", ()), ("7", "Why {x} %s?", ())]
    assert [r.text for r in dataset.responses] == [row["response"] for row in RESPONSES]
    assert [r.is_empty for r in dataset.responses] == [False, True, False, False]
    assert dataset.models == ("a", "b")


def test_all_kinds_of_table_give_the_same(tmp_path: Path) -> None:
    queries = pl.DataFrame(
        {"id": ["007", "8"], "query": ["a,\nb?", "c"], "category": ["x", None], "reference": ["r", ""]}
    )
    answers = pl.DataFrame({"id": ["007"], "model": ["m"], "response": ['"quoted"\r\n']})
    read = []
    for kind in ("csv", "parquet", "ndjson"):
        path = tmp_path / kind / "bench"
        path.mkdir(parents=True)
        for name, frame in (("instances", queries), ("responses", answers)):
            getattr(frame, f"write_{kind}")(path / f"{name}.{kind}")
        read.append(load(path))
    assert read[0] == read[1] == read[2]
    assert [(i.id, i.query, i.category, i.reference) for i in read[0].instances] == [
        ("007", "a,\nb?", "x", "r"),
        ("8", "c", None, None),
    ]


def test_a_file_a_model_names_the_model_unless_the_row_does(tmp_path: Path) -> None:
    jsonl(tmp_path / "queries.jsonl", QUERIES)
    jsonl(tmp_path / "responses" / "gpt-3.5-turbo.jsonl", [{"id": "q1", "response": "x"}])
    jsonl(tmp_path / "responses" / "other.jsonl", [{"id": "q1", "model": "own-name", "response": "y"}])
    dataset = load(tmp_path)
    assert {response.model: response.text for response in dataset.responses} == {"gpt-3.5-turbo": "x", "own-name": "y"}


def test_messages_give_the_conversation(tmp_path: Path) -> None:
    messages = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "1"},
        {"role": "assistant", "content": "2"},
        {"role": "user", "content": "3?"},
    ]
    path = jsonl(tmp_path / "q.jsonl", [{"id": 1, "messages": messages}, {"id": 2, "messages": json.dumps(messages)}])
    dataset = load(path)
    assert dataset.instances[0].turns == dataset.instances[1].turns == tuple(Turn.model_validate(m) for m in messages)
    assert dataset.instances[0].query == "3?"
    assert dataset.responses == ()


def test_one_file_may_carry_queries_and_responses(tmp_path: Path) -> None:
    rows: Rows = [
        {"id": 1, "query": "Hi?", "model": model, "response": text, "reference": "Ho"}
        for model, text in (("a", "x"), ("b", "y"))
    ]
    dataset = load(jsonl(tmp_path / "all.jsonl", rows))
    assert [(i.id, i.query, i.reference) for i in dataset.instances] == [("1", "Hi?", "Ho")]
    assert [(r.instance_id, r.model, r.text) for r in dataset.responses] == [("1", "a", "x"), ("1", "b", "y")]


def test_a_response_may_have_a_rating_and_a_language(tmp_path: Path) -> None:
    ratings: list[object] = [4, -0.5, "4.5", None, "", " "]
    rows: Rows = [{"id": "q1", "model": str(n), "response": "x", "rating": r} for n, r in enumerate(ratings)]
    rows += [{"id": "q1", "model": "de", "response": "x", "language": "de"}]
    rows += [{"id": "q1", "model": "sw", "response": "x", "language": "de", "response_language": "sw"}]
    dataset = load(folder(tmp_path, responses=rows))
    assert [r.rating for r in dataset.responses] == [4.0, -0.5, 4.5, None, None, None, None, None]
    assert [r.language for r in dataset.responses[5:]] == [None, "de", "sw"]
    assert {i.language for i in dataset.instances} == {None}


def test_in_one_file_language_is_the_query_s(tmp_path: Path) -> None:
    base = {"id": 1, "query": "Hi?", "language": "en", "response": "x"}
    rows: Rows = [base | {"model": "a", "rating": 1.5, "response_language": "de"}, base | {"model": "b"}]
    dataset = load(jsonl(tmp_path / "all.jsonl", rows))
    assert dataset.instances[0].language == "en"
    assert [(r.language, r.rating) for r in dataset.responses] == [("de", 1.5), (None, None)]


def test_ratings_come_through_csv_and_parquet(tmp_path: Path) -> None:
    rows = pl.DataFrame(
        {"id": ["1", "1"], "query": ["?", "?"], "model": ["a", "b"], "response": ["x", "y"], "rating": [0.1, None]}
    )
    rows.write_csv(tmp_path / "a.csv")
    rows.write_parquet(tmp_path / "a.parquet")
    for name in ("a.csv", "a.parquet"):
        assert [r.rating for r in load(tmp_path / name).responses] == [0.1, None]


def test_standard_input_carries_both(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"id": n, "query": "Hi?", "model": "a", "response": text} for n, text in ((1, "x"), (2, "y"))]
    data = "\n".join(map(json.dumps, rows)).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    dataset = load("-")
    assert dataset.name == "stdin"
    assert [(r.instance_id, r.text) for r in dataset.responses] == [("1", "x"), ("2", "y")]


def test_responses_may_lie_elsewhere(tmp_path: Path) -> None:
    queries = jsonl(tmp_path / "q.jsonl", QUERIES)
    jsonl(tmp_path / "out" / "m1.jsonl", [{"id": "q1", "response": "x"}])
    assert load(queries, responses=tmp_path / "out").models == ("m1",)
    assert load(queries, responses=jsonl(tmp_path / "r.jsonl", RESPONSES)).models == ("a", "b")


def test_unanswered_queries_are_noted_with_counts_and_ids(tmp_path: Path) -> None:
    queries: Rows = [{"id": n, "query": "?!"} for n in range(9)]
    responses: Rows = [{"id": n, "model": "full", "response": "x"} for n in range(9)]
    responses += [{"id": 0, "model": "thin", "response": "x"}, {"id": 1, "model": "thin", "response": None}]
    path = folder(tmp_path, queries, responses)
    assert load(path).notes == (
        f"1 rows of {path / 'responses.jsonl'} have a null response, which counts as not given.",
        "thin has no response for 8 of 9 queries: 1, 2, 3, 4, 5 and 3 more.",
    )


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        (
            [{"id": 1, "query": "a"}, {"id": "1", "query": "b"}],
            "line 2, id 1: the instance 1 stands twice; first in line 1",
        ),
        ([{"query": "a"}], "line 1: the field `id` is missing; found: `query`"),
        ([{"id": 1, "prompt": "a"}], "line 1, id 1: the field `query` or `messages` is missing; found: `id`, `prompt`"),
        ([{"id": 1, "query": " \n"}], "line 1, id 1: the query is empty"),
        ([{"id": 1, "query": 5}], "`query` is not text but a number"),
        ([{"id": " ", "query": "a"}], "line 1: `id` is blank"),
        ([{"id": 1.5, "query": "a"}], "`id` is neither text nor a whole number but a number"),
        ([{"id": True, "query": "a"}], "`id` is neither text nor a whole number but true or false"),
        ([{"id": 1, "query": "\ud83d"}], r"`query` has half a character, \\ud83d, at position 0"),
        ([{"id": 1, "query": "a", "category": 3}], "`category` is not text but a number"),
        ([{"id": 1, "messages": []}], "`messages` is an empty list"),
        ([{"id": 1, "messages": {}}], "`messages` is not a list of messages but an object"),
        ([{"id": 1, "messages": "{"}], "`messages` is not JSON"),
        ([{"id": 1, "messages": ["a"]}], r"`messages\[0\]` is not a message but text"),
        ([{"id": 1, "messages": [{"role": "bot", "content": "a"}]}], r"`messages\[0\]` has the role 'bot'"),
        ([{"id": 1, "messages": [{"role": "user"}]}], "the field `content` is missing; found: `role`"),
        ([{"id": 1, "messages": [{"role": "user", "content": ""}]}], "the query is empty"),
        ([{"id": 1, "messages": [{"role": "assistant", "content": "a"}]}], "`messages` ends with the assistant"),
        (
            [{"id": 1, "query": "a", "messages": [{"role": "user", "content": "b"}]}],
            "`query` and the last of `messages` differ",
        ),
    ],
)
def test_bad_queries_are_refused_with_place_and_reason(tmp_path: Path, queries: Rows, message: str) -> None:
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        load(tmp_path)


@pytest.mark.parametrize(
    ("responses", "message"),
    [
        (
            [{"id": "q1", "model": "a", "response": "x"}, {"id": "q1", "model": "a", "response": "y"}],
            r"responses\.jsonl, line 2, id q1: two responses for q1 by a; first in line 1",
        ),
        (
            [{"id": "q9", "model": "a", "response": "x"}],
            r"responses\.jsonl, line 1, id q9: the response of a answers 'q9', and no query .*\nIds look like q1, 7",
        ),
        ([{"id": "q1", "response": "x"}], "line 1, id q1: the field `model` is missing; found: `id`, `response`"),
        ([{"id": "q1", "model": "a", "text": "x"}], "the field `response` is missing; found: `id`, `model`, `text`"),
        ([{"id": "q1", "model": "", "response": "x"}], "`model` is blank"),
        ([{"id": "q1", "model": "a", "response": ["x"]}], "`response` is not text but a list"),
        *(
            (
                [{"id": "q1", "model": "a", "response": "x", "rating": rating}],
                rf"id q1: `rating` is no finite .*{shown}",
            )
            for rating, shown in (
                (float("nan"), "'nan'"),
                (float("inf"), "'inf'"),
                ("abc", "'abc'"),
                ("4,5", "'4,5'"),
                ("NaN", "'NaN'"),
                (True, "'True'"),
                ([4], r"'\[4\]'"),
            )
        ),
        ([{"id": "q1", "model": "a", "response": "x", "language": 5}], "`language` is not text but a number"),
        ([{"id": "q1", "model": "a", "response": "x", "response_language": []}], "`response_language` is not text but"),
    ],
)
def test_bad_responses_are_refused_with_place_and_reason(tmp_path: Path, responses: Rows, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load(folder(tmp_path, responses=responses))


def test_a_response_that_stands_in_two_files_is_refused_with_both_places(tmp_path: Path) -> None:
    jsonl(tmp_path / "queries.jsonl", QUERIES)
    for name in ("a", "b"):
        jsonl(tmp_path / "responses" / f"{name}.jsonl", [{"id": "q1", "model": "m", "response": "x"}])
    with pytest.raises(
        DataError, match=r"b\.jsonl, line 1, id q1: two responses for q1 by m; first in .*a\.jsonl, line 1"
    ):
        load(tmp_path)


def test_a_repeated_query_must_be_identical(tmp_path: Path) -> None:
    rows: Rows = [{"id": 1, "query": q, "model": q, "response": "x"} for q in ("Hi?", "Hi!")]
    with pytest.raises(DataError, match="line 2, id 1: query differ from those in line 1"):
        load(jsonl(tmp_path / "all.jsonl", rows))


def test_ambiguous_and_missing_files_are_refused(tmp_path: Path) -> None:
    path = folder(tmp_path)
    jsonl(path / "responses" / "a.jsonl", RESPONSES)
    with pytest.raises(DataError, match=r"there are both responses\.jsonl and responses/"):
        load(path)
    jsonl(path / "instances.jsonl", QUERIES)
    with pytest.raises(DataError, match=r"several files could be meant: instances\.jsonl, queries\.jsonl"):
        load(path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="the folder has no table of responses"):
        load(path / "queries.jsonl", responses=tmp_path / "empty")
    with pytest.raises(DataError, match=r"no queries\.\* and no instances"):
        load(tmp_path / "empty", format="plain")


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_a_query_may_bring_its_checklist(tmp_path: Path, suffix: str) -> None:
    items = ["Is it short?", "Is it [kind]?"]
    row = {"id": "q1", "query": "q", "model": "m", "response": "r", "checklist": items}
    path = tmp_path / f"data.{suffix}"
    if suffix == "csv":
        path.write_text('id,query,model,response,checklist\nq1,q,m,r,"Is it short?\nIs it [kind]?"\nq2,q,m,r,\n')
    else:
        other = {**row, "id": "q2", "checklist": None}
        path.write_text(f"{json.dumps(row)}\n{json.dumps({**row, 'model': 'n'})}\n{json.dumps(other)}\n")
    (checklist,) = load(path).checklists
    assert (checklist.instance_id, list(checklist.items), checklist.source) == ("q1", items, "imported")


def test_rows_of_one_query_must_have_the_same_checklist(tmp_path: Path) -> None:
    rows = [{"id": "q", "query": "q", "model": m, "response": "r", "checklist": [f"Is it {m}?"]} for m in "ab"]
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(DataError, match="checklist differ from those in line 1"):
        load(path)
