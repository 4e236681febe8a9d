"""Corpus: the tokens of a text as numbers, most frequent first, mapped from the disk."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Tokenizer
from andornot.base.errors import AndornotError, AndornotWarning, FileError, UsageError
from andornot.base.folders import (
    is_folder_of,
    map_array,
    new_folder,
    read_record,
    user_cache,
)
from andornot.base.kernels import kernel
from andornot.base.parallel import thread_count
from andornot.base.temporaries import remove_stale
from andornot.corpus.encoding import KIND, VERSION, report_broken, tokenise
from andornot.corpus.reading import content_key, find_files
from andornot.corpus.token_table import END_OF_SENTENCE
from andornot.words.stored_words import read_words
from andornot.words.vocabulary import Vocabulary

_REMEDY = "it may be damaged: remove it, and read the text again"


@dataclass(frozen=True, eq=False)
class Corpus:
    """A text as a stream of token numbers, with -1 at the end of each sentence.

    `vocabulary` holds every type of the text, the most frequent first (then by its bytes), so that
    a minimal count or a maximal size is a cut at some number. `key` is a digest of the content and
    of everything that was done to it.

    >>> corpus = open_corpus(["examples/nursery.txt"], tokenizer="words")
    >>> corpus.vocabulary.words[:3], corpus.vocabulary.counts.values[:3].tolist()
    (('the', 'mouse', 'cat'), [10.0, 4.0, 3.0])
    """

    path: Path
    tokens: npt.NDArray[np.int32]
    vocabulary: Vocabulary
    key: str
    record: dict[str, Any]

    @property
    def size(self) -> int:
        """The number of tokens, sentence ends not among them."""
        return int(self.record["tokens"])

    def choose(self, min_count: int = 1, max_size: int | None = None) -> Vocabulary:
        """The vocabulary of the words that come at least `min_count` times, at most `max_size`.

        >>> len(open_corpus(["examples/nursery.txt"], tokenizer="words").choose(min_count=3))
        3
        """
        if min_count < 1 or (max_size is not None and max_size < 1):
            raise UsageError(
                f"min_count and max_size must be at least 1, got {min_count} and {max_size}"
            )
        counts = self.vocabulary.counts
        assert counts is not None
        size = int(np.searchsorted(-counts.values, -min_count, side="right"))
        if not size:
            raise AndornotError(
                f"no word occurs at least {min_count:,} times (the most frequent, "
                f"{self.vocabulary.word(0)!r}, occurs {counts.values[0]:,.0f} times); lower "
                "--min-count"
            )
        return self.vocabulary.take(np.arange(min(size, max_size or size)))

    def numbers_in(self, vocabulary: Vocabulary) -> npt.NDArray[np.int32]:
        """For each type of the corpus its number in another vocabulary, or -2 where it has none."""
        kept = len(vocabulary)
        own = self.vocabulary
        numbers = np.full(len(own), OUTSIDE, dtype=np.int32)
        end = own.offsets[kept] if kept <= len(own) else -1
        if end == len(vocabulary.utf8) and (
            np.array_equal(own.offsets[: kept + 1], vocabulary.offsets)
            and np.array_equal(own.utf8[:end], vocabulary.utf8)
        ):
            numbers[:kept] = np.arange(kept)  # a cut of this corpus's own vocabulary
            return numbers
        index = {word: number for number, word in enumerate(vocabulary.words)}
        for number, word in enumerate(own.words):
            numbers[number] = index.get(word, OUTSIDE)
        if (numbers == OUTSIDE).all():
            raise AndornotError(
                f"not one of the {kept:,} words of the vocabulary is in the corpus; "
                "it belongs to another corpus or to another way of tokenising"
            )
        return numbers


OUTSIDE = -2
"""The number of a type that is not in the vocabulary: it leaves the stream."""


@kernel
def keep_known(
    tokens: npt.NDArray[np.int32], numbers: npt.NDArray[np.int32], out: npt.NDArray[np.int32]
) -> int:
    """Renumber tokens and leave out those with no number; how many remain.

    Sentence ends stay; of several in a row only the first does.

    >>> out = np.zeros(4, dtype=np.int32)
    >>> tokens = np.array([2, 0, -1, 1, -1], dtype=np.int32)
    >>> size = keep_known(tokens, np.array([5, -2, 7], dtype=np.int32), out)
    >>> out[:size].tolist()
    [7, 5, -1]
    """
    written = 0
    for token in tokens:
        if token == END_OF_SENTENCE:
            if not written or out[written - 1] != END_OF_SENTENCE:
                out[written] = END_OF_SENTENCE
                written += 1
        elif numbers[token] >= 0:
            out[written] = numbers[token]
            written += 1
    return written


def open_corpus(
    paths: Sequence[str | Path],
    *,
    tokenizer: str = "whitespace",
    strict: bool = False,
    without_markup: bool = False,
    threads: int | None = None,
    cache: str | Path | None = None,
) -> Corpus:
    """Tokenise files, folders or standard input (`-`), or open what an earlier run has kept.

    The tokens are kept under `cache` (by default the user's cache folder), named by a digest of
    the content and the settings. `strict` refuses bytes that are not UTF-8; otherwise they are
    replaced, and a warning says how many. `without_markup` removes templates, tags, entities and
    URLs that are left in the text.

    >>> open_corpus(["examples/nursery.txt"], tokenizer="words").size
    45
    """
    if tokenizer not in tuple(Tokenizer):
        raise UsageError(f"unknown tokenizer {tokenizer!r}; choose one of {', '.join(Tokenizer)}")
    files = find_files(paths)
    names = [str(path) for path in files]
    content = content_key(files)
    home = cache_folder(cache)
    way = [tokenizer, strict, *(["without markup"] if without_markup else [])]
    key = None if content is None else digest_of([VERSION, content, *way])
    corpus = None if key is None else kept_corpus(home / key)
    if corpus is None:
        # Standard input has no name before it is read: it is kept under a digest of what it held.
        with new_folder(home / (key or "reading"), replace=True) as writer:
            record = tokenise(
                files,
                tokenizer,
                strict,
                thread_count(threads),
                writer,
                without_markup=without_markup,
            )
            if content != content_key(files):
                raise AndornotError(f"{names[0]}: the corpus changed while it was read; try again")
            if key is None:
                held = [writer.digest(name) for name in ("tokens", "words", "word_offsets")]
                key = digest_of([VERSION, held, *way])
                writer.target = home / key
            writer.finish(KIND, {"key": key, "files": names, **record})
        corpus = load_corpus(home / key)
    report_broken(names, corpus.record)
    return replace(corpus, record=corpus.record | {"files": names})


def cache_folder(cache: str | Path | None) -> Path:
    """Where corpora are kept: `cache`, ANDORNOT_CACHE, or the user's cache folder."""
    home = user_cache("corpora") if cache is None else Path(cache)
    try:
        home.mkdir(parents=True, exist_ok=True)
        remove_stale(home)
    except OSError as error:
        raise AndornotError(
            f"{home}: tokens can't be kept there ({error.strerror}); "
            "set ANDORNOT_CACHE to a folder that can be written"
        ) from error
    return home


def digest_of(parts: Any) -> str:
    """A short name for settings and content.

    >>> digest_of(["a", {"b": 1}]) == digest_of(["a", {"b": 1}])
    True
    """
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:24]


def load_corpus(folder: Path) -> Corpus:
    """Map a corpus from the folder where it is kept.

    Every token is read once, so that no kernel indexes memory by one that is out of range.

    Raises:
        FileError: If the folder has no corpus, or a damaged one.
    """
    record = read_record(folder)
    if record.get("kind") != KIND or not isinstance(record.get("key"), str):
        raise FileError(folder, "it is not a corpus", _REMEDY)
    vocabulary = read_words(folder, record, "counts")
    tokens = map_array(folder, record, "tokens", "<i4")
    assert vocabulary.counts is not None
    counts = vocabulary.counts.values
    seen = np.zeros(len(counts), dtype=np.int64)
    if not count_tokens(tokens, seen) or not np.array_equal(seen, counts):
        raise FileError(folder, "its tokens are not those that were counted", _REMEDY)
    if (np.diff(counts) > 0).any() or record.get("tokens") != float(counts.sum()):
        raise FileError(folder, "its words are not those that were counted", _REMEDY)
    if not all(isinstance(record.get(name, 0), int) for name in ("broken_bytes", "broken_tokens")):
        raise FileError(folder, "it doesn't say how much of the text was not UTF-8", _REMEDY)
    return Corpus(folder, tokens, vocabulary, record["key"], record)


@kernel
def count_tokens(tokens: npt.NDArray[np.int32], seen: npt.NDArray[np.int64]) -> bool:
    """Count the tokens of each type in `seen`; whether all of them are in range.

    >>> seen = np.zeros(2, dtype=np.int64)
    >>> count_tokens(np.array([1, -1, 1], dtype=np.int32), seen), seen.tolist()
    (True, [0, 2])
    """
    for token in tokens:
        if token != END_OF_SENTENCE:
            if not 0 <= token < len(seen):
                return False
            seen[token] += 1
    return True


def kept_corpus(folder: Path) -> Corpus | None:
    """The corpus that an earlier run has kept; None, with a warning, where it is damaged."""
    if not is_folder_of(folder, KIND):
        return None
    try:
        return load_corpus(folder)
    except FileError as error:
        warnings.warn(f"{error}; it is made again now", AndornotWarning, stacklevel=4)
        return None
