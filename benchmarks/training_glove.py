"""The speed, the loss and the scores of GloVe, sampled and exact, beside the C program."""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from training_peers import (
    SCORES,
    SETTINGS,
    TEXTS,
    THREADS,
    WINDOW,
    aligned,
    glove_program,
    quality,
)
from training_quality import SEEDS, with_spread

import andornot
from andornot.base.choices import Model, Solver
from andornot.cooccurrence import Cooccurrence, count
from andornot.corpus import Corpus, open_corpus
from andornot.training import Settings, glove_loss, train
from andornot.training.glove import SampledGloVe
from andornot.training.settings import PRIORS
from andornot.training.threads import blas_threads


def epochs_of(trainer: SampledGloVe) -> Iterator[tuple[float, float]]:
    """Train to the end; after each epoch its seconds and the mean loss of its pairs."""
    with blas_threads(1):
        last, done = time.perf_counter(), 0
        while not trainer.finished:
            trainer.step()
            if len(trainer.running) > done:
                done = len(trainer.running)
                yield time.perf_counter() - last, trainer.running[-1]
                last = time.perf_counter()


def glove(folder: Path, options: argparse.Namespace) -> dict:
    chosen = TEXTS[options.texts[0]]
    text = chosen.write(folder)
    corpus: Corpus = open_corpus([text], cache=folder / "cache")
    counts = count(corpus, min_count=chosen.min_count, window=WINDOW, weights="harmonic")
    settings = replace(SETTINGS, model="glove", epochs=options.epochs)
    train(counts, replace(settings, epochs=1, solver="exact"), threads=THREADS)  # compiles
    trainer = SampledGloVe(counts, replace(settings, solver=Solver.SAMPLED).resolved(), THREADS)
    ours = list(epochs_of(trainer))
    space = trainer.space()
    rows: dict[str, dict] = {
        "andornot, AdaGrad": {
            "seconds": sum(taken for taken, _ in ours),
            "iterations": ours,
            "loss": glove_loss(space, counts),
            **quality(space),
        }
    }
    exact = replace(settings, solver="exact", epochs=None)
    rows["andornot, exact, no prior"] = exact_glove(counts, exact)
    prior = PRIORS[Model.GLOVE]
    runs = [exact_glove(counts, replace(exact, prior=prior, seed=seed)) for seed in SEEDS]
    mean = {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}
    spread = {key: float(np.ptp([run[key] for run in runs])) for key in SCORES}
    rows[f"andornot, exact, prior {prior:g}"] = mean | {"spread": spread, "runs": runs}
    if options.glove:
        done = options.trial or options.epochs
        path = (options.keep or folder) / f"{chosen.name}-glove-c-{done}.txt"
        row = kept_glove_program(text, path, options.glove, done, chosen.min_count)
        row["seconds"] *= options.epochs / done
        row["done"] = done
        if done == options.epochs:
            program = aligned(andornot.load(path, format="glove-all"), counts)
            row |= {"loss": glove_loss(program, counts, x_max=100, alpha=0.75), **quality(program)}
        rows["GloVe C"] = row
    return {
        "text": chosen.title,
        "pairs": counts.pairs,
        "words": len(counts.vocabulary),
        "epochs": options.epochs,
        "programs": rows,
    }


def kept_glove_program(
    text: Path, output: Path, programs: Path, iterations: int, min_count: int
) -> dict:
    """Run GloVe C, or take what an interrupted benchmark has kept."""
    record = output.with_suffix(".json")
    if not record.exists():
        with tempfile.TemporaryDirectory() as folder:
            row = glove_program(text, Path(folder), programs, iterations, min_count)
            shutil.move(Path(folder) / "vectors.txt", output)
        record.write_text(json.dumps(row))
    return json.loads(record.read_text())


def exact_glove(counts: Cooccurrence, settings: Settings) -> dict:
    """The exact solver from the counts: seconds, sweeps, loss and scores."""
    started = time.perf_counter()
    space = train(counts, settings, threads=THREADS)
    return {
        "seconds": time.perf_counter() - started,
        "sweeps": space.provenance.epochs,
        "loss": glove_loss(space, counts),
        **quality(space),
    }


def glove_table(result: dict) -> str:
    rows, pairs = result["programs"], result["pairs"]
    lines = [
        f"{result['text']}: {pairs:,} pairs of "
        f"{result['words']:,} words, {result['epochs']} iterations of AdaGrad and of GloVe C. "
        "Seconds are from the counts. The loss is the mean over all pairs at the end, without the "
        "prior, computed by the same function; quality is that of v alone. With its prior the "
        "exact solver has the mean of three seeds, and half of the range between them.",
        "",
        "| program | seconds | pairs/s | loss | WordSim-353 | SimLex-999 | MTurk-771 | analogies |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in rows.items():
        speed = ""
        if "iterations" in row:
            speed = f"{pairs * result['epochs'] / row['seconds']:,.0f}"
        loss = f"{row['loss']:.5f}" if "loss" in row else ""
        scores = " | ".join(with_spread(row, key) if key in row else "" for key in SCORES)
        lines.append(f"| {name} | {row['seconds']:,.0f} | {speed} | {loss} | {scores} |")
    if "GloVe C" in rows:
        ours, theirs = rows["andornot, AdaGrad"], rows["GloVe C"]
        lines += ["", "| iteration | andornot, AdaGrad | GloVe C |", "|---|---|---|"]
        both = zip(ours["iterations"], theirs["iterations"], strict=False)
        for n, (mine, other) in enumerate(both, start=1):
            if n in (1, 2, 5, 10, 15, 20, 25):
                lines.append(f"| {n} | {mine[1]:.5f} | {other[1]:.5f} |")
        name, best = next((n, row) for n, row in rows.items() if "spread" in row)
        lines += [
            "",
            f"AdaGrad: {theirs['seconds'] / ours['seconds']:.1f} times the pairs/s of GloVe C. "
            f"{name.removeprefix('andornot, ').capitalize()}: 1/"
            f"{theirs['seconds'] / best['seconds']:.0f} of the time of GloVe C's "
            f"{result['epochs']} iterations.",
        ]
        if theirs["done"] < result["epochs"]:
            lines[-1] += (
                f" GloVe C was stopped after {theirs['done']} of them, and its time is "
                "extrapolated. It has no scores: AdaGrad is the same algorithm, see the losses."
            )
    return "\n".join(lines)
