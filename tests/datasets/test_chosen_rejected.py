import json
import random
from pathlib import Path

import polars as pl
import pytest

from checkwise.datasets import load_pairs
from checkwise.errors import DataError
from checkwise.records import PairSet

Fields = dict[str, object]


def row(**changes: object) -> Fields:
    return {"id": "tea", "prompt": "Tea?", "chosen": "Yes.", "rejected": "No."} | changes


def without(name: str) -> Fields:
    return {key: value for key, value in row().items() if key != name}


def table(tmp_path: Path, *rows: Fields) -> Path:
    path = tmp_path / "drinks.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def labels(pairs: PairSet) -> dict[str, str | None]:
    return {pair.id: pair.label for pair in pairs.pairs}


def many(tmp_path: Path) -> Path:
    return table(tmp_path, *(row(id=f"q{n}") for n in range(400)))


def test_the_chosen_response_is_the_better_one_whatever_it_is_called(tmp_path: Path) -> None:
    more = {"chosen_model": "Nemo", "rejected_model": "Gemma", "language": "sw", "subset": "reasoning"}
    pairs = load_pairs(table(tmp_path, *(row(id=n, **more) for n in range(20)))).pairs
    assert {pair.label for pair in pairs} == {"A", "B"}
    for pair in pairs:
        better, worse = (pair.a, pair.b) if pair.label == "A" else (pair.b, pair.a)
        writers = (pair.model_a, pair.model_b) if pair.label == "A" else (pair.model_b, pair.model_a)
        assert (better, worse, writers) == ("Yes.", "No.", ("Nemo", "Gemma"))
        assert (pair.subset, pair.instance.category, pair.instance.language) == ("reasoning", "reasoning", "sw")
        assert pair.instance.query == "Tea?"


def test_sides_depend_on_the_seed_and_the_id_alone(tmp_path: Path) -> None:
    rows = [row(id=f"q{n}") for n in range(50)]
    expected = labels(load_pairs(table(tmp_path, *rows)))
    random.Random(0).shuffle(rows)
    assert labels(load_pairs(table(tmp_path, *rows))) == expected
    other = [fields | {"chosen": "No.", "rejected": "Yes.", "prompt": "Milk?"} for fields in rows[:20]]
    found = labels(load_pairs(table(tmp_path, *other)))
    assert found == {name: expected[name] for name in found}
    assert labels(load_pairs(table(tmp_path, *rows), seed=7)) != expected


@pytest.mark.parametrize("seed", [0, 42, 43, -1])
def test_the_better_response_is_a_in_about_half_of_the_pairs(tmp_path: Path, seed: int) -> None:
    pairs = load_pairs(many(tmp_path), seed=seed)
    first = sum(label == "A" for label in labels(pairs).values())
    # Three standard deviations of 400 tosses of a coin: 3 * sqrt(400) / 2.
    assert abs(first - 200) <= 30
    note = f"The seed {seed} decided which response is A: the better one in {first} of 400 pairs."
    assert pairs.notes == (note,)


def test_seeds_are_independent_of_each_other(tmp_path: Path) -> None:
    one, other = (labels(load_pairs(many(tmp_path), seed=seed)) for seed in (42, 43))
    assert abs(sum(one[name] == other[name] for name in one) - 200) <= 30


def test_the_note_counts_the_pairs_that_are_kept(tmp_path: Path) -> None:
    pairs = load_pairs(many(tmp_path), limit=10)
    first = sum(label == "A" for label in labels(pairs).values())
    assert pairs.notes == (
        "Kept 10 of 400 pairs (limit).",
        f"The seed 42 decided which response is A: the better one in {first} of 10 pairs.",
    )


def test_prompt_and_responses_may_be_conversations(tmp_path: Path) -> None:
    asked = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi"},
        {"role": "user", "content": "Tea?"},
    ]
    yes, no = ({"role": "assistant", "content": text} for text in ("Yes.", "No."))
    rows = [
        row(id=1, prompt=asked),
        row(id=2, prompt=asked, chosen=[*asked, yes], rejected=[*asked, no]),
        row(id=3, chosen=[yes], rejected=[asked[2], no]),
    ]
    pairs = load_pairs(table(tmp_path, *rows)).pairs
    assert [(pair.instance.query, len(pair.instance.history)) for pair in pairs] == [
        ("Tea?", 2),
        ("Tea?", 2),
        ("Tea?", 0),
    ]
    assert all({pair.a, pair.b} == {"Yes.", "No."} for pair in pairs)
    pl.DataFrame(rows[1:2]).write_parquet(tmp_path / "drinks.parquet")
    assert load_pairs(tmp_path / "drinks.parquet").pairs == pairs[1:2]


def test_all_kinds_of_table_give_the_same(tmp_path: Path) -> None:
    frame = pl.DataFrame([row(id="007", chosen='a;\n"b", c'), row(id="8", rejected="")])
    read = []
    for kind in ("csv", "parquet", "ndjson"):
        getattr(frame, f"write_{kind}")(tmp_path / f"drinks.{kind}")
        read.append(load_pairs(tmp_path / f"drinks.{kind}").pairs)
    assert read[0] == read[1] == read[2]
    assert [{p.a, p.b} for p in read[0]] == [{'a;\n"b", c', "No."}, {"Yes.", ""}]


def test_ids_that_repeat_between_subsets_and_languages_are_told_apart(tmp_path: Path) -> None:
    rows = [
        row(subset="chat", language="de"),
        row(subset="chat", language="fr"),
        row(subset="hard", language="fr"),
        row(subset="hard"),
    ]
    pairs = load_pairs(table(tmp_path, *rows))
    assert [pair.id for pair in pairs.pairs] == ["chat/de/tea", "chat/fr/tea", "hard/fr/tea", "hard/tea"]
    assert pairs.notes[0] == "Ids repeat between subsets or languages; pairs are called subset/language/id."


def test_an_id_that_repeats_within_a_subset_is_refused(tmp_path: Path) -> None:
    rows = [row(subset="chat"), row(subset="hard"), row(subset="chat")]
    with pytest.raises(DataError, match=r"line 2, id tea: the pair tea stands twice; first in line 1"):
        load_pairs(table(tmp_path, *rows))


def test_an_empty_response_stays_and_a_null_one_leaves_the_pair_out(tmp_path: Path) -> None:
    pairs = load_pairs(table(tmp_path, row(id=1, rejected=""), row(id=2, chosen=None), row(id=3, rejected=None)))
    assert [{pair.a, pair.b} for pair in pairs.pairs] == [{"Yes.", ""}]
    assert pairs.notes[0] == "Left out 2 of 3 pairs, since a response is null: 2, 3."


def test_pairs_built_from_mgsm_are_read(tmp_path: Path) -> None:
    built = {
        "id": "mgsm-de-0",
        "prompt": "Was ist 2 + 3?",
        "chosen": "Zusammen\n5",
        "rejected": "Zusammen\n6",
        "language": "de",
        "subset": "reasoning",
        "chosen_model": "local:qwen2.5-coder-1.5b",
        "rejected_model": "local:qwen2.5-coder-1.5b",
        "answer": "5",
    }
    (pair,) = load_pairs(table(tmp_path, built)).pairs
    assert (pair.id, pair.instance.query, pair.instance.language) == ("mgsm-de-0", "Was ist 2 + 3?", "de")
    assert (pair.subset, pair.instance.category, pair.instance.reference) == ("reasoning", "reasoning", None)
    assert pair.response("A" if pair.label == "A" else "B").text == "Zusammen\n5"


ASSISTANT = {"role": "assistant", "content": "Yes."}


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (row(prompt=" "), "the query is empty"),
        (row(prompt=None), "`prompt` is not text but null"),
        (row(prompt=[]), "`prompt` is an empty list"),
        (row(prompt=[ASSISTANT]), "`prompt` ends with the assistant"),
        (row(chosen=3), "`chosen` is not text but a number"),
        (row(chosen=[]), "`chosen` does not end with the assistant"),
        (row(chosen=[{"role": "user", "content": "Tea?"}]), "`chosen` does not end with the assistant"),
        (row(chosen=["Yes."]), r"`chosen\[0\]` is not a message but text"),
        (
            row(rejected=[{"role": "user", "content": "Milk?"}, ASSISTANT]),
            "`rejected` goes on from another conversation than `prompt`",
        ),
        (row(chosen=None, rejected={"text": "No."}), "`rejected` is not text but an object"),
        (row(rejected="\ud83d"), "`rejected` has half a character"),
        (row(chosen=[{"role": "assistant", "content": "\ud83d"}]), r"`chosen\[0\]\.content` has half a character"),
        (row(chosen_model=5), "`chosen_model` is not text but a number"),
        (without("prompt"), "the field `prompt` is missing"),
        (without("chosen"), "the field `chosen` is missing"),
        (without("rejected"), "the field `rejected` is missing"),
    ],
)
def test_a_bad_row_is_refused_with_its_place(tmp_path: Path, bad: Fields, message: str) -> None:
    with pytest.raises(DataError, match=rf"drinks\.jsonl, line 2, id bad(.|\n)*{message}"):
        load_pairs(table(tmp_path, row(), bad | {"id": "bad"}))


def test_an_id_is_needed(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"drinks\.jsonl, line 1: the field `id` is missing"):
        load_pairs(table(tmp_path, without("id")))
