import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from huggingface_hub import constants

from checkwise.errors import WeightsError
from checkwise.models import DataPackages, HubFile, weights_path

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILE = "/tests/tiny-GGUF/resolve/main/tiny-q4.gguf"


class Hub(BaseHTTPRequestHandler):
    """As much of the hub as its client needs to fetch one file."""

    files: dict[str, bytes]

    def do_HEAD(self):
        self.answer()

    def do_GET(self):
        self.server.served.append(self.path)
        self.wfile.write(self.answer())

    def answer(self):
        body = self.server.files.get(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Length", str(len(body or b"")))
        self.send_header("ETag", '"one"')
        self.send_header("X-Repo-Commit", COMMIT)
        if body is None:
            self.send_header("X-Error-Code", "EntryNotFound")
        self.end_headers()
        return body or b""

    def log_message(self, *_):
        pass


@pytest.fixture
def hub(use_hub):
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        server.files, server.served = {"/": b"the hub"}, []
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        use_hub(f"http://127.0.0.1:{server.server_port}")
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def entry(entry):
    return entry.model_copy(update={"hub": HubFile(repo="tests/tiny-GGUF", file="tiny-q4.gguf"), "packages": None})


def test_the_hub_client_fetches_the_file_and_nothing_else(entry, hub, tmp_path, data):
    hub.files[FILE] = data
    path = weights_path(entry, cache_dir=tmp_path)
    assert path.read_bytes() == data
    assert hub.served == [FILE]
    assert {path.name for path in (tmp_path / "models").iterdir()} == {"tiny.gguf", "tiny.gguf.lock"}


def test_the_wrong_file_on_the_hub_is_refused(entry, hub, tmp_path, data):
    hub.files[FILE] = data[:-4]
    with pytest.raises(WeightsError, match="Hugging Face hub: 10,240 bytes with sha256"):
        weights_path(entry, cache_dir=tmp_path)
    assert {path.name for path in (tmp_path / "models").iterdir()} == {"tiny.gguf.lock"}


def test_a_file_that_the_hub_does_not_have_is_told(entry, hub, tmp_path):
    with pytest.raises(WeightsError, match=r"tiny-GGUF: tiny-q4\.gguf cannot be downloaded \(.*404 Not Found"):
        weights_path(entry, cache_dir=tmp_path)


def test_a_hub_out_of_reach_is_told(entry, tmp_path):
    with pytest.raises(WeightsError, match=r"http://127\.0\.0\.1:9/tests/tiny-GGUF: out of reach \("):
        weights_path(entry, cache_dir=tmp_path)


def test_the_hub_is_asked_before_data_packages(entry, hub, install, tmp_path, data):
    install()
    packages = DataPackages(name="tiny-part{n}", version="1.0", count=3, file="tiny_part{n}/data/part{n:02}.bin")
    hub.files[FILE] = data
    weights_path(entry.model_copy(update={"packages": packages}), cache_dir=tmp_path / "cache")
    assert hub.served == [FILE]


def test_working_offline_leaves_the_hub_alone(entry, hub, tmp_path, data):
    hub.files[FILE] = data
    with pytest.raises(WeightsError, match="not asked, as working offline was asked for"):
        weights_path(entry, cache_dir=tmp_path, offline=True)
    assert hub.served == []


def test_the_hub_clients_own_offline_switch_is_respected(entry, hub, tmp_path, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(WeightsError, match="not asked, as working offline was asked for"):
        weights_path(entry, cache_dir=tmp_path)


@pytest.fixture
def hub_cache(tmp_path, monkeypatch):
    """Lay a file out as the hub's client keeps it."""

    def keep(data):
        repository = tmp_path / "hub" / "models--tests--tiny-GGUF"
        (repository / "refs").mkdir(parents=True)
        (repository / "refs" / "main").write_text(COMMIT, encoding="utf-8")
        (repository / "snapshots" / COMMIT).mkdir(parents=True)
        (repository / "snapshots" / COMMIT / "tiny-q4.gguf").write_bytes(data)

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return keep


def test_what_the_hub_client_fetched_before_is_copied(entry, hub_cache, tmp_path, data):
    hub_cache(data)
    assert weights_path(entry, cache_dir=tmp_path / "cache", offline=True).read_bytes() == data


def test_damage_in_the_hub_clients_cache_is_passed_over(entry, hub, hub_cache, tmp_path, data):
    hub_cache(data[:-1])
    hub.files[FILE] = data
    assert weights_path(entry, cache_dir=tmp_path / "cache").read_bytes() == data
