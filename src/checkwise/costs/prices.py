"""The price of a model: from a price list, given by the user, or by the hour of the machine that it runs on."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

from checkwise.errors import UserError
from checkwise.questions import Usage

MILLION = 1_000_000
HOUR = 3600.0

TODO = "Give it with --price IN,OUT (dollars per million tokens), or with --machine-hour (dollars)."
"""What to do where a price is not known."""

_HERE = ("local:", "gguf:")
"""How the names of models begin that run on the user's own machine."""

_BATCH = "batch:"
"""How the names of hosted models begin that are asked through a Batch API."""

_FREE = ("google", "argos")
"""Translators that are no models and take no money."""


@dataclass(frozen=True, kw_only=True)
class Price:
    """What a model costs.

    Args:
        read: Dollars per million prompt tokens.
        reused: Dollars per million prompt tokens that came from the model's cache.
        written: Dollars per million tokens written.
        hour: Dollars per hour of engine time.
        source: Where the price comes from, for people.
    """

    read: float = 0.0
    reused: float = 0.0
    written: float = 0.0
    hour: float = 0.0
    source: str

    def of(self, usage: Usage) -> float:
        """Compute what something costs.

        Args:
            usage: Tokens and seconds.

        Returns:
            Dollars.
        """
        # An engine may compute a little more than the prompt, to keep its cache in order.
        reused = max(usage.prompt_tokens - usage.computed_tokens, 0)
        read = usage.prompt_tokens - reused
        tokens = read * self.read + reused * self.reused + usage.generated_tokens * self.written
        return tokens / MILLION + usage.seconds * self.hour / HOUR

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``IN,OUT`` or ``IN,OUT,CACHED``, dollars per million tokens.

        Args:
            text: What the user wrote.

        Returns:
            The price; cached tokens cost what others do if nothing is said of them.

        Raises:
            UserError: It is no such text.
        """
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 3) or not all(0 <= number < float("inf") for number in numbers):
            raise UserError(
                f"the price {text!r} is not of the form IN,OUT or IN,OUT,CACHED",
                todo="Write dollars per million tokens, such as 0.15,0.60 or 0.15,0.60,0.075.",
            )
        read, written, reused = numbers if len(numbers) == 3 else (*numbers, numbers[0])
        return cls(read=read, reused=reused, written=written, source="given")

    @classmethod
    def by_hour(cls, dollars: float) -> Self:
        """Make the price of a machine that costs so many dollars an hour."""
        return cls(hour=dollars, source=f"${dollars:g} per machine hour")

    def in_batches(self) -> "Price":
        """Give the price of the same tokens through a Batch API: half, as OpenAI and others who offer one ask."""
        half = {rate: getattr(self, rate) / 2 for rate in ("read", "reused", "written")}
        return Price(**half, source=f"{self.source}, half in batches")

    def __str__(self) -> str:
        """Write the price as people read it."""
        if self.hour:
            return self.source
        rates = f"${self.read:g} read, ${self.reused:g} from the cache, ${self.written:g} written, per million tokens"
        return f"{rates} ({self.source})"


@dataclass(frozen=True, kw_only=True)
class Prices:
    """What models cost, as far as it is known.

    Args:
        given: Prices by the model's name; these come first.
        machine_hour: Dollars per hour of engine time of a model that has no price per token; None if not known.
    """

    given: Mapping[str, Price] = field(default_factory=lambda: MappingProxyType({}))
    machine_hour: float | None = None

    def find(self, model: str) -> Price | None:
        """Find what a model costs.

        Args:
            model: Its name, as the user wrote it.

        Returns:
            The price; None where nobody knows it, which is not 0.
        """
        if model in self.given:
            return self.given[model]
        if model in _FREE:
            return Price(source="no price is asked")
        listed = listed_price(model.removeprefix(_BATCH))
        if listed is not None and model.startswith(_BATCH):
            listed = listed.in_batches()
        if listed is None and self.machine_hour is not None:
            return Price.by_hour(self.machine_hour)
        return listed

    def over(self, others: Self) -> "Prices":
        """Put these prices before others."""
        hour = others.machine_hour if self.machine_hour is None else self.machine_hour
        return Prices(given={**others.given, **self.given}, machine_hour=hour)

    def to_json(self) -> str:
        """Write what was given, to be kept with a run."""
        given = {model: [price.read, price.written, price.reused] for model, price in self.given.items()}
        return json.dumps({"given": given, "machine_hour": self.machine_hour}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what ``to_json`` has written."""
        kept = json.loads(text)
        given = {
            model: Price(read=read, written=written, reused=reused, source="given")
            for model, (read, written, reused) in kept["given"].items()
        }
        return cls(given=given, machine_hour=kept["machine_hour"])


def listed_price(model: str) -> Price | None:
    """Look a hosted model up in the price list of ``genai-prices``, which is part of the package: nobody is asked.

    Args:
        model: ``PROVIDER:MODEL``, such as ``openai:gpt-4o-mini``, or ``https://HOST/PATH#MODEL``.

    Returns:
        The price of short prompts at the standard rate; None for a model or a provider that the list does not have.
    """
    host, hash_mark, name = model.partition("#")
    if hash_mark and "://" in host:
        provider = {"provider_api_url": host}
    else:
        scheme, _, name = model.partition(":")
        provider = {"provider_id": scheme}
    if not name or model.startswith(_HERE):
        return None
    from genai_prices import Usage as Tokens  # noqa: PLC0415 - takes a second
    from genai_prices import calc_price  # noqa: PLC0415 - takes a second

    def dollars(**tokens: int) -> float:
        # A thousand at a time, for long prompts may have another price.
        return float(calc_price(Tokens(**tokens), name, **provider).total_price) * MILLION / 1000  # type: ignore[call-overload]

    try:
        found = calc_price(Tokens(input_tokens=1), name, **provider)  # type: ignore[call-overload]
        read = dollars(input_tokens=1000)
        reused = dollars(input_tokens=1000, cache_read_tokens=1000)
        return Price(
            read=read,
            reused=reused,
            written=dollars(output_tokens=1000),
            source=f"genai-prices: {found.provider.id} {found.model.id}",
        )
    except LookupError:
        return None
