"""Read Reuters-21578: news of 1987, labelled with topics."""

from __future__ import annotations

import html
import re
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from andornot.base.errors import FileError
from andornot.base.files import reading
from andornot.datasets.unpacking import DAMAGE, files_of

_MOST_BYTES = 64 << 20  # of a file; the largest has 1.5 MB
_REMEDY = "get the archive again"
_TEXT = re.compile(r"<REUTERS\b.*?</REUTERS>", re.DOTALL)
_TOPIC = re.compile(r"<D>(.*?)</D>")


class NewsText(NamedTuple):
    """A text with its topics, which are codes such as "crude"; many have none."""

    topics: tuple[str, ...]
    title: str
    body: str


def read_reuters(path: str | PathLike[str]) -> list[NewsText]:
    """Read the texts of the archive reuters21578.tar.gz, in the order of the collection.

    For example `read_reuters("reuters21578.tar.gz")[0].topics` is `("cocoa",)`.

    Raises:
        FileError: If the archive is damaged, or a text has no topics or no text element.
    """
    found: list[NewsText] = []
    try:
        with reading(path):
            for name, stream in files_of(Path(path)):
                if name.endswith(".sgm"):
                    found += _texts_of(path, name, stream.read(_MOST_BYTES + 1))
    except DAMAGE as error:
        raise FileError(path, "this is not a complete tar archive", _REMEDY) from error
    if not found:
        raise FileError(path, "the archive contains no .sgm files", _REMEDY)
    return found


def _texts_of(path: str | PathLike[str], name: str, content: bytes) -> list[NewsText]:
    """Parse an SGML file of the archive; bytes that aren't ASCII are Latin-1."""
    if len(content) > _MOST_BYTES:
        raise FileError(path, f"{name} has more than {_MOST_BYTES:,} bytes", _REMEDY)
    texts = _TEXT.findall(content.decode("latin-1"))
    if not texts:
        raise FileError(path, f"{name} contains no <REUTERS> texts", _REMEDY)
    return [_parsed(path, name, number, text) for number, text in enumerate(texts, start=1)]


def _parsed(path: str | PathLike[str], name: str, number: int, text: str) -> NewsText:
    topics, content = _element(text, "TOPICS"), _element(text, "TEXT")
    if topics is None or content is None:
        raise FileError(
            path,
            f"text {number:,} of {name} must have the elements <TOPICS> and <TEXT>",
            _REMEDY,
        )
    title, body = _element(content, "TITLE"), _element(content, "BODY")
    if body is None:  # unprocessed: the text after the title, if it has one
        body = re.sub(r"<[^>]*>", " ", content.rpartition("</TITLE>")[2])
    return NewsText(
        tuple(html.unescape(each) for each in _TOPIC.findall(topics)),
        html.unescape(title or ""),
        html.unescape(body),
    )


def _element(text: str, name: str) -> str | None:
    """Return the content of the first element of a name, or None."""
    found = re.search(rf"<{name}\b[^>]*>(.*?)</{name}>", text, re.DOTALL)
    return found and found[1]
