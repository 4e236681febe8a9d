"""Sets are fetched from a server, whole or not at all."""

import errno
import hashlib
import os
import socket
from pathlib import Path

import pytest
from downloads import PAIRS, SHA256, left, tarred, zipped
from errors import raises
from watching import watching

from andornot.base.errors import AndornotError
from andornot.datasets import DATASETS, Download, fetch, locate
from andornot.datasets.dataset import content_digest
from andornot.datasets.locating import MissingSetError

STS = {"gold/STS.input.a.txt": b"One.\tTwo.\n", "gold/STS.gs.a.txt": b"3\n", "other.txt": b"x"}


@pytest.fixture
def refused(empty_cache):
    """Check the one line that fetching ends with, and that nothing is left."""

    def refuse(name, *named, kind=AndornotError):
        with raises(kind, *named):
            fetch(name)
        assert left(empty_cache) == []

    return refuse


def test_fetch_a_file(empty_cache, file_server, offered):
    offered("simlex-999", file_server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    with watching() as progress:
        path = fetch("simlex-999")
    (seen,) = progress.stages.values()
    assert path == empty_cache / "word-similarity" / "EN-SIMLEX-999.txt"
    assert path.read_bytes() == PAIRS
    assert seen[-1] == 1.0
    assert seen == sorted(seen)
    assert left(empty_cache) == [path]
    assert locate("simlex-999") == path


@pytest.mark.skipif(os.name == "nt", reason="folders can't be flushed")
def test_what_is_fetched_is_flushed(empty_cache, file_server, offered, monkeypatch):
    fsync, flushed = os.fsync, set()

    def watched(number: int) -> None:
        flushed.add(os.fstat(number).st_ino)
        fsync(number)

    monkeypatch.setattr(os, "fsync", watched)
    packed = zipped(STS)
    checksum = f"sha256:{hashlib.sha256(packed).hexdigest()}"
    offered("sts12", file_server("/sts.zip", packed), checksum=checksum, inside="gold")
    fetch("sts12")
    found = [empty_cache, *empty_cache.rglob("*")]
    assert len(found) > 3
    assert [path for path in found if path.stat().st_ino not in flushed] == []


def test_fetch_again_asks_no_server(empty_cache, file_server, offered):
    offered("simlex-999", file_server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    path = fetch("simlex-999")
    offered("simlex-999", "http://127.0.0.1:9/gone", checksum=SHA256)
    assert fetch("simlex-999") == path


def test_fetch_again_removes_what_a_killed_process_left(empty_cache, file_server, offered):
    """A process can be killed after the dataset was put in its place, before it has cleaned up."""
    offered("simlex-999", file_server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    path = fetch("simlex-999")
    stale = empty_cache / ".simlex-999.0123abcd.tmp"
    stale.mkdir()
    (stale / "download").write_bytes(PAIRS)
    assert fetch("simlex-999") == path
    assert left(empty_cache) == [path]


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_fetch_a_folder_of_an_archive(empty_cache, file_server, offered, pack):
    packed = pack(STS)
    checksum = "sha1:" + hashlib.sha1(packed).hexdigest()
    offered("sts12", file_server("/sts", packed), checksum=checksum, inside="gold")
    path = fetch("sts12")
    assert path == empty_cache / "sts" / "STS12-en-test"
    assert sorted(item.name for item in path.iterdir()) == ["STS.gs.a.txt", "STS.input.a.txt"]
    assert sorted(left(empty_cache)) == sorted(path.iterdir())


def test_fetch_a_file_of_an_archive(empty_cache, file_server, offered):
    packed = tarred({"data/means.txt": PAIRS, "data/other.txt": b""})
    url, content = file_server("/reddy.tgz", packed), hashlib.sha256(PAIRS).hexdigest()
    offered("reddy-2011", url, len(packed), inside="data/means.txt", content=content)
    assert fetch("reddy-2011").read_bytes() == PAIRS


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize(
    "files",
    [
        STS,
        {**STS, "gold/readme.txt": b"not covered"},
        {**STS, "gold/STS.gs.a.txt": b"5\n"},
        {**STS, "gold/STS.gs.b.txt": b"5\n"},
        {"gold/STS.gs.a.txt": STS["gold/STS.gs.a.txt"]},
    ],
    ids=["the same", "with a readme", "another rating", "one more", "one less"],
)
def test_the_files_of_an_archive_are_verified(
    empty_cache, file_server, offered, refused, pack, files, tmp_path
):
    for name, data in STS.items():
        (tmp_path / "known" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "known" / name).write_bytes(data)
    content = content_digest(tmp_path / "known" / "gold", "STS*.txt")
    url = file_server("/sts", pack(files))
    offered("sts12", url, inside="gold", content=content, covered="STS*.txt")
    covered, known = (
        {name: data for name, data in each.items() if "STS." in name} for each in (files, STS)
    )
    if covered == known:
        assert (fetch("sts12") / "STS.gs.a.txt").read_bytes() == STS["gold/STS.gs.a.txt"]
    else:
        refused("sts12", "/sts", "wrong checksum", DATASETS["sts12"].home)


def test_every_download_is_verified():
    with pytest.raises(ValueError, match=r"http://a\.b: .*checksum"):
        Download("http://a.b", 12)
    for data in DATASETS.values():
        if data.download is not None:
            by_sha256 = (data.download.checksum or "").startswith("sha256:")
            assert by_sha256 or data.download.content, data.name  # SHA-1 and MD5 have collisions


DATA = os.environ.get("ANDORNOT_DATA")
if DATA:

    @pytest.mark.parametrize(
        "name", ["sts12", "sts13", "sts14", "sts15", "sts16", "reddy-2011", "bats"]
    )
    def test_the_known_contents_are_those_of_the_sets(name):
        data = DATASETS[name]
        digest = content_digest(Path(DATA) / data.file, data.download.covered)
        assert digest == data.download.content


def test_what_can_only_be_put_there(refused):
    refused("or-tuples", "or-tuples/dasgupta2022.txt", kind=MissingSetError)


def test_no_server(empty_cache, offered, refused):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    offered("simlex-999", f"http://127.0.0.1:{port}/simlex.txt", len(PAIRS), SHA256)
    data = DATASETS["simlex-999"]
    refused("simlex-999", f":{port}/", "connection", data.home, empty_cache / data.file)


def test_not_found(file_server, offered, refused):
    offered("simlex-999", file_server("/gone.txt"), len(PAIRS), SHA256)
    refused("simlex-999", "/gone.txt", "404", DATASETS["simlex-999"].home)


def test_another_checksum_or_size(file_server, offered, refused):
    url = file_server("/simlex.txt", PAIRS + b"more")
    offered("simlex-999", url, len(PAIRS), SHA256)
    refused("simlex-999", "/simlex.txt", "checksum")
    more = "sha256:" + hashlib.sha256(PAIRS + b"more").hexdigest()
    offered("simlex-999", url, len(PAIRS), more)
    refused("simlex-999", "/simlex.txt", f"{len(PAIRS) + 4} bytes", f"{len(PAIRS)} are expected")


def test_a_download_without_end(file_server, offered, refused, monkeypatch):
    monkeypatch.setattr("andornot.datasets.fetching.MOST_BYTES", 10)
    offered("simlex-999", file_server("/a.txt", PAIRS), checksum=SHA256)
    refused("simlex-999", "10 bytes")


def test_a_connection_that_breaks(file_server, offered, refused):
    offered("simlex-999", file_server("/cut.txt", PAIRS), len(PAIRS), SHA256)
    refused("simlex-999", "/cut.txt", "connection", DATASETS["simlex-999"].home)


def test_an_interruption_leaves_nothing(empty_cache, file_server, offered):
    def interrupt(_):
        raise KeyboardInterrupt

    offered("simlex-999", file_server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    with pytest.raises(KeyboardInterrupt), watching(interrupt):
        fetch("simlex-999")
    assert left(empty_cache) == []


@pytest.mark.parametrize(
    ("packed", "named"),
    [
        (zipped(STS | {"../outside.txt": b"x"}), "'../outside.txt'"),
        (zipped({"elsewhere/a.txt": b"x"}), "contain gold"),
        (zipped(STS)[:-30], "cut off"),
        (tarred(STS)[:-30], "cut off"),
        (b"<html>moved</html>", "zip or tar archive"),
    ],
)
def test_an_archive_that_is_wrong(empty_cache, file_server, offered, refused, packed, named):
    offered("sts12", file_server("/sts", packed), inside="gold", content="unknown")
    data = DATASETS["sts12"]
    refused("sts12", "/sts", named, data.home, f"its gold at {empty_cache / data.file}")


def test_a_cache_that_can_not_be_written(empty_cache, file_server, offered, monkeypatch, tmp_path):
    offered("simlex-999", file_server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    (tmp_path / "file").touch()
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "file"))
    with raises(AndornotError, tmp_path / "file", "set ANDORNOT_CACHE to a writable folder"):
        fetch("simlex-999")


def test_a_cache_without_permission(empty_cache, file_server, offered, monkeypatch):
    offered("simlex-999", file_server("/simlex.txt", PAIRS), len(PAIRS), SHA256)

    def refuse(self, *args, **options):
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with raises(AndornotError, empty_cache, "Permission denied", "set ANDORNOT_CACHE"):
        fetch("simlex-999")
