"""What holds for pairs in every layout: finding the layout out, choosing some, and files that are something else."""

import io
import json
import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from checkwise.datasets import PAIR_READERS, load, load_pairs
from checkwise.errors import DataError

DATA = Path(os.environ.get("CHECKWISE_DATA", Path(__file__).parents[2].parent / "shared" / "data")) / "llmbar"

PLAIN = {"id": "tea", "query": "Tea?", "response_a": "Yes.", "response_b": "No.", "label": "A"}
CHOSEN = {"id": "tea", "prompt": "Tea?", "chosen": "Yes.", "rejected": "No."}


def table(tmp_path: Path, *rows: object, name: str = "drinks.jsonl", encoding: str = "utf-8") -> Path:
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding=encoding)
    return path


def test_the_layout_is_found_out_from_the_first_row(tmp_path: Path) -> None:
    assert load_pairs(table(tmp_path, PLAIN)).format == "pairs"
    assert load_pairs(table(tmp_path, CHOSEN)).format == "chosen-rejected"
    assert [reader.name for reader in PAIR_READERS] == ["pairs", "chosen-rejected"]


def test_a_layout_may_be_named(tmp_path: Path) -> None:
    path = table(tmp_path, PLAIN | CHOSEN)
    assert load_pairs(path).pairs[0].label == "A"
    assert load_pairs(path, format="pairs").format == "pairs"
    assert load_pairs(path, format="chosen-rejected").format == "chosen-rejected"
    with pytest.raises(DataError, match=r"no layout of pairs is called 'plain'\nLayouts: pairs, chosen-rejected\."):
        load_pairs(path, format="plain")
    with pytest.raises(DataError, match=r"line 1, id tea: the field `prompt` is missing"):
        load_pairs(table(tmp_path, PLAIN), format="chosen-rejected")


@pytest.mark.parametrize("row", [PLAIN, CHOSEN])
def test_standard_input_gives_the_same_as_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: dict[str, str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(row).encode())))
    pairs = load_pairs("-")
    assert pairs.name == "stdin"
    assert pairs.pairs == load_pairs(table(tmp_path, row)).pairs


def test_a_byte_order_mark_is_tolerated(tmp_path: Path) -> None:
    assert len(load_pairs(table(tmp_path, PLAIN, encoding="utf-8-sig")).pairs) == 1


def test_a_limit_is_spread_over_languages_and_subsets(tmp_path: Path) -> None:
    parts = [("en", "chat")] * 5 + [("en", "reasoning")] * 3 + [("de", "chat")] * 2
    rows = [PLAIN | {"id": n, "language": lang, "subset": subset} for n, (lang, subset) in enumerate(parts)]
    path = table(tmp_path, *rows)
    # One of each part, in turn: 0, 5, 8; then 1, 6, 9; then the third ones, of which German chat has none.
    assert [pair.id for pair in load_pairs(path, limit=3).pairs] == ["0", "5", "8"]
    assert [pair.id for pair in load_pairs(path, limit=8).pairs] == ["0", "1", "2", "5", "6", "7", "8", "9"]
    assert load_pairs(path, limit=8).notes == ("Kept 8 of 10 pairs (limit).",)
    assert load_pairs(path, limit=99) == load_pairs(path)
    with pytest.raises(DataError, match="the limit is 0"):
        load_pairs(path, limit=0)


def test_a_language_that_is_no_code_is_unknown_and_noted(tmp_path: Path) -> None:
    rows = [
        PLAIN | {"id": n, "language": text} for n, text in enumerate(["pt-BR", "English", "", None, "eng_Latn", "sw"])
    ]
    pairs = load_pairs(table(tmp_path, *rows, PLAIN | {"lang": "zh"}))
    assert [p.instance.language for p in pairs.pairs] == ["pt-BR", None, None, None, None, "sw", "zh"]
    assert pairs.notes == ("Languages that are not written as BCP 47 codes count as unknown: English, eng_Latn.",)


def test_a_subset_is_the_category_where_none_is_given(tmp_path: Path) -> None:
    rows = [PLAIN | {"id": 1, "subset": "reasoning"}, PLAIN | {"id": 2, "subset": "hard", "category": "chat"}, PLAIN]
    found = [(pair.subset, pair.instance.category) for pair in load_pairs(table(tmp_path, *rows)).pairs]
    assert found == [("reasoning", "reasoning"), ("hard", "chat"), (None, None)]


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"id": 1, "query": "Tea?", "model": "m", "response": "Yes."}, "single responses"),
        ({"id": 1, "model": "m", "response": "Yes."}, "single responses"),
        ({"id": 1, "query": "Tea?"}, "queries or single responses"),
        ({"question_id": 81, "turns": ["Tea?"]}, "queries or single responses"),
        ({"session_id": "s", "conversation_input": []}, "queries or single responses"),
        ({"session_id": "s", "output": ["Yes."]}, "queries or single responses"),
    ],
)
def test_single_responses_are_sent_to_run(tmp_path: Path, row: dict[str, object], kind: str) -> None:
    message = rf"drinks\.jsonl: the file holds {kind}, not pairs\nSingle responses are judged with `checkwise run`\."
    with pytest.raises(DataError, match=message):
        load_pairs(table(tmp_path, row))


def test_a_folder_without_pairs_is_sent_to_run(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"the folder has no file pairs\.\*\nName the file\. .*`checkwise run`"):
        load_pairs(tmp_path)


@pytest.mark.parametrize("row", [PLAIN, CHOSEN, {"prompt": "Tea?", "chosen": "", "rejected": ""}])
def test_pairs_are_sent_to_compare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: dict[str, str]) -> None:
    with pytest.raises(DataError, match=r"drinks\.jsonl: the file holds pairs of responses\n.*`checkwise compare`"):
        load(table(tmp_path, row))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(row).encode())))
    with pytest.raises(DataError, match=r"standard input: the file holds pairs of responses\n.*`checkwise compare`"):
        load("-")


def test_queries_in_a_folder_must_not_be_pairs(tmp_path: Path) -> None:
    table(tmp_path, PLAIN, name="queries.jsonl")
    with pytest.raises(DataError, match=r"queries\.jsonl: the file holds pairs"):
        load(tmp_path)


def test_other_rows_are_refused_with_the_layouts(tmp_path: Path) -> None:
    message = (
        r"the first row has the fields id, query, response_a\nLayouts:\n- pairs: id, query(.|\n)*- chosen-rejected:"
    )
    with pytest.raises(DataError, match=message):
        load_pairs(table(tmp_path, {"id": 1, "query": "Tea?", "response_a": "Yes."}))
    with pytest.raises(DataError, match=r"the first row has the fields \(none\)"):
        load_pairs(table(tmp_path, {}))


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such file"):
        load_pairs(tmp_path / "missing.jsonl")
    with pytest.raises(DataError, match="the file is empty"):
        load_pairs(table(tmp_path))
    with pytest.raises(DataError, match="line 2: this is not an object"):
        load_pairs(table(tmp_path, PLAIN, [1]))
    with pytest.raises(DataError, match="the suffix tells no kind of table"):
        load_pairs(table(tmp_path, PLAIN, name="pairs.txt"))


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no pairs in {DATA}; set CHECKWISE_DATA")
def test_the_published_data_is_read_whole() -> None:
    pairs = load_pairs(DATA / "pairs.jsonl")
    assert (pairs.name, pairs.format, len(pairs.pairs), pairs.notes) == ("pairs", "pairs", 50, ())
    found = Counter((pair.instance.language, pair.subset, pair.label) for pair in pairs.pairs)
    assert found == {("en", "natural", "A"): 25, ("en", "natural", "B"): 25}
    second = pairs.pairs[1]
    assert (second.id, second.label) == ("llmbar-natural-2", "A")
    assert second.instance.query == "How many integers are in the solution of the inequality |x + 5| < 10 ? "
    assert second.b.endswith("that satisfy |x + 10| < 5.")


def test_a_folder_with_a_file_of_pairs_is_read(tmp_path: Path) -> None:
    row = {"id": "q", "query": "?", "response_a": "x", "response_b": "y"}
    (tmp_path / "pairs.jsonl").write_text(json.dumps(row), encoding="utf-8")
    assert [pair.id for pair in load_pairs(tmp_path).pairs] == ["q"]
