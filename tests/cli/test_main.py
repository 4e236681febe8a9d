"""What concerns every command: help, version, exit codes, terminals, pipes."""

import json
import os
import pty
import subprocess
import sys

import pytest
from commands import run_apart as run

import andornot
from andornot.cli.tour import EXPLAINED


def test_help_is_plain_and_imports_nothing_heavy():
    done = run("--help")
    assert done.returncode == 0
    assert "convert" in done.stdout
    assert "info" in done.stdout
    code = (
        "import sys, andornot.cli; heavy = {'numpy', 'numba', 'scipy', 'rich'} & set(sys.modules);"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_version():
    assert run("--version").stdout == f"andornot {andornot.__version__}\n"


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


def test_every_command_uses_it(logic, tmp_path):
    found = json.loads(run("ask", "royal & woman", "--json").stdout)[0]
    assert [hit["word"] for hit in found["hits"]] == list(logic.ask("royal & woman").words)
    assert json.loads(run("info", "--json").stdout)["words"] == 38_000
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("king\tqueen\t8.6\nking\tcabbage\t0.2\ntiger\tcat\t7.4\nxyzzyx\tcat\t1\n")
    done = run("evaluate", "--pairs", str(pairs), "--json")
    assert json.loads(done.stdout)["results"][0]["covered"] == 3


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["info", "none.vec"], 1, "none.vec: no such file; check the path"),
        (["info", "."], 1, "this is a folder, and not one of andornot's"),
        (["info", "EXAMPLE", "--from", "nonsense"], 2, "nonsense"),
        (["convert", "EXAMPLE", "out.xyz"], 1, "doesn't say which format"),
        (["convert", "EXAMPLE", "out.vec", "--to", "fasttext-binary"], 2, "fasttext-binary"),
        (["convert", "EXAMPLE", "out.vec", "--top", "3"], 1, "top needs word frequencies"),
        (["convert", "EXAMPLE", "out.vec", "--counts", "none.txt"], 1, "none.txt: no such file"),
        (["convert", "EXAMPLE", "no/out.vec"], 1, "its folder doesn't exist"),
        (["convert", "EXAMPLE", "out.vec", "--vectors", "sum"], 1, "needs context vectors"),
        (["convert", "EXAMPLE", "out.vec", "--save-counts", "c"], 1, "needs word frequencies"),
        (
            ["convert", "EXAMPLE", "o.vec", "--counts", "rank", "--save-counts", "./o.vec"],
            1,
            "share",
        ),
        (["convert", "EXAMPLE", "o.vec", "--counts", "rank", "--save-counts", "n/c"], 1, "folder"),
        (["convert", "EXAMPLE", "out.vec", "--top", "0"], 2, "--top"),
        (["convert", "EXAMPLE"], 2, "OUT"),
        (["unheard-of"], 2, "unheard-of"),
        (["info", "EXAMPLE", "--unheard-of"], 2, "--unheard-of"),
        (["info", "EXAMPLE", "--undecodable", "maybe"], 2, "maybe"),
    ],
)
def test_errors_are_one_line_with_an_exit_code(tmp_path, example, arguments, code, problem):
    arguments = [example if part == "EXAMPLE" else part for part in arguments]
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == code
    assert problem in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    if code == 1:
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_warnings_are_single_lines(tmp_path):
    (tmp_path / "v.txt").write_text("a 1 2\na 3 4\n")
    done = run("info", tmp_path / "v.txt")
    assert done.returncode == 0
    assert done.stderr.startswith("warning: ")
    assert done.stderr.count("\n") == 1


def test_a_reader_that_leaves_is_no_error(example):
    command = f"{sys.executable} -m andornot info {example} | head -c 1 > /dev/null"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert "Traceback" not in done.stderr


def test_progress_is_shown_on_a_terminal_only(tmp_path, example):
    """A pseudo-terminal as standard error gets a bar, and the result is the same."""
    leader, follower = pty.openpty()
    target = tmp_path / "v.safetensors"
    command = [sys.executable, "-m", "andornot", "convert", str(example), str(target)]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=follower, env=environment)
    os.close(follower)
    shown = b""
    try:
        while chunk := os.read(leader, 4096):
            shown += chunk
    except OSError:  # the other end is closed
        pass
    os.close(leader)
    assert done.returncode == 0
    assert b"reading royal.vec" in shown
    assert b"writing v.safetensors" in shown
    assert len(andornot.load(target)) == 8


def test_terminals_that_are_not_utf8(tmp_path, full_space):
    andornot.save(full_space, tmp_path / "s.safetensors")
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = run("info", tmp_path / "s.safetensors", env=environment)
    assert done.returncode == 0, done.stderr
    assert "na\\xefve" in done.stdout


def test_an_interrupt_is_one_line(tmp_path):
    (tmp_path / "text.txt").write_text("a b c\n" * 10)
    code = (  # in a job in the background the signal would be ignored
        "import andornot.cli.count, os, signal, sys, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def interrupted(*_, **__): os.kill(os.getpid(), signal.SIGINT), time.sleep(30)\n"
        "andornot.cli.count.count = interrupted\n"
        "sys.argv = ['andornot', 'count', 'text.txt', '-o', 'counts']\n"
        "andornot.cli.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 130
    assert done.stderr == "interrupted; no output was changed, and count can go on from here\n"
