"""What killed processes leave is removed by the next run, and nothing that is still written."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from commands import EXAMPLES, PROGRAM, run

from andornot.base import folders, temporaries
from andornot.base.errors import FileError
from andornot.base.folders import new_folder
from andornot.base.replacing import replacing, replacing_together
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


def test_a_killed_conversion_leaves_nothing_after_the_next(tmp_path):
    output = tmp_path / "a.vec"
    code = """
import os, signal, sys
import andornot.cli
def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)
os.link = kill
sys.argv[0] = "andornot"
andornot.cli.main()
"""
    command = ["convert", str(EXAMPLES / "royal.vec"), str(output)]
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code, *command])
        assert done.returncode == -signal.SIGKILL
    assert len(left(tmp_path)) == 1
    assert run(*command).returncode == 0
    assert left(tmp_path) == ["a.vec"]


def test_files_that_are_replaced_together(tmp_path):
    first, second = tmp_path / "vectors", tmp_path / "counts"
    for path in (first, second):
        path.write_text("old")

    def write(content: bytes, path: Path) -> None:
        with replacing(path) as file:
            file.write(content)

    def fail() -> None:
        with replacing_together():
            write(b"new", first)
            write(b"new", second)
            assert (first.read_text(), second.read_text()) == ("old", "old")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (first.read_text(), second.read_text()) == ("old", "old")
    assert left(tmp_path) == ["counts", "vectors"]
    with replacing_together():
        write(b"new", first)
        write(b"new", second)
    assert (first.read_text(), second.read_text()) == ("new", "new")
    assert left(tmp_path) == ["counts", "vectors"]


@pytest.mark.parametrize("kill_at", [1, 2, 3])
def test_a_kill_never_leaves_files_that_disagree(tmp_path, kill_at):
    code = f"""
import os, signal, sys
from pathlib import Path
import andornot.cli
calls = []
def killing(call):
    def called(*arguments, **options):
        if "royal" not in str(arguments[0]):
            calls.append(arguments)
            if len(calls) == {kill_at}:
                os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **options)
    return called
os.replace = killing(os.replace)
unlink = Path.unlink
Path.unlink = lambda path, missing_ok=False: (
    killing(unlink)(path, missing_ok) if path.name == "counts.txt" else unlink(path, missing_ok)
)
sys.argv[0] = "andornot"
andornot.cli.main()
"""
    source, counts = str(EXAMPLES / "royal.vec"), str(EXAMPLES / "royal.counts")
    command = ["convert", source, str(tmp_path / "a.txt"), "--counts", counts, "--force"]
    command += ["--save-counts", str(tmp_path / "counts.txt")]
    assert run(*command).returncode == 0
    done = subprocess.run([sys.executable, "-c", code, *command, "--top", "5"])
    assert done.returncode == -signal.SIGKILL
    words = [line.split()[0] for line in (tmp_path / "a.txt").read_text().splitlines()[1:]]
    if (tmp_path / "counts.txt").exists():
        lines = (tmp_path / "counts.txt").read_text().splitlines()
        assert len(lines) == len(words)


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


@pytest.mark.parametrize("together", [False, True])
def test_a_file_that_another_program_creates_meanwhile_is_kept(tmp_path, together):
    target = tmp_path / "a.vec"

    def write() -> None:
        with replacing_together() if together else nullcontext(), replacing(target) as file:
            file.write(b"ours")
            target.write_bytes(b"theirs")

    with pytest.raises(FileError, match="created it meanwhile"):
        write()
    assert target.read_bytes() == b"theirs"
    assert left(tmp_path) == ["a.vec"]


def test_a_shared_file_is_replaced_by_the_last_who_writes_it(tmp_path):
    target = tmp_path / "kept.json"
    with replacing(target, shared=True) as file:
        file.write(b"ours")
        target.write_bytes(b"theirs")
    assert target.read_bytes() == b"ours"


@pytest.mark.parametrize("number", [errno.EPERM, errno.EIO])
def test_a_file_system_without_links(tmp_path, monkeypatch, number):
    target = tmp_path / "a.vec"

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    def write() -> None:
        with replacing(target) as file:
            file.write(b"ours")

    monkeypatch.setattr(os, "link", fail)
    if number == errno.EPERM:
        write()
        assert target.read_bytes() == b"ours"
    else:
        with pytest.raises(FileError, match="Input/output"):
            write()
        assert left(tmp_path) == []
