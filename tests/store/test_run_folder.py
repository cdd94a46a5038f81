import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from checkwise.errors import RunBusyError, UserError
from checkwise.store import RunFolder

HOLD = """\
import sys
from pathlib import Path
from checkwise.store import RunFolder
with RunFolder(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_run_folder_is_made(tmp_path):
    path = tmp_path / "runs" / "été 模型"
    with RunFolder(path) as folder:
        assert folder.checklists_path == path / "checklists.jsonl"
        assert folder.database.count_answers() == 0


def test_one_at_a_time_works_in_a_run_folder(tmp_path):
    with RunFolder(tmp_path):
        with pytest.raises(RunBusyError, match="another process is working in this run folder"):
            RunFolder(tmp_path)
        with RunFolder(tmp_path / "another"):
            pass
    with RunFolder(tmp_path):
        pass


def test_a_process_that_is_killed_leaves_the_folder_to_others(tmp_path):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    with holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(RunBusyError) as caught:
            RunFolder(tmp_path)
        assert "choose another folder with --out" in caught.value.todo
        holder.kill()
    with RunFolder(tmp_path):
        pass


def test_a_file_in_its_place_is_an_error_that_says_so(tmp_path):
    (tmp_path / "run").write_text("x", encoding="utf-8")
    with pytest.raises(UserError, match="the run folder cannot be written: File exists"):
        RunFolder(tmp_path / "run")


@pytest.fixture
def nobody() -> Iterator[None]:
    """Be a user to whom something can be forbidden, where the tests run as root."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    yield
    os.seteuid(user)


def test_a_folder_that_may_not_be_written_is_an_error_that_says_so(tmp_path, nobody):
    if os.geteuid() != 65534:
        tmp_path.chmod(0o500)
    with pytest.raises(UserError, match="no permission to write there"):
        RunFolder(tmp_path / "run")


def test_a_damaged_database_does_not_keep_the_folder_locked(tmp_path):
    (tmp_path / "run.sqlite").write_bytes(b"no database at all" * 100)
    for _ in range(2):
        with pytest.raises(UserError, match="damaged"):
            RunFolder(tmp_path)
    (tmp_path / "run.sqlite").unlink()
    with RunFolder(tmp_path):
        pass
