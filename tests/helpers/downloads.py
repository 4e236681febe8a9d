"""A server on this machine, and a cache without any set, for what is fetched."""

import gzip
import hashlib
import io
import tarfile
import threading
import zipfile
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from small_wordnet import forget_wordnet

from andornot.datasets import DATASETS, Download

PAIRS = b"old\tnew\t1.58\nsmart\tintelligent\t9.2\n"
SHA256 = "sha256:" + hashlib.sha256(PAIRS).hexdigest()


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """No set is here, and what is fetched goes to this folder."""
    monkeypatch.delenv("ANDORNOT_DATA", raising=False)
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    forget_wordnet()
    yield tmp_path / "cache" / "data"
    forget_wordnet()


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
def file_server():
    """A server on this machine; `url(path, body)` puts a file there."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.files = {}

        def url(path, body=None):
            if body is not None:
                running.files[path] = body
            return f"http://127.0.0.1:{running.server_port}{path}"

        thread = threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True)
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
    """The bytes of a zip archive; they don't hold the time, because tests are named after them."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def tarred(files, *others, format=tarfile.PAX_FORMAT):
    """The bytes of a compressed tar archive; they don't hold the time either."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=format) as archive,
    ):
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
