"""The files of the page, read and compressed once, and sent from memory."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import Response

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request

PAGE = Path(__file__).parent / "page"
_KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}


class PageFile(NamedTuple):
    """A file of the page: its content, the same with gzip, its type and its version."""

    content: bytes
    packed: bytes
    kind: str
    tag: str

    @classmethod
    def read(cls, path: Path) -> PageFile:
        """Read a file and compress it."""
        content = path.read_bytes()
        packed = gzip.compress(content, mtime=0)
        tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
        return cls(content, packed, _KINDS[path.suffix], tag)

    def response(self, accepted: str, known: str) -> Response:
        """Return the file as a client takes it, or that it has this version already.

        Args:
            accepted: The Accept-Encoding header of the request.
            known: The If-None-Match header of the request.
        """
        headers = {"cache-control": "no-cache", "etag": self.tag, "vary": "accept-encoding"}
        if known == self.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" not in accepted.lower():
            return Response(self.content, headers=headers, media_type=self.kind)
        headers["content-encoding"] = "gzip"
        return Response(self.packed, headers=headers, media_type=self.kind)


def page_files() -> dict[str, PageFile]:
    """Return the files of the page by their addresses; no other file can be requested.

    >>> sorted(page_files())[:2]
    ['/', '/address.js']
    """
    paths = {f"/{path.name}": path for path in PAGE.iterdir() if path.suffix in _KINDS}
    paths["/"] = PAGE / "index.html"
    return {address: PageFile.read(path) for address, path in paths.items()}


def add_page(app: FastAPI) -> None:
    """Add a route for each file of the page."""
    files = page_files()

    async def send(request: Request) -> Response:
        given = request.headers
        found = files[request.scope["path"]]  # the path of request.url may be part of the Host
        return found.response(given.get("accept-encoding", ""), given.get("if-none-match", ""))

    for address in files:
        app.add_route(address, send, include_in_schema=False)
