"""The file of a list: what is written is read, and a line that was cut off is left out."""

from contextlib import nullcontext

import pytest
from errors import raises
from hypothesis import given
from hypothesis import strategies as st

from andornot.base.choices import Decision
from andornot.base.errors import AndornotWarning, FileError
from andornot.growing.decision_file import (
    Decided,
    DecisionFile,
    read_decisions,
    write_decisions,
)

HEADER = "word,decision,score,frequency,nearest\n"
spelled = st.text(min_size=1).filter(
    lambda w: not any(c in w for c in "\n\r") and w.encode("utf-8", "ignore").decode() == w
)
number = st.none() | st.integers(-99_999, 99_999).map(lambda n: n / 1000)
lines = st.lists(
    st.builds(Decided, spelled, st.none() | st.sampled_from(Decision), number, number, st.none()),
    unique_by=lambda line: line.word,
    max_size=8,
)


@given(lines)
def test_what_is_written_is_read(tmp_path_factory, found):
    path = tmp_path_factory.mktemp("list") / "list.csv"
    write_decisions(path, found)
    assert read_decisions(path) == found


@given(lines.filter(len), st.data())
def test_a_file_that_was_cut_off_anywhere_keeps_its_whole_lines(tmp_path_factory, found, data):
    path = tmp_path_factory.mktemp("list") / "list.csv"
    write_decisions(path, found)
    whole = path.read_bytes()
    cut = data.draw(st.integers(len(HEADER), len(whole)))
    path.write_bytes(whole[:cut])
    ended = whole[:cut] + b"\n" * (whole[cut : cut + 1] == b"\n")  # only the line break is cut off
    kept = ended.count(b"\n") - 1
    with pytest.warns(AndornotWarning) if ended[-1:] != b"\n" else nullcontext():
        assert read_decisions(path) == found[:kept]
    with DecisionFile(path) as file:
        file.add(found[-1])
    assert read_decisions(path) == [*found[:kept], found[-1]][: len(found)]


def test_decisions_are_added_and_taken_back(tmp_path):
    path = tmp_path / "list.csv"
    write_decisions(path, [Decided("violin", Decision.SEED)])
    with DecisionFile(path) as file:
        file.add(Decided("viola", Decision.YES, 1.5, 2.0, "violin"))
        file.add(Decided("oak", Decision.YES))
        file.undo("oak")
        file.add(Decided("oak", Decision.NO))
        file.add(Decided("cello", Decision.SKIP))
        file.undo("cello")
    assert read_decisions(path) == [
        Decided("violin", Decision.SEED),
        Decided("viola", Decision.YES, 1.5, 2.0, "violin"),
        Decided("oak", Decision.NO),
    ]


def test_a_file_that_a_person_edited(tmp_path):
    path = tmp_path / "list.csv"
    text = HEADER + "violin,seed,,,\nviola,Y,1.5,2,violin\noak, NO ,,,\n\ncello,,,,\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    decisions = [(each.word, each.decision) for each in read_decisions(path)]
    assert decisions == [
        ("violin", Decision.SEED),
        ("viola", Decision.YES),
        ("oak", Decision.NO),
        ("cello", None),
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", ["not a list of andornot grow"]),
        ("a,b\n", ["not a list of andornot grow"]),
        (HEADER.replace(",", ";") + "viola;yes;;;\n", ["semicolons", "save it with commas"]),
        (HEADER + "viola,yes\n", ["line 2", "2 values", "5"]),
        (HEADER + "viola,maybe,,,\n", ["line 2", "maybe", "yes, no, skip"]),
        (HEADER + "viola,yes,high,,\n", ["line 2", "high", "numbers"]),
        (HEADER + ",yes,,,\n", ["line 2"]),
    ],
)
def test_other_files_are_refused(tmp_path, text, named):
    path = tmp_path / "list.csv"
    path.write_text(text)
    with raises(FileError, path, *named):
        read_decisions(path)


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "list.csv"
    path.write_bytes(HEADER.encode() + b"\xff\xfe,yes,,,\n")
    with raises(FileError, path, "UTF-8"):
        read_decisions(path)


@pytest.mark.parametrize("last", ["viola,yes,1.5,2,violin", '"viola", Y,,,'])
def test_a_last_line_without_a_line_break_is_kept(tmp_path, last):
    path = tmp_path / "list.csv"
    path.write_text(HEADER + "violin,seed,,,\n" + last)
    assert [each.word for each in read_decisions(path)] == ["violin", "viola"]
    with DecisionFile(path) as file:
        file.add(Decided("oak", Decision.NO))
    assert [each.word for each in read_decisions(path)] == ["violin", "viola", "oak"]


@pytest.mark.parametrize("last", [b"viola,yes,1.5", b'viola,yes,1.5,2,"', b"viola,yes,1.5,2,\xc3"])
def test_a_last_line_that_was_cut_off_is_left_out(tmp_path, last):
    path = tmp_path / "list.csv"
    path.write_bytes(HEADER.encode() + b"violin,seed,,,\n" + last)
    with pytest.warns(AndornotWarning, match="cut off"):
        assert [each.word for each in read_decisions(path)] == ["violin"]
    with DecisionFile(path) as file:
        file.add(Decided("oak", Decision.NO))
    assert [each.word for each in read_decisions(path)] == ["violin", "oak"]


def test_a_last_line_with_an_unknown_decision_is_refused(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text(HEADER + "viola,maybe,,,")
    with raises(FileError, path, "line 2", "maybe"):
        read_decisions(path)


@pytest.mark.parametrize("data", [b"\x00\xff\x01", b"a,b\nc", b"\xff\n\xff"])
def test_another_file_gets_no_warning_of_a_line_that_was_cut_off(tmp_path, recwarn, data):
    path = tmp_path / "list.csv"
    path.write_bytes(data)
    with raises(FileError, path, "name another file"):
        read_decisions(path)
    assert not recwarn.list


def test_a_word_with_a_line_break_is_refused(tmp_path):
    with raises(FileError, "a\\nb"):
        write_decisions(tmp_path / "list.csv", [Decided("a\nb", None)])
    assert not (tmp_path / "list.csv").exists()


@pytest.mark.parametrize(
    "text",
    [
        HEADER + '"a' + "b,yes,,,\n" * 20_000,
        HEADER + "x" * 140_000 + ",yes,,,\n",
        "x" * 140_000 + "\n",
    ],
    ids=["an open quotation mark", "a long word", "a long heading"],
)
def test_a_value_that_is_too_long_is_refused(tmp_path, text):
    path = tmp_path / "list.csv"
    path.write_text(text)
    with raises(FileError, path, "line ", "quotation marks"):
        read_decisions(path)
