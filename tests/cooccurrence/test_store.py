"""Folders of counts: written, opened, replaced, damaged."""

import numpy as np
import pytest
from errors import raises
from texts import corpus_of, random_lines

from andornot.base.errors import FileError
from andornot.cooccurrence import count, load_counts


def test_saved_counts_are_mapped_and_carry_their_settings(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    output = tmp_path / "counts"
    counts = count(corpus, min_count=1, window=4, weights="flat", output=output)
    in_memory = count(corpus, min_count=1, window=4, weights="flat")
    again = load_counts(output)
    for name in ("columns", "values", "marginal", "row_starts"):
        assert np.array_equal(getattr(again, name), getattr(in_memory, name)), name
    assert isinstance(counts.columns, np.memmap)
    assert again.settings["window"] == 4
    assert again.settings["weights"] == "flat"
    assert again.vocabulary.words == in_memory.vocabulary.words
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cache", "counts", "text.txt"]
    in_memory.save(tmp_path / "saved")
    assert np.array_equal(load_counts(tmp_path / "saved").values, again.values)


def test_existing_counts_are_replaced_only_when_told(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    output = tmp_path / "counts"
    count(corpus, min_count=1, window=4, output=output)
    with raises(FileError, output, "force=True"):
        count(corpus, min_count=1, window=2, output=output)
    assert load_counts(output).settings["window"] == 4
    count(corpus, min_count=1, window=2, output=output, force=True)
    assert load_counts(output).settings["window"] == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cache", "counts", "text.txt"]


def test_folders_that_are_not_counts_are_never_touched(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    mine = tmp_path / "mine"
    for name in ("mine", ".mine.old", ".mine.new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "thesis.txt").write_text("precious")
    counts = count(corpus, min_count=1)
    for write in (
        lambda: count(corpus, min_count=1, output=mine, force=True),
        lambda: counts.save(mine, force=True),
        lambda: load_counts(mine),
    ):
        with raises(FileError, mine, "another") as caught:
            write()
        assert caught.value.path == mine
    for name in ("mine", ".mine.old", ".mine.new"):
        assert (tmp_path / name / "thesis.txt").read_text() == "precious"
    counts.save(tmp_path / "saved")
    with raises(FileError, tmp_path / "saved", "force=True"):
        counts.save(tmp_path / "saved")


def test_a_file_is_not_a_folder_of_counts(tmp_path):
    (tmp_path / "text.txt").write_text("a b a b")
    with raises(FileError, "this is a file, not a folder of counts", "andornot count"):
        load_counts(tmp_path / "text.txt")


def test_a_link_leads_to_its_target(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    (tmp_path / "link").symlink_to(tmp_path / "real")
    count(corpus, min_count=1, output=tmp_path / "link")
    count(corpus, min_count=1, output=tmp_path / "link", force=True)
    assert (tmp_path / "link").is_symlink()
    assert load_counts(tmp_path / "real").pairs == load_counts(tmp_path / "link").pairs


def test_a_reader_never_takes_a_complete_folder_from_its_writer(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    output, ready = tmp_path / "counts", tmp_path / ".counts.new"
    count(corpus, min_count=1, window=4, output=output)
    count(corpus, min_count=1, window=2, output=tmp_path / "next")
    (tmp_path / "next").rename(ready)  # complete, and about to be moved in
    assert load_counts(output).settings["window"] == 4
    assert ready.exists()


@pytest.mark.parametrize("moment", ["before the new one moved in", "before the old one went"])
def test_an_interrupted_replacement_is_finished_when_opened(tmp_path, moment):
    corpus = corpus_of(tmp_path, random_lines(3))
    old, new = tmp_path / "old", tmp_path / "new"
    count(corpus, min_count=1, window=4, output=old)
    count(corpus, min_count=1, window=2, output=new)
    aside, ready = tmp_path / ".counts.old", tmp_path / ".counts.new"
    old.rename(aside)
    new.rename(ready if moment == "before the new one moved in" else tmp_path / "counts")
    assert load_counts(tmp_path / "counts").settings["window"] == 2
    assert not aside.exists()
    assert not ready.exists()


@pytest.mark.parametrize(
    ("name", "edit", "named"),
    [
        ("record.json", lambda data: data[:20], ["JSON"]),
        ("record.json", lambda data: b"[]", ["record of arrays"]),
        ("columns.bin", lambda data: data[:-4], ["bytes"]),
        ("values.bin", lambda data: data + b"1234", ["bytes"]),
    ],
    ids=["half a record", "another record", "too short", "too long"],
)
def test_a_damaged_file_is_named(tmp_path, name, edit, named):
    output = tmp_path / "counts"
    count(corpus_of(tmp_path, random_lines(3)), min_count=1, output=output)
    path = output / name
    path.write_bytes(edit(path.read_bytes()))
    with raises(FileError, *named, "make it again") as caught:
        load_counts(output)
    assert caught.value.path == path


def test_folders_that_hold_no_counts(tmp_path):
    output = tmp_path / "counts"
    count(corpus_of(tmp_path, random_lines(3)), min_count=1, output=output)
    (output / "marginal.bin").rename(tmp_path / "elsewhere.bin")
    for path, missing in [(output, "marginal.bin"), (tmp_path / "nowhere", "")]:
        with raises(FileError, "no such file") as caught:
            load_counts(path)
        assert caught.value.path == path / missing
    record = output / "record.json"
    record.write_text(record.read_text().replace("andornot counts", "other"))
    with raises(FileError, output, "andornot count"):
        load_counts(output)
