"""Sets of data: found, fetched from a server on this machine, unpacked with care, listed."""

import hashlib
import io
import json
import os
import re
import socket
import subprocess
import sys
import tarfile
import threading
import zipfile
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path

import pytest

from andornot.base.errors import AndornotError, AndornotWarning
from andornot.datasets import DATASETS, Download, fetch, find, locate, unpacking
from andornot.datasets.unpacking import unpack

PAIRS = b"old\tnew\t1.58\nsmart\tintelligent\t9.2\n"
SHA256 = "sha256:" + hashlib.sha256(PAIRS).hexdigest()
STS = {"gold/STS.input.a.txt": b"One.\tTwo.\n", "gold/STS.gs.a.txt": b"3\n", "other.txt": b"x"}
REAL = pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """No set is here, and what is fetched goes to this folder."""
    monkeypatch.delenv("ANDORNOT_DATA", raising=False)
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return tmp_path / "cache" / "data"


class Handler(BaseHTTPRequestHandler):
    """Answers with the server's files; one whose path begins with /cut breaks off."""

    def do_GET(self):
        body = self.server.files.get(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        if body:
            self.wfile.write(body[:5] if self.path.startswith("/cut") else body)

    def log_message(self, *_):
        """Nothing."""


@pytest.fixture
def server():
    """A server on this machine; `url(path, body)` puts a file there."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.files = {}

        def url(path, body=None):
            if body is not None:
                running.files[path] = body
            return f"http://127.0.0.1:{running.server_port}{path}"

        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield url
        running.shutdown()
        thread.join()


@pytest.fixture
def offered(monkeypatch):
    """Say where a set can be fetched from."""

    def offer(name, *download, **options):
        changed = replace(DATASETS[name], download=Download(*download, **options))
        monkeypatch.setitem(DATASETS, name, changed)

    return offer


def zipped(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def tarred(files, *others):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for member in others:
            archive.addfile(member)
    return packed.getvalue()


def left(folder):
    """Every file below a folder, and every hidden folder."""
    return [path for path in folder.rglob("*") if path.is_file() or path.name.startswith(".")]


def refused(name, cache):
    """The one line that fetching ends with; nothing may be left."""
    with pytest.raises(AndornotError) as caught:
        fetch(name)
    assert left(cache) == []
    text = str(caught.value)
    assert "\n" not in text
    return text


# --- what is known, and where it is ------------------------------------------------------------


def test_every_set_has_a_home_a_licence_and_a_reader():
    for name, data in DATASETS.items():
        assert re.fullmatch(r"[a-z0-9.-]+", name)
        assert data.home.startswith("http")
        assert data.licence
        module, _, function = data.reader.rpartition(".")
        assert callable(getattr(import_module(module), function))
        assert not Path(data.file).is_absolute()
        assert (data.download is None) == bool(data.note)
        if data.download and data.download.checksum:
            algorithm, digest = data.download.checksum.split(":")
            assert len(bytes.fromhex(digest)) == hashlib.new(algorithm).digest_size


def test_a_set_is_found_under_andornot_data_then_in_the_cache(cache, tmp_path, monkeypatch):
    assert find("simlex-999") is None
    fetched = cache / "word-similarity" / "EN-SIMLEX-999.txt"
    fetched.parent.mkdir(parents=True)
    fetched.write_bytes(PAIRS)
    assert locate("simlex-999") == fetched
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path / "mine"))
    assert locate("simlex-999") == fetched
    own = tmp_path / "mine" / "word-similarity" / "EN-SIMLEX-999.txt"
    own.parent.mkdir(parents=True)
    own.write_bytes(PAIRS)
    assert locate("simlex-999") == own
    assert fetch("simlex-999") == own


def test_a_folder_counts_where_it_holds_its_files(cache):
    folder = cache / "wordnet-3.0"
    folder.mkdir(parents=True)
    assert find("wordnet-3.0") is None
    (folder / "data.noun").touch()
    assert find("wordnet-3.0") == folder


def test_what_is_missing_is_named_with_its_place(cache, tmp_path, monkeypatch):
    with pytest.raises(
        AndornotError, match=r"holds sts/STS12-en-test \(from http.*data fetch sts12"
    ):
        locate("sts12")
    with pytest.raises(AndornotError, match="separated by tabs") as caught:
        locate("or-tuples")
    assert "data fetch" not in str(caught.value)
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    with pytest.raises(AndornotError, match=r"STS12-en-test: STS 2012 isn't there; get it from"):
        locate("sts12")
    for name, proposal in [("sts21", "'sts12'"), ("wordnet", "'wordnet-3.0'?")]:
        with pytest.raises(AndornotError, match=f"unknown set {name!r}; did you mean {proposal}"):
            locate(name)


# --- fetching ----------------------------------------------------------------------------------


def test_fetch_a_file(cache, server, offered):
    offered("simlex-999", server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    seen = []
    path = fetch("simlex-999", seen.append)
    assert path == cache / "word-similarity" / "EN-SIMLEX-999.txt"
    assert path.read_bytes() == PAIRS
    assert seen[-1] == 1.0
    assert seen == sorted(seen)
    assert left(cache) == [path]
    assert locate("simlex-999") == path


def test_fetch_again_asks_no_server(cache, server, offered):
    offered("simlex-999", server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    path = fetch("simlex-999")
    offered("simlex-999", "http://127.0.0.1:9/gone")
    assert fetch("simlex-999") == path


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_fetch_a_folder_of_an_archive(cache, server, offered, pack):
    packed = pack(STS)
    checksum = "sha1:" + hashlib.sha1(packed).hexdigest()
    offered("sts12", server("/sts", packed), checksum=checksum, inside="gold")
    path = fetch("sts12")
    assert path == cache / "sts" / "STS12-en-test"
    assert sorted(item.name for item in path.iterdir()) == ["STS.gs.a.txt", "STS.input.a.txt"]
    assert sorted(left(cache)) == sorted(path.iterdir())


def test_fetch_a_file_of_an_archive(cache, server, offered):
    packed = tarred({"data/means.txt": PAIRS, "data/other.txt": b""})
    offered("reddy-2011", server("/reddy.tgz", packed), len(packed), inside="data/means.txt")
    assert fetch("reddy-2011").read_bytes() == PAIRS


def test_what_could_not_be_verified_is_said(cache, server, offered):
    offered("simlex-999", server("/simlex.txt", PAIRS))
    with pytest.warns(AndornotWarning, match="SimLex-999: no checksum of http.* is known"):
        fetch("simlex-999")


def test_what_can_only_be_put_there(cache):
    assert "or-tuples/dasgupta2022.txt" in refused("or-tuples", cache)


def test_no_server(cache, offered):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    offered("simlex-999", f"http://127.0.0.1:{port}/simlex.txt", len(PAIRS), SHA256)
    text = refused("simlex-999", cache)
    assert "no connection" in text
    target = cache / "word-similarity" / "EN-SIMLEX-999.txt"
    assert f"(its home is {DATASETS['simlex-999'].home}) and put it at {target}" in text


def test_not_found(cache, server, offered):
    offered("simlex-999", server("/gone.txt"), len(PAIRS), SHA256)
    assert "/gone.txt: the server says 404" in refused("simlex-999", cache)


def test_another_checksum_or_size(cache, server, offered):
    url = server("/simlex.txt", PAIRS + b"more")
    offered("simlex-999", url, len(PAIRS), SHA256)
    assert "its checksum isn't the known one" in refused("simlex-999", cache)
    offered("simlex-999", url, len(PAIRS))
    assert f"{len(PAIRS) + 4} bytes where {len(PAIRS)} are expected" in refused("simlex-999", cache)


def test_a_download_without_end(cache, server, offered, monkeypatch):
    monkeypatch.setattr("andornot.datasets.fetching.MOST_BYTES", 10)
    offered("simlex-999", server("/a.txt", PAIRS))
    assert "a download of more than 10 bytes" in refused("simlex-999", cache)


def test_a_connection_that_breaks(cache, server, offered):
    offered("simlex-999", server("/cut.txt", PAIRS), len(PAIRS), SHA256)
    assert "one that broke" in refused("simlex-999", cache)


def test_an_interruption_leaves_nothing(cache, server, offered):
    def interrupt(_):
        raise KeyboardInterrupt

    offered("simlex-999", server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    with pytest.raises(KeyboardInterrupt):
        fetch("simlex-999", interrupt)
    assert left(cache) == []


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
def test_an_archive_that_is_wrong(cache, server, offered, packed, part):
    offered("sts12", server("/sts", packed), inside="gold")
    text = refused("sts12", cache)
    assert part in text
    assert f"and put its gold at {cache / 'sts' / 'STS12-en-test'}" in text


def test_a_cache_that_can_not_be_written(cache, server, offered, monkeypatch, tmp_path):
    offered("simlex-999", server("/simlex.txt", PAIRS), len(PAIRS), SHA256)
    (tmp_path / "file").touch()
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "file"))
    with pytest.raises(AndornotError, match="part of the path is a file"):
        fetch("simlex-999")


# --- unpacking ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["/a.txt", "set/../../a.txt", "set/..\\a.txt", "C:a.txt"])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_names_that_lead_out_are_refused(tmp_path, pack, name):
    archive = tmp_path / "archive"
    archive.write_bytes(pack({"set/good.txt": b"x", name: b"x"}))
    with pytest.raises(AndornotError, match="would be written outside its folder"):
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
    with pytest.raises(AndornotError, match="unpacks to more than 3,999 bytes"):
        unpack(archive, "set", tmp_path / "here")
    monkeypatch.setattr(unpacking, "MOST_FILES", 3)
    with pytest.raises(AndornotError, match="more than 3 files"):
        unpack(archive, "nothing", tmp_path / "here")


# --- the commands ------------------------------------------------------------------------------


def run(*arguments, program=("-m", "andornot")):
    command = [sys.executable, *program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_list_fits_a_terminal(cache):
    path = cache / "word-similarity" / "EN-SIMLEX-999.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(PAIRS)
    done = run("data", "list")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if re.match(r"simlex-999 .* \d+ bytes  in the cache", line)]
    assert [line for line in lines if re.match(r"text8 .* 31\.3 MB  can be fetched", line)]
    assert f"  {DATASETS['ramisch-2016'].home}" in lines
    facts = {each["key"]: each for each in json.loads(run("data", "list", "--json").stdout)}
    assert list(facts) == list(DATASETS)
    assert facts["simlex-999"]["path"] == str(path)
    assert facts["simlex-999"]["size"] == len(PAIRS)
    assert facts["wordnet-3.0"]["path"] is None
    assert facts["wordnet-3.0"]["licence"] == "WordNet licence"


def test_fetch_and_path(cache, server):
    program = (
        "import sys; from dataclasses import replace; from andornot.cli import main\n"
        "from andornot.datasets import DATASETS, Download\n"
        f"here = Download({server('/simlex.txt', PAIRS)!r}, checksum={SHA256!r})\n"
        f"gone = Download({server('/gone.txt')!r})\n"
        "DATASETS['simlex-999'] = replace(DATASETS['simlex-999'], download=here)\n"
        "DATASETS['mturk-771'] = replace(DATASETS['mturk-771'], download=gone)\n"
        "main()\n"
    )
    done = run("data", "path", "simlex-999")
    assert done.returncode == 1
    assert "`andornot data fetch simlex-999`" in done.stderr
    done = run("data", "fetch", "simlex-999", "mturk-771", program=("-c", program))
    path = cache / "word-similarity" / "EN-SIMLEX-999.txt"
    assert done.returncode == 1
    assert done.stdout == f"{path}\n"
    assert re.fullmatch(r"error: http://.*/gone\.txt: the server says 404 .*\n", done.stderr)
    assert run("data", "path", "simlex-999").stdout == f"{path}\n"
    done = run("data", "fetch", "simlex-99")
    assert done.returncode == 2
    assert done.stderr == "error: unknown set 'simlex-99'; did you mean 'simlex-999'?\n"


# --- the real ones -----------------------------------------------------------------------------


@REAL
def test_the_real_sets_are_those_that_would_be_fetched():
    checked = 0
    for name, data in DATASETS.items():
        if name in ("text8", "enwiki", "or-tuples"):  # what few have
            continue
        path = locate(name)
        if data.download and data.download.checksum and path.is_file():
            assert path.stat().st_size == data.download.size
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            assert f"sha256:{digest}" == data.download.checksum, name
            checked += 1
    assert checked == 8
