"""Convert gensim's objects to spaces and back, in memory; no pickle is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError
from andornot.space import Space
from andornot.words.counts import Counts, CountsOrigin
from andornot.words.provenance import Provenance
from andornot.words.subwords import Subwords
from andornot.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

INVENTED = "ignored the counts that gensim had invented (V, V-1, ..., 1)"


def from_gensim(model: Any) -> Space:
    """Convert a gensim Word2Vec or FastText model, or KeyedVectors, to a Space."""
    keyed = getattr(model, "wv", model)
    if not hasattr(keyed, "index_to_key") or not hasattr(keyed, "vectors"):
        raise AndornotError(
            f"{type(model).__name__} is not a gensim 4 model with word vectors; "
            "pass a Word2Vec, FastText or KeyedVectors object"
        )
    trained = keyed is not model
    counts = _counts(keyed)
    provenance = Provenance(f"gensim {type(model).__name__}")
    if counts is not None and not trained and _invented(counts):
        counts = None
        provenance = provenance.then(INVENTED)
    if trained:
        provenance = _training(model, provenance)
    words = [str(key) for key in keyed.index_to_key]
    origin = CountsOrigin.TRAINING if trained else CountsOrigin.GIVEN
    return Space(
        Vocabulary(
            words,
            None if counts is None else Counts(counts, origin, provenance.origin).check(),
        ),
        np.array(keyed.vectors[: len(words)], dtype=np.float32),
        context=_context(model, len(words)),
        subwords=_subwords(keyed),
        provenance=provenance,
    )


def _counts(keyed: Any) -> npt.NDArray[np.float64] | None:
    stored = getattr(keyed, "expandos", {}).get("count")
    if stored is None:
        return None
    known = [0 if count is None else count for count in stored[: len(keyed.index_to_key)]]
    counts = np.array(known, dtype=np.float64)
    return counts if counts.any() else None


def _invented(counts: npt.NDArray[np.float64]) -> bool:
    """Return True if the counts are placeholders of gensim.

    Without a vocabulary file, load_word2vec_format sets the count of word i of V to V - i. They
    decrease by one from word to word; in a selection of such vectors they are still all
    different, which true counts of a thousand words never are.
    """
    if len(counts) < 2:
        return False
    falling = bool((np.diff(counts) == -1).all())
    return falling or (len(counts) >= 1000 and len(np.unique(counts)) == len(counts))


def _context(model: Any, size: int) -> npt.NDArray[np.float32] | None:
    """Return the context vectors, syn1neg; syn1 has nodes of a tree, not words."""
    vectors = getattr(model, "syn1neg", None)
    return None if vectors is None else np.array(vectors[:size], dtype=np.float32)


def _subwords(keyed: Any) -> Subwords | None:
    matrix = getattr(keyed, "vectors_ngrams", None)
    if matrix is None or not keyed.max_n or not len(matrix):
        return None
    return Subwords(np.array(matrix, dtype=np.float32), max(1, int(keyed.min_n)), int(keyed.max_n))


def _training(model: Any, provenance: Provenance) -> Provenance:
    sampled = bool(model.negative)
    return Provenance(
        provenance.origin,
        model="sgns" if model.sg and sampled else ("skipgram" if model.sg else "cbow"),
        window=int(model.window),
        weighting="linear" if model.shrink_windows else "flat",
        negatives=int(model.negative) if sampled else None,
        negative_exponent=float(model.ns_exponent) if sampled else None,
        subsample=float(model.sample),
        epochs=int(model.epochs),
        history=provenance.history,
    )


def to_gensim(space: Space) -> KeyedVectors:
    """Convert the target vectors to gensim KeyedVectors, with counts if the space has them."""
    try:
        from gensim.models import KeyedVectors
    except ImportError as error:
        raise AndornotError("the package gensim is not installed; pip install gensim") from error
    keyed = KeyedVectors(space.dim)
    keyed.add_vectors(list(space.words), np.array(space.target))
    counts = space.vocabulary.counts
    if counts is not None:
        whole = counts.values == np.floor(counts.values)
        values = counts.values.astype(np.int64) if whole.all() else counts.values
        for word, count in zip(space.words, values.tolist(), strict=True):
            keyed.set_vecattr(word, "count", count)
    return keyed
