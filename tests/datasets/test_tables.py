import gzip
import io
import json
import sys
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checkwise.datasets.tables import is_table, read_rows, table_name
from checkwise.errors import DataError

ODD = [
    "مرحبا بك",
    "日本語？",
    "👩‍👩‍👧 emoji",
    "zero\u200bwidth",
    "{braces} {{x}} %s",
    "two\nlines\r\nthree",
    "sep\u2028arated",
    ' "quoted", 007 ',
]


def lines_of(path: Path) -> list[int | None]:
    return [place.line for _, place in read_rows(path)]


def test_json_lines_give_each_row_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "007"}\n\n{"id": 8}\n', encoding="utf-8")
    assert [row for row, _ in read_rows(path)] == [{"id": "007"}, {"id": 8}]
    assert lines_of(path) == [1, 3]
    assert {place.file for _, place in read_rows(path)} == {path}


def test_a_json_list_gives_each_row_the_line_it_begins_on(tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    path.write_text('[\n  {"id": "a",\n   "q": "[1,\\n2]"},\n  {"id": "b"}, {"id": "c"}\n]\n', encoding="utf-8")
    assert [row["id"] for row, _ in read_rows(path)] == ["a", "b", "c"]
    assert lines_of(path) == [2, 4, 4]


def test_csv_keeps_text_as_text_and_counts_lines_over_line_breaks_in_fields(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes(b'id,query\n007,"first\nsecond, ""quoted"""\n1e5,\n')
    assert [row for row, _ in read_rows(path)] == [
        {"id": "007", "query": 'first\nsecond, "quoted"'},
        {"id": "1e5", "query": ""},
    ]
    assert lines_of(path) == [2, 4]


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_csv_may_be_separated_by_semicolons_or_tabs(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "q.csv"
    path.write_text(f"id{delimiter}query\n1{delimiter}a, b\n", encoding="utf-8")
    assert [row for row, _ in read_rows(path)] == [{"id": "1", "query": "a, b"}]


def test_parquet_gives_the_number_of_the_row(tmp_path: Path) -> None:
    path = tmp_path / "q.parquet"
    pl.DataFrame(
        {"id": ["007", "8"], "messages": [[{"role": "user", "content": text}] for text in ODD[:2]]}
    ).write_parquet(path)
    assert [row["messages"][0]["content"] for row, _ in read_rows(path)] == ODD[:2]
    assert lines_of(path) == [1, 2]


def test_gzip_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": 1}\n{"id": 2}'))
    assert lines_of(path) == [1, 2]


@pytest.mark.parametrize("name", ["q.jsonl", "q.json", "q.csv"])
def test_a_byte_order_mark_is_no_part_of_the_first_field(tmp_path: Path, name: str) -> None:
    text = {"q.jsonl": '{"id": "a"}', "q.json": '[{"id": "a"}]', "q.csv": "id\na"}[name]
    (tmp_path / name).write_text(text, encoding="utf-8-sig")
    assert [row for row, _ in read_rows(tmp_path / name)] == [{"id": "a"}]


def test_a_dash_reads_json_lines_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO('{"id": "é"}\n{'.encode())))
    with pytest.raises(DataError, match="standard input, line 2: this line is not JSON"):
        read_rows("-")


def test_the_dots_of_a_model_name_are_no_suffix() -> None:
    assert [table_name(Path(name)) for name in ("gpt-3.5-turbo.jsonl", "v1.2.CSV.gz", "a.b")] == [
        "gpt-3.5-turbo",
        "v1.2",
        "a.b",
    ]
    assert [is_table(Path(name)) for name in ("q.jsonl", "q.txt", "q.csv.gz", "._q.jsonl")] == [
        True,
        False,
        True,
        False,
    ]


@given(text=st.text(st.characters(exclude_categories=["Cs"])))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_any_text_comes_through_json_lines_and_csv_verbatim(tmp_path: Path, text: str) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps({"t": text}, ensure_ascii=False), encoding="utf-8", newline="")
    quoted = text.replace('"', '""')
    (tmp_path / "q.csv").write_text(f'n,t\n1,"{quoted}"\n', encoding="utf-8", newline="")
    assert read_rows(tmp_path / "q.jsonl")[0][0] == {"t": text}
    assert read_rows(tmp_path / "q.csv")[0][0] == {"n": "1", "t": text}


@pytest.mark.parametrize("text", [*ODD, "長" * 200_000])
def test_odd_and_long_text_comes_through_verbatim(tmp_path: Path, text: str) -> None:
    rows = pl.DataFrame({"id": ["1"], "t": [text]})
    rows.write_parquet(tmp_path / "q.parquet")
    rows.write_ndjson(tmp_path / "q.jsonl")
    rows.write_csv(tmp_path / "q.csv")
    for name in ("q.parquet", "q.jsonl", "q.csv"):
        assert read_rows(tmp_path / name)[0][0]["t"] == text


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("q.jsonl", b"", r"q\.jsonl: the file is empty"),
        ("q.jsonl", b"\n \n", "the file is empty"),
        ("q.json", b" ", "the file is empty"),
        ("q.json", b"[]", "the file is empty"),
        ("q.csv", b"", "the file is empty"),
        ("q.csv", b"id,query\n", "the file is empty"),
        ("q.parquet", b"", "the file is empty"),
        ("q.jsonl", b'{"id": 1}\n{"id": 2,}\n', r"line 2: this line is not JSON: .*at column \d+"),
        ("q.jsonl", b'{"id": 1}\n[1]\n', r"line 2: this is not an object: \[1\]"),
        ("q.jsonl", b'{"id": 1}\n"' + b"x" * 99 + b'"', r'line 2: this is not an object: "x{59}…'),
        ("q.jsonl", b'{"id": ' + b"9" * 5000 + b"}", "line 1: this line is not JSON: Exceeds the limit"),
        ("q.jsonl", b'{"id": 1}\n{"q": "caf\xe9"}\n', r"line 2: the file is not UTF-8: byte 0xe9 at offset 20"),
        ("q.jsonl", b'\xef\xbb\xbf{"q": "caf\xe9"}\n', r"line 1: the file is not UTF-8: byte 0xe9 at offset 13"),
        ("q.csv", '"id"'.encode("utf-16"), "line 1: the file is not UTF-8: byte 0xff at offset 0"),
        ("q.json", b'[{"id": 1},\n{"id" 2}]', "line 2: this is not JSON: Expecting ':' delimiter, at column 7"),
        ("q.json", b'{"id": 1}\n{"id": 2}', r"line 2: this is not JSON: Extra data(.|\n)*name the file \.jsonl"),
        ("q.json", b'{"id": 1}', "does not hold a list"),
        ("q.json", b"[\n1]", "line 2: this is not an object: 1"),
        ("q.csv", b"id,query\n1,a\n2,b,c\n", "line 3: the row has 3 fields and the header 2"),
        ("q.csv", b"id,query\n1\n", "line 2: the row has 1 fields and the header 2"),
        ("q.csv", b'id,query\n1,a\n2,"b\n\n', "line 3: this is not CSV: unexpected end of data"),
        ("q.parquet", b"PAR1 it is not", "this is not Parquet"),
        ("q.jsonl.gz", b"not gzip", "cannot be read: Not a gzipped file"),
        ("q.jsonl.gz", gzip.compress(b'{"id": 1}')[:-9], "cannot be read"),
        ("q.xlsx", b"PK", r"tells no kind of table\nUse JSON Lines"),
    ],
)
def test_bad_files_are_refused_with_place_and_reason(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DataError, match=message):
        read_rows(tmp_path / name)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"gone\.jsonl: there is no such file"):
        read_rows(tmp_path / "gone.jsonl")
    with pytest.raises(DataError, match=r"cannot be read: .*Is a directory"):
        read_rows(tmp_path)


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text("[" * 200_000, encoding="utf-8")
    with pytest.raises(DataError, match="line 1: this line is not JSON"):
        read_rows(tmp_path / "q.jsonl")
