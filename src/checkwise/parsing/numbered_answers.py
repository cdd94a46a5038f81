"""Yes or No to numbered questions, from one text that answers all of them."""

import re

from checkwise.parsing.thinking import strip_thinking

_LINE = re.compile(
    r"^[\s>*_#\-•]*(?:(?:question|item|answer|q|no)\W{0,3})?(?P<number>\d{1,3})[\s.):*_\-–—]+"
    r"(?P<between>[^\n]*?)\b(?P<answer>yes|no)\b(?P<rest>[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)


def read_numbered_answers(text: str, items: int) -> list[bool | None]:
    """Read one answer a question, from lines such as ``3. Yes``, ``**3:** no`` or ``3) Is it short? Yes``.

    Args:
        text: What the judge wrote, verbatim; thinking and markup do not matter, digits may be of any script.
        items: How many questions there were.

    Returns:
        For each question whether the answer is Yes; None where no line answers it, where a line says both, or where two
        lines say different things.
    """
    answer, unclosed = strip_thinking(text)
    said: dict[int, set[bool]] = {}
    if not unclosed:
        for line in _LINE.finditer(answer):
            words = {word.casefold() for word in re.findall(r"\b(?:yes|no)\b", line["between"] + line["rest"], re.I)}
            clear = words <= {line["answer"].casefold()}
            found = {line["answer"].casefold() == "yes"} if clear else {True, False}
            said.setdefault(int(line["number"]), set()).update(found)
    return [next(iter(found)) if len(found := said.get(n, set())) == 1 else None for n in range(1, items + 1)]
