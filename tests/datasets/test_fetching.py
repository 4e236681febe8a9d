"""Sets are fetched from a server, whole or not at all."""

import hashlib
import socket

import pytest
from downloads import PAIRS, SHA256, left, tarred, zipped

from andornot.base.errors import AndornotError, AndornotWarning
from andornot.datasets import DATASETS, fetch, locate

STS = {"gold/STS.input.a.txt": b"One.\tTwo.\n", "gold/STS.gs.a.txt": b"3\n", "other.txt": b"x"}


def refused(name, empty_cache):
    """The one line that fetching ends with; nothing may be left."""
    with pytest.raises(AndornotError) as caught:
        fetch(name)
    assert left(empty_cache) == []
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_fetch_a_file(empty_cache, file_server, offered):
    offered("simlex-999", file_server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    seen = []
    path = fetch("simlex-999", seen.append)
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
    with pytest.warns(AndornotWarning, match="SimLex-999: no checksum of http.* is known"):
        fetch("simlex-999")


def test_what_can_only_be_put_there(empty_cache):
    assert "or-tuples/dasgupta2022.txt" in refused("or-tuples", empty_cache)


def test_no_server(empty_cache, offered):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    offered("simlex-999", f"http://127.0.0.1:{port}/simlex.txt", len(PAIRS), SHA256)
    text = refused("simlex-999", empty_cache)
    assert "no connection" in text
    target = empty_cache / "word-similarity" / "EN-SIMLEX-999.txt"
    assert f"(its home is {DATASETS['simlex-999'].home}) and put it at {target}" in text


def test_not_found(empty_cache, file_server, offered):
    offered("simlex-999", file_server("/gone.txt"), len(PAIRS), SHA256)
    assert "/gone.txt: the server says 404" in refused("simlex-999", empty_cache)


def test_another_checksum_or_size(empty_cache, file_server, offered):
    url = file_server("/simlex.txt", PAIRS + b"more")
    offered("simlex-999", url, len(PAIRS), SHA256)
    assert "its checksum isn't the known one" in refused("simlex-999", empty_cache)
    offered("simlex-999", url, len(PAIRS))
    assert f"{len(PAIRS) + 4} bytes where {len(PAIRS)} are expected" in refused(
        "simlex-999", empty_cache
    )


def test_a_download_without_end(empty_cache, file_server, offered, monkeypatch):
    monkeypatch.setattr("andornot.datasets.fetching.MOST_BYTES", 10)
    offered("simlex-999", file_server("/a.txt", PAIRS))
    assert "a download of more than 10 bytes" in refused("simlex-999", empty_cache)


def test_a_connection_that_breaks(empty_cache, file_server, offered):
    offered("simlex-999", file_server("/cut.txt", PAIRS), len(PAIRS), SHA256)
    assert "one that broke" in refused("simlex-999", empty_cache)


def test_an_interruption_leaves_nothing(empty_cache, file_server, offered):
    def interrupt(_):
        raise KeyboardInterrupt

    offered("simlex-999", file_server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    with pytest.raises(KeyboardInterrupt):
        fetch("simlex-999", interrupt)
    assert left(empty_cache) == []


@pytest.mark.parametrize(
    ("packed", "part"),
    [
        (zipped(STS | {"../outside.txt": b"x"}), "'../outside.txt' would be written outside"),
        (zipped({"elsewhere/a.txt": b"x"}), "it holds no gold"),
        (zipped(STS)[:-30], "it is no whole zip or tar archive"),
        (tarred(STS)[:-30], "damaged, cut off"),
        (b"<html>moved</html>", "it is no whole zip or tar archive"),
    ],
)
def test_an_archive_that_is_wrong(empty_cache, file_server, offered, packed, part):
    offered("sts12", file_server("/sts", packed), inside="gold")
    text = refused("sts12", empty_cache)
    assert part in text
    assert f"and put its gold at {empty_cache / 'sts' / 'STS12-en-test'}" in text


def test_a_cache_that_can_not_be_written(empty_cache, file_server, offered, monkeypatch, tmp_path):
    offered("simlex-999", file_server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    (tmp_path / "file").touch()
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "file"))
    with pytest.raises(AndornotError, match="part of the path is a file"):
        fetch("simlex-999")
