"""Cohen's kappa for outcomes of pairs."""

import polars as pl


def cohen_kappa(first: pl.Series, second: pl.Series) -> float | None:
    """Agreement beyond what two sides with these shares of outcomes would reach by chance.

    Which model of a pair is called A is an accident of names, so each pair counts in both orders. The share of A then
    equals that of B on either side, and renaming models changes nothing.

    Args:
        first: Outcomes (model_a, model_b, tie) by one side, without nulls.
        second: Outcomes of the same pairs by the other.

    Returns:
        1 for full agreement, 0 for chance; None where there is nothing, or nothing but ties on both sides.

    Source: Cohen, "A coefficient of agreement for nominal scales" (1960).
    """
    if first.is_empty():
        return None
    observed = _share(first == second)
    ties, other_ties = _share(first == "tie"), _share(second == "tie")
    expected = ties * other_ties + (1 - ties) * (1 - other_ties) / 2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def _share(true: pl.Series) -> float:
    return int(true.sum()) / len(true)
