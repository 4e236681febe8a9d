"""Read Reuters-21578: news of 1987, labelled with topics."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from andornot.base.errors import FileError
from andornot.base.files import reading
from andornot.datasets.unpacking import DAMAGE, files_of

_MOST_BYTES = 64 << 20  # of a file; the largest has 1.5 MB
_REMEDY = "get the archive again"
_TAG = re.compile(r"<[^<>]*>")


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
    texts = list(_elements(content.decode("latin-1"), "REUTERS"))
    if not texts:
        raise FileError(path, f"{name} contains no <REUTERS> texts", _REMEDY)
    return [_parsed(path, name, number, text) for number, text in enumerate(texts, start=1)]


def _parsed(path: str | PathLike[str], name: str, number: int, text: str) -> NewsText:
    topics, content = (next(_elements(text, name), None) for name in ("TOPICS", "TEXT"))
    if topics is None or content is None:
        raise FileError(
            path,
            f"text {number:,} of {name} must have the elements <TOPICS> and <TEXT>",
            _REMEDY,
        )
    title, body = (next(_elements(content, name), None) for name in ("TITLE", "BODY"))
    if body is None:  # unprocessed: the text after the title, if it has one
        body = _TAG.sub(" ", content.rpartition("</TITLE>")[2])
    return NewsText(
        tuple(html.unescape(each) for each in _elements(topics, "D")),
        html.unescape(title or ""),
        html.unescape(body),
    )


def _elements(text: str, name: str) -> Iterator[str]:
    """Yield the content of each element of a name, up to one that doesn't end.

    Each tag is looked for from the last one on, so that many tags without an end take little time.

    >>> list(_elements("<D>crude</D><DATE>1987</DATE><D>gas</D><D>", "D"))
    ['crude', 'gas']
    """
    opening, closing, end = f"<{name}", f"</{name}>", 0
    while (begin := text.find(opening, end)) >= 0:
        end = begin + len(opening)
        if text[end : end + 1].isalnum():  # of a longer name
            continue
        inside = text.find(">", end) + 1
        end = text.find(closing, inside)
        if not inside or end < 0:
            return
        yield text[inside:end]
        end += len(closing)
