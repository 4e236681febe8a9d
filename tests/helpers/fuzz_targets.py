"""Everything that reads: how a damaged input of each kind is made, and what is done with it.

A target makes an input from a valid one and a random generator, and takes it as a user would. It
may return, or raise an AndornotError. An input can be kept as JSON and taken again.
"""

from __future__ import annotations

import asyncio
import base64
import json
import random
import shutil
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from mutations import VALUES, mutate_folder, mutated
from texts import corpus_of, random_lines

import andornot
from andornot.base.errors import AndornotError

SOLVERS = [(model, solver) for model in ("sgns", "glove") for solver in ("exact", "sampled")]


@dataclass(frozen=True)
class Input:
    """Files by their names, and a word that says what is done with them."""

    choice: str
    files: dict[str, bytes]

    def to_json(self, target: str) -> str:
        """Return it as text, with the name of its target."""
        files = {name: base64.b64encode(data).decode() for name, data in self.files.items()}
        return json.dumps({"target": target, "choice": self.choice, "files": files}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> tuple[str, Input]:
        """Return the name of the target, and the input."""
        kept = json.loads(text)
        files = {name: base64.b64decode(data) for name, data in kept["files"].items()}
        return kept["target"], cls(kept["choice"], files)

    def write(self, folder: Path) -> Path:
        """Write the files to a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        return folder


@dataclass(frozen=True)
class Target:
    """How an input is made, and how it is taken."""

    draw: Callable[[random.Random], Input]
    take: Callable[[Input], object]


def _one_damaged(rng: random.Random, files: dict[str, bytes]) -> dict[str, bytes]:
    """Return files of which one is damaged."""
    name = rng.choice(sorted(files))
    return files | {name: mutated(rng, files[name])}


# --- vectors -------------------------------------------------------------------------------------


def spaces(folder: Path) -> Target:
    """Files of vectors in every format: loaded, and asked for neighbours."""
    seeds = list(_space_files(folder / "seeds"))
    home = folder / "case"

    def draw(rng: random.Random) -> Input:
        files = rng.choice(seeds)
        return Input(next(iter(files)), _one_damaged(rng, files))

    def take(given: Input) -> object:
        return _asked(andornot.load(given.write(home) / given.choice))

    return Target(draw, take)


def _asked(space: andornot.Space) -> object:
    """Ask for the neighbours of a word from the middle."""
    from andornot.algebra.notation import quoted

    word = space.words[len(space) // 2]
    return andornot.Logic(space).ask(quoted(word), k=3) if space.dim and word else space


def _space_files(folder: Path) -> Iterator[dict[str, bytes]]:
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
        yield {name: (folder / name).read_bytes()}
    yield {"glove.txt": b"the 0.1 0.2 0.3\nof -1 2e-3 .5\nking 1 1 1\n"}
    yield {"fasttext.bin": _fasttext()}
    doubles = rng.normal(size=(2 * 3, 4)).astype("<f8").tobytes()
    yield {"vectors.bin": doubles, "vocab.txt": b"the 12\nof 10\nking 3\n"}


def _fasttext() -> bytes:
    """Return a small fastText model in its real layout, with n-grams."""
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


def models(folder: Path) -> Target:
    """Folders of BERT-like models: their first layer, and the words of several pieces."""
    from tiny_models import bert_config, bert_tensors, train_tokenizer, write_model

    tokenizer = train_tokenizer("wordpiece")
    rows = tokenizer.get_vocab_size()
    tensors = bert_tensors(rows, dim=4, layers=0)
    seed = write_model(folder / "seed", tokenizer, tensors, bert_config(rows, 4, 0))
    files = {path.name: path.read_bytes() for path in seed.iterdir()}
    home = folder / "case"

    def draw(rng: random.Random) -> Input:
        return Input("load", _one_damaged(rng, files))

    def take(given: Input) -> object:
        return _asked(andornot.load(given.write(home)))

    return Target(draw, take)


# --- text ----------------------------------------------------------------------------------------


def texts(folder: Path) -> Target:
    """Files of datasets, of counts, of lists and of phrases, and text to be tokenised."""
    home = folder / "case"
    readers = _readers(home / "cache")

    def draw(rng: random.Random) -> Input:
        choice = rng.choice(sorted(readers))
        return Input(choice, _one_damaged(rng, readers[choice][1]))

    def take(given: Input) -> object:
        read, seed = readers[given.choice]
        written = given.write(home)
        return read(written if len(seed) > 1 else written / next(iter(seed)))

    return Target(draw, take)


def _readers(cache: Path) -> dict[str, tuple[Callable[[Path], object], dict[str, bytes]]]:
    """Return the readers by name, each with the files that it reads."""
    from small_wordnet import DATA, INDEX

    from andornot.algebra.categories import read_categories
    from andornot.corpus import open_corpus
    from andornot.datasets import (
        analogy,
        category_norms,
        compounds,
        definitions,
        feature_norms,
        game_words,
        negated_nouns,
        relations,
        sentence_pairs,
        similarity,
        tuples,
    )
    from andornot.growing.decision_file import read_decisions
    from andornot.words.counts import read_counts_file

    definition = [{"word": "king", "definitions": "a male sovereign", "lexnames": []}]
    found: dict[str, tuple[Callable[[Path], object], dict[str, bytes]]] = {}
    for read, data in (
        (similarity.read_word_pairs, b"old\tnew\t1.58\nsmart\tbright\t9.2\n"),
        (analogy.read_questions, b": capitals\nAthens Greece Oslo Norway\n"),
        (relations.read_relation, b"good\tbetter/best\nbad\tworse\n"),
        (relations.read_oppositions, b"old\tnew\t1\nold\taged\t0\n"),
        (tuples.read_tuples, b"color\tred\tgreen\nfruit\tapple\tpear\n"),
        (definitions.read_definitions, json.dumps(definition).encode()),
        (compounds.read_farahmand, b"compound noun,1,0,1,0\nhot dog,1,1,1,1\n"),
        (compounds.read_reddy, b"climate change\t4.97 0.18 4.9 0.3 4.8 0.2\n"),
        (compounds.read_ramisch, b"target,cpd\nclimate change,4.9\n"),
        (game_words.read_game_words, b"africa\nagent\n"),
        (
            category_norms.read_category_norms,
            b"Category,Response,Production.frequency,Mean.rank\nfruit,apple,12,1.5\n",
        ),
        (
            feature_norms.read_feature_norms,
            b"Concept\tFeature\tBR_Label\tProd_Freq\nviolin\tmade_of_wood\tvisual\t8\n",
        ),
        (
            negated_nouns.read_alternatives,
            b"a\tb\tc\td\te\ngoat\tbeard\tx\t1.3\ttrain\ngoat\tsheep\tx\t4.3\ttest\n",
        ),
        (read_categories, b"# mine\nfamily: mother, father, aunt\ntimes: day, night\n"),
        (
            read_decisions,
            b"word,decision,score,frequency,nearest\nviolin,seed,,,\nviola,yes,1.5,2.0,violin\n",
        ),
        (andornot.Vocabulary.read, b"the 12\nking 3\n"),
    ):
        found[read.__name__] = (read, {"a.txt": data})
    counts = {"a.txt": b"the 12\nking 3\nnew york 2\n"}
    found["read_counts_file"] = (lambda path: list(read_counts_file(path)), counts)
    text = "The naïve 東京 isn't <b>bold</b> {{cite|a}} &amp; [[link]] http://a.b".encode()
    for tokenizer in ("words", "whitespace"):
        for markup in (False, True):
            opened = partial(
                open_corpus, tokenizer=tokenizer, without_markup=markup, cache=cache, threads=1
            )
            name = f"open_corpus {tokenizer} {markup}"
            found[name] = (lambda path, opened=opened: opened([path]), {"a.txt": text})
    sentences = {"STS.input.a.txt": b"One.\tTwo.\n" * 3, "STS.gs.a.txt": b"1\n\n4.5\n"}
    found["read_sts"] = (sentence_pairs.read_sts, sentences)
    net = {"data.noun": DATA.encode(), "index.noun": INDEX.encode()}
    found["wordnet"] = (_walk_wordnet, net)
    return found


def _walk_wordnet(folder: Path) -> object:
    """Read every entry, and what is above, below and beside it."""
    from andornot.datasets.wordnet import WordNet

    net = WordNet(folder, "n")
    below = [net.all_below(synset) for synset in net]
    return below, net.all_above, net.meanings, [net.beside(word) for word in ("dog", "poodle")]


# --- queries and requests ------------------------------------------------------------------------

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
    """Return a query with some signs or words put in, and some characters taken out."""
    query = rng.choice(QUERIES)
    for _ in range(rng.choice((0, 1, 1, 2, 3, 6))):
        at = rng.randrange(len(query) + 1)
        cut = rng.choice((0, 0, 1, 3))
        query = query[:at] + rng.choice(SIGNS) * rng.choice((1, 1, 1, 3)) + query[at + cut :]
    return query * rng.choice((10, 100)) if rng.random() < 0.01 else query


def queries(folder: Path) -> Target:
    """The query language: parsed, priced, asked and explained."""
    from andornot.algebra.explanation.explaining import explain

    logic = andornot.Logic(andornot.default().top(20_000))

    def draw(rng: random.Random) -> Input:
        choice = "explain" if rng.random() < 0.05 else "ask"
        return Input(choice, {"query": mutated_query(rng).encode()})

    def take(given: Input) -> object:
        answer = logic.ask(given.files["query"].decode(), k=2)
        return explain(answer) if given.choice == "explain" else answer

    return Target(draw, take)


def bodies(folder: Path) -> Target:
    """Bodies of requests, to the application itself."""
    from andornot.server.app import create_app

    app = create_app({"default": andornot.default().top(2000)})
    seeds: dict[str, dict[str, object]] = {
        "/v1/ask": {"query": "royal & woman", "k": 3, "exact": False, "pattern": "q*"},
        "/v1/ask/batch": {"queries": ["king", "queen | man"], "k": 2},
        "/v1/explain": {"query": "!day @ {day, night}", "k": 2, "weights": "uniform"},
        "/v1/describe": {"text": "the son of a king", "k": 2, "length": "3-9"},
        "/v1/grow": {"yes": ["king", "queen"], "no": ["day"], "k": 2},
        "/v1/encode": {"sentences": ["the old king"], "weights": "sif"},
        "/v1/category": {"words": ["king", "queen"], "size": 5},
        "/v1/picture": {"query": "king & !queen", "k": 2, "everywhere": True},
    }
    loop = asyncio.new_event_loop()

    def draw(rng: random.Random) -> Input:
        path = rng.choice(sorted(seeds))
        body = dict(seeds[path])
        if rng.random() < 0.3 and "query" in body:
            data = json.dumps(body | {"query": mutated_query(rng)}).encode()
        elif rng.random() < 0.7:
            key = rng.choice([*body, "space", "postprocess", "length", "frequency", "among"])
            body[key] = rng.choice((*VALUES, -0.0, "king", ["a"] * 3, "(" * 99, [1, 2], 10**30))
            data = json.dumps(body).encode()
        else:
            data = mutated(rng, json.dumps(body).encode())
        return Input(path, {"body": data})

    def take(given: Input) -> object:
        status = loop.run_until_complete(_post(app, given.choice, given.files["body"]))
        if status >= 500 and status != 503:
            raise RuntimeError(f"status {status}")
        if status != 200:
            raise AndornotError(str(status))
        return status

    return Target(draw, take)


async def _post(app: Callable, path: str, body: bytes) -> int:
    """Return the status with which an application answers a POST."""
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
    sent = asyncio.Event()
    waiting: list[dict] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict:
        if waiting:
            return waiting.pop()
        await sent.wait()  # the client stays until it has its answer
        return {"type": "http.disconnect"}

    async def send(message: dict) -> None:
        nonlocal status
        status = message.get("status", status)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            sent.set()

    await app(scope, receive, send)
    return status


# --- folders, through training -------------------------------------------------------------------


def _damaged_folder(rng: random.Random, seed: Path, home: Path) -> dict[str, bytes]:
    """Damage a copy of a folder; return the files that have changed."""
    _copied(seed, home)
    mutate_folder(rng, home)
    files = {path.name: path.read_bytes() for path in home.iterdir() if path.is_file()}
    return {name: data for name, data in files.items() if (seed / name).read_bytes() != data}


def counts(folder: Path) -> Target:
    """Folders of counts, through a training with each solver that takes them."""
    from andornot.cooccurrence import count, load_counts
    from andornot.training import Settings, train

    corpus = corpus_of(_made(folder / "text"), random_lines(3, lines=60))
    count(corpus, min_count=1, output=folder / "seed")
    long = corpus_of(_made(folder / "long"), [["a", "b", "c", "d", "e"] * 600] * 12)
    count(long, min_count=1, held_out=2, output=folder / "held-out")
    home = folder / "case"

    def draw(rng: random.Random) -> Input:
        seed = rng.choice(("seed", "held-out"))
        pair = rng.choice([pair for pair in SOLVERS if pair != ("sgns", "sampled")])
        return Input(" ".join((seed, *pair)), _damaged_folder(rng, folder / seed, home))

    def take(given: Input) -> object:
        seed, model, solver = given.choice.split()
        _copied(folder / seed, home)
        given.write(home)
        settings = Settings(model=model, solver=solver, dim=3, epochs=1)
        return train(load_counts(home), settings, threads=1)

    return Target(draw, take)


def corpora(folder: Path) -> Target:
    """The cached tokens of a text, through a training; damaged, they are made again."""
    from andornot.corpus import open_corpus
    from andornot.corpus.corpus import load_corpus
    from andornot.training import Settings, train

    corpus = corpus_of(_made(folder), random_lines(3, lines=60))
    kept = Path(shutil.copytree(corpus.path, folder / "kept"))
    settings = Settings(model="sgns", solver="sampled", dim=3, epochs=1)

    def draw(rng: random.Random) -> Input:
        choice = "load" if rng.random() < 0.2 else "open"
        return Input(choice, _damaged_folder(rng, kept, folder / "case"))

    def take(given: Input) -> object:
        _copied(kept, corpus.path)
        given.write(corpus.path)
        if given.choice == "load":
            return train(load_corpus(corpus.path), settings, min_count=1, threads=1)
        again = open_corpus([folder / "text.txt"], cache=folder / "cache")
        return train(again, settings, min_count=1, threads=1)

    return Target(draw, take)


def checkpoints(folder: Path) -> Target:
    """Checkpoints of each solver, through the end of a training that goes on from them."""
    from andornot.training import Settings, train

    lines = [["a", "b", "c", "d", "e"] * 600] * 12
    corpus = corpus_of(_made(folder), lines)
    made = []
    for number, (model, solver) in enumerate([*SOLVERS, ("sgns", "exact")]):
        prior = 10.0 if number == len(SOLVERS) else None
        settings = Settings(model=model, solver=solver, dim=3, epochs=3, prior=prior)
        _stopped_training(corpus, settings, folder, folder / f"seed-{number}")
        made.append(settings)
    output = folder / "out.safetensors"
    checkpoint = folder / "out.safetensors.checkpoint"

    def draw(rng: random.Random) -> Input:
        number = rng.randrange(len(made))
        return Input(str(number), _damaged_folder(rng, folder / f"seed-{number}", folder / "case"))

    def take(given: Input) -> object:
        for left in folder.glob("*out.safetensors*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        _copied(folder / f"seed-{given.choice}", checkpoint)
        given.write(checkpoint)
        settings = made[int(given.choice)]
        return train(corpus, settings, min_count=1, threads=1, output=output, resume=True)

    return Target(draw, take)


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


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _copied(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)


_ALL: Sequence[Callable[[Path], Target]] = (
    spaces,
    models,
    texts,
    queries,
    bodies,
    counts,
    corpora,
    checkpoints,
)
TARGETS = {each.__name__: each for each in _ALL}
