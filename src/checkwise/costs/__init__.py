"""What a run costs: tokens and prices, before it and after it, and a limit on both."""

from checkwise.costs.bill import Bill
from checkwise.costs.budget import Budget, Spending
from checkwise.costs.many_tests import TESTS, ManyTests
from checkwise.costs.prices import Price, Prices

__all__ = ["TESTS", "Bill", "Budget", "ManyTests", "Price", "Prices", "Spending"]
