import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from checkwise.bootstrap import Interval
from checkwise.errors import DataError, NothingJudgedError
from checkwise.ranking.pairs import OUTCOMES, in_name_order
from checkwise.trust.agreement import agreement, agreement_by_category, human_agreement
from checkwise.trust.kappa import cohen_kappa
from checkwise.trust.paired import agreement_difference

SWAP = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}


def votes_of(*rows):
    """Rows of (instance, model_a, model_b, winner, judge)."""
    return pl.DataFrame(
        list(rows),
        schema=dict.fromkeys(("instance_id", "model_a", "model_b", "winner", "judge"), pl.String),
        orient="row",
    )


def outcomes_of(*rows):
    """Rows of (instance, model_a, model_b, outcome)."""
    return pl.DataFrame(
        list(rows), schema=dict.fromkeys(("instance_id", "model_a", "model_b", "outcome"), pl.String), orient="row"
    )


VOTES = votes_of(
    ("q1", "a", "b", "model_a", "eva"),
    ("q1", "a", "b", "model_a", "tom"),
    ("q1", "b", "a", "model_a", "kim"),
    ("q1", "a", "c", "tie", "eva"),
    ("q2", "c", "a", "tie", "eva"),
    ("q2", "a", "b", "model_b", "tom"),
    ("q3", "a", "b", "model_a", "tom"),
)
OUTCOMES_OF_JUDGE = outcomes_of(
    ("q1", "a", "b", "model_a"),
    ("q1", "a", "c", "tie"),
    ("q2", "a", "c", "model_a"),
    ("q2", "b", "a", "model_a"),
    ("q3", "a", "b", None),
)


def test_agreement_by_hand():
    # Agreed with: eva, tom and eva's tie on q1; tom on q2. Not: kim on q1 and eva on q2. q3 was not judged.
    found = agreement(OUTCOMES_OF_JUDGE, VOTES)
    assert found.rate == pytest.approx(4 / 6)
    assert (found.votes, found.instances, found.left_out) == (6, 2, 1)
    # Ties: 1 of 6 by the judge, 2 of 6 by people; by chance 1/6 · 2/6 + 5/6 · 4/6 / 2 = 1/3, so (2/3 - 1/3) / (2/3).
    assert found.kappa == pytest.approx(0.5)
    # Resamples: q1 twice (3 of 4), q2 twice (1 of 2), or both (4 of 6).
    assert found.interval == Interval(0.5, 0.75)


def test_one_instance_has_no_interval():
    assert agreement(OUTCOMES_OF_JUDGE, VOTES.filter(instance_id="q1")).interval is None


def test_a_vote_on_a_pair_that_nobody_scored_is_left_out_like_an_unscored_one():
    extra = votes_of(("q9", "a", "b", "model_a", "eva"), ("q1", "a", "b", None, "ben"))
    found = agreement(OUTCOMES_OF_JUDGE, pl.concat([VOTES, extra]))
    assert (found.rate, found.left_out) == (pytest.approx(4 / 6), 3)


def test_agreement_over_nothing_is_no_figure():
    with pytest.raises(NothingJudgedError, match="none of the 1 votes"):
        agreement(OUTCOMES_OF_JUDGE, VOTES.filter(instance_id="q3"))
    with pytest.raises(NothingJudgedError, match="none of the 0 votes"):
        agreement(OUTCOMES_OF_JUDGE, VOTES.clear())


def test_two_outcomes_for_one_pair_are_refused():
    doubled = pl.concat([OUTCOMES_OF_JUDGE, outcomes_of(("q1", "b", "a", "model_a"))])
    with pytest.raises(DataError, match="id q1: the outcomes hold more than one row for a, b"):
        agreement(doubled, VOTES)


def test_people_with_each_other_by_hand():
    # q1, a-b: eva-tom agree, eva-kim and tom-kim do not; all others voted alone.
    found = human_agreement(VOTES)
    assert found.rate == pytest.approx(1 / 3)
    assert (found.votes, found.instances, found.left_out) == (3, 1, 4)
    # No ties: by chance a half.
    assert found.kappa == pytest.approx((1 / 3 - 1 / 2) / (1 / 2))


def test_people_are_not_compared_with_themselves_or_with_nobody():
    same = votes_of(("q1", "a", "b", "tie", "eva"), ("q1", "b", "a", "tie", "eva"))
    with pytest.raises(NothingJudgedError, match="no two people"):
        human_agreement(same)
    with pytest.raises(NothingJudgedError, match="no two people"):
        human_agreement(same.with_columns(judge=pl.Series([None, "eva"])))


def test_each_category_is_measured_on_its_own():
    categories = pl.DataFrame({"instance_id": ["q1", "q2"], "category": ["writing", "math"]})
    table = agreement_by_category(VOTES, categories, lambda votes: agreement(OUTCOMES_OF_JUDGE, votes))
    assert table.select("category", "rate", "votes", "instances", "left_out").rows() == [
        ("math", 0.5, 2, 1, 0),
        ("writing", 0.75, 4, 1, 0),
        (None, None, 0, 0, 1),
    ]
    people = agreement_by_category(VOTES, categories, human_agreement)
    assert people.select("category", "votes", "left_out").rows() == [("math", 0, 2), ("writing", 3, 1), (None, 0, 1)]


def test_an_instance_with_two_categories_is_refused():
    categories = pl.DataFrame({"instance_id": ["q1", "q1"], "category": ["writing", "math"]})
    with pytest.raises(DataError, match="categories hold more than one row"):
        agreement_by_category(VOTES, categories, human_agreement)


def test_the_difference_by_hand():
    # On q1 the other judge agrees with kim alone (1 of 4 against 3), on q2 with eva alone (1 of 2 against 1).
    other = outcomes_of(
        ("q1", "a", "b", "model_b"), ("q1", "a", "c", "model_a"), ("q2", "a", "c", "tie"), ("q2", "a", "b", "tie")
    )
    found = agreement_difference(OUTCOMES_OF_JUDGE, other, VOTES)
    assert found.value == pytest.approx(4 / 6 - 2 / 6)
    assert (found.votes, found.instances, found.left_out) == (6, 2, 1)
    assert found.interval == Interval(0.0, 0.5)
    with pytest.raises(NothingJudgedError, match="both judges"):
        agreement_difference(OUTCOMES_OF_JUDGE, other.clear(), VOTES)


cases = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2", "q3", "q4"]),
        st.sampled_from([("a", "b"), ("b", "a"), ("a", "c"), ("c", "b")]),
        st.sampled_from(OUTCOMES),
        st.sampled_from(["eva", "tom", "kim"]),
    ),
    min_size=2,
    max_size=30,
).map(lambda rows: votes_of(*((i, a, b, w, j) for i, (a, b), w, j in rows)))
judges = st.dictionaries(
    st.tuples(st.sampled_from(["q1", "q2", "q3", "q4"]), st.sampled_from([("a", "b"), ("a", "c"), ("b", "c")])),
    st.sampled_from(OUTCOMES),
    min_size=12,
).map(lambda table: outcomes_of(*((i, a, b, w) for (i, (a, b)), w in table.items())))


@settings(max_examples=40, deadline=None)
@given(judges, cases, st.randoms(use_true_random=False))
def test_the_order_of_votes_and_outcomes_changes_nothing(outcomes, votes, random):
    seed = random.randrange(1000)
    shuffled = agreement(
        outcomes.sample(fraction=1, shuffle=True, seed=seed),
        votes.sample(fraction=1, shuffle=True, seed=seed),
        draws=50,
    )
    assert shuffled == agreement(outcomes, votes, draws=50)


@settings(max_examples=40, deadline=None)
@given(judges, cases, st.permutations("abc"))
def test_renaming_models_changes_nothing(outcomes, votes, names):
    new = dict(zip("abc", names, strict=True))
    columns = pl.col("model_a", "model_b").replace(new)
    renamed = agreement(outcomes.with_columns(columns), votes.with_columns(columns), draws=50)
    assert renamed == agreement(outcomes, votes, draws=50)
    assert _people(votes.with_columns(columns)) == _people(votes)


def _people(votes):
    try:
        return human_agreement(votes, draws=50)
    except NothingJudgedError:
        return None


@settings(max_examples=40, deadline=None)
@given(judges, cases)
def test_the_rate_is_the_plain_count(outcomes, votes):
    table = {(i, a, b): o for i, a, b, o in outcomes.rows()}
    agreed = [table[i, a, b] == w for i, a, b, w, _ in in_name_order(votes, "winner").rows()]
    found = agreement(outcomes, votes, draws=50)
    assert found.rate == pytest.approx(sum(agreed) / len(agreed))
    if found.interval:
        assert found.interval.low <= found.interval.high


@settings(max_examples=40, deadline=None)
@given(judges)
def test_a_judge_agrees_fully_with_its_own_votes(outcomes):
    own = outcomes.select("instance_id", "model_a", "model_b", winner="outcome", judge=pl.lit("itself"))
    found = agreement(outcomes, own, draws=50)
    assert (found.rate, found.interval) == (1.0, Interval(1.0, 1.0))
    assert found.kappa in (1.0, None)
    assert agreement_difference(outcomes, outcomes, own, draws=50).interval == Interval(0.0, 0.0)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(OUTCOMES), st.sampled_from(OUTCOMES)), min_size=1))
def test_kappa_is_scikit_learns_over_both_orders(pairs):
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    ours = cohen_kappa(pl.Series(first), pl.Series(second))
    if set(first) == set(second) == {"tie"}:
        assert ours is None
    else:
        both_first, both_second = (side + [SWAP[outcome] for outcome in side] for side in (first, second))
        assert ours == pytest.approx(cohen_kappa_score(both_first, both_second, labels=list(OUTCOMES)))


def test_kappa_over_nothing_is_nothing():
    assert cohen_kappa(pl.Series([], dtype=pl.String), pl.Series([], dtype=pl.String)) is None


def test_twice_the_instances_leave_the_rate_and_narrow_the_interval():
    votes = votes_of(*((f"q{i}", "a", "b", "model_a" if i % 3 else "tie", "eva") for i in range(20)))
    outcomes = outcomes_of(*((f"q{i}", "a", "b", "model_a") for i in range(20)))
    renamed = pl.col("instance_id") + "-again"
    once = agreement(outcomes, votes)
    twice = agreement(
        pl.concat([outcomes, outcomes.with_columns(renamed)]), pl.concat([votes, votes.with_columns(renamed)])
    )
    assert (once.rate, twice.rate) == (0.65, 0.65)
    assert twice.interval.high - twice.interval.low < once.interval.high - once.interval.low
