"""What measurements against people come down to, in words: as good as people, worse, or not to be told."""

import math

from checkwise.bootstrap import Interval
from checkwise.trust.agreement import Agreement
from checkwise.trust.paired import AgreementDifference, DifferenceFromPeople

FEWEST = 5
"""Questions below which an interval is not believed."""

MARGIN = 0.05
"""Rates of agreement that are surely no further apart than this are called the same."""


def verdict_sentence(
    judge: Agreement,
    people: DifferenceFromPeople | None,
    baseline: AgreementDifference | None,
    *,
    rule: str = "the longer response wins",
    margin: float = MARGIN,
    confidence: float = 0.95,
) -> str:
    """Say whether a judge agrees with people as people do, and whether it beats a trivial rule.

    That no difference is seen does not make two rates the same: they are called so only where the whole interval of
    their difference lies within the margin.

    Args:
        judge: See ``agreement``; it is what is told where there is no comparison with people.
        people: See ``difference_from_people``; None where no two people voted on the same pair.
        baseline: The judge's agreement less the rule's, see ``agreement_difference``; None where it was not measured.
        rule: The trivial rule.
        margin: From where on a difference matters, above 0.
        confidence: Of the intervals, as they were asked for.

    Returns:
        Two sentences, or three.

    Raises:
        ValueError: The margin is not above 0.
    """
    if not margin > 0:
        raise ValueError(f"the margin must be above 0, not {margin}")
    beside = _no_people(judge, confidence) if people is None else _beside_people(people, margin, confidence)
    return f"{beside} {_beside_rule(baseline, rule, confidence)}"


def _no_people(judge: Agreement, confidence: float) -> str:
    interval = f", {_interval_of_rate(judge.interval, confidence)}" if judge.interval else ""
    return (
        f"The judge agrees with {judge.rate:.1%} of {judge.votes} votes ({_questions(judge.instances)}{interval}). "
        "No two people voted on the same pair of responses, so how often people agree with each other is not known."
    )


def _beside_people(people: DifferenceFromPeople, margin: float, confidence: float) -> str:
    rates = f"{people.judge:.1%} against {people.people:.1%}"
    figures = f"{rates}, {_difference(people.value, people.interval, people.instances, confidence)}"
    interval = _believed(people.interval, people.instances)
    how = _how_often(interval, margin) if interval else None
    if how is None:
        half = max(margin - abs(people.value), abs(people.value))
        return (
            "It cannot be told whether the judge agrees with people as often as people agree with each other "
            f"({figures}){_needed(interval, people.value, people.instances, half)}."
        )
    return f"The judge agrees with people {how} people agree with each other ({figures})."


def _how_often(interval: Interval, margin: float) -> str | None:
    """Put the difference into words; None where it may as well matter as not."""
    within = -margin <= interval.low and interval.high <= margin
    if interval.low <= 0 <= interval.high:
        return "as often as" if within else None
    beyond = interval.high < -margin or margin < interval.low
    much = "a little " if within else "clearly " if beyond else ""
    return f"{much}{'less' if interval.high < 0 else 'more'} often than"


def _beside_rule(baseline: AgreementDifference | None, rule: str, confidence: float) -> str:
    named = f"the rule “{rule}”"
    if baseline is None:
        return f"It is not shown to be better than {named}: the two were not compared."
    figures = _difference(baseline.value, baseline.interval, baseline.instances, confidence)
    interval = _believed(baseline.interval, baseline.instances)
    if interval and interval.low > 0:
        return f"It is better than {named} ({figures})."
    if interval and interval.high < 0:
        return f"It is worse than {named} ({figures}): do not use it."
    needed = _needed(interval, baseline.value, baseline.instances, max(baseline.value, 0.0))
    return f"It is not shown to be better than {named} ({figures}){needed}."


def _believed(interval: Interval | None, questions: int) -> Interval | None:
    """Take an interval for what it says, unless so few questions, or such as are all alike, stand behind it."""
    if interval is None or questions < FEWEST or interval.high - interval.low < 1e-9:
        return None
    return interval


def _needed(interval: Interval | None, value: float, questions: int, half: float) -> str:
    """Estimate how many questions would make the interval as narrow as can decide, if the difference stays as it is."""
    if interval is None:
        if questions >= FEWEST:
            return ": every question gives the same difference, which shows no spread"
        return f": {_questions(questions)} {'shows' if questions == 1 else 'show'} too little of the spread"
    if half <= 0:
        return ""
    widest = max(interval.high - value, value - interval.low)
    count = max(questions + 1, questions * (widest / half) ** 2)
    return f"; roughly {_rounded_up(count):,} questions would be needed"


def _rounded_up(count: float) -> int:
    """Keep two digits: an estimate that rests on an estimate has no more."""
    unit = int(10 ** max(math.floor(math.log10(count)) - 1, 0))
    # Rounded first, so that no rounding error makes 49 into 50.
    return math.ceil(round(count / unit, 6)) * unit


def _difference(value: float, interval: Interval | None, questions: int, confidence: float) -> str:
    ends = f", {confidence:.0%} interval {_points(interval.low)} to {_points(interval.high)}" if interval else ""
    return f"difference {_points(value)} points{ends}; {_questions(questions)}"


def _interval_of_rate(interval: Interval, confidence: float) -> str:
    return f"{confidence:.0%} interval {interval.low:.1%} to {interval.high:.1%}"


def _points(share: float) -> str:
    points = round(100 * share, 1)
    return f"{points:+.1f}".replace("-", "−") if points else "0.0"


def _questions(count: int) -> str:
    return "1 question" if count == 1 else f"{count} questions"
