"""Words and their definitions: the file as it is, and what is wrong with an item."""

import json
import os

import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.datasets import locate
from andornot.datasets.definitions import Definition, read_definitions


def test_a_file_of_definitions(tmp_path):
    path = tmp_path / "definitions.json"
    items = [
        {"word": "well", "lexnames": ["adj.all"], "definitions": "in good health"},
        {"word": "café", "definitions": "a small restaurant;\nit\u2028serves coffee"},
    ]
    for text in (json.dumps(items), json.dumps(items, ensure_ascii=False, indent=2)):
        path.write_text(text, encoding="utf-8")
        assert read_definitions(path) == [
            Definition("well", "in good health"),
            Definition("café", "a small restaurant;\nit\u2028serves coffee"),
        ]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", ["JSON", "get it again"]),
        (b'[{"word": "caf\xe9", "definitions": "a"}]', ["UTF-8", "get it again"]),
        (b"[{]", ["JSON", "get it again"]),
        (b"[" * 100_000, ["JSON", "get it again"]),
        (b"{}", ["JSON list", "another file"]),
        (b"[]", ["at least one", "another file"]),
    ],
)
def test_a_file_without_definitions_is_refused(tmp_path, content, named):
    path = tmp_path / "definitions.json"
    path.write_bytes(content)
    with raises(FileError, path, *named):
        read_definitions(path)


@pytest.mark.parametrize(
    "item",
    [
        3,
        ["well", "in good health"],
        {"word": "well"},
        {"definitions": "in good health"},
        {"word": "well", "definitions": ["in good health"]},
        {"word": 1, "definitions": "one"},
        {"word": "", "definitions": "nothing"},
        {"word": "well", "definitions": ""},
    ],
)
def test_what_is_wrong_with_an_item_is_named(tmp_path, item):
    path = tmp_path / "definitions.json"
    path.write_text(json.dumps([{"word": "a", "definitions": "the first letter"}, item]))
    with raises(FileError, path, "item 2", "'word'", "'definitions'", json.dumps(item)[:60]):
        read_definitions(path)


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
@pytest.mark.parametrize(
    ("name", "size", "first"),
    [
        ("descriptions", 200, "forget"),
        ("definitions-seen", 500, "infatuated"),
        ("definitions-unseen", 500, "tricksy"),
    ],
)
def test_the_real_definitions(name, size, first):
    found = read_definitions(locate(name))
    assert len(found) == len({word for word, _ in found}) == size
    assert found[0].word == first
