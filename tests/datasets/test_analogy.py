"""Questions of analogy: the files as they are, and what is wrong with a line."""

import pytest

from andornot.base.errors import AndornotError
from andornot.datasets import Question, read_questions


def test_files_of_questions(tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text(": capitals of the world\nAthens Greece Oslo Norway\n: family\na b c d\n")
    assert read_questions(path)[0] == Question(
        "capitals of the world", "Athens", "Greece", "Oslo", "Norway"
    )
    assert read_questions(path)[1].section == "family"
    path.write_text("Athens Greece Oslo\n")
    with pytest.raises(AndornotError, match="line 1: 3 words where a question has four"):
        read_questions(path)
    path.write_text(": nothing\n")
    with pytest.raises(AndornotError, match="no questions"):
        read_questions(path)
