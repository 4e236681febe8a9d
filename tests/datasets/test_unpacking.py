"""Archives are unpacked with care: no name leads out, no link, no bomb."""

import tarfile

import pytest
from downloads import left, tarred, zipped
from errors import raises

from andornot.base.errors import FileError
from andornot.datasets import unpacking
from andornot.datasets.unpacking import unpack


@pytest.mark.parametrize("name", ["/a.txt", "set/../../a.txt", "set/..\\a.txt", "C:a.txt"])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_names_that_lead_out_are_refused(tmp_path, pack, name):
    archive = tmp_path / "archive"
    archive.write_bytes(pack({"set/good.txt": b"x", name: b"x"}))
    with raises(FileError, archive, repr(name), "outside"):
        unpack(archive, "set", tmp_path / "inner" / "here")
    assert {path.name for path in left(tmp_path)} <= {"archive", "good.txt"}


def test_links_are_left_out(tmp_path):
    link = tarfile.TarInfo("set/link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    (tmp_path / "archive").write_bytes(tarred({"set/good.txt": b"x"}, link))
    unpack(tmp_path / "archive", "set", tmp_path / "here")
    assert [path.name for path in (tmp_path / "here").iterdir()] == ["good.txt"]


def test_sizes_are_bounded(tmp_path, monkeypatch):
    archive = tmp_path / "archive"
    archive.write_bytes(zipped({f"set/{i}.txt": bytes(1000) for i in range(4)}))
    monkeypatch.setattr(unpacking, "MOST_BYTES", 3999)
    with raises(FileError, archive, "3,999 bytes"):
        unpack(archive, "set", tmp_path / "here")
    monkeypatch.setattr(unpacking, "MOST_FILES", 3)
    with raises(FileError, archive, "3 files"):
        unpack(archive, "nothing", tmp_path / "here")
