"""The words of the game: the file as it is, and what is wrong with it."""

import os

import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.datasets import locate
from andornot.datasets.game_words import read_game_words


def test_words_are_in_lower_case(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("AFRICA\r\n\r\n ICE CREAM \nagent")
    assert read_game_words(path) == ["africa", "ice cream", "agent"]


@pytest.mark.parametrize(
    ("content", "line", "named"),
    [
        (b"", None, ["no words", "one on each line"]),
        (b"\n \n", None, ["no words"]),
        (b"AIR\n\nAGENT\nair\n", 4, ["'air'", "second time"]),
        (b"CAF\xc9\n", None, ["UTF-8"]),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path, content, line, named):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with raises(FileError, path, *named) as caught:
        read_game_words(path)
    assert caught.value.line == line


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_real_words():
    words = read_game_words(locate("codenames"))
    assert len(words) == 400
    assert words[:3] == ["africa", "agent", "air"]
