import hashlib
import sys

import pytest
from huggingface_hub import constants

from checkwise.models import DataPackages, ModelEntry

BYTES = b"GGUF" + bytes(range(256)) * 40
"""Stand in for weights; 10,244 bytes, which three pieces do not divide evenly."""


@pytest.fixture(autouse=True)
def use_hub(monkeypatch):
    """Point the hub's client somewhere else, as HF_ENDPOINT does; at first to a port where nobody listens."""

    def point(address):
        monkeypatch.setattr(constants, "ENDPOINT", address)
        monkeypatch.setattr(
            constants, "HUGGINGFACE_CO_URL_TEMPLATE", address + "/{repo_id}/resolve/{revision}/{filename}"
        )

    point("http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    return point


@pytest.fixture
def data():
    return BYTES


@pytest.fixture
def entry():
    return ModelEntry(
        name="tiny-model",
        description="a model for tests",
        file="tiny.gguf",
        size=len(BYTES),
        sha256=hashlib.sha256(BYTES).hexdigest(),
        licence="Apache-2.0",
        context_length=16,
        packages=DataPackages(name="tiny-part{n}", version="1.0", count=3, file="tiny_part{n}/data/part{n:02}.bin"),
    )


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Lay data packages out as pip would; importing one fails the test."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))

    def lay_out(data=BYTES, *, numbers=(1, 2, 3), version="1.0"):
        cuts = [0, 4096, 8192, len(data)]
        for n in numbers:
            package = site / f"tiny_part{n}"
            (package / "data").mkdir(parents=True)
            (package / "__init__.py").write_text("raise SystemExit('a data package was imported')", encoding="utf-8")
            (package / "data" / f"part{n:02}.bin").write_bytes(data[cuts[n - 1] : cuts[n]])
            info = site / f"tiny_part{n}-{version}.dist-info"
            info.mkdir()
            text = f"Metadata-Version: 2.1\nName: tiny-part{n}\nVersion: {version}\n"
            (info / "METADATA").write_text(text, encoding="utf-8")
        return site

    yield lay_out
    assert not any(name.startswith("tiny_part") for name in sys.modules)
