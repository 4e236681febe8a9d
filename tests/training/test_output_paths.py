"""Where a training can put what it makes."""

import pytest
from errors import raises

from andornot.base.errors import FileError, UsageError
from andornot.training.output_paths import check_output_paths


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("", "a file"),
        ("/", "a file"),
        (".", "a file"),
        ("/dev/null", "a file"),
        ("x" * 300, "untouched"),
        ("none/v.safetensors", "make the folder"),
    ],
)
def test_a_place_where_no_space_can_be_written(name, remedy, force, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place = name if name == "." else tmp_path / name
    with raises(FileError, place, remedy):
        check_output_paths(place, resume=False, force=force)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["v.txt", "v.vec", "v.bin"])
def test_a_format_without_room_for_all_that_is_trained(name, tmp_path):
    with raises(UsageError, tmp_path / name, ".safetensors"):
        check_output_paths(tmp_path / name, resume=False, force=False)


def test_what_exists_is_replaced_only_when_told(tmp_path):
    old = tmp_path / "old.safetensors"
    old.write_text("mine")
    with raises(FileError, old, "force=True"):
        check_output_paths(old, resume=False, force=False)
    assert check_output_paths(old, resume=False, force=True).output == old
    assert old.read_text() == "mine"
    assert [file.name for file in tmp_path.iterdir()] == [old.name]


def test_what_is_made_on_the_way_stands_beside_the_space(tmp_path):
    (tmp_path / "real").mkdir()
    link = tmp_path / "space.safetensors"
    link.symlink_to(tmp_path / "real" / "space.safetensors")
    places = check_output_paths(link, resume=False, force=False)
    assert places.output == tmp_path / "real" / "space.safetensors"
    assert places.checkpoint.parent == places.counts.parent == tmp_path / "real"


def test_counts_are_never_left_by_half(tmp_path, monkeypatch):
    paths = check_output_paths(tmp_path / "v.safetensors", resume=False, force=False)
    paths.counts.mkdir()
    (paths.counts / "record.json").write_text("{}")

    def killed(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("shutil.rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            paths.clean_up()
    assert not paths.counts.exists()  # it has another name, under which no run reads it
    paths.clean_up()
    assert list(tmp_path.iterdir()) == []
