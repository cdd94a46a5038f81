"""What the items of checklists are worth: which get one answer always, go against their list, or repeat another."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import polars as pl

from checkwise.errors import DataError, Place
from checkwise.ranking.matrix import require_columns, require_unique

FEWEST = 3
"""Responses below which there is no correlation: any two points lie on a line."""

ITEM = ["instance_id", "number"]
"""The columns that say which item a row is about."""

Flag = Literal["nearly always Yes", "nearly always No", "low discrimination", "redundant", "low mass"]
"""What may be wrong with an item."""

_PAIRS_AT_ONCE = 2_000_000
"""The most pairs of grades held at once: some 100 MB."""
_SPREAD = 1e-9
"""Numbers that lie closer together than this are equal, but for rounding."""


def item_statistics(grades: pl.DataFrame, scores: pl.DataFrame) -> pl.DataFrame:
    """Describe each item by the answers it got.

    Grades of empty responses are left out and counted: they are No by rule, on every item alike, and so would make all
    items of a list look as if they measured the same.

    Args:
        grades: One row an item and response: instance_id, model, number, item, p_yes (null where unscored), mass,
            low_mass; see ``Database.grades_frame``.
        scores: One row a response: instance_id, model, status.

    Returns:
        One row an item, sorted by instance_id and number, with

        - item; n (scored grades), unscored, empty (grades left out because the response is empty);
        - mean_p_yes, and yes_share, the share of p_yes of at least a half;
        - discrimination, the correlation of p_yes with the mean p_yes of the rest of the list over the responses of
          the instance; discrimination_n and discrimination_reason (why there is none);
        - redundancy, of the correlations with other items of the list the one furthest from 0; redundant_with (that
          item's number), redundancy_n and redundancy_reason;
        - mean_mass and low_mass_share, over the scored grades.

        What is not known is null, never NaN.

    Raises:
        DataError: A column is missing, a response has two grades for an item or two scores, or an item has two texts.
    """
    coded = _coded(grades, scores)
    judged = coded.filter(~pl.col("empty")).drop_nulls("p_yes").sort("i", "number", "m")
    found = (
        _counts(coded)
        .join(_discrimination(judged), on=["i", "number"], how="left")
        .join(_redundancy(judged), on=["i", "number"], how="left")
        .with_columns(constant=pl.col("spread").fill_null(0.0) < _SPREAD, alone=pl.col("number").len().over("i") == 1)
        .with_columns(
            discrimination_n=pl.col("discrimination_n").fill_null(0), redundancy_n=pl.col("redundancy_n").fill_null(0)
        )
    )
    return (
        found.with_columns(discrimination_reason=_reason("discrimination"), redundancy_reason=_reason("redundancy"))
        .select(*_COLUMNS)
        .sort(ITEM)
    )


_COLUMNS = (
    *("instance_id", "number", "item", "n", "unscored", "empty", "mean_p_yes", "yes_share"),
    *("discrimination", "discrimination_n", "discrimination_reason"),
    *("redundancy", "redundant_with", "redundancy_n", "redundancy_reason", "mean_mass", "low_mass_share"),
)


def _coded(grades: pl.DataFrame, scores: pl.DataFrame) -> pl.DataFrame:
    """Check the grades, and number instances (i) and models (m): joins over numbers take a fraction of the memory."""
    require_columns(grades, (*ITEM, "model", "item", "p_yes", "mass", "low_mass"), of="grades")
    require_columns(scores, ("instance_id", "model", "status"), of="scores")
    require_unique(grades, ["instance_id", "model", "number"], of="grades")
    require_unique(scores, ["instance_id", "model"], of="scores")
    empty = scores.filter(pl.col("status") == "empty").select(pl.col("instance_id", "model").cast(pl.String))
    named = grades.select(
        pl.col("instance_id", "model", "item").cast(pl.String),
        pl.col("number").cast(pl.Int64),
        pl.col("p_yes", "mass").cast(pl.Float64).fill_nan(None),
        pl.col("low_mass").cast(pl.Boolean),
    )
    return named.join(empty.with_columns(empty=True), on=["instance_id", "model"], how="left").with_columns(
        pl.col("empty").fill_null(value=False),
        i=pl.col("instance_id").rank("dense"),
        m=pl.col("model").rank("dense"),
    )


def _counts(coded: pl.DataFrame) -> pl.DataFrame:
    p_yes, judged = pl.col("p_yes"), ~pl.col("empty")
    scored = judged & p_yes.is_not_null()
    counted = (
        coded.sort("i", "number", "m")
        .group_by("i", "number")
        .agg(
            pl.col("instance_id", "item").first(),
            texts=pl.col("item").n_unique(),
            n=scored.sum(),
            unscored=(judged & p_yes.is_null()).sum(),
            empty=pl.col("empty").sum(),
            mean_p_yes=p_yes.filter(scored).mean(),
            yes_share=(p_yes.filter(scored) >= 0.5).mean(),
            spread=p_yes.filter(scored).max() - p_yes.filter(scored).min(),
            mean_mass=pl.col("mass").filter(scored).mean(),
            low_mass_share=pl.col("low_mass").filter(scored).mean(),
        )
    )
    _require_one_text(counted)
    return counted.with_columns(pl.col("n", "unscored", "empty").cast(pl.Int64))


def _require_one_text(counted: pl.DataFrame) -> None:
    several = counted.filter(pl.col("texts") > 1).sort(ITEM)
    if several.height:
        raise DataError(
            f"item {several['number'][0]} has {several['texts'][0]} texts; {several.height} such items in all",
            where=Place(id=str(several["instance_id"][0])),
            todo="Look at the grades of one list at a time.",
        )


def _discrimination(judged: pl.DataFrame) -> pl.DataFrame:
    p_yes, response = pl.col("p_yes"), ["i", "m"]
    others = pl.len().over(response) - 1
    rest = (p_yes.sum().over(response) - p_yes) / others
    compared = judged.with_columns(others=others, rest=rest).filter(pl.col("others") > 0)
    return _correlated(compared, ["i", "number"], "p_yes", "rest").select(
        "i", "number", discrimination="r", discrimination_n="r_n"
    )


def _redundancy(judged: pl.DataFrame) -> pl.DataFrame:
    """Find for each item the other one that it goes with most; where two go with it alike, the first."""
    key = ["i", "number", "other"]
    parts = [_correlated(part, key, "p_yes", "p_yes_other") for part in _item_pairs(judged)]
    both = pl.concat(parts).select(*key, "r", "r_n")
    turned = both.select("i", number="other", other="number", r="r", r_n="r_n")
    # Rounded, so that the order of additions never decides which of two equals is named.
    strength = pl.col("r").abs().round(9).fill_null(-1.0)
    return (
        pl.concat([both, turned])
        .sort("i", "number", strength, "r_n", "other", descending=[False, False, True, True, False])
        .group_by("i", "number", maintain_order=True)
        .agg(redundancy=pl.col("r").first(), redundant_with=pl.col("other").first(), redundancy_n=pl.col("r_n").first())
        .with_columns(redundant_with=pl.when(pl.col("redundancy").is_not_null()).then(pl.col("redundant_with")))
    )


def _item_pairs(judged: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Set every two grades of one response side by side, some instances at a time."""
    answers = judged.select("i", "m", "number", "p_yes")
    pairs = (pl.len().over("i", "m").cast(pl.Int64) - 1).sum().over("i")
    parts = answers.select("i", part=pairs).unique().sort("i").with_columns(pl.col("part").cum_sum() // _PAIRS_AT_ONCE)
    for part in answers.join(parts, on="i").partition_by("part", include_key=False) or [answers]:
        two = part.select("i", "m", other="number", p_yes_other="p_yes")
        yield part.join(two, on=["i", "m"]).filter(pl.col("number") < pl.col("other"))


def _correlated(pairs: pl.DataFrame, key: list[str], one: str, other: str) -> pl.DataFrame:
    """Correlate two columns in each group: r, null where too few rows or a constant column leave none, and r_n."""
    varied = [pl.col(column).max() - pl.col(column).min() > _SPREAD for column in (one, other)]
    defined = (pl.len() >= FEWEST) & varied[0] & varied[1]
    found = pairs.group_by(key).agg(r=pl.corr(one, other), r_n=pl.len().cast(pl.Int64), defined=defined)
    return found.with_columns(r=pl.when(pl.col("defined")).then(pl.col("r").clip(-1, 1)))


def _reason(name: str) -> pl.Expr:
    """Say why an item has no correlation."""
    others = {"discrimination": "the rest of the list", "redundancy": "every other item of the list"}[name]
    few = pl.format(f"{{}} scored responses are too few for a correlation; {FEWEST} are needed", f"{name}_n")
    return (
        pl.when(pl.col(name).is_not_null())
        .then(None)
        .when(pl.col("alone"))
        .then(pl.lit("the list has no other item"))
        .when(pl.col(f"{name}_n") < FEWEST)
        .then(few)
        .when(pl.col("constant"))
        .then(pl.lit("every response got the same answer"))
        .otherwise(pl.lit(f"{others} got the same answer for every response"))
        .cast(pl.String)
    )


@dataclass(frozen=True)
class ItemThresholds:
    """From where on an item is flagged."""

    nearly_always: float = 0.9
    """A mean p_yes from here on is nearly always Yes; one as far from 0 as this is from 1, nearly always No."""
    discrimination: float = 0.1
    """Correlations with the rest of the list below this are low."""
    redundancy: float = 0.95
    """Correlations with another item from here on mean that both ask the same."""
    low_mass: float = 0.2
    """Share of grades with low mass."""
    fewest: int = 5
    """Responses below which no flag is raised: as few may all get one answer, or go together, by chance."""


def flagged_items(statistics: pl.DataFrame, *, thresholds: ItemThresholds | None = None) -> pl.DataFrame:
    """List the items that a person should look at, and what could be done about each.

    Args:
        statistics: See ``item_statistics``.
        thresholds: From where on an item is flagged.

    Returns:
        One row an item and flag, sorted: instance_id, number, item, flag (see ``Flag``), value (what crossed the
        threshold), other (for redundant items, the number of the item that it repeats), n (responses behind the value)
        and suggestion. Of two items that repeat each other only the later one is listed. Over few responses a
        correlation is rough: look at n before an item is thrown away.

    Raises:
        DataError: A column is missing.
    """
    require_columns(statistics, _COLUMNS, of="statistics")
    limits = thresholds or ItemThresholds()
    flags = [_flagged(statistics, flag, limits) for flag in _RULES]
    return pl.concat(flags).sort(*ITEM, "order").drop("order")


def items_by_category(statistics: pl.DataFrame, flags: pl.DataFrame, categories: pl.DataFrame) -> pl.DataFrame:
    """Count good and poor items in each category.

    Args:
        statistics: See ``item_statistics``.
        flags: See ``flagged_items``.
        categories: instance_id and category, each instance once.

    Returns:
        category, instances, items, flagged (items with any flag), a count for each flag, mean_p_yes,
        mean_discrimination (null where no item has one) and low_mass_share, all averaged over items; sorted by
        category, instances without one last.

    Raises:
        DataError: A column is missing, or an instance has two categories.
    """
    require_columns(statistics, _COLUMNS, of="statistics")
    require_columns(flags, (*ITEM, "flag"), of="flags")
    require_columns(categories, ("instance_id", "category"), of="categories")
    categories = categories.select(pl.col("instance_id", "category").cast(pl.String)).unique()
    require_unique(categories, ["instance_id"], of="categories")
    raised = flags.group_by(ITEM).agg((pl.col("flag") == flag).any().alias(flag) for flag in _RULES)
    placed = statistics.join(raised, on=ITEM, how="left").with_columns(pl.col(*_RULES).fill_null(value=False))
    return (
        placed.join(categories, on="instance_id", how="left")
        .sort(ITEM)
        .group_by("category")
        .agg(
            pl.col("instance_id").n_unique().cast(pl.Int64).alias("instances"),
            pl.len().cast(pl.Int64).alias("items"),
            pl.any_horizontal(*_RULES).sum().cast(pl.Int64).alias("flagged"),
            *(pl.col(flag).sum().cast(pl.Int64) for flag in _RULES),
            pl.col("mean_p_yes").mean(),
            pl.col("discrimination").mean().alias("mean_discrimination"),
            pl.col("low_mass_share").mean(),
        )
        .sort("category", nulls_last=True)
    )


@dataclass(frozen=True)
class _Rule:
    """How a flag is told, and what to say."""

    value: str
    """The column that crosses a threshold."""
    n: str
    """The column that counts what the value is over."""
    crossed: Callable[[pl.Expr, ItemThresholds], pl.Expr]
    suggestion: pl.Expr


_RULES: dict[Flag, _Rule] = {
    "nearly always Yes": _Rule(
        value="mean_p_yes",
        n="n",
        crossed=lambda value, limits: value >= limits.nearly_always,
        suggestion=pl.lit(
            "Nearly every response gets a Yes, so the item hardly tells them apart: "
            "ask for something that only good responses do, or remove it."
        ),
    ),
    "nearly always No": _Rule(
        value="mean_p_yes",
        n="n",
        crossed=lambda value, limits: value <= 1 - limits.nearly_always,
        suggestion=pl.lit(
            "Nearly every response gets a No: see that a good response can meet the item, that Yes is the desirable "
            "answer, and that it asks for one thing only."
        ),
    ),
    "low discrimination": _Rule(
        value="discrimination",
        n="discrimination_n",
        # An item that gets one answer always is flagged as that; what little its answers vary says nothing.
        crossed=lambda value, limits: (
            (value < limits.discrimination)
            & pl.col("mean_p_yes").is_between(1 - limits.nearly_always, limits.nearly_always, closed="none")
        ),
        suggestion=pl.when(pl.col("discrimination") < 0)
        .then(
            pl.lit(
                "Responses that do well on the rest of the list do worse on this item: see that Yes is the desirable "
                "answer, and that the wording cannot be read in two ways."
            )
        )
        .otherwise(
            pl.lit(
                "The item hardly goes with the rest of the list: keep it if it asks for something of its own, "
                "otherwise make it plainer or remove it."
            )
        ),
    ),
    "redundant": _Rule(
        value="redundancy",
        n="redundancy_n",
        crossed=lambda value, limits: value >= limits.redundancy,
        suggestion=pl.format(
            "The item gets nearly the same answers as item {}, so one thing counts twice: merge them, or remove one.",
            "redundant_with",
        ),
    ),
    "low mass": _Rule(
        value="low_mass_share",
        n="n",
        crossed=lambda value, limits: value >= limits.low_mass,
        suggestion=pl.lit(
            "The judge often wants to say something other than Yes or No: "
            "turn the item into a question that can be answered by one of them."
        ),
    ),
}


def _flagged(statistics: pl.DataFrame, flag: Flag, limits: ItemThresholds) -> pl.DataFrame:
    rule = _RULES[flag]
    crossed = rule.crossed(pl.col(rule.value), limits) & (pl.col(rule.n) >= limits.fewest)
    other = pl.col("redundant_with") if flag == "redundant" else pl.lit(None)
    found = statistics.filter(crossed).select(
        *(*ITEM, "item"),
        flag=pl.lit(flag),
        value=pl.col(rule.value),
        other=other.cast(pl.Int64),
        n=pl.col(rule.n),
        suggestion=rule.suggestion,
        order=pl.lit(list(_RULES).index(flag)),
    )
    return _without_mirrored(found) if flag == "redundant" else found


def _without_mirrored(redundant: pl.DataFrame) -> pl.DataFrame:
    """Drop the earlier of two items that repeat each other, lest a person removes both."""
    mirrored = redundant.select("instance_id", number="other", other="number").filter(
        pl.col("number") < pl.col("other")
    )
    return redundant.join(mirrored, on=["instance_id", "number", "other"], how="anti")
