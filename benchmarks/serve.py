"""The service under load: wrk with 64 connections, on loopback, on the same two cores.

    python benchmarks/serve.py --write results/serve

First the default model: 60,000 distinct expressions (AND and OR of two words, AND of three, NOT in
a category of four), so that no request is sent twice, for 30 s. No answer is kept by the service.
The resident memory is taken every second; answers that are given during the load, together with
those of wrk, are compared with the library's. Other expressions warm it up.
Then 400,000 x 300 random vectors: asks that come together answered by one matrix product, beside
the same service answering them one by one. Needs wrk (apt-get install wrk).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from query import DIM, WORDS, make_space
from reporting import machine, write_report

import andornot
from andornot import Logic
from andornot.server.app import BATCH_SIZE

CONNECTIONS, SECONDS, WARM_UP, LARGE_SECONDS = 64, 30, 5, 15
DISTINCT, SAMPLE = 60_000, 200
SCRIPT = """
local bodies, place = {}, 0
for line in io.lines(os.getenv("BODIES")) do bodies[#bodies + 1] = line end
request = function()
  place = place % #bodies + 1
  return wrk.format("POST", "/v1/ask", {["Content-Type"] = "application/json"}, bodies[place])
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\\nRESULT {"requests": %d, "seconds": %f, "errors": %d, "p50": %f, "p99": %f, "max": %f}\\n',
    summary.requests, summary.duration / 1e6,
    e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
end
"""


def expressions(words: list[str], count: int) -> list[str]:
    """Distinct queries of four kinds over these words."""
    rng = np.random.default_rng(1)
    found: dict[str, None] = {}
    while len(found) < count:
        a, b, c, d = (words[i] for i in rng.choice(len(words), 4, replace=False))
        forms = (f"{a} & {b}", f"{a} | {b}", f"{a} & {b} & {c}", f"!{a} @ {{{a}, {b}, {c}, {d}}}")
        found[forms[len(found) % len(forms)]] = None
    return list(found)


@contextmanager
def service(command: list[str]) -> Iterator[tuple[str, int]]:
    """A running service: its address and its process number."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        yield next(word for word in line.split() if word.startswith("http://")), process.pid
    finally:
        process.terminate()
        process.wait(60)


def resident(pid: int) -> int:
    """The resident memory of a process, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def ask(url: str, query: str) -> dict:
    request = urllib.request.Request(
        f"{url}v1/ask",
        json.dumps({"query": query}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def load(url: str, queries: list[str], seconds: int, folder: Path) -> dict:
    """What wrk says after asking for so long."""
    bodies, script = folder / "bodies", folder / "ask.lua"
    bodies.write_text("".join(json.dumps({"query": query}) + "\n" for query in queries))
    script.write_text(SCRIPT)
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "60s"]
    done = subprocess.run(
        [*command, "-s", str(script), url],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"BODIES": str(bodies)},
    )
    result = json.loads(done.stdout.rpartition("RESULT ")[2])
    if result["requests"] > len(queries):
        sys.exit(f"error: {result['requests']:,} requests of {len(queries):,} distinct queries")
    return result | {"rate": result["requests"] / result["seconds"]}


@contextmanager
def watched(pid: int) -> Iterator[list[int]]:
    """The resident memory every second."""
    seen, over = [resident(pid)], threading.Event()

    def watch() -> None:
        while not over.wait(1):
            seen.append(resident(pid))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()
        seen.append(resident(pid))


def default_model(folder: Path) -> dict:
    logic = Logic(andornot.default())
    words = [word for word in logic.space.words[:20_000] if word.isascii() and word.isalpha()]
    all_queries = expressions(words, 2 * DISTINCT + SAMPLE)
    queries, others = all_queries[:DISTINCT], all_queries[DISTINCT + SAMPLE :]
    sample = all_queries[DISTINCT : DISTINCT + SAMPLE]
    command = [sys.executable, "-m", "andornot", "serve", "--no-browser", "--port", "0"]
    with service(command) as (url, pid):
        load(url, others, WARM_UP, folder)
        with watched(pid) as memory, ThreadPoolExecutor(1) as beside:
            loaded = beside.submit(load, url, queries, SECONDS, folder)
            time.sleep(1)  # wrk is there
            answers = []
            while not loaded.done() and len(answers) < len(sample):
                answers.append(ask(url, sample[len(answers)]))
            result = loaded.result()
    same = [
        [hit["word"] for hit in answer["hits"]] == list(logic.ask(query).words)
        for answer, query in zip(answers, sample, strict=False)
    ]
    return result | {"same": sum(same), "sampled": len(answers), "memory": memory}


def large_space(batch_size: int, folder: Path) -> dict:
    queries = expressions([f"w{i}" for i in range(WORDS)], 12_000)
    queries = [query for query in queries if not query.startswith("!")]  # those search nothing
    queries, others = queries[:6_000], queries[6_000:]
    command = [sys.executable, __file__, "--large", str(batch_size)]
    with service(command) as (url, _):
        for query in others[:3]:
            ask(url, query)
        load(url, others, 3, folder)
        return load(url, queries, LARGE_SECONDS, folder)


def serve_large(batch_size: int) -> None:
    """The service over the large space, for a process of its own."""
    from andornot.server.app import create_app
    from andornot.server.process import address_of, listen, run

    app = create_app({"random": make_space()}, batch_size=batch_size, freeze=True)
    with listen("127.0.0.1", 0) as opened:
        run(app, opened, address_of(opened, "127.0.0.1"), browser=False, seconds=30)


def measure() -> dict:
    if shutil.which("wrk") is None:
        sys.exit("error: wrk is missing; apt-get install wrk")
    others = os.getloadavg()[0]
    time.sleep(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return {
            "load_before": others,
            "default": default_model(folder),
            "together": large_space(BATCH_SIZE, folder),
            "one_by_one": large_space(1, folder),
        }


def table(result: dict) -> str:
    first, together, alone = result["default"], result["together"], result["one_by_one"]
    memory = [size / 1e6 for size in first["memory"]]
    rows = {
        "default model, 38,000 x 200": first,
        f"{WORDS:,} x {DIM}, up to {BATCH_SIZE} by one product": together,
        f"{WORDS:,} x {DIM}, one by one": alone,
    }
    lines = [
        "# The service under load",
        "",
        f"`python benchmarks/serve.py --write results/serve` on {machine()}, with wrk and the "
        f"service on the same cores; {CONNECTIONS} connections, loopback, {DISTINCT:,} distinct "
        f"expressions for the default model over {SECONDS} s, no answer kept. The load of the "
        f"machine before: {result['load_before']:.2f}.",
        "",
        "| | asks/s | p50, ms | p99, ms | requests | errors |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in rows.items():
        lines.append(
            f"| {name} | {row['rate']:,.0f} | {row['p50']:,.0f} | {row['p99']:,.0f} | "
            f"{row['requests']:,} | {row['errors']} |"
        )
    lines += [
        "",
        f"One product for those that come together: {together['rate'] / alone['rate']:.1f} times "
        "the throughput of one by one.",
        "",
        f"Resident memory over the {SECONDS} s, after {WARM_UP} s of others: {memory[0]:,.0f} MB "
        f"at the beginning, {max(memory):,.0f} MB at most, {memory[-1]:,.0f} MB at the end. "
        f"{first['same']} of {first['sampled']} answers given under the load are those of "
        "the library, word for word.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    parser.add_argument("--large", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.large:
        serve_large(options.large)
        return
    result = measure()
    write_report(options.write, result, table(result))


if __name__ == "__main__":
    main()
