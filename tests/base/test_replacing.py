"""Files appear complete or not at all; together, all of them or none."""

import errno
import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from itertools import count
from pathlib import Path

import pytest
from errors import raises

from andornot.base import replacing as replacing_module
from andornot.base.errors import AndornotWarning, FileError
from andornot.base.outputs import check_output
from andornot.base.replacing import replacing, replacing_together

NAMES = ("vectors", "counts")
OLDER = [("vectors", "counts"), ("vectors",), ("counts",), ()]  # files that exist before
WITHOUT_LINKS = [errno.EPERM, errno.ENOTSUP, errno.EINVAL, errno.EACCES, errno.EIO]


def contents(folder: Path) -> dict[str, str]:
    """Return the text of each file in a folder."""
    return {path.name: path.read_text() for path in folder.iterdir()}


def write(path: Path) -> None:
    with replacing(path) as file:
        file.write(b"new")


def write_together(folder: Path) -> None:
    with replacing_together():
        for name in NAMES:
            write(folder / name)


def write_older(folder: Path, names: tuple[str, ...]) -> dict[str, str]:
    for name in NAMES:
        (folder / name).unlink(missing_ok=True)
    for name in names:
        (folder / name).write_text("old")
    return dict.fromkeys(names, "old")


def failing_with(number: int):
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def test_files_that_are_replaced_together(tmp_path):
    first, second = tmp_path / "vectors", tmp_path / "counts"
    for path in (first, second):
        path.write_text("old")

    def fail() -> None:
        with replacing_together():
            write(first)
            write(second)
            assert (first.read_text(), second.read_text()) == ("old", "old")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert contents(tmp_path) == {"vectors": "old", "counts": "old"}
    write_together(tmp_path)
    assert contents(tmp_path) == {"vectors": "new", "counts": "new"}


KILLED = """
import os, signal, sys
from pathlib import Path
from andornot.base.outputs import check_output
from andornot.base.replacing import replacing, replacing_together
calls = 0
def killing(call):
    def called(*arguments, **options):
        global calls
        calls += 1
        if calls == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **options)
    return called
for holder, name in ((os, "link"), (os, "replace"), (Path, "unlink")):
    setattr(holder, name, killing(getattr(holder, name)))
with replacing_together():
    for name in ("vectors", "counts"):
        with replacing(Path(sys.argv[1], name)) as file:
            file.write(b"new")
"""


@pytest.mark.parametrize("older", OLDER)
def test_a_kill_never_leaves_files_that_disagree(tmp_path, older):
    for number in count(1):
        write_older(tmp_path, older)
        done = subprocess.run([sys.executable, "-c", KILLED, tmp_path, str(number)])
        found = {name: text for name, text in contents(tmp_path).items() if name in NAMES}
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
        assert len(set(found.values())) <= 1, (number, found)
        assert "vectors" in found or "vectors" not in older
    assert number > 4  # the two moves, and what is done with the temporary files
    assert contents(tmp_path) == {"vectors": "new", "counts": "new"}


@pytest.mark.parametrize("older", OLDER)
@pytest.mark.parametrize(
    ("error", "names", "is_done"),
    [
        (KeyboardInterrupt, ("link", "replace", "fsync"), False),
        (KeyboardInterrupt, ("link", "replace", "fsync"), True),
        (OSError(errno.EIO, "Input/output error"), ("replace", "fsync"), False),
    ],
)
def test_whatever_stops_the_moves_leaves_the_old_files(
    tmp_path, monkeypatch, older, error, names, is_done
):
    """It comes before each call in turn, or after the call is done."""

    def stopping(call, number, calls):
        def called(*arguments):
            is_last = next(calls) == number
            if is_last and not is_done:
                raise error
            result = call(*arguments)
            if is_last:
                raise error
            return result

        return called

    for number in count(1):
        before = write_older(tmp_path, older)
        calls = count(1)
        with monkeypatch.context() as patched:
            for name in names:
                patched.setattr(os, name, stopping(getattr(os, name), number, calls))
            try:
                write_together(tmp_path)
            except (KeyboardInterrupt, FileError):
                assert contents(tmp_path) == before, number
            else:
                break
    assert number > 4
    assert contents(tmp_path) == {"vectors": "new", "counts": "new"}


def test_an_old_file_that_cannot_be_put_back_is_kept(tmp_path, monkeypatch):
    write_older(tmp_path, NAMES)
    replace, calls = os.replace, count(1)

    def fail_from_third(source: Path, target: Path) -> None:
        if next(calls) > 2:
            raise OSError(errno.EIO, "Input/output error")
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail_from_third)
    with (
        pytest.warns(AndornotWarning, match="rename") as caught,
        pytest.raises(FileError, match="Input/output"),
    ):
        write_together(tmp_path)
    kept = contents(tmp_path)
    assert sorted(kept.values()) == ["old", "old"]
    messages = "\n".join(str(warning.message) for warning in caught)
    assert all(name.endswith(".old") and f"{name} to it" in messages for name in kept)
    monkeypatch.undo()
    for name in NAMES:  # as the next run does before it works
        check_output(tmp_path / name, force=False)
    assert contents(tmp_path) == kept
    write_together(tmp_path)
    assert contents(tmp_path) == {"vectors": "new", "counts": "new"}


@pytest.mark.parametrize("together", [False, True])
def test_a_file_that_another_program_creates_meanwhile_is_kept(tmp_path, together):
    target = tmp_path / "a.vec"

    def write_late() -> None:
        with replacing_together() if together else nullcontext(), replacing(target) as file:
            file.write(b"ours")
            target.write_bytes(b"theirs")

    with pytest.raises(FileError, match="created it meanwhile"):
        write_late()
    assert target.read_bytes() == b"theirs"
    assert list(contents(tmp_path)) == ["a.vec"]


def test_a_shared_file_is_replaced_by_the_last_who_writes_it(tmp_path):
    target = tmp_path / "kept.json"
    with replacing(target, shared=True) as file:
        file.write(b"ours")
        target.write_bytes(b"theirs")
    assert target.read_bytes() == b"ours"


def test_an_error_names_the_path_that_was_given(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to(tmp_path / "real")
    given = tmp_path / "alias" / "a.vec"
    with raises(FileError, given, "created it meanwhile"), replacing(given) as file:
        file.write(b"ours")
        given.write_bytes(b"theirs")


@pytest.mark.parametrize("number", WITHOUT_LINKS)
def test_a_file_system_without_links(tmp_path, monkeypatch, number):
    monkeypatch.setattr(os, "link", failing_with(number))
    write(tmp_path / "a.vec")
    assert contents(tmp_path) == {"a.vec": "new"}

    def write_late() -> None:
        with replacing(tmp_path / "b.vec") as file:
            file.write(b"ours")
            (tmp_path / "b.vec").write_text("theirs")

    with raises(FileError, tmp_path / "b.vec", "created it meanwhile"):
        write_late()
    assert contents(tmp_path) == {"a.vec": "new", "b.vec": "theirs"}


def test_a_disk_that_fails_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", failing_with(errno.EIO))
    monkeypatch.setattr(os, "replace", failing_with(errno.EIO))
    with raises(FileError, tmp_path / "a.vec", "Input/output"):
        write(tmp_path / "a.vec")
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("number", WITHOUT_LINKS)
def test_old_files_are_copied_where_there_are_no_links(tmp_path, monkeypatch, number):
    monkeypatch.setattr(os, "link", failing_with(number))
    write_older(tmp_path, NAMES)
    with monkeypatch.context() as patched:
        flushes = count(1)

        def fail_at_second(_: Path) -> None:
            if next(flushes) == 2:
                raise OSError(errno.EIO, "Input/output error")

        patched.setattr(replacing_module, "flush_folder", fail_at_second)
        with raises(FileError, tmp_path / "counts", "Input/output"):
            write_together(tmp_path)
    assert contents(tmp_path) == {"vectors": "old", "counts": "old"}
    write_together(tmp_path)
    assert contents(tmp_path) == {"vectors": "new", "counts": "new"}
