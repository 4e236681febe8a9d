"""Asking beside gensim's most_similar, on the same vectors: 400,000 x 300.

    python benchmarks/query.py --write results/query

Random vectors with a planted mean, so that no download is needed; both programs rank all words for
the sum of two. A batch of 1,000 AND queries against gensim one by one; a single query against
gensim's and against reading the matrix once; the post-processings. The peaks of memory are those
of processes that do one thing each, less that of one that only makes the vectors.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from reporting import machine, write_report

import andornot
from andornot import Logic, Space, Vocabulary
from andornot.algebra.exact_mode import Exact
from andornot.postprocessing import postprocess
from andornot.postprocessing.spaces import fit_target

WORDS, DIM, QUERIES, SAMPLE = 400_000, 300, 1_000, 50
MEMBERS = 200  # words of a category in exact mode
METHODS = ("uniform", "frequency", "all-but-the-top", "zipfian-whitening")


def best(repeats: int, work: Callable[[], object]) -> float:
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


def make_queries() -> list[tuple[str, str]]:
    rng = np.random.default_rng(1)
    return [(f"w{a}", f"w{b}") for a, b in rng.integers(WORDS, size=(QUERIES, 2))]


def with_contexts(space: Space) -> Space:
    return Space(space.vocabulary, space.target, space.target[::-1])


WORK: dict[str, Callable[[Space], object]] = {
    "only the vectors": len,
    "one query": lambda space: Logic(space).ask("w1 & w2"),
    f"{QUERIES:,} queries": lambda space: Logic(space).ask_many(
        [f"{a} & {b}" for a, b in make_queries()]
    ),
    "only the vectors and contexts": with_contexts,
    "an exact OR": lambda space: Logic(with_contexts(space), exact=True).ask("w1 | w2"),
    **{f"fit {method}": lambda space, m=method: fit_target(space, m) for method in METHODS},
}


def peak_of(name: str) -> int:
    """The peak of memory of a fresh process that does this, in bytes."""
    done = subprocess.run(
        [sys.executable, __file__, "--peak", name], capture_output=True, text=True, check=True
    )
    return int(json.loads(done.stdout))


def exact_within_categories() -> dict[str, float]:
    """Seconds per exact query of the default model, within one category or one each.

    The exact mode remembers the scores of a category: queries that share one need them once.
    """
    logic = Logic(andornot.default(), exact=True)
    words = [word for word in logic.space.words[:20_000] if word.isalpha()]
    sets = [words[start : start + MEMBERS] for start in range(1_000, 12_000, 1_000)]
    found = {}
    for sign, name in (("!", "NOT"), ("", "given")):
        for label, chosen in (("in one category", sets[:1] * 10), ("in ten", sets[1:])):
            queries = [
                f"{sign}{members[place]} @ {{{', '.join(members)}}}"
                for place, members in enumerate(chosen)
            ]
            logic.arithmetic = Exact(logic.space, logic.target)  # it remembers nothing yet
            found[f"{name}, ten queries {label}"] = (
                best(1, lambda queries=queries: logic.ask_many(queries)) / 10
            )
    return found


def measure() -> dict:
    peaks = {name: peak_of(name) for name in WORK}
    space = make_space()
    result: dict = {"peaks": peaks, "vectors": space.target.nbytes}
    fits = {m: best(2, lambda m=m: fit_target(space, m)) for m in METHODS}
    whole = {m: best(1, lambda m=m: postprocess(space, m)) for m in METHODS}
    result["postprocess"] = {m: {"fit": fits[m], "space": whole[m]} for m in METHODS}
    result["exact"] = exact_within_categories()
    logic = Logic(space)
    pairs = make_queries()
    queries = [f"{a} & {b}" for a, b in pairs]
    logic.ask(queries[0])  # compiles, and finds the lengths
    result["batch"] = best(2, lambda: logic.ask_many(queries))
    result["single"] = best(20, lambda: logic.ask(queries[0]))
    result["read"] = best(5, lambda: float(space.target.sum()))
    centred = andornot.to_gensim(postprocess(space, "frequency"))
    centred.most_similar(positive=list(pairs[0]))  # finds the norms
    result["gensim_single"] = best(20, lambda: centred.most_similar(positive=list(pairs[0])))
    started = time.perf_counter()
    theirs = [centred.most_similar(positive=list(pair), topn=10) for pair in pairs[:SAMPLE]]
    result["gensim"] = (time.perf_counter() - started) / SAMPLE
    ours = logic.ask_many(queries[:SAMPLE])
    shared = [
        len(set(a.words) & {word for word, _ in b}) / 10 for a, b in zip(ours, theirs, strict=True)
    ]
    result["shared"] = float(np.mean(shared))
    return result


def table(result: dict) -> str:
    each, peaks = result["gensim"], result["peaks"]
    lines = [
        "# Asking",
        "",
        f"`python benchmarks/query.py --write results/query` on {machine()}: {WORDS:,} x {DIM}, "
        "AND of two words, the ten nearest of all. gensim adds unit vectors, andornot the vectors "
        f"themselves: of ten words {10 * result['shared']:.1f} are the same. The times of single "
        "queries are the shortest of 20.",
        "",
        "| | seconds | |",
        "|---|---|---|",
        f"| andornot, {QUERIES:,} queries together | {result['batch']:.2f} | "
        f"{QUERIES * each / result['batch']:.1f} times as fast as gensim one by one |",
        f"| gensim, {QUERIES:,} queries (from {SAMPLE}) | {QUERIES * each:.2f} | |",
        f"| andornot, one query | {result['single']:.4f} | "
        f"{result['gensim_single'] / result['single']:.1f} times as fast as gensim, "
        f"{result['single'] / result['read']:.2f} times reading the matrix |",
        f"| gensim, one query | {result['gensim_single']:.4f} | |",
        f"| reading the matrix once (NumPy's sum) | {result['read']:.4f} | |",
        "",
        "| post-processing | fitted, s | a whole new space, s |",
        "|---|---|---|",
    ]
    for name, row in result["postprocess"].items():
        lines.append(f"| {name} | {row['fit']:.2f} | {row['space']:.2f} |")
    lines += [
        "",
        f"| exact mode, default model, a category of {MEMBERS} words | ms per query |",
        "|---|---|",
    ]
    lines += [f"| {name} | {1000 * seconds:.0f} |" for name, seconds in result["exact"].items()]
    lines += [
        "",
        f"| peak of memory beside the vectors ({result['vectors'] / 1e6:,.0f} MB) | MB |",
        "|---|---|",
    ]
    for name, peak in peaks.items():
        plain = "only the vectors and contexts" if "exact" in name else "only the vectors"
        if not name.startswith("only"):
            lines.append(f"| {name} | {(peak - peaks[plain]) / 1e6:,.0f} |")
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    parser.add_argument("--peak", choices=WORK, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak:
        WORK[options.peak](make_space())
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
        return
    result = measure()
    write_report(options.write, result, table(result))


if __name__ == "__main__":
    main()
