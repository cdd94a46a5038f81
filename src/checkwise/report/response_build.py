"""From what is stored about a response to what a report shows of it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from checkwise.records import Checklist, Finding, ItemGrade, Response, Score, Side, StepName
from checkwise.report.content import Cell, FindingContent, ResponseContent

NOT_GRADED = Cell(reason="the judge was not asked about this item")
NO_REASON = "no reason was recorded"
_STEPS = get_args(StepName)


@dataclass(frozen=True)
class Evidence:
    """What is known of the responses of a run, by whom it is about."""

    checklists: Mapping[str, Checklist]
    """The checklist of each instance, by its id."""
    grades: Mapping[tuple[str, str, int], ItemGrade]
    """By instance, model and number of the item; only those of items that are in the checklist now."""
    scores: Mapping[tuple[str, str], Score]
    """By instance and model."""
    findings: Mapping[tuple[str, str | None, Side | None], tuple[FindingContent, ...]]
    """By instance or pair, model or side, and the response that was shown first; each in the order of the steps."""
    unfitting: int
    """Grades that do not fit the checklist."""

    @classmethod
    def of(
        cls,
        checklists: Mapping[str, Checklist],
        grades: Sequence[ItemGrade],
        scores: Sequence[Score],
        findings: Iterable[Finding],
    ) -> "Evidence":
        """Sort what is stored by whom it is about.

        Args:
            checklists: The checklist of each instance, by its id.
            grades: The judge's answers to items.
            scores: At most one a model and instance.
            findings: What the method wrote down; what is said twice is kept once.

        Returns:
            The same, to look things up in.
        """
        fitting = {(g.instance_id, g.model, g.number): g for g in grades if _fits(g, checklists.get(g.instance_id))}
        found: dict[tuple[str, str | None, Side | None], dict[FindingContent, None]] = {}
        for finding in sorted(findings, key=lambda finding: _STEPS.index(finding.step)):
            about = found.setdefault((finding.instance_id, finding.model, finding.first), {})
            about[_finding(finding)] = None
        return cls(
            checklists=checklists,
            grades=fitting,
            scores={(score.instance_id, score.model): score for score in scores},
            findings={about: tuple(contents) for about, contents in found.items()},
            unfitting=len(grades) - len(fitting),
        )

    def findings_about(
        self, instance_id: str, model: str | None = None, first: Side | None = None
    ) -> tuple[FindingContent, ...]:
        """Give what was written down about an instruction, a response, or a pair in one order."""
        return self.findings.get((instance_id, model, first), ())

    def response(self, response: Response) -> ResponseContent:
        """Give what a report shows of one response; without a score it is unscored, with a reason."""
        about = (response.instance_id, response.model)
        checklist = self.checklists.get(response.instance_id)
        items = 0 if checklist is None else len(checklist.items)
        score = self.scores.get(about)
        value = None if score is None else number(score.value)
        reason = "it has no score in this run" if score is None else score.reason
        return ResponseContent(
            model=response.model,
            text=response.text,
            language=response.language,
            history=response.history,
            score=value,
            status="unscored" if score is None or value is None else score.status,
            verdict=None if score is None else number(score.verdict),
            retried=score is not None and score.retried,
            reason=reason or (NO_REASON if value is None else None),
            cells=tuple(_cell(self.grades.get((*about, place))) for place in range(1, items + 1)),
            findings=self.findings_about(*about),
        )


def number(value: float | None) -> float | None:
    """Turn NaN, which tables may carry, into what it means here: None."""
    return None if value is None or math.isnan(value) else value


def _fits(grade: ItemGrade, checklist: Checklist | None) -> bool:
    """Whether the grade answers the item that stands at its number now: a list may have been edited since."""
    if checklist is None or grade.number > len(checklist.items):
        return False
    return checklist.items[grade.number - 1] == grade.item


def _finding(finding: Finding) -> FindingContent:
    reason = finding.reason or (NO_REASON if finding.text is None else None)
    return FindingContent(step=finding.step, text=finding.text, reason=reason)


def _cell(grade: ItemGrade | None) -> Cell:
    if grade is None:
        return NOT_GRADED
    p_yes = number(grade.p_yes)
    return Cell(
        p_yes=p_yes,
        mass=number(grade.mass),
        mode=grade.mode,
        low_mass=grade.low_mass,
        bounded=grade.bounded,
        reason=grade.reason or (NO_REASON if p_yes is None else None),
    )
