"""Read words and their dictionary definitions, to find words by their meaning."""

from __future__ import annotations

import json
from os import PathLike
from typing import NamedTuple

from andornot.base.errors import FileError
from andornot.base.files import read_list


class Definition(NamedTuple):
    """A word and the text that defines it."""

    word: str
    text: str


def read_definitions(path: str | PathLike[str]) -> list[Definition]:
    """Read a file of MultiRD: a JSON list of objects with `word` and `definitions`, both texts.

    Other fields are ignored.

    For example `read_definitions("data_test_500_rand1_seen.json")[0].word` is `"infatuated"`.

    Raises:
        FileError: If the file is not JSON, or an item is malformed.
    """
    content = read_list(path)
    try:
        items = json.loads(content)
    except (ValueError, RecursionError) as error:  # bytes that are not UTF-8 are a ValueError
        raise FileError(path, "this is not a JSON file in UTF-8", "get it again") from error
    if not isinstance(items, list) or not items:
        raise FileError(
            path, "this is not a JSON list with at least one definition", "name another file"
        )
    return [_checked(path, number, item) for number, item in enumerate(items, start=1)]


def _checked(path: str | PathLike[str], number: int, item: object) -> Definition:
    """Return an item as a definition, or raise an error that names the item."""
    fields = item if isinstance(item, dict) else {}
    word, text = fields.get("word"), fields.get("definitions")
    if not isinstance(word, str) or not isinstance(text, str) or not word or not text:
        raise FileError(
            path,
            f"item {number:,} must be an object with the texts 'word' and 'definitions', got "
            f"{json.dumps(item)[:60]}",
            "correct the item",
        )
    return Definition(word, text)
