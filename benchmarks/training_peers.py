"""The programs beside which the trainers are measured, and what they reached.

word2vec.c takes hours, so it runs once for each text, with one seed. results/training-peers.json
keeps its scores. Its speed is measured again in every run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from reporting import kept, text_of, tokens_of

import andornot
from andornot.cooccurrence import Cooccurrence
from andornot.datasets import locate, read_questions, read_word_pairs
from andornot.evaluation import analogies, similarity
from andornot.training import Settings

DIM, WINDOW, NEGATIVE, THREADS = 300, 5, 15, 2
SETTINGS = Settings(dim=DIM, window=WINDOW, negative=NEGATIVE, prior=0.0, held_out=0)
SCORES = ("wordsim-353", "simlex-999", "mturk-771", "analogies")
RECORD = Path(__file__).parent.parent / "results" / "training-peers.json"
_PROGRESS = re.compile(rb"Progress: ([0-9.]+)%")


class Text(NamedTuple):
    """A text, how many of its tokens are taken (None: all), and the minimal count of a word."""

    name: str
    size: int | None
    min_count: int

    @property
    def title(self) -> str:
        """The name of the text in tables."""
        part = "74 % of text8" if self.size is None else f"its first {self.size:,} tokens"
        return f"{self.name} ({part}), minimal count {self.min_count}"

    def write(self, folder: Path) -> Path:
        """Write it as plain lines of words."""
        if self.size is None:
            return text_of(self.name, folder)
        return tokens_of(self.name, folder, self.size)


TEXTS = {
    "text8-prefix": Text("text8-prefix", None, 100),
    "enwiki-sample": Text("enwiki-sample", 20_000_000, 20),
}


def quality(space: andornot.Space) -> dict[str, float]:
    """The four scores that stand beside every speed."""
    scores = {
        name: similarity(space, read_word_pairs(locate(name))).spearman
        for name in ("wordsim-353", "simlex-999", "mturk-771")
    }
    return scores | {
        "analogies": analogies(space, read_questions(locate("google-analogies"))).accuracy
    }


def aligned(space: andornot.Space, counts: Cooccurrence) -> andornot.Space:
    """The space with its words in the order of the counts."""
    ids = np.array([space.vocabulary.index(word) for word in counts.vocabulary.words])
    return space.take(ids, "brought to the order of the counts")


# --- the peers ---------------------------------------------------------------------------------


def word2vec(text: Path, output: Path, epochs: int, min_count: int, sample: float = 0.0) -> None:
    """The original C program."""
    command = word2vec_command(text, output, epochs, min_count, sample)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def word2vec_command(
    text: Path, output: Path, epochs: int, min_count: int, sample: float = 0.0
) -> list[str]:
    """Its command."""
    command = [str(Path(sys.executable).with_name("word2vec")), "-train", str(text)]
    settings = {
        "output": output,
        "size": DIM,
        "window": WINDOW,
        "negative": NEGATIVE,
        "iter": epochs,
        "min-count": min_count,
        "threads": THREADS,
        "sample": sample,
        "hs": 0,
        "cbow": 0,
        "binary": 1,
    }
    for name, value in settings.items():
        command += [f"-{name}", str(value)]
    return command


def word2vec_times(
    text: Path, epochs: int, min_count: int, sample: float, trial: float = 45.0
) -> dict[str, float]:
    """Estimate the seconds of an entire run, and its CPU seconds, from its first seconds.

    The time before the first progress, in which it reads the words, is counted once.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = word2vec_command(text, Path(folder) / "vectors.bin", epochs, min_count, sample)
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        seen: list[tuple[float, float, float]] = []  # seconds, CPU seconds, part done
        while not seen or seen[-1][0] - seen[0][0] < trial:
            told = process.stdout.read1(1 << 16)
            if not told:
                raise SystemExit(f"word2vec ended within {trial:.0f} s: the text is too short")
            if found := _PROGRESS.findall(told):
                spent = time.perf_counter() - began, _cpu_seconds(process.pid)
                seen.append((*spent, float(found[-1]) / 100))
        process.kill()
        process.wait()
    *first, before = seen[0]
    *last, after = seen[-1]
    whole = [
        start + (1 - before) * (end - start) / (after - before)
        for start, end in zip(first, last, strict=True)
    ]
    return {"seconds": whole[0], "cpu": whole[1]}


def _cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of all threads of a running process (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peer_scores(text: str) -> dict[str, dict[str, float]]:
    """Return the recorded scores of the peers on a text."""
    known = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    return known.get(text, {})


def run_peer(
    name: str, iterations: int, sample: float, keep: Path, folder: Path
) -> dict[str, float]:
    """Run word2vec.c on a text, or take what an interrupted benchmark has kept; record it."""
    text = TEXTS[name]

    def make(path: Path) -> None:
        word2vec(text.write(folder), path, iterations, text.min_count, sample)

    label = f"word2vec.c, {iterations} iterations" + f", sample {sample:g}" * bool(sample)
    path, seconds = kept(keep, f"{name}-{label}.bin", make)
    row = {"iterations": iterations, "sample": sample, "seconds": seconds}
    row |= quality(andornot.load(path))
    known = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    known.setdefault(name, {})[label] = row
    RECORD.write_text(json.dumps(known, indent=2) + "\n")
    return row


def gensim(text: Path, output: Path, epochs: int, min_count: int) -> None:
    """Gensim's Word2Vec, both sides kept in a file of ours."""
    from gensim.models import Word2Vec
    from gensim.models.word2vec import Text8Corpus

    model = Word2Vec(
        Text8Corpus(str(text), max_sentence_length=1000),
        sg=1,
        hs=0,
        vector_size=DIM,
        window=WINDOW,
        negative=NEGATIVE,
        sample=0,
        min_count=min_count,
        epochs=epochs,
        workers=THREADS,
    )
    andornot.save(andornot.from_gensim(model), output, format="native", force=True)


def fasttext(text: Path, output: Path, epochs: int, min_count: int) -> None:
    """FastText without subwords, which is word2vec."""
    import fasttext as program

    model = program.train_unsupervised(
        str(text),
        model="skipgram",
        dim=DIM,
        ws=WINDOW,
        neg=NEGATIVE,
        epoch=epochs,
        minCount=min_count,
        maxn=0,
        t=1.0,
        lr=0.025,
        thread=THREADS,
        verbose=0,
    )
    model.save_model(str(output))


def glove_program(
    text: Path, folder: Path, programs: Path, iterations: int, min_count: int
) -> dict:
    """GloVe C from its own counts; the cost it prints after each iteration, and when."""
    shuffled = folder / "shuffled.bin"
    steps = [
        (["vocab_count", "-min-count", str(min_count)], text, folder / "vocab.txt"),
        (
            ["cooccur", "-vocab-file", "vocab.txt", "-window-size", str(WINDOW), "-memory", "4"],
            text,
            folder / "pairs.bin",
        ),
        (["shuffle", "-memory", "4"], folder / "pairs.bin", shuffled),
    ]
    for command, source, target in steps:
        with source.open("rb") as reader, target.open("wb") as writer:
            subprocess.run(
                [programs / command[0], *command[1:], "-verbose", "0"],
                stdin=reader,
                stdout=writer,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                check=True,
            )
    command = ["glove", "-save-file", "vectors", "-input-file", shuffled.name, "-binary", "2"]
    command += ["-threads", str(THREADS), "-iter", str(iterations), "-vector-size", str(DIM)]
    command += ["-x-max", "100", "-vocab-file", "vocab.txt", "-model", "0", "-verbose", "2"]
    process = subprocess.Popen(
        [programs / command[0], *command[1:]], cwd=folder, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    trace, last = [], time.perf_counter()
    for line in process.stderr:
        if found := re.search(r"iter: (\d+), cost: ([0-9.]+)", line):
            trace.append((time.perf_counter() - last, float(found[2])))
            last = time.perf_counter()
    if process.wait():
        raise SystemExit("glove failed")
    return {"seconds": sum(taken for taken, _ in trace), "iterations": trace}
