"""Files are written whole or not at all."""

import pytest

from checkwise.errors import UserError
from checkwise.files import write_whole


def test_a_file_is_replaced_whole(tmp_path):
    file = tmp_path / "table.csv"
    file.write_bytes(b"old")
    write_whole(file, b"new")
    assert file.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_is_made_if_need_be(tmp_path):
    write_whole(tmp_path / "new" / "table.csv", b"new")
    assert (tmp_path / "new" / "table.csv").read_bytes() == b"new"


def test_a_file_that_cannot_be_written_is_a_users_error(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UserError, match="cannot be written"):
        write_whole(tmp_path / "file" / "table.csv", b"new")
    with pytest.raises(UserError, match="cannot be written"):
        write_whole(tmp_path, b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
