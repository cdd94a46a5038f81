"""What every method shows a model of an instance and a response."""

from collections.abc import Sequence

from checkwise.records import Instance, Response, Turn


def conversation_text(turns: Sequence[Turn]) -> str | None:
    """Write turns as ``USER: ...`` and ``ASSISTANT: ...`` blocks (RocketEval, appendix A).

    Args:
        turns: The turns, oldest first.

    Returns:
        The text, None if there are no turns.
    """
    return "\n\n".join(f"{turn.role.upper()}: {turn.content}" for turn in turns) or None


def prompt_data(instance: Instance, response: Response) -> dict[str, str | None]:
    """Collect the variables of a prompt about one response.

    Args:
        instance: What was asked.
        response: What a model answered.

    Returns:
        ``query``, ``history`` (the same for all models), ``own_history`` (as this model saw it, where models saw
        different ones), ``reference`` and ``response``; None where there is none.
    """
    return {
        "query": instance.query,
        "history": conversation_text(instance.history),
        "own_history": conversation_text(response.history or ()),
        "reference": instance.reference,
        "response": response.text,
    }


def pair_data(instance: Instance, first: Response, second: Response) -> dict[str, str | None]:
    """Collect the variables of a prompt about two responses.

    Args:
        instance: What was asked.
        first: The response that is shown first, as A.
        second: The response that is shown second, as B.

    Returns:
        ``query``, ``history`` and ``reference``, ``response_a`` and ``response_b``; None where there is none.
    """
    return {
        "query": instance.query,
        "history": conversation_text(first.history or instance.history),
        "reference": instance.reference,
        "response_a": first.text,
        "response_b": second.text,
    }
