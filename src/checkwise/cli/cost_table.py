"""Tokens, time and money as a person reads them in a terminal, or as JSON."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checkwise.cli.console import out, plain, print_json, say

if TYPE_CHECKING:
    from checkwise.costs import Bill, ManyTests
    from checkwise.costs.bill import Line
    from checkwise.runs import Estimate

EARLIER = "(before steps were kept)"
"""What stands for the step of an old answer."""


def show_bill(bill: "Bill", *, run: Path, as_json: bool) -> None:
    """Print what the answers in a run folder took.

    Args:
        bill: All of it.
        run: The folder.
        as_json: Whether to print one JSON document instead.
    """
    notes = bill.price_notes()
    if as_json:
        print_json({"run": str(run), **_bill_document(bill), "notes": notes})
        return
    _print_bill(bill, "What the answers in this folder took")
    for line in notes:
        say(f"Note: {line}")


def show_estimate(estimate: "Estimate", *, against: str | None, as_json: bool) -> None:
    """Print what a run would cost, and what many tests would.

    Args:
        estimate: All of it.
        against: The big model that it is held against.
        as_json: Whether to print one JSON document instead.
    """
    bills = [estimate.bill] if estimate.against is None else [estimate.bill, estimate.against]
    notes = [*dict.fromkeys(line for bill in bills for line in bill.price_notes()), *estimate.notes]
    if as_json:
        print_json(_estimate_document(estimate, against) | {"notes": notes})
        return
    _print_bill(estimate.bill, "What is left to ask")
    if estimate.reused:
        say(f"From the store, and not counted: {estimate.reused:,} answers")
    if estimate.against is not None:
        _print_bill(estimate.against, f"The same responses, judged by {against} alone")
    if estimate.many is not None and estimate.many.total(1) is not None:
        _print_many(estimate.many, against)
    for line in notes:
        say(f"Note: {line}")


def _print_bill(bill: "Bill", title: str) -> None:
    from rich.table import Table

    from checkwise.costs.money import dollars

    shown = Table(title=title, title_justify="left", show_footer=True)
    usage = bill.usage
    shown.add_column("step", "all", overflow="fold")
    shown.add_column("model", overflow="fold")
    totals = {
        "questions": f"{bill.questions:,}",
        "tokens read": f"{usage.prompt_tokens:,}",
        "from cache": f"{bill.reused:,}",
        "written": f"{usage.generated_tokens:,}",
        "seconds": f"{usage.seconds:,.0f}" if usage.seconds else "",
        "cost": dollars(bill.cost),
    }
    for header, total in totals.items():
        shown.add_column(header, total, justify="right", no_wrap=True)
    for line in bill.lines:
        shown.add_row(
            line.step or EARLIER,
            plain(line.model),
            f"{line.questions:,}",
            f"{line.usage.prompt_tokens:,}",
            f"{line.reused:,}",
            f"{line.usage.generated_tokens:,}",
            f"{line.usage.seconds:,.0f}" if line.usage.seconds else "",
            dollars(line.cost),
        )
    out().print(shown)


def _print_many(many: "ManyTests", against: str | None) -> None:
    from rich.table import Table

    from checkwise.costs import TESTS
    from checkwise.costs.money import dollars

    once = "" if not many.once else f", {dollars(many.once)} of it once, for the checklists"
    shown = Table(title=f"Models tested{once}", title_justify="left")
    for header in ("models", "cost", *([] if against is None else [plain(against), "times as much"])):
        shown.add_column(header, justify="right")
    for tests in TESTS:
        ratio = many.ratio(tests)
        beside = [dollars(many.total_against(tests)), "" if ratio is None else f"{ratio:,.1f}"]
        shown.add_row(f"{tests:,}", dollars(many.total(tests)), *([] if against is None else beside))
    out().print(shown)


def _bill_document(bill: "Bill") -> dict[str, Any]:
    usage = bill.usage.model_dump() | {"reused_tokens": bill.reused}
    return {
        "lines": [_line_document(line) for line in bill.lines],
        "total": {"questions": bill.questions, **usage, "cost": bill.cost},
    }


def _line_document(line: "Line") -> dict[str, Any]:
    usage = line.usage.model_dump() | {"reused_tokens": line.reused}
    price = None if line.price is None else str(line.price)
    return {
        "step": line.step,
        "model": line.model,
        "questions": line.questions,
        **usage,
        "cost": line.cost,
        "price": price,
    }


def _estimate_document(estimate: "Estimate", against: str | None) -> dict[str, Any]:
    from checkwise.costs import TESTS

    many = estimate.many
    document = _bill_document(estimate.bill) | {"from_the_store": estimate.reused, "tests": estimate.tests}
    if estimate.against is not None:
        document["against"] = {"model": against, **_bill_document(estimate.against)}
    if many is not None:
        rows = [
            {"tests": n, "cost": many.total(n), "against": many.total_against(n), "ratio": many.ratio(n)} for n in TESTS
        ]
        document["many_tests"] = {"once": many.once, "a_test": many.a_test, "rows": rows}
    return document
