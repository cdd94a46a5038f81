"""What a benchmark costs over many tests: checklists are paid once, grading for each model that is tested.

RocketEval (arXiv 2503.05142), section 4: the cost of judging 1, 10, 100 and 1,000 models.
"""

from dataclasses import dataclass

TESTS = (1, 10, 100, 1000)
"""How many models are tested."""


@dataclass(frozen=True)
class ManyTests:
    """What tests cost; None is not known.

    Args:
        once: Dollars for what is done once for the benchmark, such as writing checklists.
        a_test: Dollars for judging one model's responses.
        against: Dollars for having a big model judge one model's responses.
    """

    once: float | None
    a_test: float | None
    against: float | None = None

    def total(self, tests: int) -> float | None:
        """Compute what so many tests cost, in dollars.

        Args:
            tests: Models that are tested, at least 1.

        Returns:
            What is paid once, and what is paid for each.
        """
        if self.once is None or self.a_test is None:
            return None
        return self.once + tests * self.a_test

    def total_against(self, tests: int) -> float | None:
        """Compute what so many tests cost with the big model, in dollars."""
        return None if self.against is None else tests * self.against

    def ratio(self, tests: int) -> float | None:
        """Compute how many times as much the big model costs; None where that is not known, or this costs nothing."""
        own, other = self.total(tests), self.total_against(tests)
        return None if other is None or not own else other / own
