"""Counting tokens with a server's own tokenizer, as llama.cpp's and vLLM's servers offer it beside the chat API."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import lru_cache

from checkwise.engines.endpoints import OPENAI_URL, Endpoint

_PATIENCE = 10
"""Seconds; a server that does not answer by then is taken to have none."""


def server_tokenizer(endpoint: Endpoint) -> Callable[[str], int] | None:
    """Find the tokenizer of a server.

    Args:
        endpoint: The server and its model.

    Returns:
        Counts the tokens of a text, without any that a template puts around it; None where the server offers none.
    """
    if endpoint.urls[0] == OPENAI_URL:
        return None

    @lru_cache(maxsize=4096)
    def count(text: str) -> int:
        return _count(endpoint, text)

    try:
        count("Is it there?")
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return count


def _count(endpoint: Endpoint, text: str) -> int:
    address = endpoint.urls[0].removesuffix("/").removesuffix("/v1") + "/tokenize"
    # llama.cpp reads the content, vLLM the prompt.
    body = {"model": endpoint.model, "content": text, "prompt": text, "add_special": False, "add_special_tokens": False}
    headers = {"Content-Type": "application/json"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    data = json.dumps(body).encode("utf-8", "replace")
    request = urllib.request.Request(address, data=data, headers=headers)  # noqa: S310 - an endpoint's own address
    with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:  # noqa: S310
        return len(json.load(answer)["tokens"])
