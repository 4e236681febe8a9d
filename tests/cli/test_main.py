"""What concerns every command: help, version, exit codes, terminals, pipes."""

import os
import shlex
import subprocess
import sys
import warnings

import pytest
from commands import PROGRAM, run, run_apart, run_code
from errors import assert_refused
from terminals import needs_terminal, on_a_terminal

import andornot
from andornot.base.errors import AndornotError, AndornotWarning, UsageError
from andornot.cli.console import shown_warnings
from andornot.cli.tour import EXPLAINED


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_names_every_command(option):
    done = run(option)
    assert done.returncode == 0
    named = {line.split()[0] for line in done.stdout.partition("Commands:")[2].splitlines() if line}
    assert named >= {
        *("ask", "info", "count", "train", "convert", "evaluate"),
        *("reproduce", "serve", "center-model", "data"),
    }


def test_help_waits_for_nothing_heavy():
    code = (
        "import sys, andornot.cli.subcommands\n"
        "heavy = {'numpy', 'numba', 'scipy', 'rich', 'fastapi', 'uvicorn', 'pydantic'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_version():
    assert run("--version").stdout == f"andornot {andornot.__version__}\n"


def test_the_package_is_run_as_a_program():
    done = run_apart("--version")
    assert (done.returncode, done.stdout) == (0, f"andornot {andornot.__version__}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "queen"],
        ["ask", "!hot"],
        ["ask", "!hot", "--explain"],
        ["ask", "royal & woman", "--explain"],
        ["ask", "(money | finance) & bank", "--exact", "--explain"],
        ["info"],
        ["ask", "--help"],
        ["info", "--help"],
        ["evaluate", "--help"],
        ["ask", EXPLAINED, "--explain"],
    ],
)
def test_output_fits_80_columns_and_is_plain_when_piped(arguments):
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "\x1b" not in done.stdout


# --- what goes wrong ---------------------------------------------------------------------------


def test_unknown_commands_and_options_exit_with_2(example):
    assert_refused(run("unheard-of"), 2, "'unheard-of'")
    assert_refused(run("info", example, "--unheard-of"), 2, "--unheard-of")


@pytest.mark.parametrize(
    ("error", "code", "named"),
    [
        (AndornotError("what is wrong"), 1, "what is wrong"),
        (UsageError("how it was called"), 2, "how it was called"),
        (MemoryError(), 1, "memory"),
    ],
)
def test_an_error_is_one_line_and_an_exit_code(monkeypatch, example, error, code, named):
    def fails(*_, **__):
        raise error

    monkeypatch.setattr("andornot.formats.load", fails)
    done = run("info", example)
    assert_refused(done, code, named)
    assert len(done.stderr.splitlines()) == 1


def test_a_warning_is_one_line(tmp_path):
    (tmp_path / "v.txt").write_text("a 1 2\na 3 4\n")
    done = run("info", tmp_path / "v.txt")
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("warning: ")
    assert "v.txt: 1 " in line


def test_ctrl_c_is_one_line_and_130(tmp_path):
    (tmp_path / "text.txt").write_text("a b c\n" * 10)
    code = (  # in a job in the background the signal would be ignored
        "import andornot.cli, andornot.cooccurrence, os, signal, sys, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def interrupted(*_, **__): os.kill(os.getpid(), signal.SIGINT), time.sleep(30)\n"
        "andornot.cooccurrence.count = interrupted\n"
        "sys.argv = ['andornot', 'count', 'text.txt', '-o', 'counts']\n"
        "andornot.cli.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 130
    (line,) = done.stderr.splitlines()
    assert line.startswith("interrupted; ")
    assert "resume" in line  # the counts so far are kept


def test_ctrl_c_promises_only_what_can_go_on(monkeypatch, example):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("andornot.formats.load", interrupted)
    done = run("info", example)
    assert done.returncode == 130
    (line,) = done.stderr.splitlines()
    assert line.startswith("interrupted; ")
    assert "resume" not in line


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("andornot.base.errors", ["info"]),
        ("andornot.cli.console", ["info"]),
        ("typer", ["info"]),
        ("numpy", ["info"]),
        ("andornot.cli.asking", ["ask", "king"]),
        ("numpy", ["ask", "king"]),
    ],
)
def test_ctrl_c_during_an_import_is_one_line_and_130(name, arguments):
    code = (
        "import sys\n"
        "from andornot.cli import main\n"
        "class Interrupts:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {name!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupts())\n"
        "main()"
    )
    done = run_code(code, *arguments)
    assert (done.returncode, done.stderr) == (130, "interrupted; no output was changed\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "king", "-k", "30000"],
        ["data", "list"],
    ],
)
def test_a_reader_that_leaves_is_no_error(arguments):
    buffered = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [*PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=buffered,
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix closes the streams")
@pytest.mark.parametrize(
    ("arguments", "closed"),
    [("ask king -k 2", ">&-"), ("ask", "<&-"), ("data list", ">&- 2>&-"), ("info", "<&- >&-")],
)
def test_a_stream_that_is_closed_is_an_empty_one(arguments, closed):
    command = f"{shlex.join(map(str, PROGRAM))} {arguments} {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2)
    assert done.returncode == 0 or len(done.stderr.splitlines()) == 1


# --- terminals ---------------------------------------------------------------------------------


@needs_terminal
def test_progress_is_shown_on_a_terminal(tmp_path, example):
    target = tmp_path / "v.safetensors"
    code, shown = on_a_terminal("convert", example, target, stream="stderr")
    assert code == 0
    assert "reading royal.vec" in shown
    assert "writing v.safetensors" in shown
    assert len(andornot.load(target)) == 8
    assert run("convert", example, target, "--force").stderr == ""


def test_terminals_that_are_not_utf8(tmp_path, full_space):
    andornot.save(full_space, tmp_path / "s.safetensors")
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = run_apart("info", tmp_path / "s.safetensors", env=environment)
    assert done.returncode == 0, done.stderr
    assert "na\\xefve" in done.stdout


def test_errors_and_warnings_are_one_line_without_control_characters(capsys):
    hostile = "a\x1b[31m\nb\x9b"
    done = run("info", f"{hostile}.vec")
    assert_refused(done, 1, r"a\x1b[31m\nb\x9b.vec")
    assert done.stderr.removesuffix("\n").isprintable()
    with shown_warnings():
        warnings.warn(f"the name '{hostile}' is new", AndornotWarning, stacklevel=1)
    assert capsys.readouterr().err == "warning: the name 'a\\x1b[31m\\nb\\x9b' is new\n"
