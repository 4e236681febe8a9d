"""The commands that write, as small runs that can be disturbed: what each needs, writes and leaves.

A trial runs a command over an older output of the same name. Whatever disturbs it, the older or the
newer output must be there afterwards, whole; the same command, run again, must give the newer one,
and leave nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from http.server import ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from downloads import Handler, zipped
from slow_counting import in_small_chunks
from texts import corpus_of, random_lines
from tiny_models import TEXT, train_tokenizer, write_model

import andornot
from andornot.base.errors import AndornotError
from andornot.cooccurrence import count
from andornot.datasets import DATASETS, Download

INPUT, OUTPUT, CACHE = "input", "output", "cache"


@dataclass(frozen=True)
class Trial:
    """A command: its arguments for a seed, which tells the older run from the newer one.

    `cache` is the folder that the user's cache is in, `setting` a context that the command runs in.
    """

    name: str
    arguments: Callable[[Path, int], Sequence[object]]
    cache: str = CACHE
    setting: Callable[[], AbstractContextManager[None]] = nullcontext


def _train(model: str, solver: str, source: str = "text.txt", *more: object) -> Trial:
    def arguments(folder: Path, seed: int) -> list[object]:
        options = ["--model", model, "--solver", solver, "--dim", 4, "--epochs", 3, "--seed", seed]
        options += ["--checkpoint-minutes", 0, "--threads", 1, "--force", *more]
        output = folder / OUTPUT / "s.safetensors"
        return ["train", folder / INPUT / source, "-o", output, *options]

    return Trial(
        f"train {model} {solver}" + (" on counts" if source == "counts" else ""), arguments
    )


def _convert(name: str, *options: object) -> Trial:
    def arguments(folder: Path, seed: int) -> list[object]:
        source = folder / INPUT / f"space{seed}.safetensors"
        words = [str(option).replace("OUT", str(folder / OUTPUT)) for option in options]
        return ["convert", source, folder / OUTPUT / name, "--force", *words]

    return Trial(f"convert to {name}", arguments)


def _count(folder: Path, seed: int) -> list[object]:
    options = ["--window", 2 + seed, "--min-count", 1, "--threads", 1, "--force"]
    return ["count", folder / INPUT / "text.txt", "-o", folder / OUTPUT / "counts", *options]


@contextmanager
def _small_parts():
    """Count even the short text in several chunks, and hold some of it out."""
    with pytest.MonkeyPatch.context() as patched, patch("andornot.corpus.blocks.BLOCK", 100):
        in_small_chunks(patched, chunk=300)
        yield


def _count_in_parts(folder: Path, seed: int) -> list[object]:
    phrases, words = folder / INPUT / "phrases.txt", folder / OUTPUT / "words.txt"
    options = ["--phrases", phrases, "--held-out", 4, "--save-vocab", words]
    return [*_count(folder, seed), "--max-size", 20 + seed, *options]


def _reproduce(folder: Path, seed: int) -> list[object]:
    return ["reproduce", "theorem", "-o", folder / OUTPUT, "--seed", seed, "--force"]


def _plot(folder: Path, seed: int) -> list[object]:
    source = folder / INPUT / f"space{seed}.safetensors"
    drawing = folder / OUTPUT / "plot.svg"
    return ["ask", "w1 & w2", "--space", source, "--plot", drawing, "--force"]


def _grow(folder: Path, seed: int) -> list[object]:
    """Begin a list, or go on from it with a word that was accepted meanwhile."""
    space = folder / INPUT / "space1.safetensors"
    words = ["w1", "w2"] if seed == 1 else ["--yes", folder / INPUT / "yes.txt"]
    return ["grow", *words, "-s", space, "-o", folder / OUTPUT / "list.csv", "--no-wordnet"]


def _describe(folder: Path, seed: int) -> list[object]:
    """Ask a model that has no counts: those of a text are cached."""
    text = folder / INPUT / f"english{seed}.txt"
    return ["describe", "king", "-s", folder / INPUT / "model", "--corpus", text]


def _center_model(folder: Path, seed: int) -> list[object]:
    source, target = folder / INPUT / "model", folder / OUTPUT / "model"
    options = ["--postprocess", ("uniform", "frequency")[seed - 1], "--no-sts", "--force"]
    return ["center-model", source, target, "--corpus", folder / INPUT / "english1.txt", *options]


_HAS_MODELS = all(find_spec(name) for name in ("model2vec", "tokenizers"))
_OF_MODELS = [Trial("describe", _describe, OUTPUT), Trial("center-model", _center_model)]
TRIALS = [
    _train("sgns", "sampled", "text.txt", "--min-count", 1),
    _train("sgns", "exact", "text.txt", "--min-count", 1),
    _train("glove", "sampled", "text.txt", "--min-count", 1),
    _train("glove", "exact", "text.txt", "--min-count", 1),
    _train("glove", "exact", "counts"),
    Trial("count", _count),
    Trial("count in parts", _count_in_parts, setting=_small_parts),
    _convert("a.safetensors"),
    _convert("b.safetensors", "--bits", 8),
    _convert("a.vec.gz"),
    _convert("a.bin", "--save-counts", "OUT/counts.txt"),
    _convert("model2vec", "--to", "model2vec"),
    Trial("reproduce", _reproduce),
    Trial("ask --plot", _plot),
    Trial("grow", _grow),
    *(_OF_MODELS if _HAS_MODELS else []),
]


@contextmanager
def fetching():
    """The trial of `data fetch`, with a server on this machine; nothing is there before."""
    files = {f"gold/STS.{part}.a.txt": b"One.\tTwo.\n" * 4000 for part in ("input", "gs")}
    packed = zipped(files)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.files = {"/sts.zip": packed}
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/sts.zip"
        checksum = f"sha256:{hashlib.sha256(packed).hexdigest()}"
        download = Download(url, len(packed), checksum, inside="gold")
        offered = replace(DATASETS["sts12"], download=download)

        def arguments(folder: Path, seed: int) -> list[object]:
            return ["data", "list"] if seed == 1 else ["data", "fetch", "sts12"]

        with patch.dict(DATASETS, {"sts12": offered}):
            yield Trial("data fetch", arguments, OUTPUT)
        server.shutdown()
        thread.join()


def prepare(folder: Path) -> None:
    """Write what the commands read."""
    (folder / INPUT).mkdir(parents=True)
    (folder / OUTPUT).mkdir()
    lines = random_lines(5, lines=150, types=30)
    count(corpus_of(folder / INPUT, lines), min_count=1, output=folder / INPUT / "counts")
    (folder / INPUT / "phrases.txt").write_text("w0 w1\nw1 w2\n")
    words = [f"w{i}" for i in range(3000)]
    for seed in (1, 2):
        rng = np.random.default_rng(seed)
        vocabulary = andornot.Vocabulary(words).with_counts(dict.fromkeys(words, float(seed)))
        vectors = [rng.normal(size=(len(words), 4)).astype(np.float32) for _ in range(2)]
        space = andornot.Space(vocabulary, *vectors)
        andornot.save(space, folder / INPUT / f"space{seed}.safetensors")
    (folder / INPUT / "yes.txt").write_text("w3\nw4\n")
    if _HAS_MODELS:
        tokenizer = train_tokenizer("wordpiece")
        rows = np.random.default_rng(3).normal(size=(tokenizer.get_vocab_size(), 4))
        tensors = {"embeddings": rows.astype(np.float32)}
        write_model(folder / INPUT / "model", tokenizer, tensors)
        for seed in (1, 2):
            (folder / INPUT / f"english{seed}.txt").write_text("\n".join(TEXT * seed))


def clear(folder: Path, *, cache: bool = True) -> None:
    """Remove outputs, and by default what is cached."""
    for name in (OUTPUT, CACHE) if cache else (OUTPUT,):
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / OUTPUT).mkdir()


@contextmanager
def environment(folder: Path, trial: Trial):
    """The setting of a trial: a cache of its own, no data, and no proxy to this machine."""
    cache = str(folder / trial.cache)
    changed = {"ANDORNOT_CACHE": cache, "ANDORNOT_DATA": "", "NO_PROXY": "127.0.0.1"}
    with patch.dict(os.environ, changed), trial.setting():
        yield {**os.environ}


def fingerprints(folder: Path) -> dict[str, str]:
    """What the outputs hold, by their names: hidden ones too, and without what timing changes."""
    found = {}
    for path in sorted((folder / OUTPUT).rglob("*")):
        name = path.relative_to(folder / OUTPUT).as_posix()
        if path.is_file():
            found[name] = _fingerprint(path)
    return found


def _fingerprint(path: Path) -> str:
    digest = hashlib.sha256()
    is_model = path.name == "model.safetensors"  # of a folder with other files
    if path.suffix == ".safetensors" and not path.name.startswith(".") and not is_model:
        try:
            space = andornot.load(path)
        except AndornotError as error:
            return f"broken: {error}"
        for array in (space.target, space.context, space.counts):
            digest.update(np.ascontiguousarray(array).tobytes())
        digest.update(" ".join(space.words).encode())
    elif path.name == "record.json":
        try:
            digest.update(json.dumps(json.loads(path.read_text())["arrays"]).encode())
        except (ValueError, KeyError) as error:
            return f"broken: {error}"
    else:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
