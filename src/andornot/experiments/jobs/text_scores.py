"""Scores of texts for a query of a few words: BM25, and weighted sums of word vectors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.moments import unit_rows
from andornot.words.vocabulary import Vocabulary

K1, B = 1.2, 0.75


def counted(texts: Iterable[str]) -> tuple[Vocabulary, Any]:
    """Return the words of the texts, matched by [a-z]+, and a sparse matrix of their counts.

    >>> words, counts = counted(["A cat, a dog", "the cat!"])
    >>> words.words, counts.toarray().tolist()
    (('a', 'cat', 'dog', 'the'), [[2.0, 1.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
    """
    from scipy.sparse import csr_matrix

    columns: dict[str, int] = {}
    cells: list[int] = []
    starts = [0]
    for text in texts:
        words = re.findall("[a-z]+", text.lower())
        cells += [columns.setdefault(word, len(columns)) for word in words]
        starts.append(len(cells))
    ones = np.ones(len(cells), dtype=np.float32)
    counts = csr_matrix((ones, cells, starts), shape=(len(starts) - 1, len(columns)))
    counts.sum_duplicates()
    return Vocabulary(list(columns)), counts


def bm25(counts: Any, queries: Sequence[Sequence[int]]) -> npt.NDArray[np.float64]:
    """Return the BM25 score of every text for every query, given as a list of columns.

    As in Lucene: k1 = 1.2, b = 0.75 and idf = log(1 + (n - df + .5)/(df + .5)).
    """
    lengths = np.asarray(counts.sum(axis=1)).ravel()
    scores = np.zeros((counts.shape[0], len(queries)))
    by_word = counts.tocsc()
    for number, query in enumerate(queries):
        for column in query:
            part = by_word[:, [column]].tocoo()
            tf, rows = part.data.astype(np.float64), part.row
            idf = np.log1p((counts.shape[0] - len(rows) + 0.5) / (len(rows) + 0.5))
            length = K1 * (1 - B + B * lengths[rows] / lengths.mean())
            scores[rows, number] += idf * tf * (K1 + 1) / (tf + length)
    return scores


def text_vectors(
    counts: Any, rows: npt.NDArray[np.float32], weights: npt.NDArray[Any]
) -> npt.NDArray[np.float32]:
    """Return the weighted sum of the vectors of each text's words, scaled to length 1.

    Args:
        counts: Counts of each word in each text.
        rows: The vector of each word.
        weights: The weight of each word.
    """
    return np.asarray(unit_rows((counts.multiply(weights).tocsr() @ rows).astype(np.float32)))
