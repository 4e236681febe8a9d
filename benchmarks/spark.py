"""Counting on Spark beside the local engine: CPU time, the bytes of the shuffle, and a model.

    python benchmarks/spark.py --tokens 4000000 --write results/spark

Needs ANDORNOT_DATA with corpora/enwiki-sample.txt.xz, the extra `spark`, and Java. Starts clusters
of one and two workers with one core each on this machine. CPU time is that of all processes of the
cluster and of the driver, start included; the rate is taken from two sizes of the same text, so
that the start drops out of it. Every count is compared with that of the local engine.

The shuffle without combining is that of one record for each co-occurrence, as a query over a table
of pairs would send it. The table of hours is a model: it multiplies the measured rate.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import numpy as np
from reporting import machine, tokens_of, write_report

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from clusters import Cluster, running_cluster

from andornot.cooccurrence import Cooccurrence, count, load_counts
from andornot.cooccurrence.spark.engine import count_on_spark
from andornot.cooccurrence.spark.sessions import spark_session
from andornot.corpus import open_corpus

MIN_COUNT, WINDOW = 5, 5
VOCABULARIES = [2_000, 5_000, 10_000]
CORES_PER_NODE, EFFICIENCY = 16, 0.7
TEXTS = {"the paper's Wikipedia": 2.1e9, "Common Crawl": 840e9}
NODES = [1, 10, 100]
_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(cluster: Cluster) -> float:
    """The CPU time so far of the cluster's processes, their children, and of this process."""
    sessions = {process.pid for process in cluster.processes}
    used = sum(resource.getrusage(who)[0] + resource.getrusage(who)[1] for who in (0, -1))
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        is_own_child = int(fields[1]) == os.getpid() and int(path.parent.name) not in sessions
        if int(fields[3]) in sessions or is_own_child:
            used += sum(int(field) for field in fields[11:15]) / _TICKS
    return used


def local(text: Path, folder: Path) -> tuple[Cooccurrence, float]:
    """The counts of one thread on this machine, and their CPU time; kernels are compiled before."""
    before = time.process_time()
    cache = tempfile.mkdtemp(dir=folder)
    counts = count(open_corpus([text], cache=cache, threads=1), min_count=MIN_COUNT, threads=1)
    return counts, time.process_time() - before


def same(found: Cooccurrence, expected: Cooccurrence) -> bool:
    names = ("row_starts", "columns", "values", "marginal")
    return all(np.array_equal(getattr(found, name), getattr(expected, name)) for name in names)


def on_spark(text: Path, folder: Path, workers: int, splits: int) -> dict[str, Any]:
    """Count a text twice on a new cluster: the first time compiles the kernels."""
    with running_cluster(Path(tempfile.mkdtemp(dir=folder)), workers) as cluster:
        conf = {
            **cluster.conf(),
            "spark.sql.files.maxPartitionBytes": str(text.stat().st_size // splits + 1),
            "spark.sql.files.openCostInBytes": "1",
        }
        began, before = time.perf_counter(), cpu_seconds(cluster)
        with spark_session(cluster.master, conf) as session:
            result: dict[str, Any] = {}
            for run in ("first", "again"):
                output = Path(tempfile.mkdtemp(dir=folder)) / "counts"
                count_on_spark([text], output, session, min_count=MIN_COUNT)
                result[f"{run}_seconds"] = time.perf_counter() - began
                result[f"{run}_cpu"] = cpu_seconds(cluster) - before
                began, before = time.perf_counter(), cpu_seconds(cluster)
    return {**result, "output": str(output)}


def shuffled_bytes(session: Any) -> int:
    """The most bytes that a stage of this session has sent, from Spark's own figures."""
    context = session.sparkContext
    address = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages"
    with build_opener(ProxyHandler({})).open(address) as answer:
        return max(stage["shuffleWriteBytes"] for stage in json.load(answer))


def raw_pairs(ids: np.ndarray) -> Any:
    """A record for each co-occurrence of a task's text, as a query over pairs would have it."""

    def task(batches: Any) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            start = batch.column(0).to_numpy()
            for first in start.tolist():
                part = ids[first : first + 100_000]
                for distance in range(1, WINDOW + 1):
                    units = np.full(len(part) - distance, WINDOW + 1 - distance, np.int32)
                    left, right = part[:-distance], part[distance:]
                    for row, column in ((left, right), (right, left)):
                        yield pa.record_batch({"row": row, "column": column, "units": units})

    return task


def shuffles(text: Path, folder: Path) -> list[dict[str, Any]]:
    """The bytes of the shuffle by the number of words, with and without combining."""
    rows = []
    corpus = open_corpus([text], cache=folder / "cache")
    for size in VOCABULARIES:
        row: dict[str, Any] = {"words": min(size, len(corpus.choose(MIN_COUNT)))}
        conf = {
            "spark.ui.enabled": "true",
            "spark.ui.port": "0",
            "spark.driver.memory": "1g",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.pyspark.python": sys.executable,
        }
        with spark_session("local[2]", conf) as session:
            output = Path(tempfile.mkdtemp(dir=folder)) / "counts"
            count_on_spark([text], output, session, min_count=MIN_COUNT, max_size=size)
            row["combined"] = shuffled_bytes(session)
        kept = corpus.numbers_in(corpus.choose(MIN_COUNT, size))
        ids = kept[corpus.tokens[corpus.tokens >= 0]]
        ids = ids[ids >= 0]
        with spark_session("local[2]", conf) as session:
            starts = session.range(0, len(ids), 100_000, numPartitions=4)
            pairs = starts.mapInArrow(raw_pairs(ids), "row int, column int, units int")
            pairs.repartition(4, "row").write.format("noop").mode("overwrite").save()
            row["not_combined"] = shuffled_bytes(session)
        rows.append(row)
    return rows


def measure(tokens: int, folder: Path) -> dict[str, Any]:
    """All measurements, each on its own processes."""
    sizes = [tokens // 4, tokens]
    texts = [tokens_of("enwiki-sample", folder, size) for size in sizes]
    local(texts[0], folder)
    runs = []
    for size, text in zip(sizes, texts, strict=True):
        expected, cpu = local(text, folder)
        run: dict[str, Any] = {"tokens": size, "words": len(expected.vocabulary), "local_cpu": cpu}
        for workers in (1, 2):
            done = on_spark(text, folder, workers, splits=4)
            done["same"] = same(load_counts(done.pop("output")), expected)
            run[f"workers_{workers}"] = done
        runs.append(run)
    small, large = runs
    million = (large["tokens"] - small["tokens"]) / 1e6

    def rate(cpu: Any) -> float:
        return float((cpu(large) - cpu(small)) / million)

    return {
        "runs": runs,
        "local_rate": rate(lambda run: run["local_cpu"]),
        "spark_rate": rate(lambda run: run["workers_1"]["again_cpu"]),
        "shuffles": shuffles(texts[-1], folder),
    }


def hours(tokens: float, nodes: int, rate: float) -> float:
    """The model: CPU seconds of the measured rate, over the cores of all nodes."""
    return tokens / 1e6 * rate / (nodes * CORES_PER_NODE * EFFICIENCY) / 3600


def table(result: dict[str, Any], tokens: int) -> str:
    rate = result["spark_rate"]
    lines = [
        "# Counting on Spark",
        "",
        f"`python benchmarks/spark.py --tokens {tokens} --write results/spark` on {machine()}.",
        "",
        f"enwiki-sample, window {WINDOW}, minimal count {MIN_COUNT}, 4 tasks. Seconds; in brackets "
        "the first count of a session, which starts Python on the workers and compiles kernels.",
        "",
        "| tokens | engine | wall clock | CPU | bit-equal |",
        "|---|---|---|---|---|",
    ]
    for run in result["runs"]:
        lines.append(f"| {run['tokens']:,} | local, 1 thread | | {run['local_cpu']:.1f} | |")
        for workers in (1, 2):
            done = run[f"workers_{workers}"]
            lines.append(
                f"| | Spark, {workers} worker{'s' * (workers > 1)} of 1 core "
                f"| {done['again_seconds']:.1f} ({done['first_seconds']:.1f}) "
                f"| {done['again_cpu']:.1f} ({done['first_cpu']:.1f}) "
                f"| {'yes' if done['same'] else 'no'} |"
            )
    lines += [
        "",
        f"CPU seconds for a further million tokens: {result['local_rate']:.2f} local, "
        f"{rate:.2f} on Spark.",
        "",
        "| words | shuffle with combining, MB | without, MB | times smaller |",
        "|---|---|---|---|",
    ]
    for row in result["shuffles"]:
        combined, other = row["combined"] / 1e6, row["not_combined"] / 1e6
        lines.append(
            f"| {row['words']:,} | {combined:.1f} | {other:.1f} | {other / combined:.1f} |"
        )
    lines += [
        "",
        "A model, not a measurement: hours of counting, from the rate of Spark above. It assumes "
        f"nodes of {CORES_PER_NODE} cores like those of this machine, {EFFICIENCY:.0%} of their "
        "time at work, and the same rate for longer texts and more words.",
        "",
        f"| hours for | tokens | {' | '.join(f'nodes: {n}' for n in NODES)} |",
        f"|---|---|{'---|' * len(NODES)}",
    ]
    for name, size in TEXTS.items():
        cells = " | ".join(f"{hours(size, n, rate):,.2g}" for n in NODES)
        lines.append(f"| {name} | {size / 1e9:g} billion | {cells} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=4_000_000)
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = measure(options.tokens, Path(folder))
    write_report(options.write, result, table(result, options.tokens))


if __name__ == "__main__":
    main()
