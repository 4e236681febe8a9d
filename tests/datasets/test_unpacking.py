"""Archives are unpacked with care: no name leads out, no link, no bomb."""

import bz2
import gzip
import io
import lzma
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


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_sizes_are_bounded(tmp_path, monkeypatch, pack):
    archive = tmp_path / "archive"
    archive.write_bytes(pack({f"set/{i}.txt": bytes(1000) for i in range(4)}))
    monkeypatch.setattr(unpacking, "MOST_BYTES", 3999)
    with raises(FileError, archive, "it unpacks to more than 3,999 bytes"):
        unpack(archive, "set", tmp_path / "here")
    monkeypatch.setattr(unpacking, "MOST_FILES", 3)
    with raises(FileError, archive, "it has more than 3 files"):
        unpack(archive, "nothing", tmp_path / "here")


@pytest.mark.parametrize("size", [4000, 10_000_000])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_the_size_of_one_file_is_bounded(tmp_path, monkeypatch, pack, size):
    archive = tmp_path / "archive"
    archive.write_bytes(pack({"set/a.txt": bytes(size)}))
    monkeypatch.setattr(unpacking, "MOST_BYTES", 3999)
    with raises(FileError, archive, "it unpacks to more than 3,999 bytes"):
        unpack(archive, "set", tmp_path / "here")


def plain_tar():
    return gzip.decompress(tarred({"set/a.txt": b"king"}))


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_supported_compressions(tmp_path, compress):
    (tmp_path / "archive").write_bytes(compress(plain_tar()))
    unpack(tmp_path / "archive", "set", tmp_path / "here")
    assert (tmp_path / "here" / "a.txt").read_text() == "king"


@pytest.mark.parametrize("name", ["lzma", "zstd"])
def test_other_compressions_are_refused_with_those_that_are_supported(tmp_path, name):
    if name == "lzma":
        data = lzma.compress(plain_tar(), lzma.FORMAT_ALONE)
    else:
        data = pytest.importorskip("zstandard").compress(plain_tar())
    (tmp_path / "archive").write_bytes(data)
    with raises(FileError, "compressed in an unsupported way", ".zip", ".tar.gz", ".tar.xz"):
        unpack(tmp_path / "archive", "set", tmp_path / "here")


def bombs():
    """Small tar archives that would take much memory."""
    header = tarfile.TarInfo("set/good.txt")
    header.pax_headers = {"comment": "x" * (1 << 22)}
    yield "a long header", tarred({}, header)
    name = tarfile.TarInfo("set/" + "x" * (1 << 22))
    yield "a long name", tarred({}, name, format=tarfile.GNU_FORMAT)
    holes = io.BytesIO()
    with tarfile.open(fileobj=holes, mode="w:gz") as archive:
        sparse = tarfile.TarInfo("set/good.txt")
        sparse.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}
        listed = b"9999999\n" + b"0\n" * (1 << 20)
        sparse.size = len(listed)
        archive.addfile(sparse, io.BytesIO(listed))
    yield "many holes", holes.getvalue()


@pytest.mark.parametrize(("what", "data"), list(bombs()), ids=lambda each: str(each)[:14])
def test_a_header_takes_little_memory(tmp_path, what, data):
    archive = tmp_path / "archive"
    archive.write_bytes(data)
    assert len(data) < 100_000, what
    with raises(FileError, archive, "not a complete zip or tar archive"):
        unpack(archive, "set", tmp_path / "here")


def test_folders_are_counted_too(tmp_path, monkeypatch):
    folders = [tarfile.TarInfo(f"set/{i}") for i in range(4)]
    for folder in folders:
        folder.type = tarfile.DIRTYPE
    (tmp_path / "archive").write_bytes(tarred({}, *folders))
    monkeypatch.setattr(unpacking, "_MOST_MEMBERS", 3)
    with raises(FileError, "it has more than 3 entries"):
        unpack(tmp_path / "archive", "set", tmp_path / "here")
