"""Sentence encoder based on a space, with the interface of MTEB."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base import defaults
from andornot.base.moments import unit_rows
from andornot.postprocessing.sentences import encode, texts_of
from andornot.space import Space

Rows = npt.NDArray[np.float32]
MTEB_KEYWORDS = {
    "task_metadata",
    "hf_split",
    "hf_subset",
    "prompt_type",
    "batch_size",
    "show_progress_bar",
    "precision",
    "num_proc",
}
"""Keywords that MTEB passes to an encoder; they have no effect here."""


@dataclass(frozen=True, eq=False)
class SentenceEncoder:
    """Encodes sentences with the word vectors of a space; post-process the space first.

    Use it with MTEB: `mteb.evaluate(SentenceEncoder(space), tasks)`.

    Attributes:
        space: The word vectors.
        weights: "sum", or "sif" for the mean by SIF weights.
        tokenizer: "words" or "whitespace". Default: the space's own tokenizer
            if it has one, else "words".

    >>> from andornot import Vocabulary
    >>> encoder = SentenceEncoder(Space(Vocabulary(["a", "b"]), np.eye(2, dtype=np.float32)))
    >>> encoder.encode(["A, b and a!"]).tolist()
    [[2.0, 1.0]]
    """

    space: Space
    weights: str = defaults.SENTENCE_WEIGHTS
    tokenizer: str | None = None

    def encode(
        self,
        sentences: Sequence[str | Sequence[str]] | Iterable[Mapping[str, Sequence[str]]],
        **ignored: Any,
    ) -> Rows:
        """Return a vector for each sentence.

        Args:
            sentences: Texts, lists of words, or batches that have a list under "text".
            ignored: The keywords that MTEB passes.

        Raises:
            TypeError: If a keyword is not one of MTEB's.
        """
        if unknown := ignored.keys() - MTEB_KEYWORDS:
            raise TypeError(f"encode() got an unexpected keyword argument {min(unknown)!r}")
        texts = texts_of(sentences)
        return encode(self.space, texts, weights=self.weights, tokenizer=self.tokenizer)

    def similarity(self, embeddings1: npt.NDArray[Any], embeddings2: npt.NDArray[Any]) -> Rows:
        """Return the cosines between all rows of one matrix and all rows of another.

        >>> from andornot import Vocabulary
        >>> encoder = SentenceEncoder(Space(Vocabulary(["a", "b"]), np.eye(2, dtype=np.float32)))
        >>> left, right = encoder.encode(["a"]), encoder.encode(["a b", "b"])
        >>> encoder.similarity(left, right).round(2).tolist()
        [[0.7099999785423279, 0.0]]
        """
        left, right = unit_rows(np.atleast_2d(embeddings1)), unit_rows(np.atleast_2d(embeddings2))
        return np.asarray(left @ right.T, dtype=np.float32)

    def similarity_pairwise(
        self, embeddings1: npt.NDArray[Any], embeddings2: npt.NDArray[Any]
    ) -> Rows:
        """Return the cosines between corresponding rows of two matrices.

        >>> from andornot import Vocabulary
        >>> encoder = SentenceEncoder(Space(Vocabulary(["a", "b"]), np.eye(2, dtype=np.float32)))
        >>> encoder.similarity_pairwise(encoder.encode(["a"]), encoder.encode(["b"])).tolist()
        [0.0]
        """
        left, right = unit_rows(np.atleast_2d(embeddings1)), unit_rows(np.atleast_2d(embeddings2))
        return np.asarray((left * right).sum(axis=1), dtype=np.float32)

    @property
    def mteb_model_meta(self) -> Any:
        """Describe the model for MTEB; needs the package mteb."""
        try:
            from mteb.models.model_meta import ModelMeta
        except ImportError as error:
            raise AttributeError("the package mteb is not installed; pip install mteb") from error
        return ModelMeta.create_empty({"name": "andornot/space", "embed_dim": self.space.dim})
