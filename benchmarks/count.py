"""From text to trainable counts: how fast beside GloVe's C programs, and in how much memory.

    python benchmarks/count.py --glove FOLDER --write results/count

Needs ANDORNOT_DATA with corpora/text8-prefix.txt.xz and corpora/enwiki-sample.txt.xz. `--glove`
names the folder of GloVe's binaries; without it our own figures stand alone. Speed: text8-prefix,
window 5, minimal count 5, harmonic weights, no cache of tokens, both programs with the same memory,
wall clock of whole commands in the same run; both count the same pairs. Memory: enwiki-sample with
--memory 2GB (and 500MB), the peak of resident memory, and whether the counts are those of 16GB.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from reporting import machine, text_of, write_report

from andornot.cooccurrence import load_counts

MEMORY_GB = 4


def andornot_count(text: Path, output: Path, *options: str) -> dict[str, float]:
    """Run the command with an empty cache of tokens; seconds and peak memory."""
    cache = output.with_name("cache")
    shutil.rmtree(cache, ignore_errors=True)
    command = [sys.executable, "-m", "andornot", "count", str(text), "-o", str(output), "--force"]
    started = time.perf_counter()
    process = subprocess.Popen(
        [*command, *options],
        env=os.environ | {"ANDORNOT_CACHE": str(cache)},
        stdout=subprocess.DEVNULL,
    )
    peak = 0
    while process.poll() is None:
        peak = max(peak, peak_memory(process.pid))
        time.sleep(0.02)
    if process.returncode:
        raise SystemExit("andornot count failed")
    return {"seconds": time.perf_counter() - started, "peak_bytes": peak}


def peak_memory(pid: int) -> int:
    """The highest resident memory of a process so far.

    What wait4 reports would not do: it counts the parent's memory at the moment of the fork.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    lines = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(lines[0].split()[1]) * 1024 if lines else 0


def glove_count(text: Path, folder: Path, programs: Path) -> dict[str, float]:
    """vocab_count, cooccur and shuffle, one after the other."""
    vocab, pairs, shuffled = folder / "vocab.txt", folder / "pairs.bin", folder / "shuffled.bin"
    memory = ["-memory", str(MEMORY_GB), "-verbose", "0"]
    steps = [
        (["vocab_count", "-min-count", "5", "-verbose", "0"], text, vocab),
        (["cooccur", "-vocab-file", vocab, "-window-size", "5", *memory], text, pairs),
        (["shuffle", *memory], pairs, shuffled),
    ]
    seconds = {}
    for command, source, target in steps:
        started = time.perf_counter()
        with source.open("rb") as reader, target.open("wb") as writer:
            subprocess.run(
                [programs / command[0], *map(str, command[1:])],
                stdin=reader,
                stdout=writer,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                check=True,
            )
        seconds[command[0]] = time.perf_counter() - started
    return {"seconds": sum(seconds.values()), "steps": seconds, "pairs": pairs.stat().st_size // 16}


def speed(folder: Path, programs: Path | None, repeats: int) -> dict[str, object]:
    text, output = text_of("text8-prefix", folder), folder / "counts"
    options = ["--window-weights", "harmonic", "--memory", f"{MEMORY_GB}GB"]
    andornot_count(text, output, *options)  # compiles the kernels
    ours = min(
        (andornot_count(text, output, *options) for _ in range(repeats)),
        key=lambda result: result["seconds"],
    )
    counts = load_counts(output)
    result: dict[str, object] = {
        "andornot": ours | {"pairs": counts.pairs, "total": counts.total},
        "words": len(counts.vocabulary),
    }
    if programs:
        glove = min(
            (glove_count(text, folder, programs) for _ in range(repeats)),
            key=lambda result: result["seconds"],
        )
        result |= {"glove": glove, "times_as_fast": glove["seconds"] / ours["seconds"]}
    return result


def bounded(folder: Path) -> dict[str, object]:
    text = text_of("enwiki-sample", folder)
    runs = {}
    reference = None
    for memory in ("16GB", "2GB", "500MB"):
        options = ["--tokenizer", "words", "--memory", memory]
        runs[memory] = andornot_count(text, folder / memory, *options)
        counts = load_counts(folder / memory)
        reference = reference or counts
        runs[memory]["same_counts"] = np.array_equal(
            counts.columns, reference.columns
        ) and np.allclose(counts.values, reference.values, rtol=1e-6)
    return {
        "runs": runs,
        "words": len(counts.vocabulary),
        "tokens": counts.settings["tokens"],
        "pairs": counts.pairs,
    }


def table(result: dict) -> str:
    quick, large = result["speed"], result["memory"]
    ours, glove = quick["andornot"], quick.get("glove")
    lines = [
        "# Counting",
        "",
        f"`python benchmarks/count.py --glove FOLDER --write results/count` on {machine()}.",
        "",
    ]
    lines += ["| text8-prefix, window 5, min count 5 | seconds | pairs |", "|---|---|---|"]
    lines.append(f"| andornot count | {ours['seconds']:.1f} | {ours['pairs']:,} |")
    if glove:
        steps = " + ".join(f"{name} {value:.1f}" for name, value in glove["steps"].items())
        lines.append(f"| GloVe C ({steps}) | {glove['seconds']:.1f} | {glove['pairs']:,} |")
        lines.append(f"| times as fast | {quick['times_as_fast']:.1f} | |")
    lines += [
        "",
        f"enwiki-sample ({large['tokens']:,} tokens, {large['words']:,} words, "
        f"{large['pairs']:,} pairs), `--tokenizer words`:",
        "",
        "| memory limit | peak resident | seconds | the counts of 16GB |",
        "|---|---|---|---|",
    ]
    for name, run in large["runs"].items():
        same = "yes" if run["same_counts"] else "NO"
        peak = run["peak_bytes"] / 1e9
        lines.append(f"| {name} | {peak:.2f} GB | {run['seconds']:.0f} | {same} |")
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--glove", type=Path, help="the folder of GloVe's binaries")
    parser.add_argument("--repeats", type=int, default=2, help="the best counts, for both")
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = {
            "speed": speed(Path(folder), options.glove, options.repeats),
            "memory": bounded(Path(folder)),
        }
    write_report(options.write, result, table(result))


if __name__ == "__main__":
    main()
