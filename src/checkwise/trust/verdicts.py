"""From a judge's comparisons, one an order, to one verdict a pair."""

import polars as pl

from checkwise.errors import DataError, Place
from checkwise.ranking.matrix import require_columns, require_unique

INCONSISTENT = "inconsistent"
"""The outcome of a pair whose two orders end in different verdicts."""

_BY_RULE = ("empty", "identical")
"""What the status of a comparison says where a rule decided it."""

_KNOWN = {"first": ("A", "B"), "verdict": ("A", "B", "tie"), "label": ("A", "B", "tie")}


def checked_comparisons(comparisons: pl.DataFrame, *columns: str) -> pl.DataFrame:
    """See that a frame holds comparisons, and that the rows of a pair fit each other.

    Args:
        comparisons: One row a pair and order: pair_id; first, the response shown first (A, B; null where none was);
            verdict (A, B, tie; null where unscored); label (A, B, tie; null where unknown); and what else is asked for.
            With a column status, what rules decided counts as compared without an order, whatever first says: no judge
            saw one, and a rule that agrees with itself is no merit of the judge's.
        columns: Further columns that must be there, with one value a pair.

    Returns:
        These columns alone, as text; what rules decided in one row a pair.

    Raises:
        DataError: A column or an id is missing, a value is none of those above, two rows compare a pair in the same
            order, or the rows of a pair contradict each other.
    """
    require_columns(comparisons, ("pair_id", *_KNOWN, *columns), of="comparisons")
    frame = comparisons.select(pl.col("pair_id", *_KNOWN, *columns).cast(pl.String))
    if frame["pair_id"].null_count():
        raise DataError(
            f"{frame['pair_id'].null_count()} comparisons lack a pair_id",
            todo="Name the pair that each one is about.",
        )
    for column, known in _KNOWN.items():
        _require_known(frame, column, known)
    require_unique(frame, ["pair_id", "first"], of="comparisons")
    if "status" in comparisons.columns:
        by_rule = comparisons["status"].cast(pl.String).is_in(_BY_RULE).fill_null(value=False)
        frame = frame.with_columns(first=pl.when(~by_rule).then("first")).unique(maintain_order=True)
    for column in ("label", *columns):
        differs = pl.col(column).n_unique() > 1
        _require_sound_pairs(frame, differs, f"its rows differ in {column}", "A pair has one: make them alike.")
    mixed = pl.col("first").is_null().any() & pl.col("first").is_not_null().any()
    _require_sound_pairs(frame, mixed, "it is compared both with an order and without", "Keep one way of comparing.")
    return frame


def orders_asked(comparisons: pl.DataFrame) -> int:
    """Tell in how many orders a judge was shown the pairs.

    Args:
        comparisons: See ``checked_comparisons``.

    Returns:
        2 where any pair has rows for both orders, else 1.

    Raises:
        DataError: The frame is not one of comparisons.
    """
    return 2 if checked_comparisons(comparisons)["pair_id"].is_duplicated().any() else 1


def pair_verdicts(comparisons: pl.DataFrame, orders: int) -> pl.DataFrame:
    """Bring the orders of each pair together.

    The orders agree where both name the same response, or both call a tie. A tie in one and a response in the other is
    a disagreement like any: which verdict would be the judge's?

    Args:
        comparisons: One row a pair and order: pair_id, first (A, B; null where no order was shown), verdict (A, B, tie;
            null where unscored), label (A, B, tie; null where unknown); status, where pairs were decided by rules.
        orders: In how many orders each pair was asked, 1 or 2. A pair that was compared without an order needs one row.

    Returns:
        One row a pair, sorted: pair_id; label; outcome (A, B, tie, inconsistent; null where an order is unscored or
        missing); consistent (whether both orders agree; null where there is no outcome, or where a judge was shown only
        one order or none); credit (null without outcome or label). The credit is 1 for the label and 0 for any other,
        but 0.5 for inconsistent verdicts and for a tie where the label names a response: the judge cannot tell, and
        half is what guessing would earn.

    Raises:
        DataError: The frame is not one of comparisons, or a pair has more orders than were asked.
        ValueError: ``orders`` is neither 1 nor 2.

    Source: CE-Judge (arXiv 2507.06774), pairwise evaluation; both orders as in Zheng et al. (arXiv 2306.05685),
        section 3.4.
    """
    if orders not in (1, 2):
        raise ValueError(f"a pair has one or two orders, not {orders}")
    frame = checked_comparisons(comparisons)
    _require_sound_pairs(frame, pl.len() > orders, "it was compared in both orders", "Only one was asked: keep one.")
    return (
        frame.group_by("pair_id")
        .agg(
            pl.col("label").first(),
            verdict=pl.col("verdict").first(),
            agree=pl.col("verdict").n_unique() == 1,
            ordered=pl.col("first").is_not_null().any(),
            judged=pl.col("verdict").is_not_null().all() & (pl.col("first").is_null().any() | (pl.len() == orders)),
        )
        .with_columns(outcome=_outcome())
        .select("pair_id", "label", "outcome", consistent=_consistent(orders), credit=_credit())
        .sort("pair_id")
    )


def _outcome() -> pl.Expr:
    settled = pl.when("agree").then("verdict").otherwise(pl.lit(INCONSISTENT))
    return pl.when("judged").then(settled)


def _consistent(orders: int) -> pl.Expr:
    return pl.when(pl.col("judged") & pl.col("ordered") & (orders == 2)).then("agree")


def _credit() -> pl.Expr:
    outcome, label = pl.col("outcome"), pl.col("label")
    return (
        pl.when(outcome.is_null() | label.is_null())
        .then(None)
        .when(outcome == label)
        .then(1.0)
        .when(outcome.is_in(["tie", INCONSISTENT]))
        .then(0.5)
        .otherwise(0.0)
    )


def _require_known(frame: pl.DataFrame, column: str, known: tuple[str, ...]) -> None:
    unknown = frame.filter(pl.col(column).is_not_null() & ~pl.col(column).is_in(known))
    if unknown.height:
        raise DataError(
            f"{unknown.height} comparisons have a {column} such as {unknown[column][0]!r}",
            where=Place(id=unknown["pair_id"][0]),
            todo=f"It must be one of {', '.join(known)}, or empty.",
        )


def _require_sound_pairs(frame: pl.DataFrame, unsound: pl.Expr, what: str, todo: str) -> None:
    found = frame.group_by("pair_id").agg(unsound=unsound).filter("unsound").sort("pair_id")
    if found.height:
        raise DataError(
            f"the pair cannot be used, because {what}; {found.height} such in all",
            where=Place(id=found["pair_id"][0]),
            todo=todo,
        )
