"""Indices of the vectors as they were given: how many of our first ten words they return.

    python benchmarks/index.py --write results/index

The default model is asked 300 words, 300 ANDs and 300 ORs (by frequency) of two words each, drawn
from its 10,000 most frequent words. usearch and faiss hold the vectors as they were given, in an
index by inner product or by cosine, exact and approximate (HNSW), and get the query vector. The
recall is the share of our first ten words among their first candidates; `rerank` puts these in our
order, so it is the share of the final answer too. Intervals are 95 % of the bootstrap, over
queries.
"""

from __future__ import annotations

from collections.abc import Callable

import faiss
import numpy as np
import numpy.typing as npt
from reporting import machine, run
from usearch.index import Index

import andornot
from andornot import Logic
from andornot.base.choices import OrWeights, Postprocess
from andornot.base.moments import unit_rows
from andornot.experiments.intervals import Interval, mean_interval

QUERIES, COMMON, K = 300, 10_000, 10
CANDIDATES = (10, 100)
LINKS, VISITED = 32, 200  # of HNSW: of a node, and nodes that a search keeps
FRAMES = (Postprocess.FREQUENCY.value, Postprocess.ZIPFIAN_WHITENING.value)
Matrix = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]
Search = Callable[[Matrix, int], Ids]


def queries(words: tuple[str, ...]) -> list[str]:
    rng = np.random.default_rng(1)
    known = [word for word in words[:COMMON] if word.isalpha()]
    singles = rng.choice(known, size=QUERIES, replace=False).tolist()
    pairs = rng.choice(known, size=(2 * QUERIES, 2))
    joined = ["&"] * QUERIES + ["|"] * QUERIES
    both = [f"{a} {sign} {b}" for (a, b), sign in zip(pairs.tolist(), joined, strict=True)]
    return [*singles, *both]


def usearch_index(rows: Matrix) -> dict[str, Search]:
    """An index of usearch, searched both ways."""
    index = Index(
        ndim=rows.shape[1], metric="ip", dtype="f32", connectivity=LINKS, expansion_search=VISITED
    )
    index.add(np.arange(len(rows)), rows)
    return {
        "exact": lambda vectors, k: index.search(vectors, k, exact=True).keys.astype(np.int64),
        "HNSW": lambda vectors, k: index.search(vectors, k).keys.astype(np.int64),
    }


def faiss_index(rows: Matrix) -> dict[str, Search]:
    """Two indices of faiss."""
    flat = faiss.IndexFlatIP(rows.shape[1])
    graph = faiss.IndexHNSWFlat(rows.shape[1], LINKS, faiss.METRIC_INNER_PRODUCT)
    graph.hnsw.efSearch = VISITED
    for index in (flat, graph):
        index.add(np.ascontiguousarray(rows))
    return {
        "exact": lambda vectors, k: flat.search(vectors, k)[1],
        "HNSW": lambda vectors, k: graph.search(vectors, k)[1],
    }


def measure() -> dict:
    space = andornot.default()
    asked = queries(space.words)
    numbers = {word: number for number, word in enumerate(space.words)}
    logics = {
        frame: Logic(space, postprocess=frame, weights=OrWeights.FREQUENCY) for frame in FRAMES
    }
    first = {frame: logic.ask_many(asked, k=K) for frame, logic in logics.items()}
    vectors = {
        frame: np.stack([logic.query_vector(query) for query in asked])
        for frame, logic in logics.items()
    }
    given = np.ascontiguousarray(space.target)
    rows = []
    for content, matrix in (("inner product", given), ("cosine", unit_rows(given))):
        for program, make in (("usearch", usearch_index), ("faiss", faiss_index)):
            for kind, search in make(matrix).items():
                for frame in FRAMES:
                    recalls: dict[int, Interval] = {}
                    for count in CANDIDATES:
                        found = search(vectors[frame], count)
                        shares = [
                            np.isin([numbers[word] for word in answer.words], ids).mean()
                            for answer, ids in zip(first[frame], found, strict=True)
                        ]
                        recalls[count] = mean_interval(shares)
                    rows.append(
                        {
                            "index": content,
                            "program": program,
                            "search": kind,
                            "frame": frame,
                            "recall": {str(count): each for count, each in recalls.items()},
                        }
                    )
    return {"words": len(space), "dim": space.dim, "queries": len(asked), "rows": rows}


def table(result: dict) -> str:
    heads = " | ".join(f"recall at {count}" for count in CANDIDATES)
    lines = [
        "# Indices",
        "",
        f"`python benchmarks/index.py --write results/index` on {machine()}: the default model, "
        f"{result['words']:,} x {result['dim']}, {result['queries']} queries. The share of our "
        f"first {K} words among the first candidates of an index of the vectors as they were "
        "given, which gets `logic.query_vector(query)`; with 95 % intervals. `logic.rerank` then "
        f"gives the candidates our order. HNSW has {LINKS} links and visits {VISITED} nodes at a "
        "time. Times are not compared.",
        "",
        f"| index by | program | search | post-processing | {heads} |",
        "|---|---|---|---|---|---|",
    ]
    for row in result["rows"]:
        recalls = " | ".join(str(row["recall"][str(count)]) for count in CANDIDATES)
        lines.append(
            f"| {row['index']} | {row['program']} | {row['search']} | {row['frame']} | {recalls} |"
        )
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    run(__doc__, measure, table)
