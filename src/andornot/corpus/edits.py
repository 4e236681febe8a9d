"""Changes to a corpus: merged phrases, artificial OR words, pieces of words, its beginning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError
from andornot.base.folders import new_folder
from andornot.base.progress import stage, track
from andornot.corpus.corpus import Corpus, digest_of, kept_corpus, load_corpus
from andornot.corpus.encoding import KIND, VERSION, write_types
from andornot.corpus.phrase_merging import JOINT, PhraseMerger, split_phrases
from andornot.words.pieces import Pieces

_TOKENS_AT_A_TIME = 1 << 22
_TYPES_AT_A_TIME = 1 << 16


def merge_phrases(corpus: Corpus, phrases: Sequence[str], joint: str = JOINT) -> Corpus:
    """A copy of the corpus in which each phrase is one token: `card game` becomes `card_game`.

    Phrases are matched from left to right, the longest first, and never across the end of a
    sentence. Phrases with a word that the corpus doesn't contain are ignored. The number of
    distinct phrases that were merged is `record["phrases"]` of the copy.

    >>> from andornot.corpus import open_corpus
    >>> corpus = open_corpus(["examples/nursery.txt"], tokenizer="words")
    >>> merged = merge_phrases(corpus, ["the cat", "the mouse"])
    >>> int(merged.vocabulary.counts.values[merged.vocabulary.index("the_cat")])
    3
    >>> merged.record["phrases"]
    2
    """
    split = split_phrases(phrases)
    vocabulary = corpus.vocabulary
    known = [phrase for phrase in split if all(word in vocabulary for word in phrase)]
    names, numbers = _extended(vocabulary.words, [joint.join(phrase) for phrase in known])
    ids = [tuple(vocabulary.index(word) for word in phrase) for phrase in known]
    merger = PhraseMerger(ids, numbers, len(vocabulary))

    def stream() -> Iterator[npt.NDArray[np.int32]]:
        starts = range(0, len(corpus.tokens), _TOKENS_AT_A_TIME)
        return merger.merged(
            np.array(corpus.tokens[start : start + _TOKENS_AT_A_TIME]) for start in starts
        )

    change = ["phrases", split, joint]
    figures = {"phrases": lambda: len(merger.found)}
    return _rewritten(corpus, change, names, stream, len(corpus.tokens), figures)


def add_or_words(
    corpus: Corpus,
    pairs: int = 500,
    above: int = 100,
    seed: int = 0,
) -> tuple[Corpus, list[tuple[str, str]]]:
    """Append a copy of the corpus in which pairs of words are replaced by `a_OR_b`.

    The pairs are drawn without replacement from the words that occur more than `above` times; the
    same seed draws the same pairs. For contexts c that are not replaced, p(a_OR_b | c) equals
    p(a | c) + p(b | c). It does not for the others: in the copy, a_OR_b co-occurs with OR words
    where a and b co-occur with the words that they replace.

    >>> from andornot.corpus import open_corpus
    >>> corpus = open_corpus(["examples/nursery.txt"], tokenizer="words")
    >>> doubled, drawn = add_or_words(corpus, pairs=2, above=1, seed=1)
    >>> doubled.size == 2 * corpus.size, len(drawn)
    (True, 2)
    """
    candidates = len(corpus.choose(above + 1))
    if pairs < 1 or 2 * pairs > candidates:
        raise AndornotError(
            f"can't draw {pairs:,} pairs of words that occur more than {above:,} times: only "
            f"{candidates:,} words do; reduce pairs or above"
        )
    drawn = np.random.default_rng(seed).permutation(candidates)[: 2 * pairs].reshape(pairs, 2)
    words = corpus.vocabulary.words
    chosen = [(words[a], words[b]) for a, b in drawn.tolist()]
    names, numbers = _extended(words, [f"{a}_OR_{b}" for a, b in chosen])
    replaced = np.arange(len(words) + 1, dtype=np.int32)
    replaced[-1] = -1  # sentence ends stay
    for (a, b), number in zip(drawn.tolist(), numbers.tolist(), strict=True):
        replaced[a] = replaced[b] = number

    def stream() -> Iterator[npt.NDArray[np.int32]]:
        for table in (None, replaced):
            for start in range(0, len(corpus.tokens), _TOKENS_AT_A_TIME):
                part = np.array(corpus.tokens[start : start + _TOKENS_AT_A_TIME])
                yield part if table is None else table[part]

    change = ["or", pairs, above + 1, seed]
    return _rewritten(corpus, change, names, stream, 2 * len(corpus.tokens)), chosen


def cut_into_pieces(corpus: Corpus, pieces: Pieces) -> Corpus:
    """Return a copy of the corpus in which a model's tokenizer has split each token into pieces.

    Each type is split only once. Pieces are named as the tokenizer writes them, including the
    piece for unknown text.

    Args:
        corpus: A text tokenised at white space.
        pieces: A tokenizer that splits at spaces first, as BERT's does.

    Raises:
        AndornotError: If the tokenizer doesn't split at spaces.
    """
    if not pieces.cuts_at_spaces:
        raise AndornotError(
            f"the tokenizer ({pieces.kind}) doesn't split text at spaces first; use one that "
            "does, such as WordPiece"
        )
    types = corpus.vocabulary.words
    starts = range(0, len(types), _TYPES_AT_A_TIME)
    cut = [
        pieces.cut(types[start : start + _TYPES_AT_A_TIME])
        for start in track(starts, "splitting words into pieces")
    ]
    # one more type of one piece, so that the id -1 of a sentence end stays -1
    flat = np.concatenate([*(numbers for numbers, _ in cut), [-1]]).astype(np.int32)
    lengths = np.concatenate([*(each for _, each in cut), [1]])
    firsts = np.cumsum(lengths) - lengths

    def stream() -> Iterator[npt.NDArray[np.int32]]:
        for start in range(0, len(corpus.tokens), _TOKENS_AT_A_TIME):
            part = np.array(corpus.tokens[start : start + _TOKENS_AT_A_TIME])
            often = lengths[part]
            begins = np.cumsum(often) - often
            yield flat[np.repeat(firsts[part] - begins, often) + np.arange(often.sum())]

    counts = corpus.vocabulary.counts
    assert counts is not None
    size = int(counts.values @ lengths[:-1]) + len(corpus.tokens) - corpus.size
    names = [pieces.tokens.get(number, "") for number in range(max(pieces.tokens) + 1)]
    return _rewritten(corpus, ["pieces", pieces.digest], names, stream, size)


def beginning(corpus: Corpus, size: int) -> Corpus:
    """Return a copy of the first `size` tokens of a corpus; the corpus itself if it has no more.

    >>> from andornot.corpus import open_corpus
    >>> part = beginning(open_corpus(["examples/nursery.txt"], tokenizer="words"), 20)
    >>> part.size, int(part.vocabulary.counts.values.sum())
    (20, 20)
    """
    if size >= corpus.size:
        return corpus

    def stream() -> Iterator[npt.NDArray[np.int32]]:
        left = size
        for start in range(0, len(corpus.tokens), _TOKENS_AT_A_TIME):
            part = np.array(corpus.tokens[start : start + _TOKENS_AT_A_TIME])
            known = np.cumsum(part >= 0)  # tokens so far, without sentence ends
            if known[-1] >= left:
                yield part[: np.searchsorted(known, left) + 1]
                return
            left -= int(known[-1])
            yield part

    lines = len(corpus.tokens) - corpus.size
    return _rewritten(corpus, ["beginning", size], corpus.vocabulary.words, stream, size + lines)


def _extended(
    words: Sequence[str], added: Sequence[str]
) -> tuple[list[str], npt.NDArray[np.int32]]:
    """Return all names with the added ones, and the ids of the added; existing names are reused."""
    names = list(words)
    index = {word: number for number, word in enumerate(words)}
    for name in added:
        if name not in index:
            index[name] = len(names)
            names.append(name)
    return names, np.array([index[name] for name in added], dtype=np.int32)


def _rewritten(
    corpus: Corpus,
    change: list[Any],
    names: Sequence[str],
    stream: Callable[[], Iterator[npt.NDArray[np.int32]]],
    most: int,
    figures: Mapping[str, Callable[[], int]] | None = None,
) -> Corpus:
    """Return the changed corpus, from the cache if possible.

    Args:
        corpus: The corpus to change.
        change: The kind of the change and its settings, which identify it in the cache.
        names: The words of the changed corpus.
        stream: Yields its tokens.
        most: The largest number of tokens that it can have.
        figures: Further integers for its record, computed once the stream has ended. A cached
            corpus without them is written again.
    """
    figures = figures or {}
    key = digest_of([VERSION, corpus.key, change])
    folder = corpus.path.with_name(key)
    kept = kept_corpus(folder)
    if kept is None or not all(isinstance(kept.record.get(name), int) for name in figures):
        with new_folder(folder, replace=True) as writer, stage("rewriting the text") as report:
            counts = np.zeros(len(names))
            size = 0
            for part in stream():
                writer.append("tokens", part)
                counts += np.bincount(part[part >= 0], minlength=len(names))
                size += len(part)
                report(size / most)
            types = [name.encode() for name in names]
            pieces = [(size, 0)]
            record = write_types(writer, types, counts, pieces, [np.arange(len(types))])
            record |= {name: figure() for name, figure in figures.items()}
            files = corpus.record.get("files", [])
            writer.finish(KIND, {"key": key, "files": files, "change": change[0], **record})
        kept = load_corpus(folder)
    return kept
