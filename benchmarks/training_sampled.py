"""The speed and the scores of sampled SGNS, beside word2vec.c, gensim and fastText."""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

from reporting import kept, text_of
from training_peers import SETTINGS, THREADS, fasttext, gensim, quality, word2vec

import andornot
from andornot.base.choices import Solver
from andornot.corpus import open_corpus
from andornot.training import train


def sampled(folder: Path, options: argparse.Namespace) -> dict:
    text = text_of("text8-prefix", folder)
    settings = replace(SETTINGS, solver=Solver.SAMPLED, epochs=options.epochs)
    corpus = open_corpus([text], cache=folder / "compiled")
    train(corpus, replace(settings, epochs=1), threads=THREADS, max_size=1000)  # compiles
    started = time.perf_counter()
    corpus = open_corpus([text], cache=folder / "cache", threads=THREADS)
    space = train(corpus, settings, threads=THREADS)
    seconds = time.perf_counter() - started
    words = space.counts.sum() * options.epochs
    rows = {"andornot": {"seconds": seconds, "words_per_second": words / seconds, **quality(space)}}
    for name, peer in {"word2vec.c": word2vec, "gensim": gensim, "fastText": fasttext}.items():
        path, seconds = kept(
            options.keep or folder,
            f"sampled-{name}-{options.epochs}.bin",
            lambda path, peer=peer: peer(text, path, options.epochs, 5),
        )
        rows[name] = {
            "seconds": seconds,
            "words_per_second": words / seconds,
            **quality(andornot.load(path)),
        }
    return {"words": words, "epochs": options.epochs, "programs": rows}


def sampled_table(result: dict) -> str:
    lines = [
        f"text8-prefix (74 % of text8), minimal count 5, {result['epochs']} epoch(s), whole "
        "programs from text to vectors:",
        "",
        "| program | words/s | andornot is | WordSim-353 | SimLex-999 | MTurk-771 | analogies |",
        "|---|---|---|---|---|---|---|",
    ]
    ours = result["programs"]["andornot"]["words_per_second"]
    for name, row in result["programs"].items():
        ratio = "" if name == "andornot" else f"{ours / row['words_per_second']:.1f} times as fast"
        scores = " | ".join(
            f"{row[key]:.3f}" for key in ("wordsim-353", "simlex-999", "mturk-771", "analogies")
        )
        lines.append(f"| {name} | {row['words_per_second']:,.0f} | {ratio} | {scores} |")
    return "\n".join(lines)
