"""What a model costs: from the price list, as the user says, or by the hour."""

import pytest

from checkwise.costs import Price, Prices
from checkwise.errors import UserError
from checkwise.questions import Usage


def test_a_hosted_model_is_found_by_its_name():
    # The list's own figures for gpt-4o-mini: $0.15 and $0.60 a million, half of it from the cache.
    price = Prices().find("openai:gpt-4o-mini")
    assert (price.read, price.reused, price.written) == pytest.approx((0.15, 0.075, 0.60))
    assert price.source == "genai-prices: openai gpt-4o-mini"


def test_or_by_its_address():
    price = Prices().find("https://api.openai.com/v1#gpt-4o-mini")
    assert (price.read, price.written) == pytest.approx((0.15, 0.60))


@pytest.mark.parametrize(
    "model",
    ["local:qwen2.5-coder-1.5b", "gguf:/models/gpt-4o", "http://localhost:8000/v1#gpt-4o", "openai:no-such", "judge"],
)
def test_what_nobody_knows_is_unknown_and_not_free(model):
    assert Prices().find(model) is None


def test_a_price_that_is_given_comes_first():
    prices = Prices(given={"openai:gpt-4o-mini": Price.parse("1,2")})
    assert prices.find("openai:gpt-4o-mini").read == 1
    assert prices.find("openai:gpt-4o").read == pytest.approx(2.5)


def test_a_machine_has_a_price_by_the_hour_where_there_is_none_by_tokens():
    prices = Prices(machine_hour=0.50)
    # Six minutes.
    assert prices.find("local:small").of(Usage(prompt_tokens=1000, seconds=360)) == pytest.approx(0.05)
    assert prices.find("openai:gpt-4o").hour == 0


def test_cached_tokens_and_written_ones_have_prices_of_their_own():
    price = Price.parse("2,10,0.5")
    # 300 are computed, 700 are reused: 300 x 2 + 700 x 0.5 + 100 x 10 = 1,950 millionths.
    usage = Usage(prompt_tokens=1000, computed_tokens=300, generated_tokens=100)
    assert price.of(usage) == pytest.approx(0.00195)


def test_without_a_price_of_their_own_cached_tokens_cost_what_others_do():
    assert Price.parse("2,10").of(Usage(prompt_tokens=1_000_000)) == pytest.approx(2)


@pytest.mark.parametrize("text", ["", "1", "1;2", "a,b", "1,2,3,4", "-1,2", "1,nan", "1,inf"])
def test_a_price_that_is_none_is_refused(text):
    with pytest.raises(UserError, match="IN,OUT"):
        Price.parse(text)


def test_prices_are_kept_with_a_run():
    prices = Prices(given={"a=b": Price.parse("1,2,0.5")}, machine_hour=3)
    assert Prices.from_json(prices.to_json()) == prices
    assert Prices(machine_hour=4).over(prices) == Prices(given=prices.given, machine_hour=4)


def test_batches_cost_half():
    whole, half = (Prices().find(name) for name in ("openai:gpt-4o-mini", "batch:openai:gpt-4o-mini"))
    assert (half.read, half.written) == pytest.approx((whole.read / 2, whole.written / 2))
    assert "half in batches" in str(half)
