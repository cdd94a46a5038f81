"""From a model's next-token probabilities to the probability of each option."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from checkwise.questions import Choice, Usage

SPACE_MARKS = str.maketrans({"▁": " ", "Ġ": " ", "Ċ": "\n"})
"""How some tokenizers write white space inside a token."""


def surface(token: str) -> str:
    """Reduce a token to what it says: ``" YES"``, ``"yes"`` and ``"▁Yes"`` are all ``yes``."""
    return token.translate(SPACE_MARKS).strip().casefold()


def sum_over_variants(
    tokens: Iterable[tuple[str, float]], options: Sequence[str]
) -> tuple[dict[str, float | None], dict[str, float]]:
    """Add up the probabilities of the tokens that say the same option.

    Args:
        tokens: Each returned token with its probability, 0 to 1.
        options: The options, each one word.

    Returns:
        The probability of each option, None where no token says it; and each token that says an option with its
        probability.
    """
    by_surface = {surface(option): option for option in options}
    probabilities: dict[str, float | None] = dict.fromkeys(options)
    variants: dict[str, float] = {}
    for token, probability in tokens:
        option = by_surface.get(surface(token))
        if option is not None:
            probabilities[option] = (probabilities[option] or 0.0) + probability
            variants[token] = variants.get(token, 0.0) + probability
    return probabilities, variants


def sampled_choice(token: str, options: Sequence[str], usage: Usage | None = None) -> Choice:
    """Read one sampled answer.

    Args:
        token: The word that was sampled.
        options: The options, each one word.
        usage: What it cost.

    Returns:
        A choice in which the option that was said has the probability 1, and the others 0; None for all where the word
        is none of them.
    """
    probabilities, variants = sum_over_variants([(token, 1.0)], options)
    if variants:
        probabilities = {option: probability or 0.0 for option, probability in probabilities.items()}
    return Choice(probabilities=probabilities, variants=variants, mode="sampled", usage=usage or Usage())


def sampled_choices(words: Sequence[str], options: Sequence[str], usage: Usage | None = None) -> Choice:
    """Read several sampled answers to one question.

    Args:
        words: The word that each answer begins with, at least one.
        options: The options, each one word.
        usage: What all of them cost.

    Returns:
        A choice in which each option has the share of the answers that say it; None for all where none says any.
    """
    probabilities, variants = sum_over_variants([(word, 1 / len(words)) for word in words], options)
    if variants:
        probabilities = {option: probability or 0.0 for option, probability in probabilities.items()}
    return Choice(probabilities=probabilities, variants=variants, mode="sampled", usage=usage or Usage())


@dataclass(frozen=True)
class YesProbability:
    """What a judge's next token says about a Yes/No question."""

    p_yes: float | None
    """P(Yes) / (P(Yes) + P(No)); None if neither was among the returned tokens."""
    mass: float
    """P(Yes) + P(No), as far as returned."""
    bounded: bool
    """Whether one side was not returned, and its upper bound stands in for it."""


def yes_probability(choice: Choice, *, yes: str = "Yes", no: str = "No", paper: bool = False) -> YesProbability:
    """Read p_yes and mass from a choice between Yes and No.

    A side that is missing from the returned tokens is unknown, not zero: it cannot be likelier than the least likely
    token that was returned, so this bound stands in for it and the result says ``bounded``.

    Args:
        choice: The judge's probabilities.
        yes: The option that means Yes.
        no: The option that means No.
        paper: Compute as RocketEval's reference code does: the likeliest variant of each side instead of their sum, a
            missing side is 0, and 0.5 if both are missing.

    Returns:
        p_yes, mass and whether p_yes is a bound.

    Source: RocketEval (arXiv 2503.05142), section 3.2.
    """
    if paper:
        return _as_published(choice, yes, no)
    p_yes, p_no = choice.probabilities[yes], choice.probabilities[no]
    if p_yes is None and p_no is None:
        return YesProbability(None, 0.0, False)
    bounded = p_yes is None or p_no is None
    yes_side = choice.floor if p_yes is None else p_yes
    no_side = choice.floor if p_no is None else p_no
    total = yes_side + no_side
    return YesProbability(yes_side / total if total > 0 else None, choice.mass, bounded)


def _as_published(choice: Choice, yes: str, no: str) -> YesProbability:
    def likeliest(option: str) -> float:
        same = (p for token, p in choice.variants.items() if surface(token) == surface(option))
        return max(same, default=0.0)

    p_yes, p_no = likeliest(yes), likeliest(no)
    mass = p_yes + p_no
    return YesProbability(p_yes / mass if mass > 0 else 0.5, mass, False)
