"""How models run, wherever they run."""

from dataclasses import dataclass, field
from typing import Literal

Routing = Literal["prefix", "round-robin"]
"""How a server is chosen: by what the prompt begins with, or one after another."""


@dataclass(frozen=True, kw_only=True)
class LlamaCppOptions:
    """How llama.cpp runs; the defaults suit a laptop."""

    context: int = 16_384
    """Tokens that a prompt and its answer may have together."""
    threads: int | None = None
    """CPU threads; None takes the number of physical cores."""
    batch_size: int = 512
    """Tokens computed at a time; a larger number costs memory."""


@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    """What an endpoint may be asked for; the defaults suit a hosted model."""

    concurrency: int = 32
    """The most requests at a time; fewer when the endpoint does not keep up."""
    requests_per_minute: float | None = None
    """None sets no limit."""
    tokens_per_minute: float | None = None
    """Of prompts and answers, as estimated before they are sent; None sets no limit."""
    attempts: int = 6
    """How often a request is sent before it is given up."""
    timeout: float = 600.0
    """Seconds that one request may take."""


@dataclass(frozen=True, kw_only=True)
class HostedOptions:
    """How a hosted model is asked."""

    limits: LimitOptions = field(default_factory=LimitOptions)
    """Of each server."""
    samples: int = 8
    """Answers sampled for a probability where the endpoint gives no log-probabilities."""
    leading_first: bool = True
    """Whether the first suffix of a prefix goes ahead of the others, so that the server computes the prefix once."""
    routing: Routing = "prefix"
    """How a server is chosen among replicas."""
    reasoning_tokens: int = 4096
    """Tokens that a model which thinks may take for it, beside those of the answer."""


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """How the models of a run are run; each takes what is meant for its kind."""

    embedded: LlamaCppOptions = field(default_factory=LlamaCppOptions)
    """Of those in this process."""
    hosted: HostedOptions = field(default_factory=HostedOptions)
    """Of those behind OpenAI's API."""
