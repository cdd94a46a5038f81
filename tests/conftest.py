"""What holds for all tests."""

import os
from collections.abc import Iterator
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
    """llama.cpp's server over HTTP."""
    xllamacpp = pytest.importorskip("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights_path(find_model(smallest)))
    parameters.n_ctx, parameters.n_parallel = 4096, 2
    parameters.warmup = parameters.ui = False
    parameters.verbosity = -1
    parameters.api_keys = [key := "planted-key-of-the-tests"]
    server = xllamacpp.Server(parameters)
    yield LlamaHttpServer(f"{server.listening_address}/v1", server.listening_address, key)
    del server
