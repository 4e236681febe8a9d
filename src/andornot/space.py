"""Space: a vocabulary with its counts, target and context vectors and biases; immutable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

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
_SHOWN = 5  # words in a notebook


@dataclass(frozen=True, eq=False, repr=False)
class Space:
    """Everything the theory needs, in one place: words, p(w), v, u, and the biases of GloVe.

    `target` holds v_w and `context` u_c, a row for each word; `target_bias` and `context_bias`
    are GloVe's a_w and b_c. `marginal` is the co-occurrence mass of each word as a trainer saw it,
    where that is known. `target_mean` and `context_mean` are what post-processing has subtracted.
    `subwords` and `pieces` compose vectors for words outside the vocabulary: of n-grams, as
    fastText does, or of the pieces that a model's own tokenizer cuts a word into.
    What a source didn't have is None: nothing here is made up. The arrays are read-only views:
    they share the memory of float32 arrays that are given, which should not be changed after.

    >>> space = Space(Vocabulary(["king", "queen"]), np.eye(2, dtype=np.float32))
    >>> space.vector("queen").tolist(), "crown" in space, len(space)
    ([0.0, 1.0], False, 2)
    """

    vocabulary: Vocabulary
    target: Matrix
    context: Matrix | None = None
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
                "Space.from_arrays(names, matrix) makes a space of names and vectors"
            )
        size = len(self.vocabulary)
        if not size:
            raise AndornotError("a space needs at least one word")
        object.__setattr__(self, "target", np.asarray(self.target, dtype=np.float32))
        if self.target.ndim != 2 or len(self.target) != size or not self.target.shape[1]:
            raise AndornotError(
                f"target vectors of shape {self.target.shape} for {size:,} words; "
                "give one row for each word"
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
            if getattr(self, name) is None:
                continue
            array = np.asarray(getattr(self, name), dtype=dtype).view()
            if array.shape != shape:
                raise AndornotError(f"{name} has the shape {array.shape}; it must be {shape}")
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        if self.subwords is not None and self.subwords.matrix.shape[1] != self.dim:
            raise AndornotError(
                f"subwords of dimension {self.subwords.matrix.shape[1]} in a space of dimension "
                f"{self.dim}; they must agree"
            )

    @classmethod
    def from_arrays(
        cls,
        names: Iterable[str],
        matrix: npt.ArrayLike,
        counts: npt.ArrayLike | Mapping[str, float] | None = None,
        context: npt.ArrayLike | None = None,
    ) -> Space:
        """Make a space of any matrix, such as the vectors of documents by a sentence encoder.

        Args:
            names: The name of each row: strings, each different. They may hold spaces.
            matrix: The vectors, a row for each name.
            counts: How often each name occurs, in the order of the names or as a mapping from
                them; their proportions are p. Default: not known.
            context: The context vectors, of the same shape as the matrix.

        Raises:
            UsageError: If an argument doesn't fit; the message names it and the row.

        >>> Space.from_arrays(["doc 1", "doc 2"], [[1.0, 0.0], [0.0, 1.0]], counts=[3, 1])
        Space(2 words x 2, counts: given, context vectors: no)
        >>> Space(["doc 1", "doc 2"], [[1.0, 0.0], [0.0, 1.0]])
        Traceback (most recent call last):
        ...
        TypeError: vocabulary must be a Vocabulary, got list; Space.from_arrays(names, matrix) ...
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
            f"context vectors: {'no' if self.context is None else 'yes'})"
        )

    def _repr_html_(self) -> str:
        counts = self.vocabulary.counts
        record = self.provenance
        words = ", ".join(self.vocabulary.word(i) for i in range(min(len(self), _SHOWN)))
        rows = [
            ("words", f"{len(self):,}: {words}{', ...' if len(self) > _SHOWN else ''}"),
            ("dimension", f"{self.dim}"),
            ("counts", "none" if counts is None else str(counts)),
            ("context vectors", "no" if self.context is None else "yes"),
            ("post-processing", record.postprocess or "none"),
            ("origin", ", ".join(filter(None, [record.origin, record.model]))),
        ]
        return table(rows, caption="Space")

    def __getitem__(self, words: str | Sequence[str]) -> npt.NDArray[np.float32]:
        """The target vector of a word as in `vector`, or a row for each of several words.

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

        Arrays of a native file are mapped: if another program cuts the file off, or the disk fails,
        reading them ends the process. A process that must go on works with a copy.
        """
        arrays: dict[str, Any] = {
            each.name: np.array(getattr(self, each.name))
            for each in fields(self)
            if isinstance(getattr(self, each.name), np.ndarray)
        }
        subwords = self.subwords
        if subwords is not None:
            subwords = replace(subwords, matrix=np.array(subwords.matrix))
        return replace(self, vocabulary=self.vocabulary.in_memory(), subwords=subwords, **arrays)

    @property
    def dim(self) -> int:
        """The dimension of the vectors."""
        return int(self.target.shape[1])

    @property
    def words(self) -> tuple[str, ...]:
        """All words, in their order."""
        return self.vocabulary.words

    def vector(self, word: str) -> npt.NDArray[np.float32]:
        """The target vector v of a word; composed where the space can do it and the word is new.

        Of n-grams it is their mean, of pieces their sum.

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
        """The words of the vocabulary that make up a word which isn't in it, or None.

        >>> Space(Vocabulary(["king"]), np.ones((1, 2), dtype=np.float32)).pieces_of("kings")
        """
        if self.pieces is None or word in self.vocabulary:
            return None
        found = self.pieces.split(word)
        return None if found is None or not all(piece in self for piece in found) else found

    @cached_property
    def token_rows(self) -> npt.NDArray[np.int64]:
        """For each token of `pieces` by its number, its row here, or -1 where it has none."""
        if self.pieces is None:
            raise AndornotError("this space has no tokenizer of its own; open that of a model")
        rows = np.full(max(self.pieces.tokens) + 1, -1, dtype=np.int64)
        for number, word in self.pieces.words.items():
            if word in self.vocabulary:
                rows[number] = self.vocabulary.index(word)
        rows.flags.writeable = False
        return rows

    # --- frequencies -----------------------------------------------------------------------

    @property
    def counts(self) -> npt.NDArray[np.float64]:
        """The count of each word; `space.vocabulary.counts` says where they come from."""
        return self._counts("counts").values

    def _counts(self, operation: str) -> Counts:
        counts = self.vocabulary.counts
        if counts is None:
            raise MissingCountsError(operation, has_tokenizer=self.pieces is not None)
        return counts

    @property
    def has_frequencies(self) -> bool:
        """Whether p(w) is known.

        >>> Space(Vocabulary(["the"]), np.eye(1, dtype=np.float32)).has_frequencies
        False
        """
        return self.vocabulary.counts is not None or self.marginal is not None

    @cached_property
    def probability(self) -> npt.NDArray[np.float64]:
        """p(w), normalised over the vocabulary: of the marginal where known, else of the counts.

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
        """The same vectors with other counts; the record keeps where they came from.

        `source` is a file with a word and its count on each line (word2vec's -save-vocab, GloVe's
        vocab.txt), "wordfreq" or "wordfreq:LANGUAGE", "rank" for an estimate by Zipf's law from
        the order of the words, or a mapping. A marginal that a trainer left is dropped, since
        `probability` is to follow the new counts.

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
                self.provenance.then(f"counts: {vocabulary.counts}"), noise_total=None
            ),
        )

    # --- parts -----------------------------------------------------------------------------

    def top(self, n: int) -> Space:
        """The space of the n most frequent words, the most frequent first.

        Words of equal count keep their order. Where the n words already lead in the right order
        the vectors are shared with this space, otherwise copied.

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
        """The space of these words alone, in this order; `reason` goes to its record.

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
        return self  # nothing in it changes; scikit-learn copies the settings of its steps
