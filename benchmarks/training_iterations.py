"""The scores of exact SGNS after each iteration, beside the time of word2vec.c."""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from training_peers import SCORES, TEXTS, THREADS, WINDOW, Text, quality, word2vec_times
from training_quality import (
    HEADER,
    SAMPLE,
    SEEDS,
    SUBSAMPLED,
    SUBSAMPLED_PRIOR,
    with_spread,
)

from andornot.cooccurrence import Cooccurrence, count
from andornot.corpus import open_corpus
from andornot.training.sgns_exact import ExactSGNS
from andornot.training.threads import blas_threads

_FIRST = 4  # iteration with scores: what comes before is far from done
Row = dict[str, float]


def iterations(folder: Path, options: argparse.Namespace) -> dict:
    """Train from text with three seeds, and score the vectors after each iteration."""
    return {name: _curve_of(TEXTS[name], folder / name) for name in options.texts}


def _curve_of(text: Text, folder: Path) -> dict:
    folder.mkdir()
    path = text.write(folder)
    _scored(_counts(path, text, folder / "compiled"), SEEDS[0], last=1)  # compiles
    began = time.process_time()
    counts = _counts(path, text, folder / "cache")
    counting = time.process_time() - began
    runs = [_scored(counts, seed) for seed in SEEDS]
    shortest = min(len(run) for run in runs)
    rows = []
    for same in zip(*(run[:shortest] for run in runs), strict=True):
        mean = {key: float(np.mean([row[key] for row in same])) for key in same[0]}
        spread = {key: float(np.ptp([row[key] for row in same])) for key in SCORES}
        rows.append(mean | {"cpu": mean["cpu"] + counting, "spread": spread})
    five = word2vec_times(path, 5, text.min_count, 0.0)
    return {"words": len(counts.vocabulary), "five_iterations": five, "rows": rows}


def _counts(path: Path, text: Text, cache: Path) -> Cooccurrence:
    corpus = open_corpus([path], cache=cache, threads=THREADS)
    return count(
        corpus,
        min_count=text.min_count,
        window=WINDOW,
        weights="linear",
        sample=SAMPLE,
        threads=THREADS,
    )


def _scored(counts: Cooccurrence, seed: int, last: int | None = None) -> list[Row]:
    """Train until it converges, or to iteration `last`; the CPU seconds exclude the scoring."""
    settings = replace(SUBSAMPLED, seed=seed, epochs=last)
    began = time.process_time()
    trainer = ExactSGNS(counts, settings.resolved(words=len(counts.vocabulary)), THREADS)
    spent = time.process_time() - began
    rows = []
    with blas_threads(THREADS):
        while not trainer.finished:
            began = time.process_time()
            step = trainer.step()
            spent += time.process_time() - began
            if step.epoch >= _FIRST:
                # with a prior, a step begins with the balance that `space` leaves
                rows.append({"iteration": step.epoch, "cpu": spent, **quality(trainer.space())})
    return rows


def iterations_table(result: dict) -> str:
    """A table for each text."""
    lines = [
        f"Exact SGNS on subsampled counts: prior {SUBSAMPLED_PRIOR:g}, threshold {SAMPLE:g}. "
        "`--epochs N` stops after N iterations. The table ends where the default tolerance stops "
        "the first seed. Scores are means of three seeds, ±: half of the range. CPU seconds "
        "are added up over two threads, with the counting. The ratio is to the CPU seconds of 5 "
        "iterations of word2vec.c, extrapolated from its first 45 s in this run.",
    ]
    for name, part in result.items():
        theirs = part["five_iterations"]["cpu"]
        lines += [
            "",
            f"{TEXTS[name].title}, {part['words']:,} words; word2vec.c: {theirs:,.0f} CPU seconds.",
            "",
            f"| iterations | CPU seconds | of word2vec.c's 5 iterations | {HEADER} |",
            "|---|---|---|---|---|---|---|",
        ]
        for row in part["rows"]:
            cells = " | ".join(with_spread(row, key) for key in SCORES)
            times = f"{row['cpu']:,.0f} | 1/{theirs / row['cpu']:.0f}"
            lines.append(f"| {row['iteration']:.0f} | {times} | {cells} |")
    return "\n".join(lines)
