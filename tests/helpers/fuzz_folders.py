"""Targets of the fuzzer that read folders of arrays, mostly through a training."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

import numpy as np
from fuzz_inputs import Input, Target, made, naming
from mutations import changed_json, mutate_folder, mutated
from texts import corpus_of, random_lines

import andornot

SOLVERS = [(model, solver) for model in ("sgns", "glove") for solver in ("exact", "sampled")]


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

    corpus = corpus_of(made(folder / "text"), random_lines(3, lines=60))
    count(corpus, min_count=1, output=folder / "seed")
    long = corpus_of(made(folder / "long"), [["a", "b", "c", "d", "e"] * 600] * 12)
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
        with naming(home):
            loaded = load_counts(home)
        return train(loaded, settings, threads=1)

    return Target(draw, take)


def parquet(folder: Path) -> Target:
    """Folders of counts in Parquet whose record has the checksums of damaged files."""
    from parquet_counts import write_parquet_counts

    from andornot.cooccurrence import count, load_counts
    from andornot.training import Settings, train

    small = count(corpus_of(made(folder / "text"), random_lines(3, lines=20, types=8)), min_count=1)
    seeds = {}
    for compression in ("none", "snappy", "zstd"):
        options = {"compression": compression, "write_page_checksum": False}
        seeds[compression] = write_parquet_counts(small, folder / compression, **options)
    home = folder / "case"
    settings = Settings(model="glove", solver="exact", dim=3, epochs=1)

    def draw(rng: random.Random) -> Input:
        seed = seeds[rng.choice(sorted(seeds))]
        path = rng.choice(sorted(seed.rglob("*.parquet")))
        name = str(path.relative_to(seed))
        data = mutated(rng, path.read_bytes())
        record = json.loads((seed / "record.json").read_text())
        for entry in record["parquet"]["files"]:
            if entry["name"] == name:
                entry |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
                if rng.random() < 0.1:
                    entry["pairs"] = rng.choice((0, 1, entry["pairs"] + 1, 2**40, 2**52))
        raw = json.dumps(record).encode()
        raw = changed_json(rng, raw) if rng.random() < 0.05 else raw
        use = "train" if rng.random() < 0.1 else "read"
        return Input(f"{use} {seed.name}", {name: data, "record.json": raw})

    def take(given: Input) -> object:
        use, seed = given.choice.split()
        _copied(seeds[seed], home)
        given.write(home)
        with naming(home):
            loaded = load_counts(home)
            block = loaded.rows(0, len(loaded.vocabulary))
        return train(loaded, settings, threads=1) if use == "train" else block

    return Target(draw, take)


def partial_counts(folder: Path) -> Target:
    """The parts of an interrupted count, through the end of a count that goes on from them."""
    from andornot.cooccurrence import count
    from andornot.cooccurrence.counting import parts_folder
    from andornot.cooccurrence.runs import Job

    text = corpus_of(made(folder), [["a", "b", "c", "d", "e"] * 500] * 60)
    output, home = folder / "counts", folder / "case"
    parts, seed = parts_folder(output), folder / "parts"
    options = {"min_count": 1, "memory": 3_000_000, "output": output, "threads": 1, "force": True}
    with patch.object(Job, "_merge", side_effect=KeyboardInterrupt), suppress(KeyboardInterrupt):
        count(text, **options)
    parts.rename(seed)
    kept = sorted(str(path.parent.relative_to(seed)) for path in seed.rglob("record.json"))

    def draw(rng: random.Random) -> Input:
        part = rng.choice(kept)
        changed = _damaged_folder(rng, seed / part, home)
        return Input(part, changed)

    def take(given: Input) -> object:
        _copied(seed, parts)
        given.write(parts / given.choice)
        return count(text, **options)

    return Target(draw, take)


def token_counts(folder: Path) -> Target:
    """The cached counts of a model's tokens; damaged, they are made again."""
    from tiny_models import TEXT, train_tokenizer, write_model

    from andornot.encoders.token_counting import count_tokens

    tokenizer = train_tokenizer("wordpiece")
    rows = np.ones((tokenizer.get_vocab_size(), 4), dtype=np.float32)
    space = andornot.load(write_model(folder / "model", tokenizer, {"embeddings": rows}))
    text = folder / "text.txt"
    text.write_text("\n".join(TEXT))
    cache = {"ANDORNOT_CACHE": str(folder / "cache")}
    with patch.dict(os.environ, cache):
        expected = count_tokens(space, [text]).counts
    (cached,) = (folder / "cache" / "token-counts").iterdir()
    seed = Path(shutil.copytree(cached, folder / "seed"))

    def draw(rng: random.Random) -> Input:
        return Input("count", _damaged_folder(rng, seed, folder / "case"))

    def take(given: Input) -> object:
        _copied(seed, cached)
        given.write(cached)
        with patch.dict(os.environ, cache):
            found = count_tokens(space, [text]).counts
        if len(found) != len(expected):
            raise RuntimeError(f"{len(found)} counts instead of {len(expected)}")
        return found

    return Target(draw, take)


def corpora(folder: Path) -> Target:
    """The cached tokens of a text, through a training; damaged, they are made again."""
    from andornot.corpus import open_corpus
    from andornot.corpus.corpus import load_corpus
    from andornot.training import Settings, train

    corpus = corpus_of(made(folder), random_lines(3, lines=60))
    kept = Path(shutil.copytree(corpus.path, folder / "kept"))
    settings = Settings(model="sgns", solver="sampled", dim=3, epochs=1)

    def draw(rng: random.Random) -> Input:
        choice = "load" if rng.random() < 0.2 else "open"
        return Input(choice, _damaged_folder(rng, kept, folder / "case"))

    def take(given: Input) -> object:
        _copied(kept, corpus.path)
        given.write(corpus.path)
        if given.choice == "load":
            with naming(corpus.path):
                loaded = load_corpus(corpus.path)
            return train(loaded, settings, min_count=1, threads=1)
        again = open_corpus([folder / "text.txt"], cache=folder / "cache")
        return train(again, settings, min_count=1, threads=1)

    return Target(draw, take)


def checkpoints(folder: Path) -> Target:
    """Checkpoints of each solver, through the end of a training that goes on from them."""
    from andornot.training import Settings, train

    lines = [["a", "b", "c", "d", "e"] * 600] * 12
    corpus = corpus_of(made(folder), lines)
    trained = []
    for number, (model, solver) in enumerate([*SOLVERS, ("sgns", "exact")]):
        prior = 10.0 if number == len(SOLVERS) else None
        settings = Settings(model=model, solver=solver, dim=3, epochs=3, prior=prior)
        stopped_training(corpus, settings, folder, folder / f"seed-{number}")
        trained.append(settings)
    output = folder / "out.safetensors"
    checkpoint = folder / "out.safetensors.checkpoint"

    def draw(rng: random.Random) -> Input:
        number = rng.randrange(len(trained))
        return Input(str(number), _damaged_folder(rng, folder / f"seed-{number}", folder / "case"))

    def take(given: Input) -> object:
        for left in folder.glob("*out.safetensors*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        _copied(folder / f"seed-{given.choice}", checkpoint)
        given.write(checkpoint)
        settings = trained[int(given.choice)]
        with naming(output):
            return train(corpus, settings, min_count=1, threads=1, output=output, resume=True)

    return Target(draw, take)


def stopped_training(corpus: object, settings: object, folder: Path, seed: Path) -> None:
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


def _copied(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
