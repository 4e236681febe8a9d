"""Pipes, devices and huge records in folders that others made: refused at once."""

import json
import os
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest
from errors import raises
from texts import corpus_of, random_lines
from tiny_models import DIM, train_tokenizer, write_model

import andornot
from andornot.base.errors import FileError
from andornot.base.folders import new_folder, read_record
from andornot.base.regular_files import open_regular, read_small
from andornot.base.tensors import read_header
from andornot.cooccurrence import count, load_counts
from andornot.corpus.reading import content_key, find_files
from andornot.formats.model_folder import ModelFolder, read_json

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
SPECIAL = "this is a pipe or a device"


@pytest.fixture(autouse=True)
def at_once():
    """End a test that waits for the other end of a pipe."""

    def stop(*_):
        raise AssertionError("it waits for a pipe")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(params=["pipe", "device"])
def special(request):
    """Put a pipe, or a link to a device, in place of a file."""

    def put(path: Path) -> Path:
        path.unlink(missing_ok=True)
        if request.param == "pipe":
            os.mkfifo(path)
        else:
            path.symlink_to("/dev/null")  # /dev/zero would fill the memory if it were read
        return path

    return put


def test_a_record(tmp_path, special):
    with new_folder(tmp_path / "a") as writer:
        writer.finish("test", {})
    assert read_record(tmp_path / "a")["kind"] == "test"
    record = special(tmp_path / "a" / "record.json")
    with raises(FileError, record, SPECIAL):
        read_record(tmp_path / "a")


@pytest.mark.parametrize("name", ["record.json", "columns.bin", "values.bin", "row_starts.bin"])
def test_counts(tmp_path, special, name):
    output = tmp_path / "counts"
    count(corpus_of(tmp_path, random_lines(3)), min_count=1, output=output)
    record = json.loads((output / "record.json").read_text())
    for each in ("columns", "values", "row_starts"):
        if name == f"{each}.bin":
            record["arrays"][each]["length"] = 0
    (output / "record.json").write_text(json.dumps(record))
    file = special(output / name)
    with raises(FileError, file, SPECIAL):
        load_counts(output)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    tokenizer = train_tokenizer("wordpiece")
    rows = np.ones((tokenizer.get_vocab_size(), DIM), dtype=np.float32)
    return write_model(tmp_path_factory.mktemp("m") / "m", tokenizer, {"wte.weight": rows})


@pytest.mark.parametrize(
    "name", ["config.json", "tokenizer.json", "modules.json", "model.safetensors.index.json"]
)
def test_the_json_of_a_model(tmp_path, special, whole, name):
    folder = shutil.copytree(whole, tmp_path / "m")
    if "index" in name:
        (folder / "model.safetensors").unlink()
    file = special(folder / name)
    with raises(FileError, file, SPECIAL):
        andornot.load(folder)


def test_the_weights_of_a_model(tmp_path, special, whole):
    folder = shutil.copytree(whole, tmp_path / "m")
    file = special(folder / "model.safetensors")
    with raises(FileError, file, SPECIAL):
        andornot.load(folder)
    with raises(FileError, file, SPECIAL):
        read_header(file)


def test_a_tokenizer_is_checked_before_others_read_it(tmp_path, special, whole):
    folder = shutil.copytree(whole, tmp_path / "m")
    file = special(folder / "tokenizer.json")
    with raises(FileError, file, SPECIAL):
        _ = ModelFolder(folder, "m").tokenizer


def test_a_file_inside_the_folder_of_a_text(tmp_path, special):
    (tmp_path / "a.txt").write_text("a b c\n")
    file = special(tmp_path / "b.txt")
    with raises(FileError, file, SPECIAL, "move it out of the folder"):
        find_files([tmp_path])
    with raises(FileError, file, SPECIAL):
        content_key([file])


def test_a_link_to_a_file_is_followed(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"abc")
    (tmp_path / "b.txt").symlink_to(tmp_path / "a.txt")
    assert read_small(tmp_path / "b.txt", "") == b"abc"


def test_folders_and_missing_files_are_named(tmp_path):
    with raises(FileError, tmp_path, "this is a folder"):
        open_regular(tmp_path)
    with raises(FileError, tmp_path / "a", "no such file"):
        open_regular(tmp_path / "a")


def test_a_record_may_not_be_too_large(tmp_path):
    assert read_small(_hole(tmp_path / "small", 9), "", limit=9) == bytes(9)
    large = _hole(tmp_path / "config.json", 64_000_001)
    with raises(FileError, large, "at most 64,000,000 bytes", "get the model again"):
        read_json(large, dict)


def _hole(path: Path, size: int) -> Path:
    with path.open("wb") as file:
        file.truncate(size)  # a hole, which takes no room
    return path
