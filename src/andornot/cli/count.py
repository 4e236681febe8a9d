"""`andornot count`: from text to co-occurrence counts."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import numpy as np

from andornot.base.errors import AndornotError, FileError
from andornot.base.files import Source
from andornot.cli.console import print_json, progress_bar, readable_size
from andornot.cooccurrence import Cooccurrence, count, load_counts
from andornot.cooccurrence.store import check_output
from andornot.corpus import Corpus, open_corpus
from andornot.corpus.edits import merge_phrases
from andornot.corpus.tokenizing import find_words
from andornot.words.vocabulary import Vocabulary

_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)(i?)b?\s*", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def parse_size(text: str) -> int:
    """A number of bytes as people write it.

    >>> parse_size("4GB"), parse_size("512 MiB"), parse_size("1.5g")
    (4000000000, 536870912, 1500000000)
    """
    match = _SIZE.fullmatch(text)
    if not match:
        raise AndornotError(f"{text!r} is no size of memory; write 500MB, 2GB or 1.5GiB")
    base = 1024 if match[3] else 1000
    return int(float(match[1]) * base ** _POWERS[match[2].lower()])


def count_corpus(
    paths: list[str],
    output: Path,
    *,
    tokenizer: str,
    strict: bool,
    phrases: Path | None,
    vocabulary: Path | None,
    save_vocab: Path | None,
    memory: str,
    force: bool,
    threads: int | None,
    **settings: Any,
) -> None:
    """Tokenise, count, and say what came of it and how long it took."""
    size = parse_size(memory)
    words = None if vocabulary is None else _read_vocabulary(vocabulary)
    check_output(output, force)  # before the text is read, which may take long
    merged = None if phrases is None else _read_phrases(phrases, tokenizer)
    began = time.perf_counter()
    corpus = open_text(paths, tokenizer, strict, threads)
    if merged is not None:
        corpus = merge_phrases(corpus, merged)
        found = sum("_".join(phrase.split()) in corpus.vocabulary for phrase in merged)
        print(f"{found:,} of {len(merged):,} phrases were found and merged")
    with progress_bar("counting", total=corpus.size, unit="tokens") as progress:
        counts = count(
            corpus,
            vocabulary=words,
            memory=size,
            threads=threads,
            output=output,
            force=force,
            progress=progress,
            **settings,
        )
    if save_vocab is not None:
        counts.vocabulary.write(save_vocab)
    seconds = time.perf_counter() - began
    print(
        f"{output}: {counts.pairs:,} pairs of {len(counts.vocabulary):,} words "
        f"from {corpus.size:,} tokens in {seconds:.1f} s ({corpus.size / seconds:,.0f} tokens/s)"
    )


def open_text(paths: list[str], tokenizer: str, strict: bool, threads: int | None) -> Corpus:
    """Tokenise files, with a bar."""
    megabytes = sum(Path(path).stat().st_size for path in paths if Path(path).is_file()) / 1e6
    with progress_bar("tokenising", total=megabytes, unit="MB") as progress:
        return open_corpus(
            paths, tokenizer=tokenizer, strict=strict, threads=threads, progress=progress
        )


def _read_vocabulary(path: Path) -> Vocabulary:
    """The words of a file, or of other counts."""
    return load_counts(path).vocabulary if path.is_dir() else Vocabulary.read(path)


def _read_phrases(path: Path, tokenizer: str) -> list[str]:
    """The phrases of a file, in tokens like those of the corpus."""
    with Source(path) as source:
        try:
            text = source.read()
            if tokenizer == "words":
                text = find_words(np.frombuffer(text, dtype=np.uint8))[0].tobytes()
            lines = text.decode("utf-8").splitlines()
        except UnicodeDecodeError as error:
            raise FileError(path, "bytes that are not UTF-8", "convert it to UTF-8") from error
    phrases = [line.strip() for line in lines if line.strip()]
    if not phrases:
        raise FileError(path, "there are no phrases in it", "write one on each line")
    return phrases


def show_counts(path: Path, as_json: bool) -> None:
    """Print what a folder of counts holds."""
    facts = describe_counts(load_counts(path), path)
    if as_json:
        print_json(facts)
        return
    for label, value in [
        ("counts", facts["path"]),
        ("words", f"{facts['words']:,}"),
        ("pairs", f"{facts['pairs']:,} that co-occur ({facts['density']:.2%} of all)"),
        ("total", f"{facts['total']:,.0f}"),
        ("tokens", f"{facts['settings']['tokens']:,}"),
        ("window", f"{facts['settings']['window']} words, {facts['settings']['weights']} weights"),
        ("subsampling", facts["settings"]["sample"] or "none"),
        ("corpus", ", ".join(facts["settings"]["corpus"][:3])),
        ("most frequent", " ".join(facts["most_frequent"])),
        ("on disk", readable_size(facts["bytes"])),
    ]:
        print(f"{label:<16} {value}")


def describe_counts(counts: Cooccurrence, path: Path) -> dict[str, Any]:
    """Everything there is to say about counts, ready for JSON."""
    size = len(counts.vocabulary)
    return {
        "path": str(path),
        "words": size,
        "pairs": counts.pairs,
        "density": counts.pairs / size**2,
        "total": counts.total,
        "settings": counts.settings,
        "most_frequent": [counts.vocabulary.word(i) for i in range(min(10, size))],
        "bytes": sum(file.stat().st_size for file in path.iterdir()),
    }
