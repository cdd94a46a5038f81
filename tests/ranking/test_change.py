"""What became of scores between two runs, on the instances that both have."""

import polars as pl
import pytest

from checkwise.errors import DataError
from checkwise.ranking.change import changes


def scores(**models):
    rows = [(f"q{n}", model, value) for model, values in models.items() for n, value in enumerate(values)]
    schema = {"instance_id": pl.String, "model": pl.String, "value": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def test_the_difference_is_the_mean_over_the_instances_that_both_have():
    before = scores(m=[0.5, 0.6, 0.7, None, 0.1])
    after = scores(m=[0.6, 0.6, 0.9, 1.0])
    (found,) = changes(before, after)
    # (0.1 + 0 + 0.2) / 3; one is unscored before, and one is missing after.
    assert found.difference == pytest.approx(0.1)
    assert (found.before, found.after) == (pytest.approx(0.6), pytest.approx(0.7))
    assert (found.instances, found.left_out) == (3, 2)
    assert found.interval.low <= 0.1 <= found.interval.high


def test_the_interval_is_paired():
    # Instances differ far more from one another than each does from itself.
    levels = [n / 40 for n in range(40)]
    before = scores(m=levels)
    after = scores(m=[level + 0.05 + 0.01 * (-1) ** n for n, level in enumerate(levels)])
    (found,) = changes(before, after)
    assert 0.04 < found.interval.low < 0.05 < found.interval.high < 0.06


def test_the_same_difference_everywhere_claims_no_certainty():
    (found,) = changes(scores(m=[0.5] * 5), scores(m=[0.5] * 5))
    assert found.difference == 0
    # Clopper and Pearson for 5 of 5 at 95%: the unseen part is 1 - 0.025 ** (1 / 5) = 0.522.
    assert (found.interval.low, found.interval.high) == (
        pytest.approx(-0.522, abs=1e-3),
        pytest.approx(0.522, abs=1e-3),
    )


def test_one_instance_has_no_interval_and_none_has_no_difference():
    one, none = changes(scores(m=[0.5], n=[0.5]), scores(m=[0.7], n=[None]))
    assert (one.difference, one.interval) == (pytest.approx(0.2), None)
    assert (none.difference, none.interval, none.instances) == (None, None, 0)


def test_models_of_other_names():
    (found,) = changes(scores(old=[0.5, 0.5]), scores(new=[0.6, 0.8]), models={"new": "old"})
    assert (found.model, found.difference) == ("new", pytest.approx(0.2))


@pytest.mark.parametrize(
    ("models", "says"), [({"x": "old"}, "later run has no model x"), ({"new": "y"}, "earlier run has no model y")]
)
def test_a_model_that_is_not_there(models, says):
    with pytest.raises(DataError, match=says):
        changes(scores(old=[0.5]), scores(new=[0.6]), models=models)
