"""What killed processes leave is removed by the next run, and nothing that is still written."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import EXAMPLES, PROGRAM, run

from andornot.base import folders, temporaries
from andornot.base.folders import new_folder
from andornot.base.replacing import replacing
from andornot.base.temporaries import remove_stale, temporary_file, temporary_folder

KILLED = """
import os, signal, sys
from pathlib import Path
from andornot.base.temporaries import temporary_file, temporary_folder
with {make}(Path(sys.argv[1])) as path:
    if path.is_dir():
        (path / "part.bin").write_bytes(b"half")
    os.kill(os.getpid(), signal.{signal})
"""


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("make", ["temporary_file", "temporary_folder"])
def test_the_next_run_removes_what_a_killed_one_left(tmp_path, make):
    for _ in range(2):
        code = KILLED.format(make=make, signal="SIGKILL")
        done = subprocess.run([sys.executable, "-c", code, tmp_path / "a.vec"])
        assert done.returncode == -signal.SIGKILL
    assert len(left(tmp_path)) == 1  # the second has removed that of the first
    (tmp_path / ".b.vec.0123abcd.tmp").touch()  # of another output
    (tmp_path / ".a.vec.mine.tmp").touch()  # not of andornot's making
    with getattr(temporaries, make)(tmp_path / "a.vec"):
        pass
    assert left(tmp_path) == [".a.vec.mine.tmp", ".b.vec.0123abcd.tmp"]
    remove_stale(tmp_path)
    assert left(tmp_path) == [".a.vec.mine.tmp"]


@pytest.mark.parametrize("make", ["temporary_file", "temporary_folder"])
def test_what_a_live_process_writes_stays(tmp_path, make):
    code = KILLED.format(make=make, signal="SIGSTOP")
    with subprocess.Popen([sys.executable, "-c", code, tmp_path / "a.vec"]) as process:
        try:
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
            (name,) = left(tmp_path)
            with temporary_file(tmp_path / "a.vec"), temporary_folder(tmp_path / "a.vec"):
                remove_stale(tmp_path)
                assert name in left(tmp_path)
                assert len(left(tmp_path)) == 3
        finally:
            process.kill()
    assert left(tmp_path) == [name]


def test_one_that_was_taken_for_left_over_is_made_again(tmp_path, monkeypatch):
    locked, taken = temporaries._try_lock, []

    def slow(path):
        if not taken:  # another run cleans up between the making and the locking
            taken.append(path)
            path.unlink()
        return locked(path)

    monkeypatch.setattr(temporaries, "_try_lock", slow)
    with temporary_file(tmp_path / "a.vec") as path:
        assert path.exists()
        assert path != taken[0]


@pytest.mark.parametrize("is_complete", [False, True])
def test_a_killed_conversion_leaves_nothing_after_the_next(tmp_path, is_complete):
    """It is killed just before the file gets its name, or just after."""
    output = tmp_path / "a.vec"
    code = f"""
import os, signal, sys
import andornot.cli
link = os.link
def kill(*names):
    if {is_complete}:
        link(*names)
    os.kill(os.getpid(), signal.SIGKILL)
os.link = kill
sys.argv[0] = "andornot"
andornot.cli.main()
"""
    command = ["convert", str(EXAMPLES / "royal.vec"), str(output)]
    for _ in range(1 if is_complete else 3):
        done = subprocess.run([sys.executable, "-c", code, *command])
        assert done.returncode == -signal.SIGKILL
    assert len(left(tmp_path)) == 1 + is_complete
    assert run(*command).returncode == is_complete  # 1, since a complete file is not replaced
    assert left(tmp_path) == ["a.vec"]


def test_a_rename_is_brought_to_the_disk(tmp_path, monkeypatch):
    flushed = []

    def fsync(number: int) -> None:
        flushed.append(str(Path(f"/proc/self/fd/{number}").readlink()))

    monkeypatch.setattr(os, "fsync", fsync)
    with replacing(tmp_path / "a") as file:
        file.write(b"x")
    assert flushed[-1] == str(tmp_path)
    assert flushed[0].startswith(str(tmp_path / ".a."))
    flushed.clear()
    with new_folder(tmp_path / "f") as writer:
        writer.finish("kind", {})
    assert flushed[-1] == str(tmp_path)


def test_an_output_that_is_full_is_one_line():
    for arguments in (["ask", "king"], ["info", str(EXAMPLES / "royal.vec")], ["--help"]):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1, done.stderr
        assert "standard output: No space left" in done.stderr


def test_two_processes_may_remove_the_same_folder(tmp_path, monkeypatch):
    """Both see it; the second finds it gone when it renames it."""
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / folders.RECORD).write_text("{}")
    first = folders.temporary_path

    def late(path):
        shutil.rmtree(path)
        return first(path)

    monkeypatch.setattr(folders, "temporary_path", late)
    folders.remove_folder(folder)
    assert left(tmp_path) == []
