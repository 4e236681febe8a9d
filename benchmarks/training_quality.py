"""The scores of exactly trained vectors: beside word2vec.c, and by the prior."""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from training_peers import (
    DIM,
    NEGATIVE,
    SCORES,
    TEXTS,
    THREADS,
    WINDOW,
    Text,
    peer_scores,
    quality,
    word2vec_times,
)

from andornot.base.choices import Model, Solver
from andornot.cooccurrence import Cooccurrence, count
from andornot.corpus import open_corpus
from andornot.training import Settings, train
from andornot.training.glove_exact import ExactGloVe
from andornot.training.prior_path import prior_path
from andornot.training.sgns_exact import ExactSGNS
from andornot.training.threads import blas_threads
from andornot.training.trainer import ExactTrainer

SEEDS = (1, 2, 3)
_VALUES = 5  # of the path of priors
PRIOR, SAMPLE, SUBSAMPLED_PRIOR = 10.0, 1e-4, 14.0
SGNS = Settings(
    solver=Solver.EXACT, dim=DIM, window=WINDOW, negative=NEGATIVE, prior=PRIOR, held_out=0
)
SUBSAMPLED = replace(SGNS, prior=SUBSAMPLED_PRIOR, sample=SAMPLE)
SAMPLED = replace(SGNS, solver=Solver.SAMPLED, prior=None)
PROGRAMS = {  # settings, and the seeds they are run with
    "exact": (SGNS, SEEDS[:1]),
    "exact, subsampled": (SUBSAMPLED, SEEDS),
    "exact, subsampled, prior auto": (
        replace(SUBSAMPLED, prior=None, held_out=None),
        SEEDS[:1],
    ),
    "sampled, 5 epochs": (replace(SAMPLED, epochs=5), SEEDS[:1]),
    "sampled, 20 epochs": (replace(SAMPLED, epochs=20), SEEDS[:1]),
}
SOLVERS = {Model.SGNS: ExactSGNS, Model.GLOVE: ExactGloVe}
WEIGHTS = {Model.SGNS: "linear", Model.GLOVE: "harmonic"}
HEADER = " | ".join(("WordSim-353", "SimLex-999", "MTurk-771", "analogies"))


def compared(folder: Path, options: argparse.Namespace) -> dict:
    """Train from text, with a given prior for three seeds; time word2vec.c in the same run."""
    chosen = {label: PROGRAMS[label] for label in options.programs}
    keep = options.keep or folder
    return {name: _beside_word2vec(name, chosen, keep, folder) for name in options.texts}


def _beside_word2vec(name: str, programs: dict, keep: Path, folder: Path) -> dict:
    text = TEXTS[name]
    path = text.write(folder)
    small = folder / "small.txt"  # to compile the kernels
    small.write_bytes(path.read_bytes()[: 1 << 20])
    rows = {}
    for label, (settings, seeds) in programs.items():
        runs = []
        compiled = open_corpus([small], cache=folder / "compiled", threads=THREADS)
        train(compiled, replace(settings, epochs=1), threads=THREADS)
        for seed in seeds:
            record = keep / f"compare-{name}-{label}-{seed}.json"
            if not record.exists():
                job = replace(settings, seed=seed)
                record.write_text(json.dumps(_trained(text, path, job, folder / record.stem)))
            runs.append(json.loads(record.read_text()))
        rows[f"andornot, {label}"] = _summary([run["scores"] for run in runs])
    words = runs[0]["words"]
    peers = peer_scores(name)
    five = {  # of word2vec.c, by its threshold
        sample: word2vec_times(path, 5, text.min_count, sample)
        for sample in {0.0, *(row["sample"] for row in peers.values())}
    }
    timed = {
        peer: row
        | {key: value * row["iterations"] / 5 for key, value in five[row["sample"]].items()}
        for peer, row in peers.items()
    }
    return {"words": words, "five_iterations": five[0.0], "ours": rows, "peers": timed}


def _trained(text: Text, path: Path, settings: Settings, cache: Path) -> dict:
    """Train from text: the number of words, the seconds and the scores."""
    began, worked = time.perf_counter(), time.process_time()
    corpus = open_corpus([path], cache=cache, threads=THREADS)
    space = train(corpus, settings, min_count=text.min_count, threads=THREADS)
    times = {"seconds": time.perf_counter() - began, "cpu": time.process_time() - worked}
    return {"words": len(space), "scores": {**times, **quality(space)}}


def _summary(runs: list[dict[str, float]]) -> dict:
    mean = {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}
    if len(runs) == 1:
        return mean
    return mean | {"spread": {key: float(np.ptp([run[key] for run in runs])) for key in SCORES}}


def compared_table(result: dict) -> str:
    """A table for each text."""
    lines = [
        f"d = {DIM}, window {WINDOW}, k = {NEGATIVE}, {THREADS} threads, from text to vectors; "
        "scores of v as trained. ±: three seeds, half of the range between them; the others have "
        f"one seed. Exact: prior {PRIOR:g}; subsampled: prior {SUBSAMPLED_PRIOR:g} or auto, "
        f"threshold {SAMPLE:g}. Kernels are compiled before. "
        "word2vec.c ran once on a text; its times are extrapolated from the first 45 s of 5 "
        "iterations in this run, and the ratio is to those without subsampling. CPU seconds are "
        "added up over the threads, and the ratio compares these. They vary less than seconds when "
        "the machine does other work, but they do vary between runs.",
    ]
    for name, part in result.items():
        lines += [
            "",
            f"{TEXTS[name].title}, {part['words']:,} words:",
            "",
            f"| program | seconds | CPU seconds | of word2vec.c's 5 iterations | {HEADER} |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for program, row in (part["ours"] | part["peers"]).items():
            ratio = row["cpu"] / part["five_iterations"]["cpu"]
            share = f"{ratio:.0f}" if ratio > 0.75 else f"1/{1 / ratio:.0f}"
            cells = " | ".join(with_spread(row, key) for key in SCORES)
            times = f"{row['seconds']:,.0f} | {row['cpu']:,.0f}"
            lines.append(f"| {program} | {times} | {share} | {cells} |")
    return "\n".join(lines)


def with_spread(row: dict, key: str) -> str:
    """Format a score, with half of the range between seeds where there are several."""
    spread = f" ± {row['spread'][key] / 2:.3f}" if "spread" in row else ""
    return f"{row[key]:.3f}{spread}"


# --- the strength of the prior -----------------------------------------------------------------


def priors(folder: Path, options: argparse.Namespace) -> dict:
    """Go down the whole path of priors: the held-out loss and the scores of each."""
    curves = {}
    for name in options.texts:
        text = TEXTS[name]
        corpus = open_corpus([text.write(folder)], cache=folder / name, threads=THREADS)
        for model, sample in ((Model.SGNS, None), (Model.SGNS, SAMPLE), (Model.GLOVE, None)):
            counts = count(
                corpus,
                min_count=text.min_count,
                window=WINDOW,
                weights=WEIGHTS[model],
                sample=sample,
                held_out=20,
                threads=THREADS,
            )
            curves[f"{text.title}, {model}, sample {sample or 'none'}"] = _curve(model, counts)
    return curves


def _curve(model: Model, counts: Cooccurrence) -> list[dict[str, float]]:
    """The path of priors as `--prior auto` goes it, but further."""
    settings = replace(SGNS, model=model, held_out=None)
    settings = settings.resolved(words=len(counts.vocabulary))
    trainer: ExactTrainer = SOLVERS[model](counts, settings, THREADS)
    rows = []
    with blas_threads(trainer.blas_threads):
        for prior in prior_path(model, counts.total)[:_VALUES]:
            trainer.begin(prior)
            while not trainer.finished:
                trainer.step()
            found = {"prior": prior, "held_out": trainer.held_out_loss()}
            rows.append(found | quality(trainer.space()))
    return rows


def priors_table(result: dict) -> str:
    """A table for each text, model and sampling."""
    lines = [
        "The path of priors that `--prior auto` goes, here beyond the value at which it stops. "
        "Scores are of v as trained. SGNS holds out every 20th block of 10,000 tokens, "
        "GloVe about 20,000 pairs.",
    ]
    for name, rows in result.items():
        head = f"| prior | held-out loss | {HEADER} |"
        lines += ["", f"{name}:", "", head, "|---|---|---|---|---|---|"]
        best = min(row["held_out"] for row in rows)
        for row in rows:
            lowest = " (lowest)" if row["held_out"] == best else ""
            cells = " | ".join(f"{row[key]:.3f}" for key in SCORES)
            lines.append(f"| {row['prior']:g} | {row['held_out']:.5f}{lowest} | {cells} |")
    return "\n".join(lines)
