"""Read fastText's .bin models: words, counts, vectors of words and n-grams, contexts."""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import FileError, naming
from andornot.base.files import Source
from andornot.base.progress import stage
from andornot.formats.rows import GrowingRows, report_repeated, use_replace
from andornot.formats.values import refuse_infinite
from andornot.space import Space
from andornot.words.counts import Counts, CountsOrigin
from andornot.words.provenance import Provenance
from andornot.words.subword_kernels import compose_vocabulary
from andornot.words.subwords import Subwords
from andornot.words.vocabulary import Vocabulary, pack_words

MAGIC = struct.pack("<i", 793712314)
_MODELS = {1: "fasttext cbow", 2: "fasttext skipgram", 3: "fasttext supervised"}
_LOSSES = {1: "hierarchical softmax", 2: "negative sampling", 3: "softmax", 4: "one vs all"}
_VALUES_AT_A_TIME = 1 << 20
_LONGEST_WORD = 1 << 16  # bytes, as in word2vec's files; each n-gram of a word takes memory
_GET_AGAIN = "it may be cut off or damaged: get it again"


class _Settings(NamedTuple):
    """The training arguments, in the order of the file."""

    dim: int
    window: int
    epochs: int
    min_count: int
    negatives: int
    word_ngrams: int
    loss: int
    model: int
    buckets: int
    shortest: int
    longest: int
    rate_update: int
    subsample: float


def read_fasttext_binary(
    path: Path,
    *,
    undecodable: str = "strict",
    threads: int | None = None,
) -> Space:
    """Read a fastText model, version 11 or 12, not quantised.

    A plain file is memory-mapped: the n-gram vectors, most of it, stay on disk. The output
    matrix gives the context vectors, unless its rows aren't words (hierarchical softmax,
    supervised models).
    """
    with _Reader(path) as reader:
        settings = reader.read_settings()
        vocabulary, whole = reader.read_dictionary()
        reader.refuse_quantised()
        matrix = reader.read_matrix(settings.dim)
        if len(matrix) < len(vocabulary):
            raise FileError(
                path,
                f"{len(matrix):,} input vectors for {len(vocabulary):,} words",
                _GET_AGAIN,
            )
        reader.refuse_quantised()
        output = reader.read_matrix(settings.dim)
    own = np.array(matrix[: len(vocabulary)])
    subwords = None
    target = own
    if settings.longest > 0 and len(matrix) > len(own):
        with naming(path, _GET_AGAIN):
            subwords = Subwords(matrix[len(own) :], max(1, settings.shortest), settings.longest)
        target = compose_vocabulary(vocabulary, own, subwords, whole=whole, threads=threads)
    decoded, kept = _decode(path, vocabulary, undecodable)
    refuse_infinite(target, path, decoded)
    has_contexts = settings.model != 3 and settings.loss != 1 and len(output) == len(vocabulary)
    if has_contexts:
        refuse_infinite(output, path, decoded)
    space = Space(
        decoded,
        target,
        context=np.array(output) if has_contexts else None,
        subwords=subwords,
        provenance=_provenance(path, settings),
    )
    if len(kept) == len(space):
        return space
    return space.take(kept, report_repeated(path, len(space) - len(kept)))


def _decode(
    path: Path, vocabulary: Vocabulary, undecodable: str
) -> tuple[Vocabulary, npt.NDArray[np.int64]]:
    """Return the vocabulary in valid UTF-8, and the ids of words without duplicates.

    The original bytes are needed before: n-grams are hashed from them.
    """
    data, bounds = vocabulary.utf8.tobytes(), vocabulary.offsets.tolist()
    names: list[str] = []
    for start, stop in pairwise(bounds):
        try:
            names.append(data[start:stop].decode("utf-8", undecodable))
        except UnicodeDecodeError as error:
            raise FileError(
                path,
                f"the word {data[start:stop][:40]!r} is not UTF-8",
                use_replace(),
                row=len(names) + 1,
            ) from error
    first: dict[str, int] = {}
    for number, name in enumerate(names):
        first.setdefault(name, number)
    kept = np.fromiter(first.values(), dtype=np.int64, count=len(first))
    return Vocabulary.from_utf8(*pack_words(names), vocabulary.counts, path), kept


def _provenance(path: Path, settings: _Settings) -> Provenance:
    sampled = settings.loss == 2
    return Provenance(
        f"fastText model {path.name}",
        model=_MODELS.get(settings.model, f"fasttext model {settings.model}"),
        window=settings.window,
        weighting="linear",
        negatives=settings.negatives if sampled else None,
        negative_exponent=0.5 if sampled else None,  # fastText uses the square root of the counts
        subsample=settings.subsample,
        epochs=settings.epochs,
        settings={
            "loss": _LOSSES.get(settings.loss, str(settings.loss)),
            "min_count": settings.min_count,
            "ngrams": [settings.shortest, settings.longest],
        },
    )


class _Reader:
    """A fastText file, read sequentially; sizes are checked before memory is allocated."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = Source(path, bounded=True)
        self.position = 0  # of the next byte in the file
        self._buffer = b""
        self._used = 0

    def __enter__(self) -> _Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.source.close()

    def read_settings(self) -> _Settings:
        magic, version = self._take(4), self._unpack("<i")[0]
        if magic != MAGIC:
            raise FileError(self.path, "not a fastText model", "check what it is")
        if version not in (11, 12):
            raise FileError(self.path, f"fastText file version {version}", "only 11 and 12 exist")
        settings = _Settings(*self._unpack("<12id"))
        if version == 11 and settings.model == 3:  # supervised models of version 11 have no n-grams
            settings = settings._replace(longest=0)
        if not 1 <= settings.dim <= _VALUES_AT_A_TIME:
            raise FileError(
                self.path,
                f"a dimension of {settings.dim:,}, which must be from 1 to {_VALUES_AT_A_TIME:,}",
                _GET_AGAIN,
            )
        return settings

    def read_dictionary(self) -> tuple[Vocabulary, int]:
        """Return the undecoded words and their counts, and the id of the sentence end, or -1."""
        size, words, labels, _, pruned = self._unpack("<3i2q")
        if not (0 < words <= size and labels >= 0 and words + labels == size):
            raise FileError(
                self.path, f"{words:,} words and {labels:,} labels of {size:,} entries", _GET_AGAIN
            )
        names: list[bytes] = []
        counts: list[int] = []
        for _ in range(size):
            name = self._take_name()
            count, kind = self._unpack("<qb")
            if kind == 0:
                names.append(name)
                counts.append(count)
        if len(names) != words:
            raise FileError(
                self.path, f"{len(names):,} words where {words:,} are announced", _GET_AGAIN
            )
        if pruned > 0:  # only quantising prunes
            raise self._quantised()
        with naming(self.path, _GET_AGAIN):
            values = Counts(
                np.array(counts, dtype=np.float64),
                CountsOrigin.TRAINING,
                "kept in the fastText model",
            ).check()
        offsets = np.concatenate([[0], np.cumsum([len(name) for name in names])])
        vocabulary = Vocabulary.from_utf8(
            np.frombuffer(b"".join(names), dtype=np.uint8), offsets, values, self.path
        )
        return vocabulary, names.index(b"</s>") if b"</s>" in names else -1

    def refuse_quantised(self) -> None:
        """Check the flag before a matrix."""
        if self._take(1) != b"\0":
            raise self._quantised()

    def _quantised(self) -> FileError:
        return FileError(
            self.path,
            "this is a quantised model (.ftz), without full vectors",
            "use the full .bin model",
        )

    def read_matrix(self, dim: int) -> npt.NDArray[np.float32]:
        """Return the next matrix, memory-mapped if the file is not compressed."""
        count, width = self._unpack("<2q")
        if width != dim or count < 0:
            raise FileError(
                self.path, f"a matrix of {count:,} x {width:,} where {dim} are expected", _GET_AGAIN
            )
        if self.source.plain:
            end = self.position + 4 * count * dim
            if end > self.source.size:
                raise FileError(
                    self.path,
                    f"a matrix of {count:,} x {dim:,} ends after the file's "
                    f"{self.source.size:,} bytes",
                    _GET_AGAIN,
                )
            mapped = np.memmap(
                self.path, dtype="<f4", mode="r", offset=self.position, shape=(count, dim)
            )
            self._seek(end)
            return mapped
        rows = GrowingRows(dim)
        with stage(f"reading {self.path.name}") as report:
            while len(rows) < count:
                step = min(count - len(rows), max(1, _VALUES_AT_A_TIME // dim))
                data = self._take(4 * step * dim)
                rows.extend(step)[:] = np.frombuffer(data, dtype="<f4").reshape(step, dim)
                report(self.source.done)
        return rows.finish()

    def _unpack(self, layout: str) -> tuple[Any, ...]:
        return struct.unpack(layout, self._take(struct.calcsize(layout)))

    def _take(self, size: int) -> bytes:
        while len(self._buffer) - self._used < size:
            self._refill()
        data = self._buffer[self._used : self._used + size]
        self._used += size
        self.position += size
        return data

    def _take_name(self) -> bytes:
        """Return the bytes up to the next zero byte, and skip it."""
        while (end := self._buffer.find(b"\0", self._used)) < 0:
            self._check_name(len(self._buffer))
            self._refill()
        self._check_name(end)
        name = self._buffer[self._used : end]
        self.position += end + 1 - self._used
        self._used = end + 1
        return name

    def _check_name(self, end: int) -> None:
        if end - self._used > _LONGEST_WORD:
            raise FileError(self.path, f"a word of over {_LONGEST_WORD:,} bytes", _GET_AGAIN)

    def _refill(self) -> None:
        more = self.source.read(1 << 20)
        if not more:
            raise FileError(
                self.path,
                f"it ends after {self.position + len(self._buffer) - self._used:,} bytes",
                _GET_AGAIN,
            )
        self._buffer = self._buffer[self._used :] + more
        self._used = 0

    def _seek(self, position: int) -> None:
        self.source.seek(position)
        self.position = position
        self._buffer, self._used = b"", 0
