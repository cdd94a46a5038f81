import json
import os
from pathlib import Path

import polars as pl
import pytest

from checkwise.datasets import load
from checkwise.errors import DataError

DATA = Path(os.environ.get("CHECKWISE_DATA", Path(__file__).parents[2].parent / "shared" / "data")) / "wmt_mqm_ted"

ASKED = "Translate the user's text from en into de, and write nothing else."

Rows = list[dict[str, object]]


def row(**changes: object) -> dict[str, object]:
    base = {"lp": "ende", "system": "Nemo", "doc": "talk.1", "seg_id": 1, "source": "Light.", "translation": "Licht."}
    return base | {"mqm_penalty": 1.5} | changes


def table(tmp_path: Path, *rows: dict[str, object], name: str = "segments.jsonl", encoding: str = "utf-8") -> Path:
    path = tmp_path / name
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding=encoding)
    return path


def without(name: str) -> dict[str, object]:
    return {key: value for key, value in row().items() if key != name}


def test_a_segment_is_an_instance_and_a_translation_a_response_rated_by_minus_its_penalty(tmp_path: Path) -> None:
    path = table(tmp_path, row(), row(system="ref", translation="Das Licht 👩‍👩‍👧", mqm_penalty=0), row(seg_id=2))
    dataset = load(path)
    assert (dataset.format, dataset.name) == ("mt-quality", "segments")
    assert [(i.id, i.query, i.history[0].content, i.category, i.language) for i in dataset.instances] == [
        ("ende/talk.1/1", "Light.", ASKED, "translation", "en"),
        ("ende/talk.1/2", "Light.", ASKED, "translation", "en"),
    ]
    assert [(r.instance_id, r.model, r.text, r.language, r.rating) for r in dataset.responses] == [
        ("ende/talk.1/1", "Nemo", "Licht.", "de", -1.5),
        ("ende/talk.1/1", "ref", "Das Licht 👩‍👩‍👧", "de", 0.0),
        ("ende/talk.1/2", "Nemo", "Licht.", "de", -1.5),
    ]
    assert str(dataset.responses[1].rating) == "0.0"
    assert dataset.notes == ("ref has no response for 1 of 2 queries: ende/talk.1/2.",)


@pytest.mark.parametrize(
    ("lp", "languages"),
    [("ende", ("en", "de")), ("zh-en", ("zh", "en")), ("EN_de", ("en", "de")), ("jaen", ("ja", "en"))],
)
def test_a_language_pair_may_be_written_in_three_ways(tmp_path: Path, lp: str, languages: tuple[str, str]) -> None:
    dataset = load(table(tmp_path, row(lp=lp)))
    assert (dataset.instances[0].language, dataset.responses[0].language) == languages
    assert dataset.instances[0].id == f"{lp}/talk.1/1"


def test_all_kinds_of_table_give_the_same_and_so_does_a_folder(tmp_path: Path) -> None:
    frame = pl.DataFrame([row(), row(system="b", translation='a;\n"b", c', mqm_penalty=None)])
    read = []
    for kind in ("csv", "parquet", "ndjson"):
        (tmp_path / kind).mkdir()
        getattr(frame, f"write_{kind}")(tmp_path / kind / f"segments.{kind}")
        read += [load(tmp_path / kind / f"segments.{kind}"), load(tmp_path / kind)]
    assert all(d.instances == read[0].instances and d.responses == read[0].responses for d in read)
    assert [(r.text, r.rating) for r in read[0].responses] == [("Licht.", -1.5), ('a;\n"b", c', None)]


def test_a_byte_order_mark_is_tolerated(tmp_path: Path) -> None:
    assert len(load(table(tmp_path, row(), encoding="utf-8-sig")).responses) == 1


@pytest.mark.parametrize("name", ["score", "rating"])
def test_a_score_is_taken_as_it_is_where_the_file_has_no_penalty(tmp_path: Path, name: str) -> None:
    dataset = load(table(tmp_path, without("mqm_penalty") | {name: -0.25}))
    assert [r.rating for r in dataset.responses] == [-0.25]


def test_one_scale_counts_in_a_file_that_has_two(tmp_path: Path) -> None:
    dataset = load(table(tmp_path, without("mqm_penalty") | {"score": 90}, row(system="b", score=80)))
    assert [r.rating for r in dataset.responses] == [None, -1.5]
    assert dataset.notes == ("1 of 2 translations have no rating.",)


def test_what_is_missing_is_counted(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        row(translation=None),
        row(system="b", translation="", mqm_penalty=25),
        row(system="c", mqm_penalty=None),
        without("mqm_penalty") | {"system": "d"},
    )
    dataset = load(path)
    assert [(r.model, r.text, r.rating) for r in dataset.responses] == [
        ("b", "", -25.0),
        ("c", "Licht.", None),
        ("d", "Licht.", None),
    ]
    assert dataset.notes == (
        "1 rows have a null translation, which counts as not given.",
        "2 of 3 translations have no rating.",
    )


def test_of_several_raters_the_mean_counts(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        row(rater="r1", mqm_penalty=1),
        row(rater="r2", mqm_penalty=5),
        row(rater="r3", mqm_penalty=None),
        row(rater="r1", system="b", mqm_penalty=None),
        row(rater="r2", system="b", mqm_penalty=None),
        row(rater=1, system="c", mqm_penalty=2),
    )
    dataset = load(path)
    assert [(r.model, r.rating) for r in dataset.responses] == [("Nemo", -3.0), ("b", None), ("c", -2.0)]
    assert dataset.notes == (
        "2 of 3 translations were rated by several people; the mean counts.",
        "1 of 3 translations have no rating.",
    )


@pytest.mark.parametrize(
    "rows",
    [(row(), row()), (row(rater="r1"), row(rater="r1")), (row(rater="r1"), row()), (row(rater=""), row(rater="r1"))],
)
def test_a_translation_stands_once_a_rater(tmp_path: Path, rows: Rows) -> None:
    with pytest.raises(DataError, match=r"line 2, id ende/talk\.1/1: two responses for .* by Nemo; first in line 1"):
        load(table(tmp_path, *rows))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (row(lp="eng-deu"), r"id .*: `lp` is no .*: 'eng-deu'\nWrite .* ende, en-de or en_de"),
        (row(lp="English"), "`lp` is no language pair"),
        (row(lp="xxqq"), "`lp` is no language pair"),
        (row(lp=""), "`lp` is blank"),
        (row(lp=None), "`lp` is neither text"),
        (row(mqm_penalty=-1), r"`mqm_penalty` is negative: -1\n0 is perfect"),
        (row(mqm_penalty=float("nan")), "`mqm_penalty` is no finite number: 'nan'"),
        (row(mqm_penalty=float("inf")), "`mqm_penalty` is no finite number: 'inf'"),
        (row(mqm_penalty=10**400), "`mqm_penalty` is no finite number: '1000"),
        (row(mqm_penalty="abc"), "`mqm_penalty` is no finite number: 'abc'"),
        (row(mqm_penalty="1_0"), "`mqm_penalty` is no finite number: '1_0'"),
        (row(mqm_penalty="1,5"), "`mqm_penalty` is no finite number: '1,5'"),
        (row(mqm_penalty=True), "`mqm_penalty` is no finite number: 'True'"),
        (row(mqm_penalty=[1]), "`mqm_penalty` is no finite number"),
        (row(system="b", source="Dark."), r"`source` differs from that in line 1\nTranslations of one"),
        (row(system="b", source=" "), "the query is empty"),
        (row(system="b", source=None), "`source` is not text but null"),
        (row(system=""), "`system` is blank"),
        (row(system="b", translation=3), "`translation` is not text but a number"),
        (row(system="b", translation="\ud83d"), "`translation` has half a character"),
        (row(system="b", seg_id=1.5), "`seg_id` is neither text nor a whole number"),
        (row(rater="r2", translation="Das Licht."), "the translation of Nemo differs from that in line 1"),
        *((without(name), f"the field `{name}` is missing") for name in ("lp", "system", "doc", "seg_id", "source")),
        (without("translation"), "the field `translation` is missing"),
    ],
)
def test_a_bad_row_is_refused_with_its_place(tmp_path: Path, bad: dict[str, object], message: str) -> None:
    path = tmp_path / "segments.jsonl"
    path.write_text(f"{json.dumps(row(rater='r1'))}\n{json.dumps(bad)}\n", encoding="utf-8")
    with pytest.raises(DataError, match=rf"segments\.jsonl, line 2(.|\n)*{message}"):
        load(path)


def test_an_empty_file_and_other_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the file is empty"):
        load(table(tmp_path))
    with pytest.raises(DataError, match=r"no known layout fits(.|\n)*mt-quality: a table"):
        load(table(tmp_path, without("doc")))
    with pytest.raises(DataError, match=r"the folder has no segments\.\*"):
        load(tmp_path / "..", format="mt-quality")


def test_responses_elsewhere_are_refused(tmp_path: Path) -> None:
    path = table(tmp_path, row())
    with pytest.raises(DataError, match="has its translations in its own rows"):
        load(path, responses=path)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no rated translations in {DATA}; set CHECKWISE_DATA")
def test_the_published_data_is_read_whole() -> None:
    dataset = load(DATA)
    assert (dataset.name, len(dataset.instances), len(dataset.responses)) == ("wmt_mqm_ted", 529, 7507)
    assert {(r.instance_id[:4], r.language) for r in dataset.responses} == {("ende", "de"), ("zhen", "en")}
    ratings = [r.rating for r in dataset.responses if r.rating is not None]
    assert (len(ratings), min(ratings), max(ratings)) == (7507, -25, 0)
    assert dataset.responses[1].text.startswith("Ich möchte euch alle bitten, für eine Sekunde")
    assert dataset.responses[1].rating == -5
