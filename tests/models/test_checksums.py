import hashlib
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkwise.models import file_sha256
from checkwise.models.checksums import hashed

ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
"""The sha256 of "abc" (FIPS 180-2, appendix B.1)."""


def test_a_file_is_hashed_and_nothing_is_written_beside_it(tmp_path):
    (tmp_path / "models").mkdir()
    path = tmp_path / "models" / "abc.gguf"
    path.write_bytes(b"abc")
    assert file_sha256(path, cache_dir=tmp_path / "cache") == ABC
    assert list(path.parent.iterdir()) == [path]


def test_an_unchanged_file_is_not_read_again(tmp_path):
    path = tmp_path / "abc.gguf"
    path.write_bytes(b"abc")
    reads = []
    for _ in range(2):
        file_sha256(path, cache_dir=tmp_path / "cache", progress=lambda *state: reads.append(state))
    assert reads == [(3, 3, "checking abc.gguf")]


def test_a_changed_file_is_read_again(tmp_path):
    path = tmp_path / "abc.gguf"
    path.write_bytes(b"xyz")
    os.utime(path, ns=(1, 1))
    file_sha256(path, cache_dir=tmp_path / "cache")
    path.write_bytes(b"abc")
    assert file_sha256(path, cache_dir=tmp_path / "cache") == ABC


def test_the_same_bytes_elsewhere_are_another_file(tmp_path):
    one, other = tmp_path / "1.gguf", tmp_path / "2.gguf"
    one.write_bytes(b"abc")
    other.write_bytes(b"xyz")
    for path in (one, other):
        os.utime(path, ns=(1, 1))
    assert file_sha256(one, cache_dir=tmp_path / "cache") != file_sha256(other, cache_dir=tmp_path / "cache")


def test_a_damaged_record_is_no_record(tmp_path):
    path = tmp_path / "abc.gguf"
    path.write_bytes(b"abc")
    file_sha256(path, cache_dir=tmp_path / "cache")
    (record,) = (tmp_path / "cache" / "checksums").iterdir()
    record.write_bytes(b"{")
    assert file_sha256(path, cache_dir=tmp_path / "cache") == ABC


def test_a_cache_that_cannot_be_written_does_no_harm(tmp_path):
    path = tmp_path / "abc.gguf"
    path.write_bytes(b"abc")
    assert file_sha256(path, cache_dir=path) == ABC


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        file_sha256(tmp_path / "nowhere", cache_dir=tmp_path / "cache")


@given(st.lists(st.binary(max_size=50)))
def test_how_bytes_are_cut_does_not_change_their_hash(pieces):
    whole = b"".join(pieces)
    assert hashed(pieces, total=len(whole), what="") == hashlib.sha256(whole).hexdigest()
