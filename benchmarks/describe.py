"""Finding a word by its description: time and quality, beside gensim's mean of the same words.

    python benchmarks/describe.py --write results/describe

The default model is asked with the 200 descriptions of `descriptions`. A larger space, 400,000
words of random vectors in 300 dimensions, shows how the time grows; every fifth word of it is the
plural of another. Both programs get the words of a description without stop words, and look for
100 words in the whole vocabulary.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np
from gensim.models import KeyedVectors
from reporting import machine, run

import andornot
from andornot import Logic, Space, Vocabulary, to_gensim
from andornot.algebra.expression import Term, words_of
from andornot.datasets.definitions import read_definitions
from andornot.datasets.locating import locate
from andornot.experiments.intervals import mean_interval

WORDS, DIM, FORMS = 400_000, 300, 5
ASKED, LENGTH, FOUND = 50, 6, 100
DEPTHS = (10, 100)


def large_space() -> Space:
    """Random vectors, counts by Zipf's law; every fifth word is the plural of the one before."""
    rng = np.random.default_rng(0)
    words = [f"w{i - 1}s" if i % FORMS == FORMS - 1 else f"w{i}" for i in range(WORDS)]
    target, context = (
        rng.standard_normal((WORDS, DIM), dtype=np.float32) for _ in ("target", "context")
    )
    for rows in (target, context):
        rows[FORMS - 1 :: FORMS] += rows[FORMS - 2 :: FORMS]
    counts = {word: int(1e7 / rank) + 1 for rank, word in enumerate(words, start=1)}
    return Space(Vocabulary(words).with_counts(counts), target, context)


def timed(find: Callable[[str], Sequence[str]], texts: Sequence[str]) -> tuple[list, dict]:
    """The words for each description, and the milliseconds of one; the first is not counted."""
    find(texts[0])
    found, seconds, worked = [], [], []
    for text in texts:
        started, before = time.perf_counter(), time.process_time()
        found.append(find(text))
        seconds.append(time.perf_counter() - started)
        worked.append(time.process_time() - before)
    seconds.sort()
    return found, {
        "median_ms": 1000 * statistics.median(seconds),
        "cpu_ms": 1000 * statistics.median(worked),
        "p95_ms": 1000 * seconds[int(0.95 * len(seconds))],
    }


def compare(space: Space, texts: Sequence[str], targets: Sequence[str] | None) -> dict:
    """Both programs: the time of a description, and how many of the words are found."""
    logic = Logic(space)
    started = time.perf_counter()
    logic.descriptions  # noqa: B018 - prepared when first wanted
    prepared = time.perf_counter() - started
    peer: KeyedVectors = to_gensim(space)
    peer.fill_norms()
    words = {text: list(words_of(logic.concept(Term(text)).formula)) for text in texts}
    ways = {
        "andornot describe": lambda text: logic.describe(text, k=FOUND).words,
        "gensim, mean of unit vectors": lambda text: [
            word for word, _ in peer.most_similar(positive=words[text], topn=FOUND)
        ],
    }
    result: dict = {"words": len(space), "dim": space.dim, "prepared_seconds": prepared}
    for name, find in ways.items():
        found, result[name] = timed(find, texts)
        if targets is None:
            continue
        ranks = [
            each.index(target) + 1 if target in each else np.inf
            for each, target in zip(map(list, found), targets, strict=True)
        ]
        result[name] |= {
            f"first {depth}": mean_interval(np.array(ranks) <= depth) for depth in DEPTHS
        }
    return result


def measure() -> dict:
    items = read_definitions(locate("descriptions"))
    rng = np.random.default_rng(1)
    large = large_space()
    load = os.getloadavg()[0]
    drawn = [
        " ".join(large.words[i] for i in rng.choice(20_000, LENGTH, replace=False))
        for _ in range(ASKED)
    ]
    return {
        "default": compare(
            andornot.default(), [item.text for item in items], [item.word for item in items]
        ),
        "large": compare(large, drawn, None),
        "load": (load + os.getloadavg()[0]) / 2,
    }


def table(result: dict) -> str:
    lines = [
        "# Descriptions",
        "",
        f"`python benchmarks/describe.py --write results/describe` on {machine()}: the default "
        f"model with the 200 descriptions by people, and {WORDS:,} random vectors x {DIM} with "
        f"{ASKED} descriptions of {LENGTH} words. Milliseconds of one description, and the share "
        "of the described words among the first 10 and 100 of the whole vocabulary, with 95 % "
        f"intervals. The load average was {result['load']:.0f}; CPU time is that of all threads.",
        "",
        "| words x dimension | program | median ms | 95 % ms | CPU ms | first 10 | first 100 |",
        "|---|---|---|---|---|---|---|",
    ]
    spaces = [result["default"], result["large"]]
    for part in spaces:
        for name, row in part.items():
            if isinstance(row, dict):
                shares = " | ".join(str(row.get(f"first {depth}", "")) for depth in DEPTHS)
                lines.append(
                    f"| {part['words']:,} x {part['dim']} | {name} | {row['median_ms']:.1f} | "
                    f"{row['p95_ms']:.1f} | {row['cpu_ms']:.1f} | {shares} |"
                )
    seconds = " and ".join(f"{part['prepared_seconds']:.1f} s" for part in spaces)
    lines += ["", f"Preparing a space for descriptions, once: {seconds}."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    run(__doc__, measure, table)
