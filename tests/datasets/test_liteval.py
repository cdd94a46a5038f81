from pathlib import Path

import pytest

from checkwise.datasets import load
from checkwise.errors import DataError

ASKED = "Translate the user's text from de into en, and write nothing else."


def csv(tmp_path: Path, text: str, name: str = "de-en.csv", encoding: str = "utf-8") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding=encoding, newline="")
    return path


def test_without_systems_every_row_is_an_instance_of_its_own(tmp_path: Path) -> None:
    text = 'source,tgt,rating\nLicht.,Light.,7\nLicht.,"Lights, ""on""",2\n"Ein\nTag",Day 👩‍👩‍👧,4.5\n'
    dataset = load(csv(tmp_path, text))
    assert (dataset.format, dataset.name) == ("liteval", "de-en")
    assert [(i.id, i.query, i.history[0].content, i.category, i.language) for i in dataset.instances] == [
        ("de-en/2", "Licht.", ASKED, "translation", "de"),
        ("de-en/3", "Licht.", ASKED, "translation", "de"),
        ("de-en/4", "Ein\nTag", ASKED, "translation", "de"),
    ]
    assert [(r.instance_id, r.model, r.text, r.language, r.rating) for r in dataset.responses] == [
        ("de-en/2", "translation", "Light.", "en", 7.0),
        ("de-en/3", "translation", 'Lights, "on"', "en", 2.0),
        ("de-en/4", "translation", "Day 👩‍👩‍👧", "en", 4.5),
    ]
    assert dataset.notes == (
        "de-en.csv names no systems; every row is an instance of its own, translated by 'translation'.",
        "3 rows of de-en.csv are taken to be from de into en, as its name says.",
    )


@pytest.mark.parametrize("field", ["model", "system"])
def test_with_systems_a_source_is_an_instance(tmp_path: Path, field: str) -> None:
    text = f"source,tgt,rating,{field}\nLicht.,Light.,7,a\nTag.,Day.,6,a\nLicht.,Lights.,2,b\n"
    dataset = load(csv(tmp_path, text))
    assert [(i.id, i.query) for i in dataset.instances] == [("de-en/2", "Licht."), ("de-en/3", "Tag.")]
    assert [(r.instance_id, r.model, r.rating) for r in dataset.responses] == [
        ("de-en/2", "a", 7.0),
        ("de-en/3", "a", 6.0),
        ("de-en/2", "b", 2.0),
    ]
    assert dataset.notes[1] == "b has no response for 1 of 2 queries: de-en/3."


def test_an_id_names_the_source(tmp_path: Path) -> None:
    text = "id,source,tgt,rating,model\n07,Licht.,Light.,7,a\n07,Licht.,Lights.,2,b\n,Tag.,Day.,6,a\n"
    dataset = load(csv(tmp_path, text))
    assert [(r.instance_id, r.model) for r in dataset.responses] == [
        ("de-en/07", "a"),
        ("de-en/07", "b"),
        ("de-en/4", "a"),
    ]


@pytest.mark.parametrize(
    ("header", "cells", "languages"),
    [
        ("lp", "zh-en", ("zh", "en")),
        ("lp", "zhen", ("zh", "en")),
        ("lang_pair", "EN_de", ("en", "de")),
        ("src_lang,tgt_lang", "zh-Hans,deu", ("zh-Hans", "deu")),
        ("src_lang", "zh", ("zh", None)),
        ("src_lang,tgt_lang", "German,English", ("fr", "es")),
        ("lp", "", ("fr", "es")),
    ],
)
def test_the_fields_say_the_languages_or_else_the_name_of_the_file(
    tmp_path: Path, header: str, cells: str, languages: tuple[str, str]
) -> None:
    dataset = load(csv(tmp_path, f"source,tgt,rating,{header}\nA,B,3,{cells}\n", "fr-es.csv"))
    assert (dataset.instances[0].language, dataset.responses[0].language) == languages


@pytest.mark.parametrize(
    ("name", "languages"),
    [
        ("liteval_zh-en.csv", ("zh", "en")),
        ("DE-EN.v2.csv", ("de", "en")),
        ("en_zh.tsv.csv", ("en", "zh")),
        ("rated-de-en-de-en.csv", (None, None)),
        ("my_de_en.csv", (None, None)),
        ("data.csv", (None, None)),
        ("part-qq.csv", (None, None)),
        ("xde-en.csv", (None, None)),
        ("de-en2.csv", (None, None)),
    ],
)
def test_a_name_says_the_languages_where_it_has_just_one_pair(
    tmp_path: Path, name: str, languages: tuple[str | None, str | None]
) -> None:
    dataset = load(csv(tmp_path, "source,tgt,rating,model\nA,B,3,a\n", name))
    assert (dataset.instances[0].language, dataset.responses[0].language) == languages
    unknown = f"1 rows of {name} do not say their languages, and neither does its name."
    assert (unknown in dataset.notes) == (languages == (None, None))


def test_one_file_may_hold_several_pairs(tmp_path: Path) -> None:
    text = "source,tgt,rating,model,lp,id\nA,B,3,a,en-de,1\nA,C,4,a,en-fr,1\n"
    dataset = load(csv(tmp_path, text, "all.csv"))
    assert [(r.instance_id, r.language) for r in dataset.responses] == [("all/en-de/1", "de"), ("all/en-fr/1", "fr")]
    without_ids = load(csv(tmp_path, text.replace(",id", "").replace(",1\n", "\n"), "all.csv"))
    assert [r.instance_id for r in without_ids.responses] == ["all/en-de/2", "all/en-fr/3"]
    half_said = load(csv(tmp_path, "source,tgt,rating,src_lang\nA,B,3,en\nA,B,3,fr\n", "all.csv"))
    assert [i.id for i in half_said.instances] == ["all/en-und/2", "all/fr-und/3"]


def test_a_folder_of_files_is_one_data_set(tmp_path: Path) -> None:
    csv(tmp_path, "source,tgt,rating,id\nA,B,3,1\n", "de-en.csv")
    csv(tmp_path, "source;tgt;rating;id\nC;D;3,5;1\n", "en-zh.csv")
    csv(tmp_path, "{}", "extra.jsonl")
    dataset = load(tmp_path)
    assert [(i.id, i.language) for i in dataset.instances] == [("de-en/1", "de"), ("en-zh/1", "en")]
    assert [(r.rating, r.language) for r in dataset.responses] == [(3.0, "en"), (3.5, "zh")]
    assert dataset.notes[-1] == "Not read, since they are no CSV files: extra.jsonl."


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('source;tgt;rating\n"a, b; c";d, e, f;5,5\n', [("a, b; c", "d, e, f", 5.5)]),
        ('source,tgt,rating\n"a; b, c",d; e; f;,5.5\n', [("a; b, c", "d; e; f;", 5.5)]),
        ('"source","tgt","rating","a;b;c;d;e"\nA,B,1,x\n', [("A", "B", 1.0)]),
        ('"source";"tgt";"rating";"a,b,c,d,\n,e"\nA;B;1;x\n', [("A", "B", 1.0)]),
        ("\r\nsource;tgt;rating\r\nA,,,;B;6\r\n", [("A,,,", "B", 6.0)]),
        ("source\ttgt\trating\nA,;B\tC\t6\n", [("A,;B", "C", 6.0)]),
        ("source;tgt;rating\nA;B;\nC;D; \n", [("A", "B", None), ("C", "D", None)]),
        ("source,tgt,rating\nA,,1\n", [("A", "", 1.0)]),
    ],
)
def test_only_the_header_outside_quotes_says_what_separates_the_fields(
    tmp_path: Path, text: str, rows: list[tuple[str, str, float | None]]
) -> None:
    dataset = load(csv(tmp_path, text, encoding="utf-8-sig"))
    assert [(i.query, r.text, r.rating) for i, r in zip(dataset.instances, dataset.responses, strict=True)] == rows


def test_missing_ratings_are_counted(tmp_path: Path) -> None:
    assert load(csv(tmp_path, "source;tgt;rating\nA;B;\nC;D;7\n")).notes[-1] == "1 of 2 translations have no rating."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source,tgt,rating\nA,B,NaN\n", r"line 2, id de-en/2: `rating` is no finite number: 'NaN'\nWrite a number"),
        ("source,tgt,rating\nA,B,1\nC,D,abc\n", "line 3, id de-en/3: `rating` is no finite number: 'abc'"),
        ("source,tgt,rating\nA,B,-inf\n", "`rating` is no finite number: '-inf'"),
        ('source,tgt,rating\nA,B,"5,5"\n', "`rating` is no finite number: '5,5'"),
        ("source;tgt;rating\nA;B;1,000,5\n", "`rating` is no finite number: '1,000,5'"),
        ("source,tgt,rating\n,B,1\n", "line 2, id de-en/2: the query is empty"),
        ("source,tgt,rating,model\nA,B,1,\n", "`model` is blank"),
        ("source,tgt,rating,model\nA,B,1,a\nA,C,1,a\n", r"line 3, id de-en/2: two responses .* first in line 2"),
        ("source,tgt,rating,model,id\nA,B,1,a,1\nC,D,1,b,1\n", "line 3, id de-en/1: `source` differs .* line 2"),
        ("source,tgt,rating,lp\nA,B,1,eng-deu\n", r"`lp` is no language pair .*: 'eng-deu'"),
        ("source,tgt,rating\nA,B\n", "line 2: the row has 2 fields and the header 3"),
        ('source,tgt,rating\n"A,B,1\n', "line 2: this is not CSV"),
        ("source,tgt,rating\n", "the file is empty"),
        ("", "the file is empty"),
        (
            "source,tgt\nA,B\n",
            r"no known layout fits; the first row has the fields source, tgt(.|\n)*- liteval: a .csv",
        ),
    ],
)
def test_bad_files_are_refused_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    path = csv(tmp_path, text)
    with pytest.raises(DataError, match=message):
        load(path)


@pytest.mark.parametrize("field", ["source", "tgt", "rating"])
def test_a_missing_field_is_named(tmp_path: Path, field: str) -> None:
    path = csv(tmp_path, "source,tgt,rating\nA,B,1\n".replace(field, "x"))
    with pytest.raises(DataError, match=f"line 2(.*)the field `{field}` is missing"):
        load(path, format="liteval")


def test_what_is_no_csv_file_and_responses_elsewhere_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no CSV file"):
        load(tmp_path, format="liteval")
    path = csv(tmp_path, "source,tgt,rating\nA,B,1\n")
    with pytest.raises(DataError, match="has its translations in its own rows"):
        load(path, responses=path)
