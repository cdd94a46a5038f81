"""What a provider's errors mean: to be sent again, something it does not take, or the end of the run."""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import openai

from checkwise.engines.limits import TemporaryError
from checkwise.engines.redaction import redacted
from checkwise.errors import EngineError, Place

T = TypeVar("T")

_AGAIN = {408, 409, 425, 429}
_LONGEST_QUOTE = 500


class RefusedError(Exception):
    """A request that the endpoint understood and does not take: HTTP status 400, 413 or 422.

    Args:
        said: The provider's words.
        code: Its code for what is wrong, where it gave one.
        parameter: The parameter that is at fault, where it named one.
    """

    def __init__(self, said: str, *, code: str | None, parameter: str | None) -> None:
        self.said = said
        self.code = code
        self.parameter = parameter
        super().__init__(said)

    @property
    def too_long(self) -> bool:
        """Whether the prompt does not fit the context."""
        words = f"{self.code or ''} {self.said}".casefold()
        return any(sign in words for sign in ("context_length", "context length", "context size", "context window"))


@dataclass(frozen=True)
class Provider:
    """Who answers, for messages about what went wrong."""

    address: str
    """The endpoint's URL."""
    key: str | None = None
    """The key in use, which no message may show."""

    async def call(self, request: Callable[[], Awaitable[T]]) -> T:
        """Send one request, and say in this project's terms what went wrong.

        Args:
            request: Sends it through the SDK.

        Returns:
            What the provider answered.

        Raises:
            TemporaryError: It may come through another time.
            RefusedError: The endpoint does not take it.
            EngineError: The endpoint will take none: 401, 403, 404, a quota that is used up; carries its words.
        """
        try:
            return await request()
        except openai.APITimeoutError:
            raise TemporaryError("the endpoint did not answer in time") from None
        except openai.APIConnectionError as error:
            raise TemporaryError(f"the connection broke: {self.quoted(str(error.__cause__ or error))}") from None
        except openai.APIStatusError as error:
            raise self._status(error) from None
        except (openai.APIError, json.JSONDecodeError, UnicodeDecodeError, ValueError) as error:
            raise TemporaryError(f"the endpoint answered what cannot be read: {self.quoted(str(error))}") from None

    def quoted(self, text: str) -> str:
        """Shorten what a provider said, without keys."""
        said = " ".join(redacted(text, self.key).split())
        return said if len(said) <= _LONGEST_QUOTE else said[: _LONGEST_QUOTE - 1] + "…"

    def _status(self, error: openai.APIStatusError) -> Exception:
        status, said = error.status_code, self.quoted(_message(error))
        code = str(error.code) if error.code is not None else None
        if status == 429 and "insufficient_quota" in (code, error.type):
            return self.end(f"the quota is used up: {said}")
        if status in _AGAIN or status >= 500:
            crowded = status in (429, 503, 529)
            return TemporaryError(f"the endpoint answered {status}: {said}", crowded=crowded, wait=wait_of(error))
        if status in (400, 413, 422):
            return RefusedError(said, code=code, parameter=error.param)
        return self.end(f"the endpoint answered {status}: {said}", status=status)

    def end(self, what: str, *, status: int | None = None) -> EngineError:
        """Make the error that ends a run."""
        todo = {
            401: "Put the key into the environment: OPENAI_API_KEY for OpenAI, CHECKWISE_API_KEY for others.",
            403: "See that the key may use this model.",
            404: "See that the address ends where the API begins, such as /v1, and that the model's name is right.",
        }
        return EngineError(what, where=Place(self.address), todo=todo.get(status or 0))


def wait_of(error: openai.APIStatusError) -> float | None:
    """Read when the endpoint wants to see a request again.

    Args:
        error: Its answer; the headers ``retry-after-ms`` and ``retry-after`` (seconds, or a date) are looked at.

    Returns:
        Seconds from now, 0 or more; None where it did not say.
    """
    headers = error.response.headers
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        said = headers.get(name)
        if said is not None and re.fullmatch(r"\s*\d+(\.\d+)?\s*", said):
            return float(said) * unit
    said = headers.get("retry-after")
    try:
        at = parsedate_to_datetime(said) if said else None
    except ValueError:
        return None
    if at is None:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())


def _message(error: openai.APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        if message:
            return str(message)
    return str(error.body or error.message)
