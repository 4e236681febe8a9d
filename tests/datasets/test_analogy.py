"""Questions of analogy: the files as they are, and what is wrong with a line."""

from errors import raises

from andornot.base.errors import FileError
from andornot.datasets import Question, read_questions


def test_files_of_questions(tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text(": capitals of the world\nAthens Greece Oslo Norway\n: family\na b c d\n")
    assert read_questions(path)[0] == Question(
        "capitals of the world", "Athens", "Greece", "Oslo", "Norway"
    )
    assert read_questions(path)[1].section == "family"
    path.write_text("Athens Greece Oslo\n")
    with raises(FileError, path, "3 words", "four") as caught:
        read_questions(path)
    assert caught.value.line == 1
    path.write_text(": nothing\n")
    with raises(FileError, path, "no questions"):
        read_questions(path)
