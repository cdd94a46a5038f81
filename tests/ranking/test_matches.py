import json

import polars as pl
import pytest

from checkwise.datasets.votes import read_votes
from checkwise.errors import DataError
from checkwise.ranking.matches import arena_matches, matches_bytes
from checkwise.ranking.pairs import in_name_order

FIELDS = ["question_id", "model_a", "model_b", "winner", "judge", "turn", "anony", "language", "tstamp"]


def outcomes(count, *, outcome="model_a"):
    rows = [(f"{n}-2", "strong", "weak", outcome) for n in range(count)]
    return pl.DataFrame(rows, schema=["instance_id", "model_a", "model_b", "outcome"], orient="row")


def test_a_match_has_the_fields_of_an_arena_battle():
    (match,) = arena_matches(outcomes(1), judge="tiny", languages={"0-2": "de-AT"}, start=1700000000)
    assert list(match) == FIELDS
    assert (match["question_id"], match["turn"], match["judge"]) == ("0", 2, "tiny")
    assert (match["anony"], match["language"], match["tstamp"]) == (True, "German", 1700000000)
    assert match[match["winner"]] == "strong"


def test_languages_that_are_not_known_stay_as_they_are():
    table = outcomes(2)
    found = {m["question_id"]: m["language"] for m in arena_matches(table, judge="j", languages={"1-2": "sw"})}
    assert found == {"0": "unknown", "1": "sw"}


def test_position_and_order_say_nothing():
    matches = arena_matches(outcomes(400), judge="j")
    first = [match["model_a"] == "strong" for match in matches]
    assert 160 < sum(first) < 240
    assert all(match[match["winner"]] == "strong" for match in matches)
    assert [match["tstamp"] for match in matches] == list(range(400))
    assert [match["question_id"] for match in matches] != sorted(match["question_id"] for match in matches)


def test_the_seed_decides_and_the_order_of_rows_does_not():
    table = outcomes(20)
    assert arena_matches(table, judge="j") == arena_matches(table.reverse(), judge="j")
    assert arena_matches(table, judge="j") != arena_matches(table, judge="j", seed=7)


def test_ties_stay_ties_and_undecided_pairs_are_no_match():
    table = pl.concat([outcomes(3, outcome="tie"), outcomes(1, outcome=None).with_columns(instance_id=pl.lit("x"))])
    matches = arena_matches(table, judge="j")
    assert [match["winner"] for match in matches] == ["tie"] * 3


def test_a_pair_twice_is_refused():
    with pytest.raises(DataError, match="more than one row"):
        arena_matches(pl.concat([outcomes(1), outcomes(1)]), judge="j")


@pytest.mark.parametrize("name", ["matches.json", "matches.jsonl"])
def test_files_are_read_again_as_votes(tmp_path, name):
    table = pl.concat([outcomes(5), outcomes(4, outcome="tie").with_columns(model_b=pl.lit("schwächer"))])
    path = tmp_path / name
    path.write_bytes(matches_bytes(arena_matches(table, judge="tiny"), name))
    votes = in_name_order(read_votes(path), "winner").sort("instance_id", "model_a", "model_b")
    wanted = in_name_order(table, "outcome").sort("instance_id", "model_a", "model_b")
    assert votes.drop("judge").rows() == wanted.rows()


def test_json_is_one_list_and_jsonl_one_object_a_line():
    matches = arena_matches(outcomes(3), judge="j")
    assert json.loads(matches_bytes(matches, "m.json")) == matches
    assert [json.loads(line) for line in matches_bytes(matches, "m.JSONL").splitlines()] == matches
    with pytest.raises(DataError, match=r"as \.json or \.jsonl"):
        matches_bytes(matches, "m.csv")
