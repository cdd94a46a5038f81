"""The embedded judge on real weights; tests are skipped where the weights are not in the cache."""

from collections.abc import Iterator

import pytest

from checkwise.engines import EngineOptions, LlamaCppEngine, LlamaCppOptions, open_engine
from checkwise.models import find_model, list_cached

JUDGE = "qwen2.5-coder-1.5b"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if "tests/real/" in item.nodeid:
            item.add_marker(pytest.mark.real)


@pytest.fixture(scope="session")
def weights() -> str:
    """The name of the default judge, if its weights are here."""
    if find_model(JUDGE).name not in {cached.entry.name for cached in list_cached()}:
        pytest.skip(f"the weights of {JUDGE} are not in the cache; `checkwise models get {JUDGE}` fetches them")
    return f"local:{JUDGE}"


@pytest.fixture(scope="session")
def judge(weights: str) -> Iterator[LlamaCppEngine]:
    """The default judge, loaded once."""
    engine = open_engine(weights, options=EngineOptions(embedded=LlamaCppOptions(context=2048)))
    assert isinstance(engine, LlamaCppEngine)
    yield engine
