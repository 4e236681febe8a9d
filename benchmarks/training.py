"""How fast the trainers are, and how good, beside word2vec.c, gensim, fastText and GloVe C.

    python benchmarks/training.py sampled --write results/training-sampled
    python benchmarks/training.py exact --keep FOLDER --write results/training-exact
    python benchmarks/training.py crossover --write results/training-crossover
    python benchmarks/training.py glove --glove FOLDER --write results/training-glove
    python benchmarks/training.py glove --texts enwiki-sample --glove FOLDER --trial 2 --write FILE
    python benchmarks/training.py peers --texts enwiki-sample --iterations 5 --keep FOLDER
    python benchmarks/training.py compare --write results/training-compare
    python benchmarks/training.py priors --write results/training-priors
    python benchmarks/training.py iterations --write results/training-iterations

Needs ANDORNOT_DATA with corpora/ and the word sets. All programs train on the
same text with the same settings (d = 300, window 5, k = 15, no subsampling) in two threads, one
after the other in the same run, and quality is printed beside speed. `--keep` keeps what the slow
programs have trained, with the time each took, so that an interrupted benchmark goes on.

- sampled: words/s over one epoch at minimal count 5.
- exact: seconds to a lower SGNS loss at minimal count 100, the paper's setting. word2vec.c writes
  no context vectors: its loss is that of its V with the U that minimises the loss given V (not
  counted in its time), a bound in its favour. Its 20 iterations are charged no more than four times
  the time of its 5.
- crossover: time, memory and quality of exact and sampled SGNS, by vocabulary.
- glove: pairs/s, the loss after each iteration, and the exact solver with and without its prior,
  with its prior for three seeds, beside 25 iterations of the C program, on the first of --texts.
- peers: runs word2vec.c once for a text and records its scores, as the next part needs them.
- compare: exact SGNS with a given prior for three seeds, beside word2vec.c. Ours is also run
  subsampled; the recorded runs of word2vec.c are not.
- priors: held-out loss and scores by the strength of the prior, for both models.
- iterations: scores of exact SGNS, subsampled, after each iteration, for three seeds.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from reporting import kept, machine, text_of, write_report
from training_crossover import WHOLE_TEXT8, crossover, crossover_table
from training_iterations import iterations, iterations_table
from training_peers import (
    DIM,
    NEGATIVE,
    SCORES,
    TEXTS,
    THREADS,
    WINDOW,
    fasttext,
    gensim,
    glove_program,
    quality,
    run_peer,
    word2vec,
)
from training_quality import (
    PROGRAMS,
    SEEDS,
    compared,
    compared_table,
    priors,
    priors_table,
    with_spread,
)

import andornot
from andornot.base.choices import Model, Solver
from andornot.cooccurrence import Cooccurrence, count
from andornot.corpus import Corpus, open_corpus
from andornot.training import Settings, Step, glove_loss, sgns_loss, train
from andornot.training.glove import SampledGloVe
from andornot.training.settings import PRIORS
from andornot.training.sgns_gradient import Loss
from andornot.training.threads import blas_threads

SETTINGS = Settings(dim=DIM, window=WINDOW, negative=NEGATIVE, prior=0.0, held_out=0)


# --- sampled -----------------------------------------------------------------------------------


def sampled(folder: Path, options: argparse.Namespace) -> dict:
    text = text_of("text8-prefix", folder)
    settings = replace(SETTINGS, solver=Solver.SAMPLED, epochs=options.epochs)
    corpus = open_corpus([text], cache=folder / "compiled")
    train(corpus, replace(settings, epochs=1), threads=THREADS, max_size=1000)  # compiles
    started = time.perf_counter()
    corpus = open_corpus([text], cache=folder / "cache", threads=THREADS)
    space = train(corpus, settings, threads=THREADS)
    seconds = time.perf_counter() - started
    words = space.counts.sum() * options.epochs
    rows = {"andornot": {"seconds": seconds, "words_per_second": words / seconds, **quality(space)}}
    for name, peer in {"word2vec.c": word2vec, "gensim": gensim, "fastText": fasttext}.items():
        path, seconds = kept(
            options.keep or folder,
            f"sampled-{name}-{options.epochs}.bin",
            lambda path, peer=peer: peer(text, path, options.epochs, 5),
        )
        rows[name] = {
            "seconds": seconds,
            "words_per_second": words / seconds,
            **quality(andornot.load(path)),
        }
    return {"words": words, "epochs": options.epochs, "programs": rows}


def sampled_table(result: dict) -> str:
    lines = [
        f"text8-prefix (74 % of text8), minimal count 5, {result['epochs']} epoch(s), whole "
        "programs from text to vectors:",
        "",
        "| program | words/s | andornot is | WordSim-353 | SimLex-999 | MTurk-771 | analogies |",
        "|---|---|---|---|---|---|---|",
    ]
    ours = result["programs"]["andornot"]["words_per_second"]
    for name, row in result["programs"].items():
        ratio = "" if name == "andornot" else f"{ours / row['words_per_second']:.1f} times as fast"
        scores = " | ".join(
            f"{row[key]:.3f}" for key in ("wordsim-353", "simlex-999", "mturk-771", "analogies")
        )
        lines.append(f"| {name} | {row['words_per_second']:,.0f} | {ratio} | {scores} |")
    return "\n".join(lines)


# --- exact -------------------------------------------------------------------------------------


def best_loss(counts: Cooccurrence, space: andornot.Space) -> float:
    """The lowest SGNS loss that these target vectors can have: over U it is convex.

    Nesterov steps with the exact solver's preconditioner, until they gain nothing.
    """
    loss = Loss(counts, NEGATIVE, 0.75, THREADS, head=len(space))
    target = np.array(space.target)
    p = counts.probability
    metric = (target.T * (p / 4).astype(np.float32)) @ target
    inverse = np.linalg.inv(metric + 1e-6 * np.trace(metric) * np.eye(DIM)).astype(np.float32)
    context = np.zeros_like(target)
    before = context.copy()
    best, rate, since = np.inf, np.float32(1.0), 0
    with blas_threads(THREADS):
        for step in range(400):
            ahead = context + np.float32(since / (since + 3)) * (context - before)
            gradient, value = loss.gradient(loss.context, ahead, target)
            if value > best:  # too far: from standing, with shorter steps
                since, rate = 0, rate * np.float32(0.7)
            since += 1
            before, context = context, ahead - rate * (gradient @ inverse)
            if step > 50 and 0 <= best - value < 1e-6:
                break
            best = min(best, value)
    return float(best)


def aligned(space: andornot.Space, counts: Cooccurrence) -> andornot.Space:
    """The space with its words in the order of the counts."""
    ids = np.array([space.vocabulary.index(word) for word in counts.vocabulary.words])
    return space.take(ids, "brought to the order of the counts")


def exact(folder: Path, options: argparse.Namespace) -> dict:
    text = text_of("text8-prefix", folder)
    keep = options.keep or folder
    peers = {}
    for epochs in options.iterations:
        path, seconds = kept(
            keep,
            f"exact-word2vec-{epochs}.bin",
            lambda path, epochs=epochs: word2vec(text, path, epochs, 100),
        )
        peers[f"word2vec.c, {epochs} iterations"] = (path, seconds)
    if options.gensim:
        path, seconds = kept(
            keep, "exact-gensim-5.safetensors", lambda path: gensim(text, path, 5, 100)
        )
        peers["gensim, 5 epochs"] = (path, seconds)
    corpus = open_corpus([text], cache=folder / "compiled")
    settings = replace(SETTINGS, solver=Solver.EXACT)
    train(count(corpus, min_count=100), replace(settings, epochs=1))  # compiles
    trace: list[tuple[float, float]] = []
    started = time.perf_counter()
    corpus = open_corpus([text], cache=folder / "cache", threads=THREADS)
    counts = count(corpus, min_count=100, window=WINDOW, threads=THREADS)

    def watch(step: Step) -> None:
        if step.units:
            trace.append((time.perf_counter() - started, step.loss))

    space = train(counts, settings, threads=THREADS, watch=watch)
    seconds = time.perf_counter() - started
    with blas_threads(THREADS):
        rows = {
            "andornot, exact": {
                "seconds": seconds,
                "loss": sgns_loss(space, counts),
                "iterations": space.provenance.epochs,
                **quality(space),
            }
        }
    for name, (path, taken) in peers.items():
        peer = aligned(andornot.load(path), counts)
        if peer.context is None:
            value = best_loss(counts, peer)
        else:
            value = sgns_loss(peer, counts, negative=NEGATIVE, exponent=0.75)
        # A step reports the loss before it: our times are on the safe side.
        reached = next((when for when, ours in trace if ours < value), None)
        rows[name] = {"seconds": taken, "loss": value, "reached": reached, **quality(peer)}
    slow, quick = (rows.get(f"word2vec.c, {n} iterations") for n in (20, 5))
    if slow and quick:  # what the first took beside other programs is not held against it
        slow["measured"], slow["seconds"] = (
            slow["seconds"],
            min(slow["seconds"], 4 * quick["seconds"]),
        )
    return {"words": len(counts.vocabulary), "programs": rows, "trace": trace}


def exact_table(result: dict) -> str:
    lines = [
        f"text8-prefix (74 % of text8), minimal count 100 ({result['words']:,} words):",
        "",
        "| program | seconds | SGNS loss / N | andornot is below it after | that is "
        "| WordSim-353 | SimLex-999 | MTurk-771 | analogies |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    notes = []
    for name, row in result["programs"].items():
        if row.get("measured", 0) > row["seconds"]:
            notes = [
                "",
                f"{name} took {row['measured']:,.0f} s, beside other programs; it is charged four "
                "times the seconds of 5 iterations.",
            ]
        reached = row.get("reached")
        after = "" if "reached" not in row else f"{reached:.1f} s" if reached else "never"
        part = f"1/{row['seconds'] / reached:.0f} of its time" if reached else ""
        scores = " | ".join(
            f"{row[key]:.3f}" for key in ("wordsim-353", "simlex-999", "mturk-771", "analogies")
        )
        lines.append(
            f"| {name} | {row['seconds']:,.0f} | {row['loss']:.4f} | {after} | {part} | {scores} |"
        )
    return "\n".join([*lines, *notes])


# --- GloVe -------------------------------------------------------------------------------------


def epochs_of(trainer: SampledGloVe) -> Iterator[tuple[float, float]]:
    """Train to the end; after each epoch its seconds and the mean loss of its pairs."""
    with blas_threads(1):
        last, done = time.perf_counter(), 0
        while not trainer.finished:
            trainer.step()
            if len(trainer.running) > done:
                done = len(trainer.running)
                yield time.perf_counter() - last, trainer.running[-1]
                last = time.perf_counter()


def glove(folder: Path, options: argparse.Namespace) -> dict:
    chosen = TEXTS[options.texts[0]]
    text = chosen.write(folder)
    corpus: Corpus = open_corpus([text], cache=folder / "cache")
    counts = count(corpus, min_count=chosen.min_count, window=WINDOW, weights="harmonic")
    settings = replace(SETTINGS, model="glove", epochs=options.epochs)
    train(counts, replace(settings, epochs=1, solver="exact"), threads=THREADS)  # compiles
    trainer = SampledGloVe(counts, replace(settings, solver=Solver.SAMPLED).resolved(), THREADS)
    ours = list(epochs_of(trainer))
    space = trainer.space()
    rows: dict[str, dict] = {
        "andornot, AdaGrad": {
            "seconds": sum(taken for taken, _ in ours),
            "iterations": ours,
            "loss": glove_loss(space, counts),
            **quality(space),
        }
    }
    exact = replace(settings, solver="exact", epochs=None)
    rows["andornot, exact, no prior"] = exact_glove(counts, exact)
    prior = PRIORS[Model.GLOVE]
    runs = [exact_glove(counts, replace(exact, prior=prior, seed=seed)) for seed in SEEDS]
    mean = {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}
    spread = {key: float(np.ptp([run[key] for run in runs])) for key in SCORES}
    rows[f"andornot, exact, prior {prior:g}"] = mean | {"spread": spread, "runs": runs}
    if options.glove:
        done = options.trial or options.epochs
        rows["GloVe C"] = row = glove_program(text, folder, options.glove, done, chosen.min_count)
        row["seconds"] *= options.epochs / done
        row["done"] = done
        if done == options.epochs:
            program = andornot.load(folder / "vectors.txt", format="glove-all")
            program = aligned(program, counts)
            row |= {"loss": glove_loss(program, counts, x_max=100, alpha=0.75), **quality(program)}
    return {
        "text": chosen.title,
        "pairs": counts.pairs,
        "words": len(counts.vocabulary),
        "epochs": options.epochs,
        "programs": rows,
    }


def exact_glove(counts: Cooccurrence, settings: Settings) -> dict:
    """The exact solver from the counts: seconds, sweeps, loss and scores."""
    started = time.perf_counter()
    space = train(counts, settings, threads=THREADS)
    return {
        "seconds": time.perf_counter() - started,
        "sweeps": space.provenance.epochs,
        "loss": glove_loss(space, counts),
        **quality(space),
    }


def glove_table(result: dict) -> str:
    rows, pairs = result["programs"], result["pairs"]
    lines = [
        f"{result['text']}: {pairs:,} pairs of "
        f"{result['words']:,} words, {result['epochs']} iterations of AdaGrad and of GloVe C. "
        "Seconds are from the counts. The loss is the mean over all pairs at the end, without the "
        "prior, computed by the same function; quality is that of v alone. With its prior the "
        "exact solver has the mean of three seeds, and half of the range between them.",
        "",
        "| program | seconds | pairs/s | loss | WordSim-353 | SimLex-999 | MTurk-771 | analogies |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in rows.items():
        speed = ""
        if "iterations" in row:
            speed = f"{pairs * result['epochs'] / row['seconds']:,.0f}"
        loss = f"{row['loss']:.5f}" if "loss" in row else ""
        scores = " | ".join(with_spread(row, key) if key in row else "" for key in SCORES)
        lines.append(f"| {name} | {row['seconds']:,.0f} | {speed} | {loss} | {scores} |")
    if "GloVe C" in rows:
        ours, theirs = rows["andornot, AdaGrad"], rows["GloVe C"]
        lines += ["", "| iteration | andornot, AdaGrad | GloVe C |", "|---|---|---|"]
        both = zip(ours["iterations"], theirs["iterations"], strict=False)
        for n, (mine, other) in enumerate(both, start=1):
            if n in (1, 2, 5, 10, 15, 20, 25):
                lines.append(f"| {n} | {mine[1]:.5f} | {other[1]:.5f} |")
        name, best = next((n, row) for n, row in rows.items() if "spread" in row)
        lines += [
            "",
            f"AdaGrad: {theirs['seconds'] / ours['seconds']:.1f} times the pairs/s of GloVe C. "
            f"{name.removeprefix('andornot, ').capitalize()}: 1/"
            f"{theirs['seconds'] / best['seconds']:.0f} of the time of GloVe C's "
            f"{result['epochs']} iterations.",
        ]
        if theirs["done"] < result["epochs"]:
            lines[-1] += (
                f" GloVe C was stopped after {theirs['done']} of them, and its time is "
                "extrapolated. It has no scores: AdaGrad is the same algorithm, see the losses."
            )
    return "\n".join(lines)


PARTS = {
    "sampled": (sampled, sampled_table, "Sampled SGNS"),
    "exact": (exact, exact_table, "Exact SGNS"),
    "crossover": (crossover, crossover_table, "Exact and sampled SGNS"),
    "glove": (glove, glove_table, "GloVe"),
    "compare": (compared, compared_table, "Exact SGNS beside word2vec.c"),
    "priors": (priors, priors_table, "The strength of the prior"),
    "iterations": (iterations, iterations_table, "Exact SGNS by the number of iterations"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=[*PARTS, "peers"])
    parser.add_argument("--texts", nargs="*", default=list(TEXTS), choices=TEXTS)
    parser.add_argument("--epochs", type=int, help="sampled: 1, glove: 25")
    parser.add_argument(
        "--iterations", type=int, nargs="*", default=[5, 20], help="exact, peers: of word2vec.c"
    )
    parser.add_argument(
        "--programs", nargs="*", default=list(PROGRAMS), choices=PROGRAMS, help="compare: ours"
    )
    parser.add_argument("--sample", type=float, default=0.0, help="peers: of word2vec.c")
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="*",
        default=[10_000, 20_000, 40_000, WHOLE_TEXT8, 200_000],
        help="crossover: vocabularies",
    )
    parser.add_argument("--gensim", action="store_true", help="exact: gensim too, which is slow")
    parser.add_argument("--glove", type=Path, help="the folder of GloVe's binaries")
    parser.add_argument("--trial", type=int, help="glove: extrapolate GloVe C from N iterations")
    parser.add_argument("--keep", type=Path, help="keep what slow programs trained, and go on")
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    options = parser.parse_args()
    options.epochs = options.epochs or {"glove": 25}.get(options.part, 1)
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    if options.part == "peers":
        with tempfile.TemporaryDirectory() as folder:
            for name in options.texts:
                for number in options.iterations:
                    keep = options.keep or Path(folder)
                    print(run_peer(name, number, options.sample, keep, Path(folder)))
        return
    measure, table, title = PARTS[options.part]
    with tempfile.TemporaryDirectory() as folder:
        result = measure(Path(folder), options)
    arguments = " ".join(
        part if not Path(part).is_absolute() else "FOLDER" for part in sys.argv[1:]
    )
    heading = f"# {title}\n\n`python benchmarks/training.py {arguments}` on {machine()}.\n\n"
    write_report(options.write, result, heading + table(result) + "\n")


if __name__ == "__main__":
    main()
