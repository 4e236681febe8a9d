"""Results as tables, figures and files."""

import json
from dataclasses import replace

import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.experiments import Lab, Result, Table
from andornot.experiments.report import check_result_folder

matplotlib = pytest.importorskip("matplotlib")


def test_tables_and_results(tmp_path):
    table = Table("T", ("a|b", "n"), (("x|y", 1234), ("z", None)))
    assert "| x\\|y | 1,234 |" in table.markdown()
    result = Result("r", "R", "a text", "It agrees.", (table,), {"n": 1})
    result.write(tmp_path / "r")
    assert sorted(p.name for p in (tmp_path / "r").iterdir()) == ["result.json", "table.md"]
    with pytest.raises(ValueError, match="JSON"):
        replace(result, numbers={"n": float("nan")}).write(tmp_path / "r")
    assert json.loads((tmp_path / "r" / "result.json").read_text())["numbers"] == {"n": 1}


def test_without_matplotlib_there_are_tables(tmp_path, monkeypatch):
    made = Result("words", "T", "a text", "It is.", (), {}, draw=lambda figure: None)
    made.write(tmp_path)
    assert (tmp_path / "figure.svg").exists()
    monkeypatch.setattr("andornot.experiments.report.can_draw", lambda: False)
    made.write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["result.json", "table.md"]


def check(folder):
    """May a result of this command be written there?"""
    check_result_folder(folder, "andornot reproduce words", force=False)


@pytest.mark.parametrize("content", [b"[" * 100_000, b"[]", b'{"command": 1}', b"\xff", b"{"])
def test_a_file_that_is_no_result_is_not_replaced(tmp_path, content):
    (tmp_path / "result.json").write_bytes(content)
    with raises(FileError, tmp_path / "result.json", "not an andornot result", "--force"):
        check(tmp_path)


def test_places_that_results_cannot_go_to(tmp_path):
    (tmp_path / "words").write_text("a file")
    with raises(FileError, tmp_path / "words", "exists"):
        check(tmp_path / "words")
    with raises(FileError, tmp_path / "words" / "sts", "a file, not a folder"):
        check(tmp_path / "words" / "sts")
    with raises(FileError, tmp_path / "words", "exists"):
        Result("words", "T", "a text", "It is.", (), {}).write(tmp_path / "words")
    with raises(FileError, tmp_path / "words" / "kept", "a file, not a folder"):
        _ = Lab(cache=tmp_path / "words" / "kept").home
    check(tmp_path / "new" / "sts")
    assert not (tmp_path / "new" / "sts").exists()
    assert (tmp_path / "words").read_text() == "a file"
