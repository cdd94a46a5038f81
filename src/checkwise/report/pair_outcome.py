"""What came of a pair: the words for it, and one sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from checkwise.records import Comparison, Pair, Score, Side, Winner
from checkwise.report.pair_content import Outcome
from checkwise.report.response_build import NO_REASON
from checkwise.trust.verdicts import INCONSISTENT, orders_asked, pair_verdicts

NOT_COMPARED = "it was not compared in this run"
_SCHEMA = dict.fromkeys(("pair_id", "first", "verdict", "label"), pl.String)


@dataclass(frozen=True)
class PairOutcome:
    """What the orders of one pair come to."""

    pair: Pair
    """The pair."""
    comparisons: tuple[Comparison, ...] = ()
    """Its verdicts, A shown first before B shown first."""
    verdict: str | None = None
    """A, B, tie or inconsistent; None is unscored."""
    credit: float | None = None
    """How far it is right, from 0 to 1; None without verdict or label."""

    @property
    def is_by_rule(self) -> bool:
        """Whether no judge was asked."""
        return bool(self.comparisons) and all(c.status in {"empty", "identical"} for c in self.comparisons)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Everything that holds of it."""
        found: list[Outcome] = []
        if self.verdict is None:
            found.append("unscored")
        elif self.verdict == INCONSISTENT:
            found.append("inconsistent")
        elif self.credit is not None:
            found.append("right" if self.credit == 1 else "wrong" if self.credit == 0 else "tie")
        if self.pair.label is None:
            found.append("no label")
        if self.is_by_rule:
            found.append("decided by rule")
        return tuple(found)

    def summary(self, scores: Mapping[Side, Score]) -> str:
        """Say in one sentence what came of it.

        Args:
            scores: Those of its responses by side, where each was scored alone.

        Returns:
            For example ``A in both orders: right``.
        """
        if self.verdict is None:
            return f"unscored: {_why_unscored(self.comparisons)}"
        if self.verdict == INCONSISTENT:
            return f"inconsistent: {_contradiction(self.comparisons)}; {self._worth(INCONSISTENT)}"
        return f"{self.verdict}{self._how(scores)}: {self._worth(self.verdict)}"

    def _how(self, scores: Mapping[Side, Score]) -> str:
        """Say how the verdict came about."""
        if self.is_by_rule:
            return f" by rule, {self.comparisons[0].reason or NO_REASON}"
        if len(self.comparisons) > 1:
            return " in both orders"
        (comparison,) = self.comparisons
        if comparison.first is not None:
            return f" in the only order, {comparison.first} shown first"
        known = [f"{score.value:.2f}" for _, score in sorted(scores.items()) if score.value is not None]
        return f" by the scores {known[0]} and {known[1]}" if len(known) == 2 else " by the scores"

    def _worth(self, verdict: str) -> str:
        """Say what the verdict is worth against the label."""
        label = self.pair.label
        if label is None:
            return "the data has no label"
        if verdict == label:
            return "right"
        if self.credit == 0:
            return f"wrong, the data says {label}"
        return "counts half" if verdict == INCONSISTENT else f"the data says {label}, counts half"


def pair_outcomes(pairs: Sequence[Pair], comparisons: Sequence[Comparison]) -> list[PairOutcome]:
    """Bring the verdicts on each pair together, by the rules that the metrics follow.

    Args:
        pairs: The pairs.
        comparisons: The verdicts; those on other pairs are not used.

    Returns:
        One a pair, in the order of the pairs.

    Raises:
        DataError: Two verdicts are about one pair in the same order, or both with an order and without.
    """
    labels: dict[str, Winner | None] = {pair.id: pair.label for pair in pairs}
    by_pair: dict[str, list[Comparison]] = {}
    for comparison in sorted(comparisons, key=lambda c: c.first or ""):
        if comparison.pair_id in labels:
            by_pair.setdefault(comparison.pair_id, []).append(comparison)
    rows = [(c.pair_id, c.first, c.verdict, labels[c.pair_id]) for found in by_pair.values() for c in found]
    frame = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
    verdicts = {row["pair_id"]: row for row in pair_verdicts(frame, orders_asked(frame)).iter_rows(named=True)}
    return [
        PairOutcome(pair, tuple(by_pair[pair.id]), verdicts[pair.id]["outcome"], verdicts[pair.id]["credit"])
        if pair.id in by_pair
        else PairOutcome(pair)
        for pair in pairs
    ]


def _why_unscored(comparisons: Sequence[Comparison]) -> str:
    """Give the reasons, the same one once."""
    if not comparisons:
        return NOT_COMPARED
    unscored = [c for c in comparisons if c.verdict is None]
    if not unscored:
        return f"only the order with {comparisons[0].first} shown first was asked"
    reasons = {c.first: c.reason or NO_REASON for c in unscored}
    if len(set(reasons.values())) == 1 and len(unscored) == len(comparisons):
        return next(iter(reasons.values()))
    return "; ".join(f"with {first} shown first, {reason}" for first, reason in reasons.items())


def _contradiction(comparisons: Sequence[Comparison]) -> str:
    """Say how the orders contradict each other; where both name a response, it stood in the same place."""
    if all(c.verdict == c.first for c in comparisons):
        return "the first-shown response won both times"
    if any(c.verdict == "tie" for c in comparisons):
        return ", ".join(f"{c.verdict} with {c.first} shown first" for c in comparisons)
    return "the second-shown response won both times"
