"""Compute sentence vectors: the sum of word vectors, as in the paper, or their SIF mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base import defaults
from andornot.base.arguments import shown
from andornot.base.choices import SentenceWeights, Tokenizer
from andornot.base.errors import UsageError
from andornot.postprocessing.affine import Affine
from andornot.space import Space
from andornot.words.vocabulary import Vocabulary

SIF_SCALE = 1e-3


def encode(
    space: Space,
    sentences: Sequence[str | Sequence[str]],
    *,
    weights: str = defaults.SENTENCE_WEIGHTS,
    tokenizer: str | None = None,
    mapped: Affine | None = None,
) -> npt.NDArray[np.float32]:
    """Return a vector for each sentence; unknown words are ignored.

    A sentence without a known word has the vector 0.

    Args:
        space: The word vectors.
        sentences: Texts, or lists of words.
        weights: "sum" adds the word vectors (the AND of the words); "sif" is their mean with the
            weights a/(a + p(w)), a = 0.001, where p(w) is the relative frequency of a word in the
            text (Arora and others 2017, without the removal of the common component, which
            centring replaces).
        tokenizer: "words" or "whitespace". Default: the space's own tokenizer if it has one, else
            "words". A word of a list that isn't in the space counts as its pieces.
        mapped: A post-processing to apply to the vectors, without a copy of the space.

    >>> from andornot import Vocabulary
    >>> space = Space(Vocabulary(["a", "b"]), np.array([[1.0, 0.0], [0.0, 2.0]]))
    >>> encode(space, ["A b, b!", "nothing"]).tolist()
    [[1.0, 4.0], [0.0, 0.0]]
    """
    from scipy.sparse import csr_matrix

    if weights not in tuple(SentenceWeights):
        raise UsageError(f"weights must be {' or '.join(SentenceWeights)}, got {shown(weights)}")
    if isinstance(sentences, str):
        raise UsageError(f"sentences must be a list, got the text {shown(sentences)}; pass [text]")
    rows, columns = _occurrences(space, sentences, tokenizer)
    values = np.ones(len(rows), dtype=np.float32)
    if weights == SentenceWeights.SIF and len(rows):
        p = unigram_shares(space)[columns]
        lengths = np.bincount(rows, minlength=len(sentences))
        values = (sif_weights(p) / lengths[rows]).astype(np.float32)
    shape = (len(sentences), len(space))
    counts = csr_matrix((values, (rows, columns)), shape=shape, dtype=np.float32)
    vectors = np.asarray(counts @ space.target, dtype=np.float32)
    if mapped is None:
        return vectors
    # the map of a sum: the mean is subtracted once per word
    vectors -= np.asarray(counts.sum(axis=1), dtype=np.float32) * mapped.mean.astype(np.float32)
    if mapped.matrix is None:
        return vectors
    return np.asarray(vectors @ mapped.matrix, dtype=np.float32)


def count_in_texts(
    space: Space, sentences: Sequence[str | Sequence[str]], tokenizer: str | None = None
) -> npt.NDArray[np.float64]:
    """Count each word of a space in sentences; see `encode`.

    >>> from andornot import Vocabulary
    >>> space = Space(Vocabulary(["a", "b"]), np.eye(2, dtype=np.float32))
    >>> count_in_texts(space, ["A b, b!", "nothing"]).tolist()
    [1.0, 2.0]
    """
    _, columns = _occurrences(space, sentences, tokenizer)
    return np.bincount(columns, minlength=len(space)).astype(np.float64)


def unigram_shares(space: Space) -> npt.NDArray[np.float64]:
    """Return the relative frequency of each word in the text; see `shares_of`."""
    return shares_of(space.vocabulary, space.probability)


def shares_of(vocabulary: Vocabulary, p: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the relative frequency of each word in the text, or p without counts.

    Counts are preferred: the marginal of a subsampled training has lost most occurrences of
    frequent words, whose weight SIF should reduce.

    >>> words, p = Vocabulary(["a", "b"]), np.array([0.5, 0.5])
    >>> shares_of(words, p).tolist(), shares_of(words.with_counts({"a": 3, "b": 1}), p).tolist()
    ([0.5, 0.5], [0.75, 0.25])
    """
    return p if vocabulary.counts is None else vocabulary.counts.shares


def sif_weights(p: npt.NDArray[np.float64], scale: float = SIF_SCALE) -> npt.NDArray[np.float64]:
    """Return a/(a + p), by default with a = 0.001, for words of these relative frequencies.

    >>> sif_weights(np.array([0.0, 0.001])).tolist()
    [1.0, 0.5]
    """
    return np.asarray(scale / (scale + p), dtype=np.float64)


def texts_of(
    inputs: Sequence[str | Sequence[str]] | Iterable[Mapping[str, Sequence[str]]],
) -> Sequence[str | Sequence[str]]:
    """Return the sentences, also from batches with a list under "text".

    >>> texts_of([{"text": ["a", "b"]}, {"text": ["c"]}])
    ['a', 'b', 'c']
    """
    if isinstance(inputs, str):
        return inputs
    found: list[Any] = list(inputs)
    if not found or not isinstance(found[0], Mapping):
        return found
    return [text for batch in found for text in batch["text"]]


def _occurrences(
    space: Space, sentences: Sequence[str | Sequence[str]], tokenizer: str | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return, for each occurrence of a known word, the indices of its sentence and of the word."""
    if tokenizer is not None or space.pieces is None:
        return _known_words(space, words_in(sentences, tokenizer or Tokenizer.WORDS))
    strings = [i for i, each in enumerate(sentences) if isinstance(each, str)]
    numbers, lengths = space.pieces.cut([str(sentences[i]) for i in strings])
    columns = space.token_rows[numbers]
    rows = np.repeat(np.array(strings, dtype=np.int64), lengths)
    lists = [[] if isinstance(each, str) else list(each) for each in sentences]
    more_rows, more_columns = _known_words(space, lists)
    return (
        np.concatenate([rows[columns >= 0], more_rows]),
        np.concatenate([columns[columns >= 0], more_columns]),
    )


def _known_words(
    space: Space, sentences: Sequence[Sequence[str]]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Like `_occurrences`, for lists of words; an unknown word counts as its pieces."""

    @cache
    def columns_of(word: str) -> list[int]:
        pieces = (word,) if word in space else space.pieces_of(word) or ()
        return [space.vocabulary.index(piece) for piece in pieces]

    found = [
        (number, column)
        for number, words in enumerate(sentences)
        for word in words
        for column in columns_of(word)
    ]
    both = np.array(found, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def words_in(
    sentences: Sequence[str | Sequence[str]], tokenizer: str = Tokenizer.WORDS
) -> list[list[str]]:
    """Return the words of each sentence; all texts are tokenised at once.

    >>> words_in(["Red wine, please!", ["as", "given"]])
    [['red', 'wine', 'please'], ['as', 'given']]
    """
    if tokenizer not in tuple(Tokenizer):
        raise UsageError(f"unknown tokenizer {tokenizer!r}; choose one of {', '.join(Tokenizer)}")
    found = [[] if isinstance(sentence, str) else list(sentence) for sentence in sentences]
    texts = [(i, text) for i, text in enumerate(sentences) if isinstance(text, str)]
    if not texts:
        return found
    # imported here, as compiled code is rarely needed by a query
    from andornot.corpus.tokenizing import find_words
    from andornot.corpus.white_space import split_at_white_space

    words = [split_at_white_space(text) for _, text in texts]
    if tokenizer == Tokenizer.WORDS:
        lines = "\n".join(map(" ".join, words)).encode("utf-8", "replace")
        lower = find_words(np.frombuffer(lines, dtype=np.uint8))[0].tobytes().decode("utf-8")
        words = [split_at_white_space(line) for line in lower.split("\n")]
    for (number, _), each in zip(texts, words, strict=True):
        found[number] = each
    return found
