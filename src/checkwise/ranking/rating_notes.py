"""What a reader of ratings should know, in words: what they rest on, and why an interval is missing."""

import polars as pl

from checkwise.bootstrap import few_note
from checkwise.ranking.battles import Battles


def fit_notes(found: Battles, groups: tuple[tuple[str, ...], ...], *, virtual_tie: float) -> list[str]:
    """Say what the ratings rest on.

    Args:
        found: The battles.
        groups: Models that battles connect.
        virtual_tie: The weight of virtual ties; 0 where there are none.
    """
    notes = []
    if found.undecided:
        notes.append(f"{found.undecided} pairs have no outcome, and are left out")
    if len(groups) > 1:
        named = " | ".join(", ".join(group) for group in groups)
        notes.append(f"no battle connects these groups of models, whose ratings cannot be compared: {named}")
    if virtual_tie:
        notes.append(
            f"no finite ratings fit best ({_one_sided(found.counts)}), so models that the results do not hold against "
            f"each other from both sides have a virtual tie of weight {virtual_tie:g}"
        )
    return notes


def _one_sided(counts: pl.DataFrame) -> str:
    won = counts.filter(pl.col("wins") == pl.col("n"))["model"]
    lost = counts.filter(pl.col("losses") == pl.col("n"))["model"]
    said = [f"{model} won everything" for model in won] + [f"{model} lost everything" for model in lost]
    return "; ".join(said) or "some models took nothing from others"


def draw_notes(found: Battles, *, draws: int, virtual_draws: int, spread: bool, anchor: str | None) -> list[str]:
    """Say what the intervals rest on, or why there are none.

    Args:
        found: The battles.
        draws: Resamples behind the intervals.
        virtual_draws: Resamples in which virtual ties were needed.
        spread: Whether the resamples differ.
        anchor: The model that ratings are relative to.
    """
    if found.instances < 2:
        return ["one instance alone says nothing about the spread, so there are no intervals"]
    notes = []
    if virtual_draws:
        notes.append(f"{virtual_draws} of {draws} resamples needed virtual ties, whose random weights widen intervals")
    few = few_note(found.instances)
    if spread and few is not None:
        notes.append(few)
    if not spread and found.counts["ties"].sum() == found.counts["n"].sum():
        notes.append("every battle is a tie: no model is better than another, and resampling shows no spread")
    elif not spread:
        notes.append("every resample gives the same ratings, so resampling shows no spread")
    if anchor is not None:
        notes.append(f"ratings are relative to {anchor}, which therefore has no interval")
    return notes
