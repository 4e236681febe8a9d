"""Damaged inputs from valid seeds, through every reader and what is done with the result.

Each case is made from a seed and its number, so that any of them can be run again:
`python tests/helpers/fuzzing.py TARGET FIRST COUNT`. An input may be taken, or refused by an
AndornotError. Anything else is a finding: another exception, a dead process, too much CPU time.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from mutations import VALUES, mutate_folder, mutated
from texts import corpus_of, random_lines

import andornot
from andornot.base.errors import AndornotError

SECONDS = 10.0  # of CPU time, for one case
Case = Callable[[random.Random], object]
Maker = Callable[[Path], Case]
SOLVERS = [(model, solver) for model in ("sgns", "glove") for solver in ("exact", "sampled")]


@dataclass
class Findings:
    """What came of a run of cases: how many ended how, and the numbers of those that failed."""

    outcomes: Counter = field(default_factory=Counter)
    failed: dict[int, str] = field(default_factory=dict)


# --- what is fuzzed ------------------------------------------------------------------------------


def spaces(folder: Path) -> Case:
    """Files of vectors in every format: loaded, and asked for neighbours."""
    seeds = list(_space_files(folder / "seeds"))
    home = folder / "case"

    def case(rng: random.Random) -> object:
        name, data = rng.choice(seeds)
        path = _written(home, name, mutated(rng, data))
        space = andornot.load(path)
        word = space.words[rng.randrange(len(space))]
        if space.dim and word:
            return andornot.Logic(space).ask(_quoted(word), k=3)
        return space

    return case


def _space_files(folder: Path) -> Iterable[tuple[str, bytes]]:
    folder.mkdir(parents=True)
    rng = np.random.default_rng(1)
    words = [f"word{i}" for i in range(12)] + ["naïve", "東京", "o'clock"]
    vectors = [rng.normal(size=(len(words), 6)).astype(np.float32) for _ in range(2)]
    counts = andornot.Vocabulary(words).with_counts(
        {word: 100.0 / (i + 1) for i, word in enumerate(words)}
    )
    whole = andornot.Space(counts, *vectors, marginal=np.arange(1.0, len(words) + 1))
    for name, options in {
        "a.safetensors": {},
        "8.safetensors": {"bits": 8},
        "4.safetensors": {"bits": 4},
        "a.vec": {},
        "a.txt": {},
        "a.bin": {},
        "a.vec.gz": {},
        "a.txt.bz2": {},
        "b.vec.xz": {},
    }.items():
        andornot.save(whole, folder / name, **options)
        yield name, (folder / name).read_bytes()
    yield "glove.txt", b"the 0.1 0.2 0.3\nof -1 2e-3 .5\nking 1 1 1\n"
    yield "fasttext.bin", _fasttext()


def _fasttext() -> bytes:
    """A small fastText model in its real layout, with n-grams."""
    import struct

    words, buckets, dim = (b"king", b"queen"), 7, 3
    head = struct.pack("<ii12id", 793712314, 12, dim, 5, 1, 1, 5, 1, 2, 2, buckets, 3, 6, 0, 1e-4)
    head += struct.pack("<3i2q", len(words), len(words), 0, 9, -1)
    for word in words:
        head += word + b"\0" + struct.pack("<qb", 3, 0)
    rng = np.random.default_rng(2)
    for rows in (len(words) + buckets, len(words)):
        matrix = rng.normal(size=(rows, dim)).astype("<f4")
        head += b"\0" + struct.pack("<2q", *matrix.shape) + matrix.tobytes()
    return head


def texts(folder: Path) -> Case:
    """Files of sets, of counts and of phrases, and text to be tokenised."""
    from andornot.corpus import open_corpus
    from andornot.datasets import analogy, compounds, definitions, relations, similarity, tuples
    from andornot.words.counts import read_counts_file

    home = folder / "case"
    definition = [{"word": "king", "definitions": "a male sovereign", "lexnames": []}]
    readers = [
        (similarity.read_word_pairs, b"old\tnew\t1.58\nsmart\tbright\t9.2\n"),
        (analogy.read_questions, b": capitals\nAthens Greece Oslo Norway\n"),
        (relations.read_relation, b"good\tbetter/best\nbad\tworse\n"),
        (relations.read_oppositions, b"old\tnew\t1\nold\taged\t0\n"),
        (tuples.read_tuples, b"color\tred\tgreen\nfruit\tapple\tpear\n"),
        (definitions.read_definitions, json.dumps(definition).encode()),
        (compounds.read_farahmand, b"compound noun,1,0,1,0\nhot dog,1,1,1,1\n"),
        (compounds.read_reddy, b"climate change\t4.97 0.18 4.9 0.3 4.8 0.2\n"),
        (compounds.read_ramisch, b"target,cpd\nclimate change,4.9\n"),
        (lambda path: list(read_counts_file(path)), b"the 12\nking 3\nnew york 2\n"),
        (andornot.Vocabulary.read, b"the 12\nking 3\n"),
    ]
    for tokenizer in ("words", "whitespace"):
        for without_markup in (False, True):
            readers.append(
                (
                    lambda path, tokenizer=tokenizer, markup=without_markup: open_corpus(
                        [path],
                        tokenizer=tokenizer,
                        without_markup=markup,
                        cache=home / "cache",
                        threads=1,
                    ),
                    "The naïve 東京 isn't <b>bold</b> {{cite|a}} &amp; [[link]] http://a.b".encode(),
                )
            )

    def case(rng: random.Random) -> object:
        read, data = rng.choice(readers)
        return read(_written(home, "a.txt", mutated(rng, data)))

    return case


QUERIES = (
    "royal & woman",
    "violin | piano",
    "!day @ {day, night, morning, evening}",
    "king - man + woman",
    "(royal & !man) | queen",
    '"a person who studies stars" & !astrology',
    "!(red | green) @ {red, green, blue}",
    "0.3*king | 0.7*queen",
    "Paris AND NOT London",
)


SIGNS = [*'&|!@{}()-+,:?"*^~ \t\n\\', "::", "king", "queen", "1e9", "0", "é", "\0", "''", " OR "]


def mutated_query(rng: random.Random) -> str:
    """A query with some signs or words put in, and some characters taken out."""
    query = rng.choice(QUERIES)
    for _ in range(rng.choice((0, 1, 1, 2, 3, 6))):
        at = rng.randrange(len(query) + 1)
        cut = rng.choice((0, 0, 1, 3))
        query = query[:at] + rng.choice(SIGNS) * rng.choice((1, 1, 1, 3)) + query[at + cut :]
    return query * rng.choice((10, 100)) if rng.random() < 0.01 else query


def queries(folder: Path) -> Case:
    """The query language: parsed, priced, asked and explained."""
    from andornot.algebra.explanation.explaining import explain

    space = andornot.default()
    logic = andornot.Logic(space.top(20_000))

    def case(rng: random.Random) -> object:
        query = mutated_query(rng)
        answer = logic.ask(query, k=2)
        if rng.random() < 0.05:
            explain(answer)
        return answer

    return case


def bodies(folder: Path) -> Case:
    """Bodies of requests, to the application itself."""
    from andornot.server.app import create_app

    app = create_app({"default": andornot.default().top(2000)})
    seeds = {
        "/v1/ask": {"query": "royal & woman", "k": 3, "exact": False, "pattern": "q*"},
        "/v1/ask/batch": {"queries": ["king", "queen | man"], "k": 2},
        "/v1/explain": {"query": "!day @ {day, night}", "k": 2, "weights": "uniform"},
        "/v1/encode": {"sentences": ["the old king"], "weights": "sif"},
        "/v1/category": {"words": ["king", "queen"], "size": 5},
        "/v1/project": {"words": ["king"], "categories": [["day", "night"]], "query": "king"},
    }
    loop = asyncio.new_event_loop()

    def case(rng: random.Random) -> object:
        path = rng.choice(list(seeds))
        body = dict(seeds[path])
        if rng.random() < 0.3 and "query" in body:
            data = json.dumps(body | {"query": mutated_query(rng)}).encode()
        elif rng.random() < 0.7:
            key = rng.choice([*body, "space", "postprocess", "length", "frequency", "among"])
            body[key] = rng.choice((*VALUES, -0.0, "king", ["a"] * 3, "(" * 99, [1, 2], 10**30))
            data = json.dumps(body).encode()
        else:
            data = mutated(rng, json.dumps(body).encode())
        status = loop.run_until_complete(_post(app, path, data))
        if status >= 500 and status != 503:
            raise RuntimeError(f"status {status}")
        if status != 200:
            raise AndornotError(str(status))
        return status

    return case


async def _post(app: Callable, path: str, body: bytes) -> int:
    """The status with which an application answers a POST."""
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
    }
    status = 0

    async def receive() -> dict:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict) -> None:
        nonlocal status
        status = message.get("status", status)

    await app(scope, receive, send)
    return status


def counts(folder: Path) -> Case:
    """Folders of counts, through a training with each solver that takes them."""
    from andornot.cooccurrence import count, load_counts
    from andornot.training import Settings, train

    corpus = corpus_of(_made(folder / "text"), random_lines(3, lines=60))
    seeds = [folder / "seed", folder / "held-out"]
    count(corpus, min_count=1, output=seeds[0])
    long = corpus_of(_made(folder / "long"), [["a", "b", "c", "d", "e"] * 600] * 12)
    count(long, min_count=1, held_out=2, output=seeds[1])
    home = folder / "case"

    def case(rng: random.Random) -> object:
        _copied(rng.choice(seeds), home)
        mutate_folder(rng, home)
        model, solver = rng.choice([pair for pair in SOLVERS if pair != ("sgns", "sampled")])
        settings = Settings(model=model, solver=solver, dim=3, epochs=1)
        return train(load_counts(home), settings, threads=1)

    return case


def corpora(folder: Path) -> Case:
    """What is kept of a text, through a training; damaged, it is made again."""
    from andornot.corpus import open_corpus
    from andornot.corpus.corpus import load_corpus
    from andornot.training import Settings, train

    corpus = corpus_of(_made(folder), random_lines(3, lines=60))
    kept = Path(shutil.copytree(corpus.path, folder / "kept"))
    settings = Settings(model="sgns", solver="sampled", dim=3, epochs=1)

    def case(rng: random.Random) -> object:
        _copied(kept, corpus.path)
        mutate_folder(rng, corpus.path)
        if rng.random() < 0.2:
            train(load_corpus(corpus.path), settings, min_count=1, threads=1)
        again = open_corpus([folder / "text.txt"], cache=folder / "cache")
        return train(again, settings, min_count=1, threads=1)

    return case


def checkpoints(folder: Path) -> Case:
    """Checkpoints of each solver, through the end of a training that goes on from them."""
    from andornot.training import Settings, train

    lines = [["a", "b", "c", "d", "e"] * 600] * 12
    corpus = corpus_of(_made(folder), lines)
    makers = []
    for number, (model, solver) in enumerate([*SOLVERS, ("sgns", "exact")]):
        prior = 10.0 if number == len(SOLVERS) else None
        settings = Settings(model=model, solver=solver, dim=3, epochs=3, prior=prior)
        seed = folder / f"seed-{number}"
        _stopped_training(corpus, settings, folder, seed)
        makers.append((settings, seed))
    output = folder / "out.safetensors"

    def case(rng: random.Random) -> object:
        settings, seed = rng.choice(makers)
        for left in folder.glob("*out.safetensors*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        _copied(seed, folder / "out.safetensors.checkpoint")
        mutate_folder(rng, folder / "out.safetensors.checkpoint")
        return train(corpus, settings, min_count=1, threads=1, output=output, resume=True)

    return case


def _stopped_training(corpus: object, settings: object, folder: Path, seed: Path) -> None:
    """Leave the checkpoint of a training that was interrupted after its first step."""
    from andornot.training import train
    from andornot.training.trainer import Step

    seen: list[Step] = []

    def watch(step: Step) -> None:
        seen.append(step)
        if len(seen) > 2:  # the beginning, a step, and the state saved after it
            raise KeyboardInterrupt

    output = folder / "seed.safetensors"
    with suppress(KeyboardInterrupt):
        train(
            corpus,
            settings,
            min_count=1,
            threads=1,
            output=output,
            force=True,
            checkpoint_every=-1,
            watch=watch,
        )
    Path(f"{output}.checkpoint").rename(seed)


TARGETS: dict[str, Maker] = {
    each.__name__: each for each in (spaces, texts, queries, bodies, counts, corpora, checkpoints)
}


# --- running -------------------------------------------------------------------------------------


def fuzz(target: str, first: int, number: int, *, seconds: float | None = None) -> Findings:
    """Run cases in processes of their own; one that dies is a finding, and the next goes on.

    Args:
        target: The name of a target.
        first: The number of the first case.
        number: How many cases to run.
        seconds: Stop after so much time, however many cases have run.
    """
    findings = Findings()
    end = None if seconds is None else time.monotonic() + seconds
    at, last = first, first + number
    with tempfile.TemporaryDirectory(prefix="andornot-fuzz-") as home:
        log = Path(home, "log")
        while at < last and (end is None or time.monotonic() < end):
            left = "" if end is None else str(max(1.0, end - time.monotonic()))
            log.write_text("")
            command = [sys.executable, __file__, target, str(at), str(last - at), str(log), left]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            for line in log.read_text().splitlines():
                case, outcome, *detail = line.split("\t", 2)
                if outcome == "begun":
                    at = int(case)
                    continue
                findings.outcomes[outcome] += 1
                at = int(case) + 1
                if outcome == "failed":
                    findings.failed[int(case)] = detail[0]
            if done.returncode == 0:
                break
            if not log.read_text():
                raise RuntimeError(f"{target} could not begin: {done.stderr}")
            findings.outcomes["died"] += 1
            findings.failed[at] = f"exit {done.returncode}: {done.stderr.strip()[-500:]}"
            at += 1
    return findings


def _work(target: str, first: int, number: int, log: Path, seconds: float | None) -> None:
    """Run cases in this process, and write what came of each."""
    warnings.simplefilter("ignore")
    end = None if seconds is None else time.monotonic() + seconds
    soft = resource.getrlimit(resource.RLIMIT_CPU)[1]
    with tempfile.TemporaryDirectory(prefix="andornot-fuzz-") as home, log.open("a") as lines:
        case = TARGETS[target](Path(home, target))
        for i in range(first, first + number):
            if end is not None and time.monotonic() > end:
                break
            print(i, "begun", sep="\t", file=lines, flush=True)
            before = time.process_time()
            resource.setrlimit(resource.RLIMIT_CPU, (int(before + 6 * SECONDS), soft))
            outcome, detail = "taken", ""
            try:
                case(random.Random(f"{target} {i}"))
            except AndornotError:
                outcome = "refused"
            except Exception as error:
                outcome = "failed"
                where = traceback.extract_tb(error.__traceback__)[-1]
                detail = f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"
            spent = time.process_time() - before
            if spent > SECONDS:
                outcome, detail = "failed", f"{spent:.0f} s of CPU time"
            print(i, outcome, detail.replace("\n", " "), sep="\t", file=lines)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _written(folder: Path, name: str, data: bytes) -> Path:
    path = _made(folder) / name
    path.write_bytes(data)
    return path


def _copied(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)


def _quoted(word: str) -> str:
    from andornot.algebra.expression import quoted

    return quoted(word)


if __name__ == "__main__":
    name, start, count_of, *rest = sys.argv[1:]
    if rest:
        _work(name, int(start), int(count_of), Path(rest[0]), float(rest[1]) if rest[1] else None)
    else:
        found = fuzz(name, int(start), int(count_of))
        print(dict(found.outcomes))
        for case_number, what in found.failed.items():
            print(case_number, what)
