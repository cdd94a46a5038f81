"""``checkwise gate``: whether models are good enough, for continuous integration."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from checkwise.cli import options
from checkwise.cli.console import note, print_json, say
from checkwise.cli.exit_codes import ExitCode
from checkwise.errors import UserError

if TYPE_CHECKING:
    from checkwise.runs.gating import Flipped, Ruling

_SHOWN = 5
"""Items that are named for each model."""


def gate(
    run: options.RunPath,
    *,
    baseline: Annotated[
        Path | None, typer.Option(metavar="RUN", help="A run from before that no model may score worse than.")
    ] = None,
    min_score: Annotated[
        float | None, typer.Option(min=0, max=1, help="A mean score, 0 to 1, that every model shall reach.")
    ] = None,
    margin: Annotated[float, typer.Option(min=0, max=1, help="How much worse a mean score may be.")] = 0.0,
    proof: Annotated[
        Literal["worse", "as-good"],
        typer.Option(
            help="Fail where the 95% interval of the difference shows a model to be worse, or unless it shows it to be "
            "as good."
        ),
    ] = "worse",
    model: Annotated[
        list[str] | None,
        typer.Option(metavar="NEW=OLD", help="Hold this model against one of another name in the baseline."),
    ] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the result as JUnit XML, too.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Say whether the models of a run are good enough, and end with exit code 6 if one is not.

    Decided by intervals, not by bare means: what chance would explain closes no gate. Items whose answer turned are
    named.
    """
    from checkwise.runs import Result
    from checkwise.runs.gating import Gate, at_least

    if (baseline is None) == (min_score is None):
        raise UserError(
            "a gate holds a run against another, or against a score", todo="Give --baseline or --min-score."
        )
    result = Result(run)
    if baseline is not None:
        rule = Gate(margin=margin, proof=proof, models=_pairs(model or ()))
        rulings = rule.against_run(result, Result(baseline))
    else:
        if model or margin or proof != "worse":
            raise UserError("--model, --margin and --proof are about a baseline", todo="Leave them out.")
        assert min_score is not None  # noqa: S101 - one of the two is there
        rulings = at_least(result, min_score)
    if junit is not None:
        _write(junit, run, rulings)
    if as_json:
        print_json({"passed": all(ruling.passed for ruling in rulings), "rulings": [asdict(one) for one in rulings]})
    else:
        for ruling in rulings:
            say(f"{'passed' if ruling.passed else 'FAILED'}  {ruling.model}: {ruling.reason}")
            for line in _turned(ruling):
                say(f"        {line}")
    if not all(ruling.passed for ruling in rulings):
        raise typer.Exit(ExitCode.GATE_CLOSED)


def _pairs(named: Sequence[str]) -> dict[str, str]:
    pairs = {}
    for text in named:
        new, sign, old = text.partition("=")
        if not (sign and new and old):
            raise UserError(f"--model {text!r} names no two models", todo="Write --model NEW=OLD.")
        pairs[new] = old
    return pairs


def _turned(ruling: "Ruling") -> list[str]:
    lines = [_line("lost", one) for one in ruling.lost[:_SHOWN]]
    if len(ruling.lost) > _SHOWN:
        lines.append(f"and {len(ruling.lost) - _SHOWN} more items lost")
    if ruling.won:
        lines.append(f"{len(ruling.won)} items won")
    return lines


def _line(what: str, one: "Flipped") -> str:
    return f"{what} {one.instance_id}: {one.item} ({one.before:.2f} → {one.after:.2f})"


def _write(path: Path, run: Path, rulings: "Sequence[Ruling]") -> None:
    from checkwise.files import write_whole
    from checkwise.report.junit import CaseResult, junit_xml

    cases = [
        CaseResult(name=one.model, passed=one.passed, message=one.reason, details="\n".join(_turned(one)))
        for one in rulings
    ]
    write_whole(path, junit_xml(f"checkwise gate {run}", cases).encode())
    note(f"JUnit: {path}")
