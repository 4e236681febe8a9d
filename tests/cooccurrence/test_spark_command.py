"""`andornot count --engine spark`, as a command of its own."""

import zipfile
from pathlib import Path

import numpy as np
import pytest
from commands import run, run_apart
from errors import assert_refused
from texts import random_lines

import andornot
from andornot.cooccurrence import load_counts


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n".join(" ".join(line) for line in random_lines(4, lines=200)))
    return path


def zipped_package(path, version):
    """The package as a zip archive, of another version."""
    package = Path(andornot.__file__).parent
    with zipfile.ZipFile(path, "w") as archive:
        for file in package.rglob("*.py"):
            source = file.read_text()
            if file == package / "__init__.py":
                assert andornot.__version__ in source
                source = source.replace(andornot.__version__, version)
            archive.writestr(str(Path("andornot") / file.relative_to(package)), source)
    return path


@pytest.mark.slow
def test_counts_of_the_command_are_those_of_the_local_engine(tmp_path, text, cluster):
    conf = [f"--spark-conf={name}={value}" for name, value in cluster.conf().items()]
    archive = zipped_package(tmp_path / "andornot.zip", andornot.__version__)
    where = ["--engine", "spark", "--master", cluster.master, "--py-archive", archive, *conf]
    output, options = tmp_path / "counts", ["--min-count", "2", "--sample", "0.1"]
    words = ["--save-vocab", tmp_path / "words.txt"]
    done = run_apart("count", text, "-o", output, *options, *words, *where)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert f"{output}: " in done.stdout
    assert run("count", text, "-o", tmp_path / "local", *options).returncode == 0
    found, expected = load_counts(output), load_counts(tmp_path / "local")
    assert np.array_equal(found.columns, expected.columns)
    assert np.array_equal(found.values, expected.values)
    assert (tmp_path / "words.txt").read_text().split()[0] == expected.vocabulary.word(0)
    facts = [run("info", path).stdout.splitlines()[1:-1] for path in (output, tmp_path / "local")]
    assert facts[0] == facts[1]
    assert run("info", f"file://{output}").stdout.splitlines()[1:-1] == facts[0]
    again = run_apart("count", text, "-o", output, *where)
    assert_refused(again, 1, output, "--force")


@pytest.mark.slow
def test_another_version_on_the_workers_is_named(tmp_path, text, cluster):
    conf = [f"--spark-conf={name}={value}" for name, value in cluster.conf().items()]
    archive = zipped_package(tmp_path / "andornot.zip", "0.0.7")
    where = ["--engine", "spark", "--master", cluster.master, "--py-archive", archive, *conf]
    done = run_apart("count", text, "-o", tmp_path / "counts", *where)
    assert_refused(done, 1, "0.0.7", andornot.__version__, "--py-archive")
    assert not (tmp_path / "counts").exists()


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--master", "local[1]"], ["--master", "--engine spark"]),
        (["--partitions", "3"], ["--partitions", "--engine spark"]),
        (["--engine", "spark", "--held-out", "20"], ["--held-out", "--engine local"]),
        (["--engine", "spark", "--threads", "2"], ["--threads"]),
        (["--engine", "spark", "--spark-conf", "memory"], ["--spark-conf", "'memory'"]),
    ],
)
def test_options_that_do_not_fit_the_engine_are_named(tmp_path, text, options, named):
    assert_refused(run("count", text, "-o", tmp_path / "counts", *options), 2, *named)
