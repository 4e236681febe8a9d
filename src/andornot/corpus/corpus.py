"""Corpus: the token ids of a text, memory-mapped from a cache on disk."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Tokenizer
from andornot.base.defaults import MIN_COUNT
from andornot.base.errors import AndornotError, AndornotWarning, FileError, UsageError
from andornot.base.folders import (
    RECORD,
    FolderWriter,
    map_array,
    new_folder,
    read_record,
    recover,
    user_cache,
    writing_cache,
)
from andornot.base.kernels import kernel
from andornot.base.parallel import thread_count
from andornot.base.remedies import option, remedy
from andornot.base.temporaries import remove_stale, temporary_path
from andornot.corpus.encoding import KIND, VERSION, report_broken, tokenise
from andornot.corpus.reading import content_key, find_files
from andornot.corpus.token_lists import (
    ORIGIN as LISTS,
)
from andornot.corpus.token_lists import (
    Paths,
    TokenLists,
    paths_or_lists,
    size_of,
    write_token_lists,
)
from andornot.corpus.token_table import END_OF_SENTENCE
from andornot.words.stored_words import read_words
from andornot.words.vocabulary import Vocabulary

_REMEDY = "the cache may be damaged; remove this folder and read the text again"


@dataclass(frozen=True, eq=False)
class Corpus:
    """A text as a stream of token ids, with -1 at the end of each sentence.

    `vocabulary` contains every type of the text, the most frequent first (ties: by bytes), so that
    a minimum count or a maximum size keeps the first ids. `key` is a digest of the content and of
    all settings.

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
        """The number of tokens, without sentence ends."""
        return int(self.record["tokens"])

    @property
    def lines(self) -> int:
        """The number of lines, including lines without tokens."""
        return len(self.tokens) - self.size

    def choose(self, min_count: int = 1, max_size: int | None = None) -> Vocabulary:
        """Return the words that occur at least `min_count` times, at most `max_size` of them.

        >>> len(open_corpus(["examples/nursery.txt"], tokenizer="words").choose(min_count=3))
        3
        """
        check_word_choice(min_count, max_size)
        counts = self.vocabulary.counts
        assert counts is not None
        size = int(np.searchsorted(-counts.values, -min_count, side="right"))
        if not size:
            raise no_frequent_word(min_count, self.vocabulary.word(0), counts.values[0])
        return self.vocabulary.take(np.arange(min(size, max_size or size)))

    def numbers_in(self, vocabulary: Vocabulary) -> npt.NDArray[np.int32]:
        """Return the id of each type in another vocabulary, or -2 for types it doesn't contain."""
        kept = len(vocabulary)
        own = self.vocabulary
        numbers = np.full(len(own), OUTSIDE, dtype=np.int32)
        end = own.offsets[kept] if kept <= len(own) else -1
        if end == len(vocabulary.utf8) and (
            np.array_equal(own.offsets[: kept + 1], vocabulary.offsets)
            and np.array_equal(own.utf8[:end], vocabulary.utf8)
        ):
            numbers[:kept] = np.arange(kept)  # the first words of this corpus's own vocabulary
            return numbers
        index = {word: number for number, word in enumerate(vocabulary.words)}
        for number, word in enumerate(own.words):
            numbers[number] = index.get(word, OUTSIDE)
        if (numbers == OUTSIDE).all():
            raise no_known_word(kept)
        return numbers


def check_word_choice(min_count: int, max_size: int | None) -> None:
    """Raise UsageError unless words can be chosen by this minimal count and maximal number.

    >>> check_word_choice(5, None)
    """
    if min_count < 1 or (max_size is not None and max_size < 1):
        raise UsageError(
            f"min_count and max_size must be at least 1, got {min_count} and {max_size}"
        )


def least_count(min_count: int | None, max_size: int | None, fixed_words: str | None = None) -> int:
    """Return the count from which on words are chosen; 5 by default.

    Args:
        min_count: The smallest count, or None.
        max_size: The largest number of words, or None for all.
        fixed_words: What fixes the words, so that none are chosen; None if nothing does.

    Raises:
        UsageError: If they are out of range, or given although the words are fixed.

    >>> least_count(None, 1000), least_count(2, None)
    (5, 2)
    """
    if fixed_words is not None and (min_count is not None or max_size is not None):
        raise UsageError(
            f"{fixed_words} the words; leave out {option('min_count')} and {option('max_size')}"
        )
    least = MIN_COUNT if min_count is None else min_count
    check_word_choice(least, max_size)
    return least


def no_frequent_word(min_count: int, word: str, count: float) -> AndornotError:
    """Return the error for a text of rare words, of which `word` is the most frequent."""
    times = "once" if count == 1 else f"{count:,.0f} times"
    return AndornotError(
        f"no word occurs at least {min_count:,} times (the most frequent, {word!r}, occurs "
        f"{times}); lower {option('min_count')}"
    )


def no_known_word(size: int) -> AndornotError:
    """Return the error for a text without any of the `size` words of a vocabulary."""
    return AndornotError(
        f"not one of the {size:,} words of the vocabulary is in the corpus; "
        "it belongs to another corpus or to another way of tokenising"
    )


OUTSIDE = -2
"""The id of a type that is not in the vocabulary; such tokens are dropped."""


@kernel
def keep_known(
    tokens: npt.NDArray[np.int32], numbers: npt.NDArray[np.int32], out: npt.NDArray[np.int32]
) -> int:
    """Map tokens to new ids, drop tokens without an id, and return the number of tokens left.

    Sentence ends are kept, but only the first of several in a row.

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
    source: Paths | TokenLists,
    *,
    tokenizer: str = "whitespace",
    separator: str | None = None,
    strict: bool = False,
    without_markup: bool = False,
    threads: int | None = None,
    cache: str | Path | None = None,
) -> Corpus:
    """Tokenise a text, or open its tokens from the cache.

    The tokens are cached in a folder named by a digest of the content and the settings.

    Args:
        source: Files, folders or standard input (`-`); or an iterable of token lists, which is read
            once and never loaded into memory as a whole.
        tokenizer: "whitespace", or "words" for lower-case words.
        separator: One character that separates the tokens of a line, instead of white space; a
            token may then contain spaces.
        strict: Refuse bytes that are not UTF-8. Otherwise they are replaced, and a warning tells
            how many.
        without_markup: Remove leftover templates, tags, entities and URLs.
        threads: The number of threads; default: all cores.
        cache: The cache folder; default: ANDORNOT_CACHE, or the user's cache folder.

    >>> open_corpus(["examples/nursery.txt"], tokenizer="words").size
    45
    >>> open_corpus([["sku:12 A", "milk"], ["milk"]]).vocabulary.words
    ('milk', 'sku:12 A')
    """
    if tokenizer not in tuple(Tokenizer):
        raise UsageError(f"unknown tokenizer {tokenizer!r}; choose one of {', '.join(Tokenizer)}")
    between = check_separator(separator, tokenizer)
    home = cache_folder(cache)
    paths, lists = paths_or_lists(source)
    if paths is None:
        if tokenizer != Tokenizer.WHITESPACE or separator or strict or without_markup:
            raise UsageError(
                "token lists are tokenised already; leave out tokenizer, separator, strict and "
                "without_markup"
            )
        return _keep_lists(lists, size_of(source), home)
    _refuse_texts(paths)
    files = find_files(paths)
    names = [str(path) for path in files]
    content = content_key(files)
    way = [
        tokenizer,
        strict,
        *(["without markup"] if without_markup else []),
        *(["separator", separator] if separator else []),
    ]
    key = None if content is None else digest_of([VERSION, content, *way])
    corpus = None if key is None else kept_corpus(home / key)
    if corpus is None:
        # The digest of standard input is known only after reading it.
        with new_folder(home / (key or "reading"), replace=True) as writer:
            record = tokenise(
                files,
                tokenizer,
                strict,
                thread_count(threads),
                writer,
                without_markup=without_markup,
                separator=between,
            )
            if content != content_key(files):
                raise AndornotError(f"{names[0]}: the corpus changed while it was read; try again")
            if key is None:
                key = _content_digest(writer, way)
                writer.target = home / key
            writer.finish(KIND, {"key": key, "files": names, **record})
        corpus = load_corpus(home / key)
    report_broken(names, corpus.record)
    return replace(corpus, record=corpus.record | {"files": names})


def _keep_lists(lists: TokenLists, size: int, home: Path) -> Corpus:
    """Convert token lists to ids, and cache them under a digest of their content."""
    with new_folder(home / "reading", replace=True) as writer:
        record = write_token_lists(lists, size, writer)
        key = _content_digest(writer, [LISTS])
        writer.target = home / key
        writer.finish(KIND, {"key": key, "files": [LISTS], **record})
    return load_corpus(home / key)


def _content_digest(writer: FolderWriter, way: Sequence[Any]) -> str:
    """Return a digest of the written tokens, for a text that can be read only once."""
    held = [writer.digest(name) for name in ("tokens", "words", "word_offsets")]
    return digest_of([VERSION, held, *way])


def check_separator(separator: str | None, tokenizer: str) -> bytes:
    """Return the bytes of a separator, none for white space.

    Raises:
        UsageError: If it is not one character, or another tokenizer is chosen.
    """
    if separator is None:
        return b""
    if not isinstance(separator, str) or len(separator) != 1 or separator in "\n\r\0":
        raise UsageError(
            f"{option('separator')} must be one character other than a line end, got {separator!r}"
        )
    if tokenizer != Tokenizer.WHITESPACE:
        raise UsageError(
            f"{option('separator')} and {option('tokenizer')} can't be combined; leave one out"
        )
    return separator.encode("utf-8")


def _refuse_texts(paths: Sequence[str | PathLike[str]]) -> None:
    """Raise an error for a text given instead of a path or a list of tokens."""
    for row, path in enumerate(paths):
        if not isinstance(path, str | PathLike):
            raise UsageError(f"source[{row}] must be a path, like source[0], got {path!r}")
        is_text = isinstance(path, str) and any(map(str.isspace, path))
        if is_text and not os.path.lexists(path):
            python = f"source[{row}] is read as a path; pass a text as a list of tokens, such as "
            raise FileError(
                path,
                "no file has this name",
                remedy(python=f"{python}.split()", command="check the name"),
            )


def cache_folder(cache: str | Path | None) -> Path:
    """Return the folder of cached corpora: `cache`, ANDORNOT_CACHE, or the user's cache."""
    home = user_cache("corpora") if cache is None else Path(cache)
    with writing_cache(home, "tokens"):
        home.mkdir(parents=True, exist_ok=True)
        remove_stale(home)
    return home


def digest_of(parts: Any) -> str:
    """Return a short digest of settings and content.

    >>> digest_of(["a", {"b": 1}]) == digest_of(["a", {"b": 1}])
    True
    """
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:24]


def load_corpus(folder: Path) -> Corpus:
    """Open a cached corpus, memory-mapped.

    Every token is checked once, so that no kernel accesses memory out of range.

    Raises:
        FileError: If the folder is not a corpus, or is damaged.
    """
    record = read_record(folder)
    if record.get("kind") != KIND or not isinstance(record.get("key"), str):
        raise FileError(folder, "this is not a cached corpus", _REMEDY)
    vocabulary = read_words(folder, record, "counts")
    tokens = map_array(folder, record, "tokens", "<i4")
    assert vocabulary.counts is not None
    counts = vocabulary.counts.values
    seen = np.zeros(len(counts), dtype=np.int64)
    if not count_tokens(tokens, seen) or not np.array_equal(seen, counts):
        raise FileError(folder, "the tokens don't match their counts", _REMEDY)
    if (np.diff(counts) > 0).any() or record.get("tokens") != float(counts.sum()):
        raise FileError(folder, "the words don't match their counts", _REMEDY)
    if not all(isinstance(record.get(name, 0), int) for name in ("broken_bytes", "broken_tokens")):
        raise FileError(folder, "the number of invalid bytes is missing", _REMEDY)
    return Corpus(folder, tokens, vocabulary, record["key"], record)


@kernel
def count_tokens(tokens: npt.NDArray[np.int32], seen: npt.NDArray[np.int64]) -> bool:
    """Count the tokens of each type in `seen`; return False if one is out of range.

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
    """Return a cached corpus, or None, with a warning if it is damaged.

    Raises:
        FileError: If a file or a link that can't be opened is in the place of the folder.
    """
    recover(folder)
    if not os.path.lexists(folder):
        return None
    try:
        return load_corpus(folder)
    except FileError as error:
        is_ours = (folder / RECORD).exists()
        if not is_ours and (folder.is_symlink() or folder.is_file()):  # in the way of a new folder
            raise FileError(folder, "this is not a folder of cached tokens", "remove it") from error
        warnings.warn(f"{error}; reading the text again now", AndornotWarning, stacklevel=4)
    if is_ours:  # `new_folder` replaces it
        return None
    doomed = temporary_path(folder)
    with writing_cache(folder.parent, "tokens"), suppress(FileNotFoundError):
        folder.rename(doomed)
    if (doomed / RECORD).exists():  # another process has just put a new folder there
        with suppress(OSError):  # a third one may have done so again
            doomed.rename(folder)
        return kept_corpus(folder)
    shutil.rmtree(doomed, ignore_errors=True)
    return None
