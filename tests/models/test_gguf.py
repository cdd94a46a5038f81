import struct

import pytest

from checkwise.errors import WeightsError
from checkwise.models import check_gguf, default_cache_dir, known_models


def text(value):
    raw = value.encode("utf-8")
    return struct.pack("<Q", len(raw)) + raw


def entry(key, kind, value):
    return text(key) + struct.pack("<I", kind) + value


def tensor(name, shape, offset):
    return text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, offset)


def small_gguf(*, version=3, extra=b"", extras=0):
    """Two tensors of four float32 each, the second at offset 64 of the data, aligned to 64 bytes."""
    header = b"GGUF" + struct.pack("<IQQ", version, 2, 5 + extras)
    header += entry("general.alignment", 4, struct.pack("<I", 64))
    header += entry("general.name", 8, text("Größe 模型"))
    header += entry("tokens", 9, struct.pack("<IQ", 8, 2) + text("<s>") + text("我"))
    header += entry("scores", 9, struct.pack("<IQ", 6, 2) + struct.pack("<2f", 0.5, 1.5))
    header += entry("flag", 7, b"\x01") + extra
    header += tensor("a", (2, 2), 0) + tensor("b", (4,), 64)
    header += bytes(-len(header) % 64)
    return header + struct.pack("<4f", 1, 2, 3, 4) + bytes(48) + struct.pack("<4f", 5, 6, 7, 8)


@pytest.fixture
def refuse(tmp_path):
    def check(data):
        path = tmp_path / "model.gguf"
        path.write_bytes(data)
        with pytest.raises(WeightsError) as caught:
            check_gguf(path)
        assert str(path) in str(caught.value)
        return str(caught.value)

    return check


def test_a_whole_file_passes(tmp_path):
    path = tmp_path / "model.gguf"
    path.write_bytes(small_gguf())
    check_gguf(path)


def test_a_file_cut_anywhere_before_its_last_tensor_is_refused(refuse):
    whole = small_gguf()
    for length in range(4, len(whole) - 15):
        assert "cut short" in refuse(whole[:length]), length


def test_an_empty_file_is_refused(refuse):
    assert "the file is empty" in refuse(b"")


@pytest.mark.parametrize("data", [b"GG", b"PK\x03\x04 a zip file", b"ggml", "日本語".encode()])
def test_another_kind_of_file_is_refused(refuse, data):
    assert "not a GGUF file" in refuse(data)


def test_an_old_version_is_refused(refuse):
    assert "GGUF version 1 is not supported" in refuse(small_gguf(version=1))


def test_metadata_of_an_unknown_type_is_refused(refuse):
    assert "unknown type 99" in refuse(small_gguf(extra=entry("new", 99, b""), extras=1))


def test_counts_beyond_all_bounds_are_refused(refuse):
    assert "cut short" in refuse(b"GGUF" + struct.pack("<IQQ", 3, 2**63, 2**64 - 1))


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(WeightsError, match="there is no such file"):
        check_gguf(tmp_path / "nowhere.gguf")


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(WeightsError, match="the file cannot be read"):
        check_gguf(tmp_path)


@pytest.mark.real
@pytest.mark.parametrize("model", known_models(), ids=lambda model: model.name)
def test_real_weights_pass(model):
    path = default_cache_dir() / "models" / model.file
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    check_gguf(path)
