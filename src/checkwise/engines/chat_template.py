"""A chat template as what stands around the contents of messages, so that contents can be tokenized apart from it."""

import secrets
from collections.abc import Callable, Sequence

from checkwise.errors import EngineError, Place

Render = Callable[[list[dict[str, str]]], str]
"""Renders messages with a model's template, up to where its answer begins."""


def around_contents(roles: Sequence[str], render: Render, *, where: Place) -> tuple[str, ...]:
    """Cut a chat template at the contents of its messages.

    Args:
        roles: Who speaks in each message.
        render: The template.
        where: What a message of error says about whose template it is.

    Returns:
        What stands before each content, and what stands after the last.

    Raises:
        EngineError: The template leaves a message out.
    """
    marks = [f"[[{number}-{secrets.token_hex(8)}]]" for number in range(len(roles))]
    rest = render([{"role": role, "content": mark} for role, mark in zip(roles, marks, strict=True)])
    pieces = []
    for mark in marks:
        before, found, rest = rest.partition(mark)
        if not found:
            raise EngineError(
                f"the model's chat template has no place for the messages {', '.join(roles)}",
                where=where,
                todo="Use an instruction-tuned model whose files carry a chat template.",
            )
        pieces.append(before)
    return (*pieces, rest)
