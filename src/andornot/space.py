"""Space: a vocabulary with its counts, target and context vectors and biases; immutable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from andornot.base.arguments import check_counts, check_matrix, check_names
from andornot.base.caching import cached_property
from andornot.base.errors import AndornotError, MissingCountsError, UsageError
from andornot.base.html import table
from andornot.words.counts import Counts, CountsOrigin, CountsSource, noise_weights
from andornot.words.pieces import Pieces
from andornot.words.provenance import Provenance
from andornot.words.subwords import Subwords
from andornot.words.vocabulary import Vocabulary

Matrix = npt.NDArray[np.float32]
_SHOWN = 5  # words shown in a notebook


class LateRows(Protocol):
    """Vectors that are decoded when they are first used."""

    @property
    def shape(self) -> tuple[int, int]:
        """The number of words and the dimension."""

    def rows(self) -> Matrix:
        """Return the vectors."""


class _DecodedOnUse:
    """The field of a matrix that may be given as `LateRows`."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, space: Space | None, owner: type) -> Matrix | None:
        if space is None:
            return None  # the default of the field
        found: Matrix | LateRows | None = space.__dict__[self._name]
        if found is None or isinstance(found, np.ndarray):
            return found
        rows = found.rows()
        rows.flags.writeable = False
        space.__dict__[self._name] = rows
        return rows

    def __set__(self, space: Space, rows: Matrix | LateRows | None) -> None:
        space.__dict__[self._name] = rows


@dataclass(frozen=True, eq=False, repr=False)
class Space:
    """Words, counts, target and context vectors and biases: all that the theory needs.

    Values that the source didn't have are None; nothing is invented. The arrays are read-only
    views that share memory with the given float32 arrays, which should not be changed later.

    Args:
        vocabulary: The words and their counts.
        target: The target vectors v_w, one row per word.
        context: The context vectors u_c, one row per word.
        target_bias: GloVe's a_w.
        context_bias: GloVe's b_c.
        marginal: The co-occurrence mass of each word during training, if known.
        target_mean: The mean that post-processing subtracted from the target vectors.
        context_mean: The mean that post-processing subtracted from the context vectors.
        subwords: N-grams that compose vectors of unknown words, as in fastText.
        pieces: The model's tokenizer, whose pieces compose vectors of unknown words.
        provenance: The origin of the vectors, and what was done to them.

    >>> space = Space(Vocabulary(["king", "queen"]), np.eye(2, dtype=np.float32))
    >>> space.vector("queen").tolist(), "crown" in space, len(space)
    ([0.0, 1.0], False, 2)
    """

    vocabulary: Vocabulary
    target: Matrix
    context: Matrix | None = _DecodedOnUse()  # type: ignore[assignment]
    target_bias: npt.NDArray[np.float32] | None = None
    context_bias: npt.NDArray[np.float32] | None = None
    marginal: npt.NDArray[np.float64] | None = None
    target_mean: npt.NDArray[np.float64] | None = None
    context_mean: npt.NDArray[np.float64] | None = None
    subwords: Subwords | None = None
    pieces: Pieces | None = None
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        if not isinstance(self.vocabulary, Vocabulary):
            raise TypeError(
                f"vocabulary must be a Vocabulary, got {type(self.vocabulary).__name__}; "
                "create a space from names and vectors with Space.from_arrays(names, matrix)"
            )
        size = len(self.vocabulary)
        if not size:
            raise AndornotError("a space needs at least one word")
        object.__setattr__(self, "target", np.asarray(self.target, dtype=np.float32))
        if self.target.ndim != 2 or len(self.target) != size or not self.target.shape[1]:
            raise AndornotError(
                f"target has the shape {self.target.shape} for {size:,} words; "
                "pass one row for each word"
            )
        shapes = {
            "target": (np.float32, self.target.shape),
            "context": (np.float32, self.target.shape),
            "target_bias": (np.float32, (size,)),
            "context_bias": (np.float32, (size,)),
            "marginal": (np.float64, (size,)),
            "target_mean": (np.float64, (self.dim,)),
            "context_mean": (np.float64, (self.dim,)),
        }
        for name, (dtype, shape) in shapes.items():
            given = self.__dict__[name]
            if given is None:
                continue
            is_late = hasattr(given, "rows")
            array = given if is_late else np.asarray(given, dtype=dtype).view()
            if array.shape != shape:
                raise AndornotError(f"{name} has the shape {array.shape}; it must be {shape}")
            if not is_late:
                array.flags.writeable = False
                object.__setattr__(self, name, array)
        if self.subwords is not None and self.subwords.matrix.shape[1] != self.dim:
            raise AndornotError(
                f"subwords have the dimension {self.subwords.matrix.shape[1]} and the space has "
                f"{self.dim}; they must be equal"
            )

    @classmethod
    def from_arrays(
        cls,
        names: Iterable[str],
        matrix: npt.ArrayLike,
        counts: npt.ArrayLike | Mapping[str, float] | None = None,
        context: npt.ArrayLike | None = None,
    ) -> Space:
        """Create a space from any matrix, such as document vectors of a sentence encoder.

        Args:
            names: The name of each row: unique strings, which may contain spaces.
            matrix: The vectors, a row for each name.
            counts: The count of each name, in the order of the names or as a mapping from
                them; their proportions are p. Default: unknown.
            context: The context vectors, of the same shape as the matrix.

        Raises:
            UsageError: If an argument is invalid; the message names it and the row.

        >>> Space.from_arrays(["doc 1", "doc 2"], [[1.0, 0.0], [0.0, 1.0]], counts=[3, 1])
        Space(2 words x 2, counts: given, context vectors: no)
        >>> Space(["doc 1", "doc 2"], [[1.0, 0.0], [0.0, 1.0]])
        Traceback (most recent call last):
        ...
        TypeError: vocabulary must be a Vocabulary, got list; create a space from names ...
        """
        known = check_names(names, "names")
        target = check_matrix(matrix, "matrix", len(known))
        vocabulary = Vocabulary(known)
        if isinstance(counts, Mapping):
            vocabulary = vocabulary.with_counts(counts)
        elif counts is not None:
            values = check_counts(counts, "counts", len(known))
            vocabulary = vocabulary.with_counts(Counts(values, CountsOrigin.GIVEN, "an array"))
        other = None if context is None else check_matrix(context, "context", len(known))
        return cls(vocabulary, target, other, provenance=Provenance("arrays in Python"))

    # --- words -----------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.vocabulary)

    def __contains__(self, word: object) -> bool:
        return word in self.vocabulary

    def __repr__(self) -> str:
        counts = self.vocabulary.counts
        return (
            f"Space({len(self):,} words x {self.dim}, "
            f"counts: {'none' if counts is None else counts.origin}, "
            f"context vectors: {'yes' if self.has_context else 'no'})"
        )

    def _repr_html_(self) -> str:
        counts = self.vocabulary.counts
        record = self.provenance
        words = ", ".join(self.vocabulary.word(i) for i in range(min(len(self), _SHOWN)))
        rows = [
            ("words", f"{len(self):,}: {words}{', ...' if len(self) > _SHOWN else ''}"),
            ("dimension", f"{self.dim}"),
            ("counts", "none" if counts is None else str(counts)),
            ("context vectors", "yes" if self.has_context else "no"),
            ("post-processing", record.postprocess or "none"),
            ("origin", ", ".join(filter(None, [record.origin, record.model]))),
        ]
        return table(rows, caption="Space")

    def __getitem__(self, words: str | Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the target vector of a word, as `vector` does, or a row for each of several words.

        >>> space = Space(Vocabulary(["king", "queen"]), np.eye(2, dtype=np.float32))
        >>> space["queen"].tolist(), space[["queen", "king"]].tolist()
        ([0.0, 1.0], [[0.0, 1.0], [1.0, 0.0]])
        """
        if isinstance(words, list | tuple):
            rows = [self.vector(word) for word in words]
            return np.stack(rows) if rows else np.empty((0, self.dim), dtype=np.float32)
        return self.vector(words)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[str]:
        return iter(self.vocabulary)

    def in_memory(self) -> Space:
        """Return the space with all its arrays in memory.

        Arrays of a native file are memory-mapped: if the file is truncated, or the disk fails,
        reading them kills the process. A long-running process should use a copy in memory.
        """
        arrays: dict[str, Any] = {
            each.name: np.array(getattr(self, each.name))
            for each in fields(self)
            if isinstance(getattr(self, each.name), np.ndarray)
        }
        subwords = self.subwords
        if subwords is not None:
            subwords = replace(subwords, matrix=np.array(subwords.matrix))
        pieces = copy(self.pieces)
        if pieces is not None:
            pieces.utf8 = np.array(pieces.utf8)
            pieces.utf8.flags.writeable = False
        vocabulary = self.vocabulary.in_memory()
        return replace(self, vocabulary=vocabulary, subwords=subwords, pieces=pieces, **arrays)

    @property
    def dim(self) -> int:
        """The dimension of the vectors."""
        return int(self.target.shape[1])

    @property
    def has_context(self) -> bool:
        """True if there are context vectors; reading this doesn't decode them.

        >>> Space(Vocabulary(["the"]), np.eye(1, dtype=np.float32)).has_context
        False
        """
        return self.__dict__["context"] is not None

    @property
    def words(self) -> tuple[str, ...]:
        """All words, in order."""
        return self.vocabulary.words

    def vector(self, word: str) -> npt.NDArray[np.float32]:
        """Return the target vector v of a word; unknown words are composed if possible.

        The composed vector is the mean of n-grams, or the sum of pieces.

        >>> Space(Vocabulary(["king"]), np.ones((1, 2), dtype=np.float32)).vector("kind")
        Traceback (most recent call last):
        ...
        andornot.base.errors.UnknownWordError: unknown word 'kind'; did you mean 'king'?
        """
        if self.subwords is not None and word not in self.vocabulary:
            composed = self.subwords.compose(word)
            if composed is not None:
                return composed
        found = self.pieces_of(word)
        if found is not None:
            rows = self.target[[self.vocabulary.index(piece) for piece in found]]
            return np.asarray(rows.sum(axis=0), dtype=np.float32)
        row: npt.NDArray[np.float32] = self.target[self.vocabulary.index(word)]
        return row

    def pieces_of(self, word: str) -> tuple[str, ...] | None:
        """Return the words of the vocabulary of which an unknown word is composed, or None.

        >>> Space(Vocabulary(["king"]), np.ones((1, 2), dtype=np.float32)).pieces_of("kings")
        """
        if self.pieces is None or word in self.vocabulary:
            return None
        found = self.pieces.split(word)
        return None if found is None or not all(piece in self for piece in found) else found

    @cached_property
    def token_rows(self) -> npt.NDArray[np.int64]:
        """Return the row of each token id of `pieces`, or -1 for tokens without a row."""
        if self.pieces is None:
            raise AndornotError("this space has no tokenizer; load a BERT-like model")
        rows = np.full(max(self.pieces.tokens) + 1, -1, dtype=np.int64)
        for number, word in self.pieces.words.items():
            if word in self.vocabulary:
                rows[number] = self.vocabulary.index(word)
        rows.flags.writeable = False
        return rows

    # --- frequencies -----------------------------------------------------------------------

    @property
    def counts(self) -> npt.NDArray[np.float64]:
        """The count of each word; `space.vocabulary.counts` also has their origin."""
        return self._counts("counts").values

    def _counts(self, operation: str) -> Counts:
        counts = self.vocabulary.counts
        if counts is None:
            raise MissingCountsError(operation, has_tokenizer=self.pieces is not None)
        return counts

    @property
    def has_frequencies(self) -> bool:
        """True if p(w) is known.

        >>> Space(Vocabulary(["the"]), np.eye(1, dtype=np.float32)).has_frequencies
        False
        """
        return self.vocabulary.counts is not None or self.marginal is not None

    @cached_property
    def probability(self) -> npt.NDArray[np.float64]:
        """p(w), normalised over the vocabulary: from the marginal if known, else from the counts.

        >>> words = Vocabulary(["the", "king"]).with_counts({"the": 3, "king": 1})
        >>> Space(words, np.eye(2, dtype=np.float32)).probability.tolist()
        [0.75, 0.25]
        """
        mass = self.marginal
        if mass is None:
            mass = self._counts("probability").values
        probability: npt.NDArray[np.float64] = mass / mass.sum()
        probability.flags.writeable = False
        return probability

    def with_counts(self, source: CountsSource | Counts) -> Space:
        """Return the same vectors with other counts; the provenance records their source.

        The marginal of a training is dropped, so that `probability` follows the new counts.

        Args:
            source: A file with a word and its count on each line (word2vec's -save-vocab, GloVe's
                vocab.txt), a mapping of words to counts, the counts in the order of the words,
                "wordfreq" or "wordfreq:LANGUAGE", or "rank" for an estimate by Zipf's law from the
                order of the words.

        >>> space = Space(Vocabulary(["the", "king"]), np.eye(2, dtype=np.float32))
        >>> print(space.with_counts("rank").vocabulary.counts.origin)
        estimated from rank
        """
        vocabulary = self.vocabulary.with_counts(source)
        return replace(
            self,
            vocabulary=vocabulary,
            marginal=None,
            provenance=replace(
                self.provenance.then(f"counts: {vocabulary.counts}"),
                noise_total=None,
                kept_share=None,
            ),
        )

    # --- parts -----------------------------------------------------------------------------

    def top(self, n: int) -> Space:
        """Return the space of the n most frequent words, the most frequent first.

        Words of equal count keep their order. If the first n words are already in this order,
        the vectors are shared with this space, otherwise they are copied.

        >>> words = Vocabulary(["a", "b", "c"]).with_counts({"a": 1, "b": 5, "c": 3})
        >>> Space(words, np.eye(3, dtype=np.float32)).top(2).words
        ('b', 'c')
        """
        if n < 1:
            raise UsageError(f"n must be at least 1, got {n}")
        order = np.argsort(-self._counts("top").values, kind="stable")[:n]
        kept = f"kept the {min(n, len(self)):,} most frequent of {len(self):,} words"
        return self.take(order, kept)

    def take(self, ids: npt.NDArray[np.int64], reason: str) -> Space:
        """Return the space of only these word ids, in this order; `reason` goes to the provenance.

        >>> space = Space(Vocabulary(["a", "b", "c"]), np.eye(3, dtype=np.float32))
        >>> space.take(np.array([2, 0]), "kept two words").words
        ('c', 'a')
        """
        rows: Any = ids
        if np.array_equal(ids, np.arange(len(ids))):
            rows = slice(0, len(ids))  # a view instead of a copy

        def part(array: npt.NDArray[Any] | None) -> npt.NDArray[Any] | None:
            return None if array is None else array[rows]

        record = self.provenance.then(reason)
        counts, exponent = self.vocabulary.counts, record.negative_exponent
        if counts is not None and exponent is not None and record.noise_total is None:
            total = float(noise_weights(counts.values, exponent).sum())
            record = replace(record, noise_total=total)
        if len(ids) < len(self) and (counts is not None or self.marginal is not None):
            share = float(self.probability[ids].sum()) * (record.kept_share or 1.0)
            record = replace(record, kept_share=share)
        return replace(
            self,
            vocabulary=self.vocabulary.take(ids),
            target=self.target[rows],
            context=part(self.context),
            target_bias=part(self.target_bias),
            context_bias=part(self.context_bias),
            marginal=part(self.marginal),
            provenance=record,
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Space:
        return self  # immutable; scikit-learn copies the parameters of its steps
