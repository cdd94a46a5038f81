import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import pearsonr

from checkwise.errors import DataError
from checkwise.trust.items import ItemThresholds, flagged_items, item_statistics, items_by_category

GRADES = {
    "instance_id": pl.String,
    "model": pl.String,
    "number": pl.Int64,
    "item": pl.String,
    "p_yes": pl.Float64,
    "mass": pl.Float64,
    "low_mass": pl.Boolean,
}


def grades_of(lists, *, mass=1.0, low_mass=False):
    """Grades from {instance: {model: [p_yes of item 1, of item 2, ...]}}."""
    rows = [
        (instance, model, number, f"Item {number} of {instance}?", p_yes, mass, low_mass)
        for instance, models in lists.items()
        for model, answers in models.items()
        for number, p_yes in enumerate(answers, start=1)
    ]
    return pl.DataFrame(rows, schema=GRADES, orient="row")


def scores_for(grades, *empty):
    """Scores of the responses that were graded; ``empty`` names models whose responses are."""
    status = pl.when(pl.col("model").is_in(empty)).then(pl.lit("empty")).otherwise(pl.lit("scored"))
    return grades.select("instance_id", "model").unique().with_columns(status=status)


def statistics_of(lists, *empty):
    grades = grades_of(lists)
    return item_statistics(grades, scores_for(grades, *empty))


FOUR = {"q": {"a": [0.9, 0.8, 0.1], "b": [0.6, 0.5, 0.4], "c": [0.2, 0.3, 0.9], "d": [0.1, None, 0.6]}}


def test_counts_and_shares_by_hand():
    found = statistics_of(FOUR)
    assert found["n"].to_list() == [4, 3, 4]
    assert found["unscored"].to_list() == [0, 1, 0]
    assert found["mean_p_yes"].to_list() == pytest.approx([0.45, 1.6 / 3, 0.5])
    # A half is a Yes.
    assert found["yes_share"].to_list() == pytest.approx([2 / 4, 2 / 3, 2 / 4])


def test_discrimination_is_the_correlation_with_the_rest_of_the_list():
    found = statistics_of(FOUR)
    # For d the rest of item 1 is item 3 alone, because item 2 is unscored.
    first = pearsonr([0.9, 0.6, 0.2, 0.1], [0.45, 0.45, 0.6, 0.6]).statistic
    second = pearsonr([0.8, 0.5, 0.3], [0.5, 0.5, 0.55]).statistic
    third = pearsonr([0.1, 0.4, 0.9, 0.6], [0.85, 0.55, 0.25, 0.1]).statistic
    assert found["discrimination"].to_list() == pytest.approx([first, second, third])
    assert found["discrimination_n"].to_list() == [4, 3, 4]
    assert found["discrimination_reason"].to_list() == [None] * 3


def test_redundancy_names_the_item_that_goes_with_it_most():
    found = statistics_of(FOUR)
    one_two = pearsonr([0.9, 0.6, 0.2], [0.8, 0.5, 0.3]).statistic
    two_three = pearsonr([0.8, 0.5, 0.3], [0.1, 0.4, 0.9]).statistic
    # Of items 1 and 2, products of deviations from the mean add up to 0.1733, squares to 0.2467 and 0.1267.
    assert one_two == pytest.approx(0.1733 / (0.2467 * 0.1267) ** 0.5, abs=1e-3)
    assert found["redundancy"].to_list() == pytest.approx([one_two, one_two, two_three])
    assert found["redundant_with"].to_list() == [2, 1, 2]
    assert found["redundancy_n"].to_list() == [3, 3, 3]


def test_of_two_items_that_go_with_it_alike_the_first_is_named():
    answers = {"a": [0.1, 0.3, 0.2], "b": [0.2, 0.6, 0.4], "c": [0.4, 1.0, 0.8]}
    found = statistics_of({"q": {model: [p, q, p] for model, (p, q, _) in answers.items()}})
    assert found["redundant_with"].to_list() == [3, 1, 1]


def test_what_has_no_correlation_says_why():
    found = statistics_of(
        {
            "alone": {"a": [0.1], "b": [0.2], "c": [0.3]},
            "few": {"a": [0.1, 0.2], "b": [0.2, 0.1]},
            "same": {"a": [0.3, 0.1], "b": [0.3, 0.2], "c": [0.3, 0.9]},
            "unscored": {"a": [None, 0.1], "b": [None, 0.2], "c": [None, 0.9]},
        }
    )
    for name in ("discrimination", "redundancy"):
        assert found[name].to_list() == [None] * 7
    assert found["discrimination_reason"].to_list() == [
        "the list has no other item",
        "2 scored responses are too few for a correlation; 3 are needed",
        "2 scored responses are too few for a correlation; 3 are needed",
        "every response got the same answer",
        "the rest of the list got the same answer for every response",
        "0 scored responses are too few for a correlation; 3 are needed",
        "0 scored responses are too few for a correlation; 3 are needed",
    ]
    assert found["redundancy_reason"][4] == "every other item of the list got the same answer for every response"
    assert found["redundant_with"].to_list() == [None] * 7
    assert found.filter(instance_id="unscored", number=1)["mean_p_yes"].to_list() == [None]


def test_empty_responses_are_left_out_and_counted():
    lists = {"q": FOUR["q"] | {"e": [0.0, 0.0, 0.0]}}
    with_empty, without = statistics_of(lists, "e"), statistics_of(FOUR)
    assert with_empty["empty"].to_list() == [1, 1, 1]
    assert_frame_equal(with_empty.drop("empty"), without.drop("empty"))


def test_mass_is_over_scored_grades():
    grades = grades_of({"q": {"a": [0.9], "b": [0.2], "c": [None]}}).with_columns(
        mass=pl.Series([0.9, 0.3, None]), low_mass=pl.Series([False, True, False])
    )
    (found,) = item_statistics(grades, scores_for(grades)).rows(named=True)
    assert (found["mean_mass"], found["low_mass_share"]) == (pytest.approx(0.6), 0.5)


def test_there_may_be_no_grades_and_nan_is_unscored():
    assert statistics_of({}).is_empty()
    found = statistics_of({"q": {"a": [float("nan")], "b": [0.5], "c": [0.7]}})
    assert found.select("n", "unscored", "mean_p_yes").row(0) == (2, 1, 0.6)


def test_unsound_grades_are_refused():
    grades = grades_of(FOUR)
    with pytest.raises(DataError, match="more than one row for a, 1"):
        item_statistics(pl.concat([grades, grades.head(1)]), scores_for(grades))
    with pytest.raises(DataError, match="scores lack status"):
        item_statistics(grades, scores_for(grades).drop("status"))
    other = grades.with_columns(item=pl.when(pl.col("model") == "b").then(pl.lit("Other?")).otherwise("item"))
    with pytest.raises(DataError, match="id q: item 1 has 2 texts; 3 such items"):
        item_statistics(other, scores_for(grades))


def reference(lists):
    """The same by numpy, one item at a time; for lists without unscored grades."""
    for models in lists.values():
        answers = np.array(list(models.values()))
        for column in range(answers.shape[1]):
            rest = np.delete(answers, column, axis=1)
            others = [np.corrcoef(answers[:, column], other)[0, 1] for other in rest.T]
            yield np.corrcoef(answers[:, column], rest.mean(axis=1))[0, 1], max(others, key=abs)


def random_lists(seed, *, instances=6, models=5, items=4):
    drawn = np.random.default_rng(seed).random((instances, models, items))
    return {f"q{i}": {f"m{m}": list(row) for m, row in enumerate(rows)} for i, rows in enumerate(drawn.tolist())}


def test_correlations_are_those_of_numpy():
    lists = random_lists(1)
    expected = np.array(list(reference(lists)))
    found = statistics_of(lists).select("discrimination", "redundancy").to_numpy()
    np.testing.assert_allclose(found, expected)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.permutations(range(5)), st.permutations(range(6)))
def test_neither_the_order_of_rows_nor_names_change_anything(seed, models, instances):
    lists = random_lists(seed)
    renamed = {
        f"q{instances[i]}": {f"m{models[m]}": row for m, row in enumerate(rows.values())}
        for i, rows in enumerate(lists.values())
    }
    plain, grades = statistics_of(lists), grades_of(renamed).sample(fraction=1, shuffle=True, seed=seed)
    again = item_statistics(grades, scores_for(grades))
    back = pl.DataFrame({"instance_id": [f"q{i}" for i in instances], "was": [f"q{i}" for i in range(6)]})
    found = again.join(back, on="instance_id").with_columns(instance_id="was").drop("was").sort("instance_id", "number")
    assert_frame_equal(found.drop("item"), plain.drop("item"), rel_tol=1e-9)


def test_many_instances_are_looked_at_in_parts(monkeypatch):
    lists = random_lists(2)
    whole = statistics_of(lists)
    monkeypatch.setattr("checkwise.trust.items._PAIRS_AT_ONCE", 40)
    assert_frame_equal(statistics_of(lists), whole)


POOR = {
    "q": {
        # Always Yes; against the rest; plain; the same as the one before; always No; two more plain ones.
        "a": [0.99, 0.1, 0.9, 0.91, 0.0, 0.8, 0.7],
        "b": [0.98, 0.2, 0.7, 0.70, 0.1, 0.9, 0.5],
        "c": [0.99, 0.5, 0.5, 0.52, 0.0, 0.4, 0.6],
        "d": [0.97, 0.6, 0.3, 0.31, 0.1, 0.5, 0.2],
        "e": [0.98, 0.9, 0.1, 0.12, 0.0, 0.2, 0.2],
    }
}


def test_poor_items_are_listed_with_what_can_be_done():
    flags = flagged_items(statistics_of(POOR))
    assert flags.select("number", "flag", "other").rows() == [
        (1, "nearly always Yes", None),
        (2, "low discrimination", None),
        (4, "redundant", 3),
        (5, "nearly always No", None),
    ]
    said = dict(zip(flags["number"], flags["suggestion"], strict=True))
    assert "hardly tells them apart" in said[1]
    assert "do worse on this item" in said[2]
    assert "the same answers as item 3" in said[4]
    assert "can meet the item" in said[5]


def test_an_item_that_hardly_goes_with_the_rest_may_be_one_of_its_own():
    statistics = statistics_of(POOR).with_columns(discrimination=pl.lit(0.05), mean_p_yes=pl.lit(0.5))
    flags = flagged_items(statistics).filter(flag="low discrimination")
    assert flags["number"].to_list() == [*range(1, 8)]
    assert "keep it if it asks for something of its own" in flags["suggestion"][0]


def test_low_mass_is_flagged():
    grades = grades_of(POOR, low_mass=True)
    flags = flagged_items(item_statistics(grades, scores_for(grades))).filter(flag="low mass")
    assert (flags.height, flags["value"][0], flags["n"][0]) == (7, 1.0, 5)
    assert "can be answered by one of them" in flags["suggestion"][0]


def test_nothing_is_flagged_over_fewer_responses_than_asked_for():
    statistics = statistics_of(POOR)
    assert flagged_items(statistics, thresholds=ItemThresholds(fewest=6)).is_empty()
    assert flagged_items(statistics_of({})).is_empty()
    strict = flagged_items(statistics, thresholds=ItemThresholds(nearly_always=0.55))
    # Mean p_yes: 0.98, 0.46, 0.5, 0.51, 0.04, 0.56, 0.44.
    assert strict.filter(flag="nearly always Yes")["number"].to_list() == [1, 6]
    assert strict.filter(flag="nearly always No")["number"].to_list() == [5, 7]


def test_items_by_category():
    statistics = statistics_of(POOR | {"r": {"a": [0.5], "b": [0.6]}, "s": {"a": [0.4]}})
    categories = pl.DataFrame({"instance_id": ["q", "r"], "category": ["math", "writing"]})
    table = items_by_category(statistics, flagged_items(statistics), categories)
    assert table.select("category", "instances", "items", "flagged", "nearly always Yes", "redundant").rows() == [
        ("math", 1, 7, 4, 1, 1),
        ("writing", 1, 1, 0, 0, 0),
        (None, 1, 1, 0, 0, 0),
    ]
    assert table["mean_p_yes"].to_list()[1:] == pytest.approx([0.55, 0.4])
    assert table["mean_discrimination"].to_list()[1:] == [None, None]
    with pytest.raises(DataError, match="categories hold more than one row"):
        twice = pl.concat([categories, categories.with_columns(category=pl.lit("other"))])
        items_by_category(statistics, flagged_items(statistics), twice)
