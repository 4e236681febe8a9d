"""The command as users type it: its output, its errors, its exit codes."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import andornot

COUNTS = Path(__file__).parents[2] / "examples" / "royal.counts"


def run(*arguments, **options):
    command = [sys.executable, "-m", "andornot", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **options)


@pytest.mark.parametrize("option", [("--dim", 0), ("--rate", -1), ("--seed", -1)])
def test_a_wrong_value_of_a_setting_exits_with_2(tmp_path, option):
    done = run("train", tmp_path / "text.txt", "-o", tmp_path / "out.safetensors", *option)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert str(option[1]) in done.stderr


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


def test_convert_then_info(tmp_path, example):
    space = tmp_path / "royal.safetensors"
    done = run("convert", example, space, "--counts", COUNTS)
    assert done.returncode == 0, done.stderr
    assert "8 words x 3, native" in done.stdout
    done = run("info", space)
    assert done.returncode == 0
    assert done.stderr == ""
    for line in ("words            8", "dimension        3", "context vectors  no"):
        assert line in done.stdout
    assert "counts           file" in done.stdout
    assert "most frequent    the man woman king royal queen prince princess" in done.stdout


def test_info_as_json(tmp_path, full_space):
    path = tmp_path / "s.safetensors"
    andornot.save(full_space, path)
    facts = json.loads(run("info", path, "--json").stdout)
    assert facts["words"] == 9
    assert facts["dimension"] == 5
    assert facts["counts"]["origin"] == "training"
    assert facts["counts"]["total"] == full_space.counts.sum()
    assert facts["context_vectors"] is True
    assert facts["biases"] is True
    assert facts["most_frequent"][:2] == ["the", "king"]
    assert facts["provenance"] == full_space.provenance.to_dict()
    assert facts["bytes"] > full_space.target.nbytes


def test_convert_to_8_bits(tmp_path, full_space):
    andornot.save(full_space, tmp_path / "full.safetensors")
    small = tmp_path / "small.safetensors"
    done = run("convert", tmp_path / "full.safetensors", small, "--quantise")
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(andornot.load(small).target, full_space.target, atol=0.02)
    assert "rounded to 8 bits" in run("info", small).stdout
    done = run("convert", small, tmp_path / "s.vec", "--quantise")
    assert done.returncode == 1
    assert "only the native format" in done.stderr


def test_info_without_counts_does_not_speak_of_frequency(example):
    done = run("info", example)
    assert "counts           none" in done.stdout
    assert "most frequent" not in done.stdout
    assert "first words      the man" in done.stdout
    assert json.loads(run("info", example, "--json").stdout)["most_frequent"] is None


def test_words_with_control_characters_stay_on_their_line(tmp_path, full_space):
    andornot.save(full_space, tmp_path / "s.safetensors")
    done = run("info", tmp_path / "s.safetensors")
    assert "'line\\nbreak'" in done.stdout


def test_top_and_every_format_in_a_chain(tmp_path, example):
    native = tmp_path / "a.safetensors"
    run("convert", example, native, "--counts", COUNTS, "--top", 3)
    previous = native
    for name, options in [
        ("b.vec.gz", []),
        ("c.bin", []),
        ("d.txt", ["--to", "glove"]),
        ("e.txt.xz", []),
        ("f.safetensors", []),
    ]:
        done = run("convert", previous, tmp_path / name, *options)
        assert done.returncode == 0, done.stderr
        previous = tmp_path / name
    last = andornot.load(previous)
    assert last.words == ("the", "man", "woman")
    assert np.array_equal(last.target, andornot.load(native).target)


def test_what_a_format_loses_is_said_and_counts_can_be_kept(tmp_path, full_space):
    path = tmp_path / "s.safetensors"
    andornot.save(full_space.take(np.arange(3), "three"), path)
    done = run("convert", path, tmp_path / "v.vec")
    assert "not in this format: the counts (--save-counts FILE keeps them)" in done.stderr
    assert "the context vectors, the biases" in done.stderr
    done = run("convert", path, tmp_path / "w.vec", "--save-counts", tmp_path / "w.counts")
    assert done.returncode == 0
    assert (tmp_path / "w.counts").read_text() == "the 99\nking 88\nqueen 77\n"
    done = run("convert", path, tmp_path / "x.vec", "--vectors", "sum")
    expected = full_space.target[:3] + full_space.context[:3]
    assert np.array_equal(andornot.load(tmp_path / "x.vec").target, expected)


def test_estimated_counts_are_labelled(tmp_path, example):
    space = tmp_path / "s.safetensors"
    done = run("convert", example, space, "--counts", "rank")
    assert "estimated from the order of the words" in done.stderr
    assert "counts           estimated from rank" in run("info", space).stdout


def test_an_existing_file_is_replaced_only_when_told(tmp_path, example):
    target = tmp_path / "v.safetensors"
    target.write_text("precious")
    done = run("convert", example, target)
    assert done.returncode == 1
    assert "it exists already; add --force" in done.stderr
    assert target.read_text() == "precious"
    assert run("convert", example, target, "--force").returncode == 0
    assert len(andornot.load(target)) == 8


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


def test_names_of_files_that_are_not_unicode(tmp_path, example):
    odd = tmp_path / os.fsdecode(b"\xff.vec")
    odd.write_bytes(example.read_bytes())
    done = run("convert", odd, tmp_path / "s.safetensors")
    assert done.returncode == 0, done.stderr
    assert run("info", tmp_path / "s.safetensors").returncode == 0


NURSERY = Path(__file__).parents[2] / "examples" / "nursery.txt"


def test_count_then_info(tmp_path):
    counts = tmp_path / "counts"
    done = run("count", NURSERY, "-o", counts, "--tokenizer", "words", "--min-count", 2)
    assert done.returncode == 0, done.stderr
    assert "from 45 tokens" in done.stdout
    done = run("info", counts)
    assert "window           5 words, linear weights" in done.stdout
    assert "most frequent    the mouse cat" in done.stdout
    facts = json.loads(run("info", counts, "--json").stdout)
    assert facts["settings"]["min_count"] == 2
    assert facts["pairs"] == andornot_counts(counts).pairs


def andornot_counts(path):
    from andornot.cooccurrence import load_counts

    return load_counts(path)


def test_count_reads_standard_input_phrases_and_a_vocabulary(tmp_path):
    (tmp_path / "phrases.txt").write_text("The Cat\nthe mouse\nnever seen\n")
    (tmp_path / "vocab.txt").write_text("the_mouse 3\nthe_cat 3\nsaid 2\n")
    options = ["--phrases", "phrases.txt", "--vocab", "vocab.txt", "--tokenizer", "words"]
    done = run("count", "-", "-o", "counts", *options, cwd=tmp_path, input=NURSERY.read_text())
    assert done.returncode == 0, done.stderr
    counts = andornot_counts(tmp_path / "counts")
    assert "2 of 3 phrases were found and merged" in done.stdout
    assert counts.vocabulary.words == ("the_mouse", "the_cat", "said")
    assert counts.vocabulary.counts.values.tolist() == [3, 3, 2]


def test_a_vocabulary_is_saved_and_imposed(tmp_path):
    run("count", NURSERY, "-o", "a", "--save-vocab", "v.txt", "--min-count", 3, cwd=tmp_path)
    for vocabulary in ("v.txt", "a"):
        done = run("count", NURSERY, "-o", "b", "--vocab", vocabulary, "--force", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        first, second = andornot_counts(tmp_path / "a"), andornot_counts(tmp_path / "b")
        assert first.vocabulary.words == second.vocabulary.words
        assert np.array_equal(first.values, second.values)


def test_info_finishes_an_interrupted_replacement(tmp_path):
    run("count", NURSERY, "-o", "c", "--min-count", 2, cwd=tmp_path)
    (tmp_path / "c").rename(tmp_path / ".c.new")
    assert run("info", tmp_path / "c").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["none.txt", "-o", "c"], 1, "none.txt: no such file"),
        (["empty.txt", "-o", "c"], 1, "the corpus is empty"),
        (["NURSERY", "-o", "c", "--min-count", "99"], 1, "lower the minimal count"),
        (["NURSERY", "-o", "c", "--vocab", "other.txt"], 1, "belongs to another corpus"),
        (["NURSERY", "-o", "c", "--vocab", "empty.txt"], 1, "the file is empty"),
        (["NURSERY", "-o", "c", "--memory", "lots"], 1, "'lots' is no size of memory"),
        (["NURSERY", "-o", "c", "--memory", "1kB"], 1, "bytes are too few"),
        (["NURSERY", "-o", "c", "--phrases", "empty.txt"], 1, "there are no phrases in it"),
        (["NURSERY", "-o", "there"], 1, "it exists, and is no folder of counts"),
        (["NURSERY", "-o", "there", "--force"], 1, "it exists, and is no folder of counts"),
        (["NURSERY", "-o", ".", "--force"], 1, "it exists, and is no folder of counts"),
        (["NURSERY", "-o", "c", "--vocab", "blank.txt"], 1, "there are no words in it"),
        (["NURSERY", "-o", "c", "--vocab", "other.txt", "--min-count", "3"], 2, "leave off"),
        (["NURSERY", "-o", "no/c"], 1, "its folder doesn't exist"),
        (["broken.txt", "-o", "c", "--strict"], 1, "are not UTF-8"),
        (["NURSERY", "-o", "c", "--sample", "7"], 1, "a sampling threshold of 7"),
        (["NURSERY"], 2, "--output"),
        (["NURSERY", "-o", "c", "--window", "0"], 2, "--window"),
        (["NURSERY", "-o", "c", "--weights", "round"], 2, "round"),
    ],
)
def test_count_errors_leave_nothing_behind(tmp_path, arguments, code, problem):
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "other.txt").write_text("elsewhere 3\n")
    (tmp_path / "blank.txt").write_text("\n\n")
    (tmp_path / "broken.txt").write_bytes(b"a b\xff c\n")
    (tmp_path / "there").write_text("precious")
    before = sorted(path.name for path in tmp_path.iterdir())
    arguments = [NURSERY if part == "NURSERY" else part for part in arguments]
    done = run("count", *arguments, cwd=tmp_path)
    assert done.returncode == code
    assert problem in done.stderr
    assert "Traceback" not in done.stderr
    if code == 1:
        assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert (tmp_path / "there").read_text() == "precious"


def test_a_disk_that_fills_up_while_counting(tmp_path):
    import resource
    import signal

    rng = np.random.default_rng(0)
    words = rng.integers(0, 3000, size=100_000)
    (tmp_path / "text.txt").write_text(" ".join(f"w{n}" for n in words))
    command = [sys.executable, "-m", "andornot", "count", "text.txt", "-o", "counts"]
    # the tokens fit the limit, the counts don't
    run("count", "text.txt", "-o", "first", cwd=tmp_path)

    def fill_up() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, 1 << 19))

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, preexec_fn=fill_up)
    assert done.returncode == 1
    assert "no room to write it" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "counts").exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".tmp")] == []


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
