"""From the options about money to prices and limits."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from checkwise.costs import Prices, Spending


def make_prices(price: Sequence[str] | None, machine_hour: float | None, *, judge: str) -> "Prices":
    """Read the prices that a user gives.

    Args:
        price: Texts ``[MODEL=]IN,OUT[,CACHED]``.
        machine_hour: Dollars per hour of engine time.
        judge: The model that a price without a name is about.

    Returns:
        The prices.

    Raises:
        UserError: A text is not of that form.
    """
    from checkwise.costs import Price, Prices
    from checkwise.runs.run_models import full_name

    given = {}
    for text in price or ():
        # The last sign: an address may have one of its own.
        name, _, numbers = text.rpartition("=")
        given[full_name(name or judge)] = Price.parse(numbers)
    return Prices(given=given, machine_hour=machine_hour)


def make_spending(
    price: Sequence[str] | None,
    machine_hour: float | None,
    *,
    judge: str,
    max_cost: float | None = None,
    max_calls: int | None = None,
) -> "Spending":
    """Collect what a run may spend; see ``make_prices``."""
    from checkwise.costs import Spending

    return Spending(max_cost=max_cost, max_calls=max_calls, prices=make_prices(price, machine_hour, judge=judge))
