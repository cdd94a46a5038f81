"""Comparing all pairs: by a judge that sees both responses, in one order or both, or by the scores of each."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from checkwise.methods import ComparingMethod, Method, PairMethod
from checkwise.ranking.pairs import TIE_MARGIN
from checkwise.records import Checklist, Comparison, Finding, Pair, PairSet, Score, Side, Winner
from checkwise.runs.ask import StoredAsk
from checkwise.runs.grading import judge_response
from checkwise.runs.progress import RunProgress, Step
from checkwise.runs.side_by_side import side_by_side
from checkwise.store import Database

Order = Literal["both", "given", "random"]
"""In which order a pair is shown: in both; as the data has it; in one that a seed decides."""

EMPTY_RULE = "an empty response loses against one that is not"
IDENTICAL_RULE = "the responses are identical"


@dataclass(frozen=True, kw_only=True)
class Comparing:
    """How pairs are compared.

    Args:
        method: How to judge: a method that sees both responses, or one that scores each.
        order: In which order a pair is shown, where it is.
        seed: Of the random order.
        margin: Scores closer than this on the 1-10 scale are a tie.
    """

    method: ComparingMethod
    order: Order = "both"
    seed: int = 42
    margin: float = TIE_MARGIN

    @property
    def shows_both(self) -> bool:
        """Whether the judge sees both responses, so that there is an order."""
        return isinstance(self.method, PairMethod)

    def firsts(self, pair: Pair) -> tuple[Side | None, ...]:
        """Say which response is shown first, for each time that the pair is shown; None where each is scored alone.

        Which one the random order shows first depends on the texts and not on their names: swapping A and B in the
        data changes nothing.
        """
        if not self.shows_both:
            return (None,)
        if self.order == "both":
            return ("A", "B")
        if self.order == "given":
            return ("A",)
        drawn = {side: _drawn(self.seed, pair, side) for side in ("A", "B")}
        return ("A",) if drawn["A"] <= drawn["B"] else ("B",)


async def compare_pairs(
    pairs: PairSet,
    how: Comparing,
    ask: StoredAsk,
    *,
    checklists: Mapping[str, Checklist],
    missing: Mapping[str, str],
    database: Database,
    concurrency: int,
    progress: RunProgress,
) -> None:
    """Compare every pair and commit each verdict as soon as it is complete.

    Args:
        pairs: The pairs.
        how: How they are compared.
        ask: Puts questions to the judge.
        checklists: The list of each instance, for a method that needs one.
        missing: Why an instance has none.
        database: Where verdicts go.
        concurrency: Pairs that are judged at the same time.
        progress: Told after each pair.

    Raises:
        CheckwiseError: The judge has stopped answering; what was judged is kept.
    """
    done = fresh = 0

    def tell() -> None:
        progress(Step("comparing", done, len(pairs.pairs), fresh, ask.asked.questions))

    ask = replace(ask, on_answer=tell)

    async def compare_pair(pair: Pair) -> None:
        nonlocal done, fresh
        before = ask.asked.questions
        if by_rule := decided_by_rule(pair, how):
            database.keep_comparisons(by_rule)
        elif isinstance(how.method, PairMethod):
            await _show_both(pair, how, how.method, ask, database)
        else:
            await _score_each(pair, how, how.method, ask, database, checklists=checklists, missing=missing)
        done += 1
        fresh += ask.asked.questions > before
        tell()

    await side_by_side(pairs.pairs, compare_pair, concurrency=concurrency)


def decided_by_rule(pair: Pair, how: Comparing) -> list[Comparison]:
    """Decide a pair that no judge need see: identical responses are a tie, and an empty one loses.

    Args:
        pair: The pair.
        how: How pairs are compared.

    Returns:
        One verdict for each time that it would be shown; none where a judge has to look.
    """
    a, b = pair.a.strip(), pair.b.strip()
    if a == b:
        verdict: Winner = "tie"
        rule = {"status": "identical", "reason": IDENTICAL_RULE}
    elif not a or not b:
        verdict = "A" if a else "B"
        rule = {"status": "empty", "reason": EMPTY_RULE}
    else:
        return []
    return [Comparison(pair_id=pair.id, first=first, verdict=verdict, **rule) for first in how.firsts(pair)]


async def _show_both(pair: Pair, how: Comparing, method: PairMethod, ask: StoredAsk, database: Database) -> None:
    firsts = how.firsts(pair)
    comparisons: dict[Side | None, Comparison] = {}
    findings: dict[Finding, None] = {}

    async def show(first: Side | None) -> None:
        shown: tuple[Side, Side] = ("A", "B") if first == "A" else ("B", "A")
        one, other = (pair.response(side) for side in shown)
        comparisons[first], found = await method.compare(pair.instance, one, other, ask)
        # What knows no order is found again in the second one.
        findings.update(dict.fromkeys(found))

    # A judge that gathers questions shall have those of both orders together.
    await side_by_side(firsts, show, concurrency=len(firsts) if ask.engine.capabilities.gathers else 1)
    database.keep_comparisons([comparisons[first] for first in firsts], tuple(findings))


async def _score_each(
    pair: Pair,
    how: Comparing,
    method: Method,
    ask: StoredAsk,
    database: Database,
    *,
    checklists: Mapping[str, Checklist],
    missing: Mapping[str, str],
) -> None:
    scores: list[Score] = []
    for side in ("A", "B"):
        judgment = await judge_response(
            method, pair.instance, pair.response(side), ask, checklists=checklists, missing=missing
        )
        database.keep_judgment(*judgment)
        scores.append(judgment[0])
    database.keep_comparisons([by_scores(pair, scores, margin=how.margin)])


def by_scores(pair: Pair, scores: Sequence[Score], *, margin: float) -> Comparison:
    """Decide a pair by the scores of its responses.

    Args:
        pair: The pair.
        scores: Of A and of B.
        margin: Scores closer than this on the 1-10 scale are a tie.

    Returns:
        The verdict; unscored where a score is missing: that is no tie.

    Source: RocketEval (arXiv 2503.05142), agreement with human votes on MT-Bench.
    """
    a, b = (score.on_ten for score in scores)
    if a is None or b is None:
        reasons = [f"{score.model}: {score.reason}" for score in scores if score.value is None]
        return Comparison(pair_id=pair.id, first=None, status="unscored", reason="; ".join(reasons))
    is_tie = abs(a - b) < margin or a == b
    verdict: Winner = "tie" if is_tie else "A" if a > b else "B"
    return Comparison(pair_id=pair.id, first=None, verdict=verdict, status="judged")


def _drawn(seed: int, pair: Pair, side: Side) -> bytes:
    text = pair.response(side).text
    return hashlib.sha256(f"{seed}\n{pair.id}\n{text}".encode("utf-8", "surrogatepass")).digest()
