"""Tokens and money by step and model."""

import pytest

from checkwise.costs import Bill, Price, Prices
from checkwise.costs.money import dollars
from checkwise.store import Used

USED = [
    Used("checklist", "generate", "big", 2, prompt_tokens=1000, computed_tokens=1000, generated_tokens=400, seconds=4),
    Used("grading", "choose", "small", 8, prompt_tokens=4000, computed_tokens=1500, generated_tokens=8, seconds=2),
    Used("grading", "generate", "small", 1, prompt_tokens=500, computed_tokens=500, generated_tokens=20, seconds=1),
]


def test_each_step_and_model_has_a_line():
    prices = Prices(given={"big": Price.parse("10,20"), "small": Price.parse("1,2,0.5")})
    checklist, grading = Bill.of(USED, prices).lines
    # 1,000 x 10 + 400 x 20 = 18,000 millionths.
    assert checklist.cost == pytest.approx(0.018)
    # Of 4,500 tokens 2,500 are reused: 2,000 x 1 + 2,500 x 0.5 + 28 x 2 = 3,306 millionths.
    assert (grading.questions, grading.reused, grading.usage.generated_tokens) == (9, 2500, 28)
    assert grading.cost == pytest.approx(0.003306)


def test_the_total_is_unknown_where_one_price_is():
    bill = Bill.of(USED, Prices(given={"big": Price.parse("10,20")}))
    assert bill.only({"checklist"}).cost == pytest.approx(0.018)
    assert bill.cost is None
    assert "price not known" in str(bill)
    assert any("small is not known, and is not taken for 0" in note for note in bill.price_notes())


def test_an_hourly_price_of_an_unknown_time_is_unknown():
    untimed = [Used("grading", "choose", "small", 8, prompt_tokens=4000)]
    assert Bill.of(untimed, Prices(machine_hour=1)).cost is None
    assert Bill.of(USED, Prices(machine_hour=36)).cost == pytest.approx(0.07)


def test_nothing_costs_nothing():
    assert Bill.of([], Prices()).cost == 0


def test_money_for_people():
    assert [dollars(amount) for amount in (None, 0, 12345.678, 0.01234, 0.00000001)] == [
        *("unknown", "$0.00", "$12,345.68", "$0.0123", "under $0.0001")
    ]
