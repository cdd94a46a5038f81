"""Item grades of a whole benchmark to scores."""

import math
from statistics import fmean, median

import polars as pl
import pytest
from benchmarks.aggregate import aggregate_scores, correct_for_prior, penalise_length
from hypothesis import given
from hypothesis import strategies as st

from checkwise.records import ItemGrade
from checkwise.scoring.mean import mean_score


def table(*rows):
    return pl.DataFrame(rows, schema=["instance_id", "model", "number", "p_yes"], orient="row", strict=False)


LIST = table(("q", "m", 1, 0.9), ("q", "m", 2, 0.5), ("q", "m", 3, 0.1), ("q", "m", 4, None))


def value(scores, model="m"):
    return scores.filter(pl.col("model") == model)["value"].item()


def test_the_mean_is_over_the_scored_items():
    row = aggregate_scores(LIST).row(0, named=True)
    assert row == {"instance_id": "q", "model": "m", "value": pytest.approx(0.5), "items": 4, "scored_items": 3}


def test_the_median():
    assert (
        value(aggregate_scores(table(("q", "m", 1, 0.9), ("q", "m", 2, 0.6), ("q", "m", 3, 0.0)), averaging="median"))
        == 0.6
    )


def test_the_mean_of_logits():
    # Logits ln 9 and 0, so that the mean is ln 3 and the value 3/4.
    assert value(aggregate_scores(LIST.head(2), averaging="logit mean")) == pytest.approx(0.75)
    # A certain judge does not weigh without end.
    assert value(
        aggregate_scores(table(("q", "m", 1, 1.0), ("q", "m", 2, 0.0)), averaging="logit mean")
    ) == pytest.approx(0.5)


def test_weights_of_items():
    weights = pl.DataFrame({"instance_id": ["q"] * 3, "number": [1, 2, 3], "weight": [3.0, 1.0, 0.0]})
    assert value(aggregate_scores(LIST, weights=weights)) == pytest.approx((3 * 0.9 + 0.5) / 4)
    with pytest.raises(ValueError, match="a median takes no weights"):
        aggregate_scores(LIST, weights=weights, averaging="median")


def test_an_item_without_a_weight_counts_like_the_others_of_its_list():
    weights = pl.DataFrame({"instance_id": ["q", "q"], "number": [1, 2], "weight": [3.0, 1.0]})
    assert value(aggregate_scores(LIST.head(3), weights=weights)) == pytest.approx((3 * 0.9 + 0.5 + 2 * 0.1) / 6)


def test_items_without_any_weight_leave_no_score():
    weights = pl.DataFrame({"instance_id": ["q"] * 3, "number": [1, 2, 3], "weight": [0.0] * 3})
    assert value(aggregate_scores(LIST.head(3), weights=weights)) is None


def test_dropped_items_are_gone():
    dropped = pl.DataFrame({"instance_id": ["q", "q"], "number": [3, 4]})
    row = aggregate_scores(LIST, dropped=dropped).row(0, named=True)
    assert (row["value"], row["items"], row["scored_items"]) == (pytest.approx(0.7), 2, 2)


def test_fewer_than_half_scored_is_no_score():
    assert value(aggregate_scores(table(("q", "m", 1, 0.9), ("q", "m", 2, None), ("q", "m", 3, None)))) is None


P = st.none() | st.floats(min_value=0, max_value=1)


@given(st.dictionaries(st.sampled_from("abc"), st.lists(P, min_size=1, max_size=6), min_size=1))
def test_the_mean_is_that_of_the_records(lists):
    rows = [("q", model, n, p) for model, ps in lists.items() for n, p in enumerate(ps, start=1)]
    found = aggregate_scores(table(*rows))
    for model in lists:
        grades = [
            ItemGrade(instance_id="q", model=model, number=n, item="?", p_yes=p, mode="logprobs")
            for _, m, n, p in rows
            if m == model
        ]
        expected = mean_score(grades, instance_id="q", model=model).value
        assert value(found, model) == (None if expected is None else pytest.approx(expected))


@given(st.lists(st.floats(min_value=0.001, max_value=0.999), min_size=1, max_size=9))
def test_all_ways_agree_with_python(ps):
    grades = table(*(("q", "m", n, p) for n, p in enumerate(ps, start=1)))
    logit = fmean(math.log(p / (1 - p)) for p in ps)
    assert value(aggregate_scores(grades)) == pytest.approx(fmean(ps))
    assert value(aggregate_scores(grades, averaging="median")) == pytest.approx(median(ps))
    assert value(aggregate_scores(grades, averaging="logit mean")) == pytest.approx(1 / (1 + math.exp(-logit)))


SCORES = pl.DataFrame({"instance_id": ["q", "q", "r"], "model": ["a", "b", "a"], "value": [0.5, 0.5, None]})
LENGTHS = pl.DataFrame({"instance_id": ["q", "q", "r"], "model": ["a", "b", "a"], "length": [400, 100, 50]})


def test_a_longer_response_pays_for_each_doubling():
    # 400 and 100 characters are one doubling above and one below their geometric mean.
    found = penalise_length(SCORES, LENGTHS, per_doubling=math.log(3))["value"].to_list()
    assert found == [pytest.approx(0.25), pytest.approx(0.75), None]
    assert penalise_length(SCORES, LENGTHS, per_doubling=0)["value"].to_list() == pytest.approx([0.5, 0.5, None])


def test_the_prior_is_taken_out():
    priors = pl.DataFrame({"instance_id": ["q", "q"], "number": [1, 2], "p_yes": [0.9, 0.5]})
    found = correct_for_prior(LIST, priors, strength=1)["p_yes"].to_list()
    # An item that is Yes anyway says nothing; one without a prior stays; unscored stays unscored.
    assert found == [pytest.approx(0.5), pytest.approx(0.5), 0.1, None]
    assert correct_for_prior(LIST, priors, strength=0)["p_yes"].to_list() == pytest.approx([0.9, 0.5, 0.1, None])


grades = st.dictionaries(
    st.tuples(st.sampled_from("xyz"), st.sampled_from("abc"), st.integers(1, 4)),
    st.one_of(st.none(), st.floats(0, 1)),
    min_size=1,
)


@given(grades, st.randoms(use_true_random=False))
def test_names_order_and_an_unscored_response_change_no_score(cells, random):
    rows = [(i, m, n, p) for (i, m, n), p in cells.items()]
    plain = {(i, m): v for i, m, v in aggregate_scores(table(*rows))["instance_id", "model", "value"].rows()}
    new = {"a": "zoe", "b": "al", "c": "c"}
    shuffled = [(i, new[m], n, p) for i, m, n, p in rows] + [("x", "silent", n, None) for n in (1, 2)]
    random.shuffle(shuffled)
    found = aggregate_scores(table(*shuffled))["instance_id", "model", "value"].rows()
    assert {(i, m): v for i, m, v in found if m != "silent"} == pytest.approx(
        {(i, new[m]): v for (i, m), v in plain.items()}
    )
    assert [v for _, m, v in found if m == "silent"] == [None]
