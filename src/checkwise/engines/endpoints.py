"""From the name of a hosted model to where it is reached and with what key."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from urllib.parse import SplitResult, urlsplit

from checkwise.errors import UnknownModelError

OPENAI_URL = "https://api.openai.com/v1"
"""Where ``openai:MODEL`` is reached unless OPENAI_BASE_URL says otherwise."""
OPENAI_KEY, OTHER_KEY = "OPENAI_API_KEY", "CHECKWISE_API_KEY"
"""The environment variables that hold keys."""
KEYRING_SERVICE = "checkwise"
"""The service that keys lie under in a keyring; the user is the host."""


@dataclass(frozen=True)
class Endpoint:
    """A model and where it is reached."""

    model: str
    """The name that the server knows it by."""
    urls: tuple[str, ...]
    """The base URLs of its replicas, each up to where the API begins, as they were named."""
    key: str | None = field(default=None, repr=False)
    """The key to send; None sends none."""


def is_hosted(name: str) -> bool:
    """Tell whether a name is that of a hosted model: ``openai:MODEL`` or a URL."""
    return name.startswith(("openai:", "http://", "https://"))


def find_endpoint(name: str, environment: Mapping[str, str] | None = None) -> Endpoint:
    """Find out where a hosted model is reached.

    A key goes to its own host only: OPENAI_API_KEY to OpenAI, or where OPENAI_BASE_URL points; CHECKWISE_API_KEY, or
    what a keyring holds for ``checkwise`` and the host, to the host of the name.

    Args:
        name: ``openai:MODEL``, or ``http(s)://HOST/v1#MODEL``; several replicas of one model are separated by commas.
        environment: Environment variables; those of the process if None.

    Returns:
        The endpoint.

    Raises:
        UnknownModelError: The name cannot be read, or holds a key or password.
    """
    variables = os.environ if environment is None else environment
    ours = variables.get("OPENAI_BASE_URL") or OPENAI_URL
    if name.startswith("openai:"):
        model = name.removeprefix("openai:")
        if not model:
            raise UnknownModelError(f"{name!r} names no model", todo="Write openai:MODEL, such as openai:gpt-4o-mini.")
        return Endpoint(model, (ours.rstrip("/"),), _key(urlsplit(ours), OPENAI_KEY, variables))
    addresses, sign, model = name.partition("#")
    urls = tuple(dict.fromkeys(url.strip().rstrip("/") for url in addresses.split(",") if url.strip()))
    if not sign or not model or not urls:
        raise UnknownModelError(
            f"{_shown(name)} does not name a model",
            todo="Write ADDRESS#MODEL, such as http://localhost:8000/v1#qwen2.5.",
        )
    parsed = [_checked(url) for url in urls]
    same_as_openai = urlsplit(ours).hostname == parsed[0].hostname
    return Endpoint(model, urls, _key(parsed[0], OPENAI_KEY if same_as_openai else OTHER_KEY, variables))


def find_server(url: str, environment: Mapping[str, str] | None = None) -> tuple[str, str | None]:
    """Check the address of a server and find its key: CHECKWISE_API_KEY, or what a keyring holds for its host.

    Args:
        url: ``http(s)://HOST[:PORT]``.
        environment: Environment variables; those of the process if None.

    Returns:
        The address without a slash at its end, and the key; None where there is none.

    Raises:
        UnknownModelError: It is no address, or holds a key or password.
    """
    host = _checked(url.strip().rstrip("/"))
    return url.strip().rstrip("/"), _key(host, OTHER_KEY, os.environ if environment is None else environment)


def _checked(url: str) -> SplitResult:
    parts = urlsplit(url)
    try:
        known = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        known = False
    if not known:
        raise UnknownModelError(f"{_shown(url)} is no address", todo="Begin it with http:// or https:// and a host.")
    if parts.username or parts.password or parts.query:
        raise UnknownModelError(
            f"the address of {parts.hostname} holds a user, a password or a query",
            todo=f"Leave it out, and put the key into the environment variable {OTHER_KEY}.",
        )
    return parts


def _shown(url: str) -> str:
    """Write an address without what may be a password."""
    return repr(url.rpartition("@")[2] if "@" in url else url.partition("?")[0])


def _key(host: SplitResult, variable: str, variables: Mapping[str, str]) -> str | None:
    return variables.get(variable) or _from_keyring(host.hostname or "")


def _from_keyring(host: str) -> str | None:
    if find_spec("keyring") is None:
        return None
    import keyring  # noqa: PLC0415 - an extra
    from keyring.errors import KeyringError  # noqa: PLC0415

    try:
        return keyring.get_password(KEYRING_SERVICE, host)
    except KeyringError:
        return None
