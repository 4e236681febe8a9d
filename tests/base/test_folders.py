"""Folders are replaced as a whole, whatever stops the process, and are flushed before it."""

import json
import os
import shutil
import signal
import sys
from itertools import count
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from andornot.base import folders
from andornot.base.folders import is_folder_of, new_folder, recover

KIND = "andornot test"
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges two names")


def write(path: Path, content: int) -> None:
    with new_folder(path, replace=True) as writer:
        writer.append("numbers", np.full(3, content))
        (writer.path / "inner").mkdir()
        (writer.path / "inner" / "other.txt").write_text(str(content))
        writer.finish(KIND, {"content": content})


def content_of(path: Path) -> int:
    """Return what a program that knows nothing of `recover` finds there, all of it."""
    content = json.loads((path / "record.json").read_bytes())["content"]
    assert np.fromfile(path / "numbers.bin", dtype=int).tolist() == 3 * [content]
    assert (path / "inner" / "other.txt").read_text() == str(content)
    return content


def replace_until_killed(path: Path, content: int, number: int, *, exchanges: bool) -> bool:
    """Replace a folder in a fork, which is killed after the n-th change of a name.

    Returns whether it was killed.
    """
    child = os.fork()
    if not child:
        calls = count(1)

        def killing(call):
            def called(*arguments, **options):
                result = call(*arguments, **options)
                if next(calls) == number:
                    os.kill(os.getpid(), signal.SIGKILL)
                return result

            return called

        exchange = folders.exchange if exchanges else lambda first, second: False
        with (
            patch.object(folders, "exchange", killing(exchange)),
            patch.object(Path, "rename", killing(Path.rename)),
            patch.object(shutil, "rmtree", killing(shutil.rmtree)),
        ):
            try:
                write(path, content)
            finally:
                os._exit(0)
    status = os.waitpid(child, 0)[1]
    return os.WIFSIGNALED(status)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("exchanges", [pytest.param(True, marks=on_linux), False])
def test_a_kill_at_any_change_of_a_name_leaves_the_old_folder_or_the_new_one(tmp_path, exchanges):
    path, found = tmp_path / "folder", []
    write(path, 1)
    for number in count(1):
        older = content_of(path)
        if not replace_until_killed(path, older + 1, number, exchanges=exchanges):
            break
        if not exchanges:
            recover(path)
        found.append(content_of(path) - older)
    assert content_of(path) == older + 1
    assert set(found) == {0, 1} if not exchanges else set(found) == {1}
    write(path, 0)
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]  # nothing is left behind


@on_linux
def test_a_folder_is_under_its_name_at_every_moment(tmp_path, monkeypatch):
    """Nothing changes its name in two steps, so that any program finds it."""
    path = tmp_path / "folder"
    write(path, 1)
    monkeypatch.setattr(Path, "rename", lambda *_: pytest.fail("there is a moment without it"))
    write(path, 2)
    assert content_of(path) == 2
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege")
def test_a_link_to_a_folder_is_replaced_by_a_folder(tmp_path):
    write(tmp_path / "elsewhere", 1)
    (tmp_path / "folder").symlink_to(tmp_path / "elsewhere")
    write(tmp_path / "folder", 2)
    assert not (tmp_path / "folder").is_symlink()
    assert (content_of(tmp_path / "elsewhere"), content_of(tmp_path / "folder")) == (1, 2)
    assert is_folder_of(tmp_path / "folder", KIND)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["elsewhere", "folder"]


@pytest.mark.skipif(os.name == "nt", reason="folders can't be flushed")
def test_all_files_and_folders_are_flushed(tmp_path, monkeypatch):
    fsync, flushed = os.fsync, set()

    def watched(number: int) -> None:
        flushed.add(os.fstat(number).st_ino)
        fsync(number)

    monkeypatch.setattr(os, "fsync", watched)
    write(tmp_path / "folder", 1)
    found = [tmp_path, *tmp_path.rglob("*")]
    assert len(found) == 6
    assert [path for path in found if path.stat().st_ino not in flushed] == []
