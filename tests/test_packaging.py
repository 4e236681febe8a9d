"""What a release consists of: both archives build, hold what they should, install and answer."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import andornot

pytest.importorskip("build", reason="needs the package build")
pytest.importorskip("hatchling", reason="needs the package hatchling")
pytest.importorskip("twine", reason="needs the package twine")

ROOT = Path(__file__).parent.parent
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """A source archive of a folder with an environment and results, and the wheel built from it."""
    folder = tmp_path_factory.mktemp("release")
    copy = folder / "copy"
    shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
    (copy / "results").mkdir(exist_ok=True)
    (copy / "results" / "figures.json").write_text("{}")
    venv.create(copy / "own-environment", with_pip=False)
    (copy / "src" / "andornot" / "__pycache__").mkdir()
    (copy / "src" / "andornot" / "__pycache__" / "space.nbi").write_bytes(b"")
    done = run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder / "dist", copy)
    assert done.returncode == 0, done.stdout + done.stderr
    (source,) = (folder / "dist").glob("*.tar.gz")
    (wheel,) = (folder / "dist").glob("*.whl")
    return source, wheel


def names_in_source(path):
    with tarfile.open(path) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def test_the_version_is_the_same_everywhere():
    version = re.escape(andornot.__version__)
    citation = (ROOT / "CITATION.cff").read_text()
    assert re.search(rf"^version: {version}$", citation, re.MULTILINE)
    first = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    assert re.match(rf"{version} \(", first)


@pytest.mark.slow
def test_the_archives_hold_the_project_and_nothing_else(archives):
    source, wheel = archives
    names = names_in_source(source)
    assert {
        "src/andornot/data/default.safetensors",
        "src/andornot/py.typed",
        "tests/test_packaging.py",
        "docs/default-model.md",
        "LICENSE",
        "CITATION.cff",
    } <= names
    tops = {name.partition("/")[0] for name in names}
    assert not tops & {"results", "own-environment", "dist", ".ci", ".github"}
    in_wheel = set(zipfile.ZipFile(wheel).namelist())
    assert {"andornot/data/default.safetensors", "andornot/py.typed"} <= in_wheel
    assert {name.partition("/")[0] for name in in_wheel} == {
        "andornot",
        f"andornot-{andornot.__version__}.dist-info",
    }
    for name in names | in_wheel:
        assert not name.endswith((".pyc", ".nbi", ".nbc")), name
    package = {f"src/{name}" for name in in_wheel if name.startswith("andornot/")}
    assert package == {name for name in names if name.startswith("src/") and Path(name).suffix}


@pytest.mark.slow
def test_the_index_would_take_them(archives):
    done = run(sys.executable, "-m", "twine", "check", "--strict", *archives)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_installed_into_an_empty_environment_they_answer(archives, tmp_path):
    source, wheel = archives
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    for archive, options in ((wheel, ()), (source, ("--no-deps", "--force-reinstall"))):
        done = run(python, "-I", "-m", "pip", "install", "--quiet", *options, archive)
        if "Could not find a version that satisfies" in done.stderr:
            pytest.skip("needs a package index")
        assert done.returncode == 0, done.stderr
        answer = run(python, "-I", "-m", "andornot", "ask", "royal & woman", "-k", "5")
        assert answer.returncode == 0, answer.stderr
        assert "queen" in answer.stdout.split()
        where = run(python, "-I", "-c", "import andornot; print(andornot.__file__)").stdout
        assert Path(where.strip()).is_relative_to(tmp_path)
    missing = run(python, "-I", "-c", "import andornot; andornot.SentenceVectors")
    assert "pip install 'andornot[sklearn]'" in missing.stderr.splitlines()[-1]
