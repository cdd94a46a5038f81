"""The unsupervised score: how likely Yes is, on average over the items of a checklist."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from checkwise.records import Checklist, ItemGrade, Response, Score

EMPTY_RULE = "the response is empty, so it satisfies no item"
"""The rule by which an empty response is scored, as its grades and its score state it."""


def mean_score(grades: Sequence[ItemGrade], *, instance_id: str, model: str) -> Score:
    """Average p_yes over the scored items of one response.

    A response with fewer than half of its items scored is unscored: an average over what happened to work would be a
    figure about other questions than the checklist's.

    Args:
        grades: One grade an item of the checklist, scored or not.
        instance_id: The instance, named apart from the grades because there may be none.
        model: The model whose response was graded.

    Returns:
        The score between 0 and 1, or an unscored one whose reason counts the items.

    Source: RocketEval (arXiv 2503.05142), section 3.3.
    """
    scored = [grade.p_yes for grade in grades if grade.p_yes is not None]
    masses = [grade.mass for grade in grades if grade.p_yes is not None and grade.mass is not None]
    enough = bool(scored) and 2 * len(scored) >= len(grades)
    return Score(
        instance_id=instance_id,
        model=model,
        value=fmean(scored) if enough else None,
        status="scored" if enough else "unscored",
        items=len(grades),
        scored_items=len(scored),
        low_mass_items=sum(grade.low_mass for grade in grades),
        mean_mass=fmean(masses) if masses else None,
        reason=None if enough else _too_few(len(scored), grades),
    )


def _too_few(scored: int, grades: Sequence[ItemGrade]) -> str:
    if not grades:
        return "no item was graded"
    count = f"{scored} of {len(grades)} items {'is' if scored == 1 else 'are'} scored, fewer than half"
    reasons = Counter(grade.reason for grade in grades if grade.p_yes is None and grade.reason)
    return f"{count}: {reasons.most_common(1)[0][0]}" if reasons else count


def empty_grades(response: Response, checklist: Checklist) -> tuple[ItemGrade, ...]:
    """Grade an empty response by rule: nothing was written, so no item is satisfied.

    Args:
        response: A response of nothing but white space.
        checklist: The list of its instance.

    Returns:
        One grade an item, with p_yes 0 and mode ``rule``; the judge is not asked.

    Raises:
        ValueError: The response is not empty.
    """
    _require_empty(response)
    return tuple(
        ItemGrade(
            instance_id=response.instance_id,
            model=response.model,
            number=number,
            item=item,
            p_yes=0.0,
            mode="rule",
            reason=EMPTY_RULE,
        )
        for number, item in enumerate(checklist.items, start=1)
    )


def empty_score(response: Response, checklist: Checklist | None = None) -> Score:
    """Score an empty response by rule: 0, with a status of its own so that it can be counted.

    Args:
        response: A response of nothing but white space.
        checklist: The list of its instance; None for a method without checklists.

    Returns:
        A score of 0 with status ``empty``.

    Raises:
        ValueError: The response is not empty.
    """
    _require_empty(response)
    items = len(checklist.items) if checklist else 0
    return Score(
        instance_id=response.instance_id,
        model=response.model,
        value=0.0,
        status="empty",
        items=items,
        scored_items=items,
        reason=EMPTY_RULE,
    )


def _require_empty(response: Response) -> None:
    if not response.is_empty:
        raise ValueError(f"the response of {response.model} to {response.instance_id} is not empty")
