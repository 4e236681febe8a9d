"""A round of a growing word list: time and quality, beside gensim's most_similar.

    python benchmarks/grow.py --write results/grow

The default model grows the categories of Banks and Connell from three words each, in three rounds
of 20 words, of which the members are accepted and the others rejected. A larger space, 400,000
words of random vectors in 300 dimensions with contexts, shows how the time grows; there, 20 random
words are accepted and 40 rejected. gensim gets accepted words as positive and rejected ones as
negative. Both look in the whole vocabulary, with one thread: the CPU time of a round, which other
work on the machine hardly changes, is then what it takes on an idle machine.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np
from reporting import machine, run
from threadpoolctl import threadpool_limits

import andornot
from andornot import Space, Vocabulary, WordList, to_gensim
from andornot.datasets.category_norms import read_category_norms
from andornot.datasets.locating import locate
from andornot.experiments.intervals import mean_interval
from andornot.experiments.jobs.list_growing import categories
from andornot.growing import Grower

WORDS, DIM = 400_000, 300
ROUNDS, SHOWN, REPEATED = 3, 20, 15
ACCEPTED, REJECTED = 20, 40
Propose = Callable[[Sequence[str], Sequence[str]], list[str]]


def large_space() -> Space:
    """Random vectors and contexts, counts by Zipf's law."""
    rng = np.random.default_rng(0)
    words = Vocabulary([f"w{i}" for i in range(WORDS)]).with_counts("rank")
    target, context = (rng.standard_normal((WORDS, DIM), dtype=np.float32) for _ in range(2))
    return Space(words, target, context)


def gensims(space: Space) -> Propose:
    """Words by gensim's mean of positive and negative unit vectors."""
    vectors = to_gensim(space)
    vectors.fill_norms()

    def propose(yes: Sequence[str], no: Sequence[str]) -> list[str]:
        shown = {*yes, *no}
        near = vectors.most_similar(positive=list(yes), negative=list(no), topn=SHOWN + len(shown))
        return [word for word, _ in near if word not in shown][:SHOWN]

    return propose


def ours(grower: Grower) -> Propose:
    """Words by a WordList."""

    def propose(yes: Sequence[str], no: Sequence[str]) -> list[str]:
        return [each.word for each in WordList(grower, yes, rejected=no).propose(SHOWN)]

    return propose


def clocks() -> tuple[float, float]:
    return time.process_time(), time.perf_counter()


def summary(times: list[tuple[float, float]]) -> dict:
    """The median and the 95th percentile of CPU milliseconds, and the median of milliseconds."""
    cpu, wall = (sorted(1000 * each for each in column) for column in zip(*times, strict=True))
    return {
        "cpu_ms": statistics.median(cpu),
        "cpu_p95_ms": cpu[int(0.95 * len(cpu))],
        "median_ms": statistics.median(wall),
    }


def grown(propose: Propose, lists: Sequence[tuple[list[str], set[str]]]) -> dict:
    """The milliseconds of a round, and the share of the members that three rounds find."""
    times, shares = [], []
    propose(lists[0][0], [])  # the first is not counted
    for seeds, members in lists:
        yes, no = list(seeds), list[str]()
        for _ in range(ROUNDS):
            cpu, wall = clocks()
            words = propose(yes, no)
            times.append((clocks()[0] - cpu, clocks()[1] - wall))
            for word in words:
                (yes if word in members else no).append(word)
        shares.append((len(yes) - len(seeds)) / len(members))
    return summary(times) | {"found": mean_interval(shares)}


def repeated(propose: Propose, space: Space) -> dict:
    """The milliseconds of a round with random decisions."""
    rng = np.random.default_rng(1)
    times = []
    for number in range(REPEATED + 1):
        drawn = [space.words[i] for i in rng.choice(WORDS, ACCEPTED + REJECTED, replace=False)]
        cpu, wall = clocks()
        propose(drawn[:ACCEPTED], drawn[ACCEPTED:])
        if number:  # the first is not counted
            times.append((clocks()[0] - cpu, clocks()[1] - wall))
    return summary(times)


def prepared(space: Space, *, wordnet: bool) -> tuple[Grower, float]:
    started = time.process_time()
    grower = Grower(space, wordnet=wordnet)
    return grower, time.process_time() - started


@threadpool_limits.wrap(1, "blas")
def measure() -> dict:
    space = andornot.default()
    word = space.vocabulary.word
    norms = read_category_norms(locate("category-norms"))
    lists = [
        ([word(i) for i in each.seeds], {word(int(i)) for i in each.members})
        for each in categories(norms, space, np.arange(len(space)))
    ]
    result: dict = {"lists": len(lists), "rows": []}

    def add(space: Space, name: str, figures: dict, seconds: float | None = None) -> None:
        row = {"words": len(space), "dim": space.dim, "program": name, **figures}
        result["rows"].append(row | {"prepared_seconds": seconds})

    for wordnet in (True, False):
        name = f"andornot grow{'' if wordnet else ' --no-wordnet'}"
        grower, seconds = prepared(space, wordnet=wordnet)
        add(space, name, grown(ours(grower), lists), seconds)
    add(space, "gensim", grown(gensims(space), lists))
    large = large_space()
    grower, seconds = prepared(large, wordnet=False)
    add(large, "andornot grow --no-wordnet", repeated(ours(grower), large), seconds)
    add(large, "gensim", repeated(gensims(large), large))
    return result


def table(result: dict) -> str:
    lines = [
        "# Growing a word list",
        "",
        f"`python benchmarks/grow.py --write results/grow` on {machine()}: {result['lists']} "
        "categories of Banks and Connell with the default model and all its words, three rounds "
        f"of {SHOWN} words each; and {WORDS:,} random vectors x {DIM} with contexts, "
        f"{ACCEPTED} accepted and {REJECTED} rejected words. CPU milliseconds of one round with "
        "one thread (median and 95th percentile) and its milliseconds, which other work on the "
        "machine lengthens; the share of the members that three rounds find, with its 95 % "
        "interval; and the CPU seconds that a space is prepared for, once.",
        "",
        "| words x dimension | program | CPU ms | 95 % | ms | found | prepared |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in result["rows"]:
        once = "" if row["prepared_seconds"] is None else f"{row['prepared_seconds']:.1f} s"
        lines.append(
            f"| {row['words']:,} x {row['dim']} | {row['program']} | {row['cpu_ms']:.1f} | "
            f"{row['cpu_p95_ms']:.1f} | {row['median_ms']:.1f} | {row.get('found', '')} | {once} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    run(__doc__, measure, table)
