"""May an output be written there? Files, folders of a kind, and folders for results."""

import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.base.folders import new_folder
from andornot.base.outputs import check_folder, check_output

KIND = "andornot test"


@pytest.fixture
def folder(tmp_path):
    """A folder of the kind."""
    path = tmp_path / "folder"
    with new_folder(path) as writer:
        writer.finish(KIND, {})
    return path


def test_what_is_new_may_be_written(tmp_path):
    assert check_output(tmp_path / "a.txt", force=False) == tmp_path / "a.txt"
    assert check_output(tmp_path / "a", force=False, kind=KIND) == tmp_path / "a"
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_replaced_by_force_alone(tmp_path, folder):
    file = tmp_path / "a.txt"
    file.write_text("kept")
    for path, kind in ((file, None), (folder, KIND)):
        with raises(FileError, path, "force=True"):
            check_output(path, force=False, kind=kind)
        assert check_output(path, force=True, kind=kind) == path
    assert file.read_text() == "kept"


def test_a_link_leads_to_what_is_replaced(tmp_path):
    (tmp_path / "a.txt").write_text("kept")
    (tmp_path / "link").symlink_to(tmp_path / "a.txt")
    with raises(FileError, "link", "force=True"):
        check_output(tmp_path / "link", force=False)
    assert check_output(tmp_path / "link", force=True) == tmp_path / "a.txt"


@pytest.mark.parametrize("kind", [KIND, None])
def test_something_else_is_never_replaced(tmp_path, kind):
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("years of work")
    with raises(FileError, other, "name"):
        check_output(other, force=True, kind=kind)


def test_no_file_takes_the_place_of_a_folder_of_another_kind(folder):
    with raises(FileError, folder, "another"):
        check_output(folder, force=True, kind="andornot counts")


def test_a_device_is_not_a_file():
    with raises(FileError, "/dev/null", "regular file"):
        check_output("/dev/null", force=True)


@pytest.mark.parametrize("kind", [KIND, None])
def test_the_folder_around_it_must_be_there(tmp_path, kind):
    with raises(FileError, tmp_path / "no" / "a", "make the folder"):
        check_output(tmp_path / "no" / "a", force=False, kind=kind)


def test_a_folder_for_results_is_made_only_when_there_are_any(tmp_path):
    check_folder(tmp_path / "results" / "sts")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "results").mkdir()
    check_folder(tmp_path / "results" / "sts" / "new")
    assert list(tmp_path.rglob("*")) == [tmp_path / "results"]
    (tmp_path / "file").write_text("")
    with raises(FileError, tmp_path / "file" / "sts", "check"):
        check_folder(tmp_path / "file" / "sts")


def test_a_folder_that_cannot_be_made_leaves_none_of_its_parents(tmp_path):
    with raises(FileError, "results"):
        check_folder(tmp_path / "results" / ("long" * 100))
    assert list(tmp_path.iterdir()) == []
