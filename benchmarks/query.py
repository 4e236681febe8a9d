"""Asking beside gensim's most_similar, on the same vectors: 400,000 x 300.

    python benchmarks/query.py --write results/query

Random vectors with planted means, so that no download is needed; both programs rank all words for
the sum of two. A batch of 1,000 AND queries against gensim one by one; a single query against
gensim's and against reading the matrix once; the post-processings, and the peak of memory beside
the vectors.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from pathlib import Path

import numpy as np
from reporting import machine, write_report

import andornot
from andornot import Logic, Space, Vocabulary
from andornot.postprocessing.spaces import fit_target

WORDS, DIM, QUERIES = 400_000, 300, 1_000


def best(repeats: int, work) -> float:
    """The shortest of several times."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def make_space() -> Space:
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((WORDS, DIM), dtype=np.float32)
    vectors += rng.standard_normal(DIM, dtype=np.float32)
    words = Vocabulary([f"w{i}" for i in range(WORDS)])
    return Space(words, vectors).with_counts("rank")


def measure() -> dict:
    space = make_space()
    result: dict = {}
    for method in ("uniform", "frequency", "all-but-the-top", "zipfian-whitening"):
        result[f"fit {method}"] = best(2, lambda method=method: fit_target(space, method))
    started = time.perf_counter()
    andornot.postprocessing.postprocess(space, "zipfian-whitening")
    result["whiten the whole space"] = time.perf_counter() - started
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    logic = Logic(space)
    rng = np.random.default_rng(1)
    pairs = [tuple(f"w{i}" for i in rng.integers(WORDS, size=2)) for _ in range(QUERIES)]
    queries = [f"{a} & {b}" for a, b in pairs]
    logic.ask(queries[0])  # compiles, and finds the lengths
    result["batch"] = best(2, lambda: logic.ask_many(queries))
    result["single"] = best(20, lambda: logic.ask(queries[0]))
    result["read the matrix"] = best(5, lambda: float(space.target.sum()))
    result["extra_memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    centred = andornot.postprocessing.postprocess(space, "frequency").to_gensim()
    centred.most_similar(positive=list(pairs[0]))  # finds the norms
    sample = pairs[:50]
    started = time.perf_counter()
    theirs = [centred.most_similar(positive=list(pair), topn=10) for pair in sample]
    result["gensim, each"] = (time.perf_counter() - started) / len(sample)
    ours = logic.ask_many(queries[: len(sample)])
    result["same first word"] = float(
        np.mean([a.words[0] == b[0][0] for a, b in zip(ours, theirs, strict=True)])
    )
    return result


def table(result: dict) -> str:
    each = result["gensim, each"]
    return "\n".join(
        [
            "# Asking",
            "",
            f"`python benchmarks/query.py --write results/query` on {machine()}: "
            f"{WORDS:,} x {DIM}, AND queries. gensim adds unit vectors, andornot the vectors "
            f"themselves; the first word is the same in {result['same first word']:.0%}.",
            "",
            "| | seconds | |",
            "|---|---|---|",
            f"| andornot, {QUERIES:,} queries | {result['batch']:.2f} | "
            f"{QUERIES * each / result['batch']:.1f} times as fast as gensim one by one |",
            f"| gensim, {QUERIES:,} queries (from 50) | {QUERIES * each:.2f} | |",
            f"| andornot, one query | {result['single']:.4f} | "
            f"{each / result['single']:.1f} times as fast as gensim, "
            f"{result['single'] / result['read the matrix']:.2f} times reading the matrix |",
            f"| gensim, one query | {each:.4f} | |",
            f"| reading the matrix once | {result['read the matrix']:.4f} | |",
            *(
                f"| {name} | {seconds:.2f} | |"
                for name, seconds in result.items()
                if name.startswith(("fit", "whiten"))
            ),
            "",
            f"Peak memory above the vectors while asking: {result['extra_memory'] / 1e6:,.0f} MB.",
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    options = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "2")
    result = measure()
    write_report(options.write, result, table(result))


if __name__ == "__main__":
    main()
