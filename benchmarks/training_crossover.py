"""Exact or sampled SGNS: time, memory and quality of both, by the size of the vocabulary."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from reporting import text_of
from training_peers import DIM, NEGATIVE, SCORES, THREADS, WINDOW, quality
from training_quality import HEADER, PRIOR

from andornot.base.choices import Solver
from andornot.corpus import open_corpus
from andornot.training import Settings, train

WHOLE_TEXT8 = 60_237  # its words with a count of at least 5; larger vocabularies take enwiki-sample
TOKENIZERS = {"text8-prefix": "whitespace", "enwiki-sample": "words"}
SETTINGS = {
    "sampled": Settings(dim=DIM, window=WINDOW, negative=NEGATIVE, solver=Solver.SAMPLED),
    "exact": Settings(
        dim=DIM, window=WINDOW, negative=NEGATIVE, solver=Solver.EXACT, prior=PRIOR, held_out=20
    ),
}


def crossover(folder: Path, options: argparse.Namespace) -> list[dict]:
    """Train both solvers on the most frequent words; each in a process of its own."""
    keep = options.keep or folder
    rows = []
    for size in options.sizes:
        name = "text8-prefix" if size <= WHOLE_TEXT8 else "enwiki-sample"
        row: dict = {"words": size, "text": name}
        for solver in SETTINGS:
            record = keep / f"crossover-{name}-{size}-{solver}.json"
            if not record.exists():
                record.write_text(json.dumps(_in_a_process(name, size, solver, folder)))
            row[solver] = json.loads(record.read_text())
        rows.append(row)
    return rows


def _in_a_process(name: str, size: int, solver: str, folder: Path) -> dict:
    """Train in a new process, so that the most memory it took is that of this training."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        return pool.submit(_train, name, size, solver, folder).result()


def _train(name: str, size: int, solver: str, folder: Path) -> dict:
    path = folder / f"{name}.txt"
    if not path.exists():
        text_of(name, folder)
    corpus = open_corpus([path], tokenizer=TOKENIZERS[name], cache=folder / "cache")
    words = corpus.choose(min_count=5, max_size=size)
    tiny = corpus.choose(max_size=1000)
    train(corpus, replace(SETTINGS[solver], epochs=1), vocabulary=tiny, threads=THREADS)  # compiles
    began, worked = time.perf_counter(), time.process_time()
    space = train(corpus, SETTINGS[solver], vocabulary=words, threads=THREADS)
    return {
        "words": len(words),
        "tokens_per_word": corpus.size / len(words),
        "seconds": time.perf_counter() - began,
        "cpu": time.process_time() - worked,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "held_out_loss": space.provenance.settings["held_out_loss"],
        **quality(space),
    }


def crossover_table(rows: list[dict]) -> str:
    """A row for each vocabulary and solver."""
    lines = [
        "The most frequent words of text8-prefix (74 % of text8), and of enwiki-sample beyond its "
        f"{WHOLE_TEXT8:,}. Sampled: five epochs. Exact: prior {PRIOR:g}, to convergence, with the "
        "counting. Both hold out every 20th block and have no subsampling. Memory is the most "
        "that the process held. CPU seconds are added up over both threads. Scores are of v as "
        "trained.",
        "",
        "| words | tokens for each | solver | seconds | CPU seconds | memory | held-out loss "
        f"| {HEADER} |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        for solver in SETTINGS:
            found = row[solver]
            cells = " | ".join(f"{found[key]:.3f}" for key in SCORES)
            lines.append(
                f"| {found['words']:,} | {found['tokens_per_word']:,.0f} | {solver} "
                f"| {found['seconds']:,.0f} | {found['cpu']:,.0f} | {found['memory'] / 1e9:.1f} GB "
                f"| {found['held_out_loss']:.4f} | {cells} |"
            )
    return "\n".join(lines)
