import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from checkwise.errors import DataError, NothingJudgedError
from checkwise.ranking.leaderboard import leaderboard

SCHEMA = {
    "instance_id": pl.String,
    "model": pl.String,
    "value": pl.Float64,
    "status": pl.String,
    "items": pl.Int64,
    "scored_items": pl.Int64,
    "low_mass_items": pl.Int64,
    "mean_mass": pl.Float64,
    "category": pl.String,
}


def frame(*rows):
    """Rows of (instance, model, value); the rest as it usually is."""
    return pl.DataFrame(
        [
            (
                i,
                m,
                v,
                "unscored" if v is None else "scored",
                4,
                0 if v is None else 4,
                0,
                None if v is None else 0.9,
                "c",
            )
            for i, m, v in rows
        ],
        schema=SCHEMA,
        orient="row",
    )


def column(board, name):
    return dict(zip(board.table["model"], board.table[name], strict=True))


GAPS = frame(
    ("q1", "a", 0.2), ("q1", "b", 0.4), ("q2", "a", 0.6), ("q2", "b", 0.6), ("q3", "a", 1.0), ("q3", "b", None)
)  # fmt: skip


def test_models_are_compared_on_the_instances_they_share():
    board = leaderboard(GAPS)
    assert board.table["model"].to_list() == ["b", "a"]
    assert column(board, "score") == pytest.approx({"a": 0.4, "b": 0.5})
    assert column(board, "n") == {"a": 2, "b": 2}
    assert column(board, "coverage") == pytest.approx({"a": 1.0, "b": 2 / 3})
    assert column(board, "unscored") == {"a": 0, "b": 1}
    assert (board.instances, board.common_instances, board.left_out) == (3, 2, 1)


def test_without_the_rule_each_mean_is_over_what_the_model_has():
    board = leaderboard(GAPS, common_only=False)
    assert board.table["model"].to_list() == ["a", "b"]
    assert column(board, "score") == pytest.approx({"a": 0.6, "b": 0.5})
    assert column(board, "n") == {"a": 3, "b": 2}
    assert (board.common_instances, board.left_out) == (2, 0)


def test_a_response_that_is_not_in_the_table_lowers_the_coverage_too():
    board = leaderboard(GAPS.filter(pl.col("value").is_not_null()))
    assert column(board, "coverage") == pytest.approx({"a": 1.0, "b": 2 / 3})
    assert column(board, "unscored") == {"a": 0, "b": 0}


def test_a_model_without_any_score_is_listed_last_and_empties_nothing():
    board = leaderboard(pl.concat([GAPS, frame(("q1", "0-broken", None), ("q2", "0-broken", None))]))
    assert board.common_instances == 2
    assert board.table["model"].to_list() == ["b", "a", "0-broken"]
    last = board.table.row(-1, named=True)
    assert (last["rank"], last["score"], last["low"], last["high"], last["mean_mass"]) == (None,) * 5
    assert (last["n"], last["coverage"], last["unscored"]) == (0, 0.0, 2)


def test_models_that_share_no_instance_have_no_score_to_compare():
    board = leaderboard(frame(("q1", "a", 0.2), ("q2", "b", 0.4)))
    assert column(board, "score") == {"a": None, "b": None}
    assert column(board, "rank") == {"a": None, "b": None}
    assert column(board, "coverage") == {"a": 0.5, "b": 0.5}
    assert (board.common_instances, board.left_out) == (0, 2)


def test_equal_scores_share_the_better_rank():
    # 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last bit, which must not decide a rank.
    scores = {"d": (0, 0, 0), "c": (0.1, 0.2, 0.3), "b": (0.3, 0.2, 0.1), "a": (1, 1, 1)}
    board = leaderboard(frame(*((f"q{i}", model, v) for model, vs in scores.items() for i, v in enumerate(vs))))
    assert board.table["model"].to_list() == ["a", "b", "c", "d"]
    assert board.table["rank"].to_list() == [1, 2, 2, 4]


def test_one_instance_has_no_interval():
    board = leaderboard(frame(("q1", "a", 0.2), ("q1", "b", 0.4)))
    assert column(board, "low") == {"a": None, "b": None}
    assert column(board, "high") == {"a": None, "b": None}


def test_empty_responses_count_as_scored_and_are_counted():
    scores = frame(("q1", "a", 0.0), ("q2", "a", 0.6)).with_columns(
        status=pl.Series(["empty", "scored"]), mean_mass=pl.Series([None, 0.8])
    )
    board = leaderboard(scores)
    assert column(board, "empty") == {"a": 1}
    assert column(board, "score") == pytest.approx({"a": 0.3})
    assert column(board, "coverage") == {"a": 1.0}
    assert column(board, "mean_mass") == pytest.approx({"a": 0.8})


def test_mass_is_over_items_and_flags_add_up():
    scores = frame(("q1", "a", 0.5), ("q2", "a", 0.6)).with_columns(
        scored_items=pl.Series([1, 3]), mean_mass=pl.Series([0.4, 0.8]), low_mass_items=pl.Series([2, 1])
    )
    board = leaderboard(scores)
    assert column(board, "mean_mass") == pytest.approx({"a": 0.7})
    assert column(board, "low_mass_items") == {"a": 3}


def test_by_category_each_has_its_own_ranking_and_common_instances():
    scores = pl.concat(
        [
            GAPS.with_columns(category=pl.lit("writing")),
            frame(("q7", "a", 0.9), ("q7", "b", 0.1), ("q8", "b", 0.3)).with_columns(category=pl.lit("math")),
            frame(("q9", "a", 0.5)).with_columns(category=pl.lit(None, dtype=pl.String)),
        ]
    )
    board = leaderboard(scores, by="category")
    assert board.table.columns[:4] == ["category", "rank", "model", "score"]
    assert board.table.select("category", "rank", "model", "n").rows() == [
        ("math", 1, "a", 1),
        ("math", 2, "b", 1),
        ("writing", 1, "b", 2),
        ("writing", 2, "a", 2),
        (None, 1, "a", 1),
    ]
    assert (board.instances, board.common_instances, board.left_out) == (6, 4, 2)


def test_nothing_judged_is_no_leaderboard():
    with pytest.raises(NothingJudgedError, match="none of the 2 responses"):
        leaderboard(frame(("q1", "a", None), ("q1", "b", None)))


def test_columns_that_are_missing_are_named():
    with pytest.raises(DataError, match="lack status, mean_mass"):
        leaderboard(GAPS.drop("status", "mean_mass"))


def test_the_settings_stand_beside_the_table():
    board = leaderboard(GAPS, draws=50, seed=7, confidence=0.9)
    assert (board.draws, board.seed, board.confidence, board.common_only, board.by) == (50, 7, 0.9, True, None)
    assert board.table.columns == [
        "rank", "model", "score", "low", "high", "n", "coverage", "unscored", "empty", "mean_mass", "low_mass_items",
    ]  # fmt: skip


values = st.one_of(st.none(), st.floats(0, 1))
tables = st.dictionaries(st.tuples(st.sampled_from("xyzuvw"), st.sampled_from("abcd")), values, min_size=1).filter(
    lambda table: any(value is not None for value in table.values())
)


@settings(max_examples=40, deadline=None)
@given(tables, st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_the_rows_changes_nothing_at_all(table, random, common_only):
    rows = [(i, m, v) for (i, m), v in table.items()]
    before = leaderboard(frame(*rows), draws=50, common_only=common_only)
    random.shuffle(rows)
    after = leaderboard(frame(*rows), draws=50, common_only=common_only)
    assert_frame_equal(before.table, after.table, check_exact=True)


@settings(max_examples=40, deadline=None)
@given(tables, st.permutations("abcd"))
def test_renaming_models_renames_the_table(table, names):
    new = dict(zip("abcd", names, strict=True))
    before = leaderboard(frame(*((i, m, v) for (i, m), v in table.items())), draws=50).table
    after = leaderboard(frame(*((i, new[m], v) for (i, m), v in table.items())), draws=50).table
    assert_frame_equal(before.with_columns(pl.col("model").replace(new)).sort("model"), after.sort("model"))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=12, max_size=30, unique=True))
def test_twice_the_instances_leave_scores_and_narrow_intervals(pairs):
    once = frame(*((f"q{i}", m, v) for i, pair in enumerate(pairs) for m, v in zip("ab", pair, strict=True)))
    again = once.with_columns(pl.col("instance_id") + "-again")
    single, double = leaderboard(once), leaderboard(pl.concat([once, again]))
    assert column(double, "score") == pytest.approx(column(single, "score"))
    width = {board: (board.table["high"] - board.table["low"]).sum() for board in (single, double)}
    assert width[double] < width[single]
