"""From the options of a command to the method that they ask for."""

# ruff: noqa: PLC0415 - help must not wait for heavy imports
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from checkwise.errors import UserError

if TYPE_CHECKING:
    from checkwise.methods import Asking, Method

MethodName = Literal["rocketeval", "ce-judge", "direct", "cot", "prometheus"]
AskingName = Literal["alone", "in-turn", "together"]
TaskName = Literal["reasoning", "chat", "translation", "general"]

METHODS = (
    "rocketeval grades each item of a checklist; ce-judge judges with checklists made for instruction and response, in "
    "any language; direct asks for the answer alone; cot and prometheus have the judge write its reasons first."
)


@dataclass(frozen=True, kw_only=True)
class MethodOptions:
    """What a user said about the method. None is not said."""

    prompts: Path | None
    low_mass: float = 0.5
    paper: bool = False
    asking: AskingName | None = None
    repeats: int | None = None
    temperature: float | None = None
    task: TaskName | None = None
    guide: str | None = None
    language: str | None = None
    response_language: str | None = None
    translator: str | None = None
    generator: str | None = None
    margin: float | None = None


_TAKES: dict[MethodName, frozenset[str]] = {
    "rocketeval": frozenset({"paper", "asking", "repeats", "temperature", "generator", "margin"}),
    "ce-judge": frozenset({"task", "guide", "language", "response_language", "translator"}),
    "direct": frozenset(),
    "cot": frozenset({"guide"}),
    "prometheus": frozenset({"guide"}),
}
"""The options that not every method has, by method."""


def make_method(name: MethodName, options: MethodOptions) -> "Method":
    """Make the method.

    Args:
        name: Which one.
        options: What a user said about it.

    Returns:
        The method.

    Raises:
        UserError: An option is about another method.
    """
    from checkwise.methods import CEJudge, CoT, Direct, Prometheus, RocketEval
    from checkwise.prompts import PromptLibrary, find_guide

    for option in sorted(frozenset[str]().union(*_TAKES.values())):
        if getattr(options, option) not in (None, False) and option not in _TAKES[name]:
            takers = [method for method in get_args(MethodName) if option in _TAKES[method]]
            flag = f"--{option.replace('_', '-')}"
            raise UserError(
                f"{flag} says nothing to the method {name}",
                todo=f"Leave it out, or use --method {' or '.join(takers)}.",
            )
    library = PromptLibrary(options.prompts)
    if name == "rocketeval":
        asking = make_asking(options)
        return RocketEval(prompts=library, low_mass=options.low_mass, paper=options.paper, asking=asking)
    if name == "direct":
        return Direct(prompts=library, low_mass=options.low_mass)
    guided: CoT | Prometheus | CEJudge
    if name == "cot":
        guided = CoT(prompts=library)
    elif name == "prometheus":
        guided = Prometheus(prompts=library)
    else:
        guided = CEJudge(
            prompts=library,
            task=options.task,
            language=options.language,
            response_language=options.response_language,
        )
    return guided if options.guide is None else replace(guided, guide=find_guide(options.guide))


def make_asking(options: MethodOptions) -> "Asking":
    """Make the way in which items are put to the judge.

    Args:
        options: What a user said about it.

    Returns:
        The way.

    Raises:
        UserError: Two options do not go together.
    """
    from checkwise.methods import Alone, InTurn, Together

    sampling = options.repeats or options.temperature is not None
    if options.asking in ("in-turn", "together"):
        if sampling:
            raise UserError(
                f"items asked {options.asking} are asked once, and their answers are not sampled",
                todo="Leave out --repeats and --temperature, or --asking.",
            )
        return InTurn() if options.asking == "in-turn" else Together()
    if options.temperature is not None and not options.repeats:
        raise UserError("--temperature is for sampled answers", todo="Say how many with --repeats, or leave it out.")
    return Alone(
        samples=options.repeats or 0,
        temperature=1.0 if options.temperature is None else options.temperature,
    )
