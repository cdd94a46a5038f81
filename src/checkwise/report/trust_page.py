"""One page that says how far a judge can be trusted: records, and Markdown."""

from checkwise.records import Record
from checkwise.report.markdown import escaped, markdown_table, metrics_markdown
from checkwise.report.metrics import MetricTable
from checkwise.report.numbers import decimal, interval, percent


class CurvePoint(Record):
    """One bin of a reliability curve."""

    low_edge: float
    """Where the bin begins."""
    high_edge: float
    """Where it ends."""
    n: int
    """Forecasts in it."""
    mean: float
    """What the judge's probabilities are on average."""
    observed: float
    """How often it came true."""
    low: float | None = None
    """Lower end of the interval of ``observed``."""
    high: float | None = None
    """Upper end of it."""


class PoorItem(Record):
    """An item that a person should look at."""

    instance_id: str
    """The instance whose list it is in."""
    number: int
    """Its place in the list, from 1."""
    item: str
    """The question."""
    flag: str
    """What is wrong with it."""
    value: float
    """The number that says so."""
    n: int
    """Responses behind that number."""
    suggestion: str
    """What could be done."""


class Upset(Record):
    """A pair of responses on which the judge and people are far apart."""

    instance_id: str
    """The instance."""
    model_a: str
    """The first of the two by name."""
    model_b: str
    """The other one."""
    people: float
    """Share of the votes for ``model_a``, ties counted half."""
    judge: float
    """1 where the judge's scores prefer ``model_a``, 0 where the other, 0.5 for a tie."""
    votes: int
    """People who voted."""

    @property
    def size(self) -> float:
        """How far they are apart, 0-1."""
        return abs(self.people - self.judge)


class TrustPage(Record):
    """What is known of how far to trust the judge of a run."""

    judge: str
    """The model that judged."""
    method: str
    """How it judged."""
    verdict: str | None = None
    """All of it in one sentence; None where nobody voted."""
    tables: tuple[MetricTable, ...] = ()
    """The numbers, with intervals and n."""
    curve: tuple[CurvePoint, ...] = ()
    """How often the response with a win probability was really preferred."""
    items: tuple[PoorItem, ...] = ()
    """Items to look at."""
    items_in_all: int = 0
    """Items of all lists."""
    upsets: tuple[Upset, ...] = ()
    """Pairs on which the judge and the majority of people disagree, widest apart first."""
    notes: tuple[str, ...] = ()
    """What was left out, and what else a reader should know."""


def trust_markdown(page: TrustPage) -> str:
    """Write the page as GitHub-flavoured Markdown.

    Args:
        page: The page.

    Returns:
        The text, ending with a newline. Markup in names is plain text.
    """
    parts = [f"# How far to trust {escaped(page.judge)} ({escaped(page.method)})\n"]
    if page.verdict:
        parts.append(f"{escaped(page.verdict)}\n")
    if page.notes:
        parts.append("".join(f"- {escaped(note)}\n" for note in page.notes))
    if page.tables:
        parts.append(metrics_markdown(page.tables))
    if page.curve:
        parts.append(f"### Win probability and what came of it\n\n{_curve(page)}")
    if page.items:
        flagged = len({(item.instance_id, item.number) for item in page.items})
        parts.append(f"### Items to look at: {flagged} of {page.items_in_all}\n\n{_items(page)}")
    return "\n".join(parts)


def _curve(page: TrustPage) -> str:
    head = (("Win probability", "Mean", "Preferred", "Interval", "n"), (":--", "--:", "--:", ":-:", "--:"))
    rows = [
        (
            f"{percent(point.low_edge)} to {percent(point.high_edge)}",
            percent(point.mean),
            percent(point.observed),
            interval(point.low, point.high),
            str(point.n),
        )
        for point in page.curve
    ]
    return markdown_table([*head, *rows])


def _items(page: TrustPage) -> str:
    head = (("Instance", "Item", "Flag", "Value", "n", "What to do"), (":--", ":--", ":--", "--:", "--:", ":--"))
    rows = [
        (
            escaped(item.instance_id),
            f"{item.number}. {escaped(item.item)}",
            item.flag,
            decimal(item.value, 2),
            str(item.n),
            escaped(item.suggestion),
        )
        for item in page.items
    ]
    return markdown_table([*head, *rows])
