"""`andornot train`: from text or counts to a space."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

from andornot.base.errors import AndornotError
from andornot.base.folders import is_folder_of
from andornot.cli.console import progress_bars
from andornot.cli.count import open_text, parse_size
from andornot.cooccurrence import Cooccurrence, load_counts
from andornot.cooccurrence.store import KIND
from andornot.corpus import Corpus
from andornot.training import Settings, Step, train
from andornot.training.jobs import TOKENS_PER_WORD, choose_solver
from andornot.training.output_paths import check_output_paths
from andornot.words.vocabulary import Vocabulary


def train_space(
    paths: list[str],
    output: Path,
    settings: Settings,
    *,
    min_count: int | None,
    max_size: int | None,
    tokenizer: str | None,
    strict: bool,
    memory: str,
    threads: int | None,
    resume: bool,
    force: bool,
    checkpoint_minutes: float,
    weights: str | None,
) -> None:
    """Read, train, and say what came of it and how long it took."""
    size = parse_size(memory)
    check_output_paths(output, resume, force)  # before the text is read, which may take long
    began = time.perf_counter()
    source = _open(paths, min_count, max_size, tokenizer, strict, threads)
    words = None
    if isinstance(source, Corpus):
        words = source.choose(5 if min_count is None else min_count, max_size)
        if len(words) < 2:
            raise AndornotError(
                f"only one word, {words.word(0)!r}, is left to train on; lower --min-count, raise "
                "--max-size, or take --tokenizer words for text that people wrote"
            )
    solver = choose_solver(settings, words, source.size if isinstance(source, Corpus) else 0)
    if settings.solver == "auto":
        print(f"solver: {solver} ({_reason(source, words, settings)})")
    steps: list[Step] = []
    name = "words" if (settings.model, solver) == ("sgns", "sampled") else "pairs"
    with progress_bars("counting", "training") as (counting, progress):

        def watch(step: Step) -> None:
            steps.append(step)
            if progress:
                progress(step.done, _note(steps, name))

        space = train(
            source,
            settings,
            weights=weights,
            vocabulary=words,
            threads=threads,
            memory=size,
            output=output,
            resume=resume,
            force=force,
            checkpoint_every=60 * checkpoint_minutes,
            counting=counting,
            watch=watch,
        )
    seconds = time.perf_counter() - began
    loss = "" if math.isnan(steps[-1].loss) else f", loss {steps[-1].loss:.4f}"
    print(
        f"{output}: {len(space):,} words x {space.dim}, {space.provenance.epochs} epochs{loss}, "
        f"in {seconds:.1f} s"
    )


def _note(steps: list[Step], unit: str) -> str:
    """What stands beside the bar. The first step, which may compile, is no measure of speed."""
    step = steps[-1]
    timed = steps[2:] or steps[1:]
    note = f"epoch {step.epoch:.1f}"
    if not math.isnan(step.loss):
        note += f"  loss {step.loss:.4f}"
    if timed:
        rate = sum(each.units for each in timed) / sum(each.seconds for each in timed)
        note += f"  {rate:,.0f} {unit}/s"
    return note


def _open(
    paths: list[str],
    min_count: int | None,
    max_size: int | None,
    tokenizer: str | None,
    strict: bool,
    threads: int | None,
) -> Corpus | Cooccurrence:
    """The counts that are named, or the text."""
    folders = [path for path in paths if path != "-" and is_folder_of(Path(path), KIND)]
    if not folders:
        return open_text(paths, tokenizer or "whitespace", strict, threads)
    if len(paths) > 1:
        raise AndornotError(f"{folders[0]}: these are counts; name them alone")
    asked: dict[str, Any] = {
        "--min-count": min_count,
        "--max-size": max_size,
        "--tokenizer": tokenizer,
    }
    for name, value in asked.items():
        if value is not None:
            raise AndornotError(
                f"{folders[0]}: counts have their words already; leave off {name}, or count again"
            )
    return load_counts(folders[0])


def _reason(source: Corpus | Cooccurrence, words: Vocabulary | None, settings: Settings) -> str:
    """Why `auto` took the solver that it took."""
    if settings.model == "glove":
        return "the exact minimum of GloVe's loss fits rare pairs too closely"
    if words is None or not isinstance(source, Corpus):
        return "from counts"
    if settings.dim > len(words):
        return f"{len(words):,} words are fewer than {settings.dim} dimensions"
    return (
        f"{source.size / len(words):,.0f} tokens for each of {len(words):,} words; "
        f"exact pays from {TOKENS_PER_WORD} on"
    )
