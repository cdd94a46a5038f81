"""How models run, wherever they run."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

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

    def all_at_once(self) -> "HostedOptions":
        """The same, but no item waits for another."""
        return replace(self, leading_first=False)


@dataclass(frozen=True, kw_only=True)
class BatchOptions:
    """How batches of requests are sent and waited for; the limits are those of OpenAI's Batch API."""

    journal: Path | None = None
    """The file that remembers which batch a request went into; None forgets it when the process ends."""
    wait: bool = True
    """Whether to wait for the answers, or to send the batches and stop."""
    quiet: float = 2.0
    """Seconds without a new request after which those that have gathered are sent."""
    poll: float = 30.0
    """Seconds between looks at a batch."""
    most_requests: int = 50_000
    """In one batch."""
    most_bytes: int = 200_000_000
    """Of one batch's file."""


@dataclass(frozen=True, kw_only=True)
class VllmOptions:
    """How vLLM runs in this process; the defaults suit one GPU."""

    context: int | None = None
    """Tokens that a prompt and its answer may have together; None takes what the model was made for."""
    quiet: float = 0.05
    """Seconds without a new question after which those that have gathered are submitted together."""
    most_prompts: int = 4096
    """In one submission; what a killed run loses at most."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """More arguments of ``vllm.LLM``, such as ``tensor_parallel_size``."""


@dataclass(frozen=True, kw_only=True)
class RayOptions:
    """How a run is spread over the workers of a Ray cluster."""

    workers: int = 2
    """Each holds an engine of its own."""
    address: str | None = None
    """The cluster; None takes the one that ``RAY_ADDRESS`` names, or starts one on this machine."""
    cpus: float | None = None
    """That each worker takes; None shares those of the cluster among them."""
    gpus: float = 0.0
    """That each worker takes."""
    attempts: int = 3
    """How often a question may meet a worker that dies before it is given up."""


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """How the models of a run are run; each takes what is meant for its kind."""

    embedded: LlamaCppOptions = field(default_factory=LlamaCppOptions)
    """Of those in this process."""
    hosted: HostedOptions = field(default_factory=HostedOptions)
    """Of those behind OpenAI's API."""
    batch: BatchOptions = field(default_factory=BatchOptions)
    """Of those asked in batches, beside ``hosted``."""
    vllm: VllmOptions = field(default_factory=VllmOptions)
    """Of those that vLLM runs in this process."""
    ray: RayOptions | None = None
    """Of the workers that models run on; None runs them here."""
