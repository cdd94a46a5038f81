"""What holds for all tests."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from hypothesis import settings

from checkwise.models import find_model, list_cached, weights_path

# The same examples every time, so that a change is to blame where a test begins to fail; `HYPOTHESIS_PROFILE=search`
# looks for new ones. No deadlines: a machine may be busy.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

SMALLEST = "smollm2-135m"


@dataclass(frozen=True)
class LlamaHttpServer:
    """Where the server is reached."""

    url: str
    """Of its OpenAI-compatible API."""
    root: str
    """Of llama.cpp's own."""
    key: str
    """The key it wants."""


@pytest.fixture(scope="session")
def smallest() -> str:
    """The name of the smallest model, if its weights are here."""
    if SMALLEST not in {cached.entry.name for cached in list_cached()}:
        pytest.skip(f"the weights of {SMALLEST} are not in the cache; `make small-weights` fetches them")
    return SMALLEST


@pytest.fixture(scope="session")
def llama_http_server(smallest: str) -> Iterator[LlamaHttpServer]:
    """llama.cpp's server over HTTP, as one starts it: what it computes depends on what it was asked before."""
    with llama_server(smallest, slots=2) as server:
        yield server


@pytest.fixture(scope="session")
def forgetful_http_server(smallest: str) -> Iterator[LlamaHttpServer]:
    """llama.cpp's server over HTTP, without a cache and one request at a time: the same answer to the last digit."""
    with llama_server(smallest, slots=1, remembers=False) as server:
        yield server


@contextmanager
def llama_server(model: str, *, slots: int, remembers: bool = True) -> Iterator[LlamaHttpServer]:
    """Run a server in this process."""
    xllamacpp = pytest.importorskip("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights_path(find_model(model)))
    parameters.n_ctx, parameters.n_parallel = 2048 * slots, slots
    parameters.cache_prompt = remembers
    parameters.warmup = parameters.ui = False
    parameters.verbosity = -1
    parameters.api_keys = [key := "planted-key-of-the-tests"]
    server = xllamacpp.Server(parameters)
    yield LlamaHttpServer(f"{server.listening_address}/v1", server.listening_address, key)
    del server
