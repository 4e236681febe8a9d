"""Sets are fetched from a server, whole or not at all."""

import hashlib
import socket

import pytest
from downloads import PAIRS, SHA256, left, tarred, zipped
from errors import raises
from watching import watching

from andornot.base.errors import AndornotError, AndornotWarning, FileError
from andornot.datasets import DATASETS, fetch, locate
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


def test_fetch_again_asks_no_server(empty_cache, file_server, offered):
    offered("simlex-999", file_server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    path = fetch("simlex-999")
    offered("simlex-999", "http://127.0.0.1:9/gone")
    assert fetch("simlex-999") == path


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
    offered("reddy-2011", file_server("/reddy.tgz", packed), len(packed), inside="data/means.txt")
    assert fetch("reddy-2011").read_bytes() == PAIRS


def test_what_could_not_be_verified_is_said(empty_cache, file_server, offered):
    offered("simlex-999", file_server("/simlex.txt", PAIRS))
    with pytest.warns(AndornotWarning, match="SimLex-999.*checksum.*/simlex.txt"):
        fetch("simlex-999")


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
    offered("simlex-999", url, len(PAIRS))
    refused("simlex-999", "/simlex.txt", f"{len(PAIRS) + 4} bytes", f"{len(PAIRS)} are expected")


def test_a_download_without_end(file_server, offered, refused, monkeypatch):
    monkeypatch.setattr("andornot.datasets.fetching.MOST_BYTES", 10)
    offered("simlex-999", file_server("/a.txt", PAIRS))
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
        (zipped({"elsewhere/a.txt": b"x"}), "no gold"),
        (zipped(STS)[:-30], "no whole zip or tar archive"),
        (tarred(STS)[:-30], "cut off"),
        (b"<html>moved</html>", "no whole zip or tar archive"),
    ],
)
def test_an_archive_that_is_wrong(empty_cache, file_server, offered, refused, packed, named):
    offered("sts12", file_server("/sts", packed), inside="gold")
    data = DATASETS["sts12"]
    refused("sts12", "/sts", named, data.home, f"its gold at {empty_cache / data.file}")


def test_a_cache_that_can_not_be_written(empty_cache, file_server, offered, monkeypatch, tmp_path):
    offered("simlex-999", file_server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    (tmp_path / "file").touch()
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "file"))
    with raises(FileError, tmp_path / "file", "a file, not a folder"):
        fetch("simlex-999")
