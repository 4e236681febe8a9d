"""The training data of a masked language model: word pieces, windows of text, masked tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError
from andornot.base.progress import track
from andornot.corpus import Corpus
from andornot.encoders.sampling import sample_lines
from andornot.words.pieces import INSIDE, Pieces

PAD, UNKNOWN, CLS, SEP, MASK = SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
HELD_OUT = 2000  # largest number of windows
_LINES = 200_000  # lines of text from which the pieces are learned
_LETTERS = 1000  # the most frequent letters; words with others are unknown
_MASKED, _AS_MASK, _AS_OTHER = 0.15, 0.8, 0.1  # as in BERT; the rest of the masked tokens stay
Numbers = npt.NDArray[np.int64]


def learn_pieces(paths: Sequence[Path], size: int, *, seed: int = 1) -> Pieces:
    """Learn a WordPiece vocabulary of lower-case text, cut as bert-base-uncased cuts it.

    Args:
        paths: The text; a sample of its lines is used.
        size: Number of pieces, including the special ones.
        seed: Seed of the sample.
    """
    try:
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
    except ImportError as error:
        raise AndornotError(
            "learning word pieces needs the package tokenizers; pip install 'andornot[bert]'"
        ) from error
    normalizer = normalizers.BertNormalizer(lowercase=True)
    lines = [normalizer.normalize_str(line) for line in sample_lines(paths, _LINES, seed=seed)]
    often: Counter[str] = Counter()
    for line in track(lines, "counting letters"):
        often.update(line)
    known = sorted(often, key=lambda letter: (-often[letter], letter))
    letters = [letter for letter in known if not letter.isspace()][:_LETTERS]
    # The letters come first, in a fixed order: the trainer breaks ties between pairs of pieces by
    # their ids, and would otherwise assign ids in an order that differs from run to run.
    inside = [INSIDE + letter for letter in letters]
    trainer = trainers.WordPieceTrainer(
        vocab_size=size,
        special_tokens=[*SPECIAL, *letters, *inside],
        limit_alphabet=len(letters),
        initial_alphabet=letters,
        show_progress=False,
    )
    learner = Tokenizer(models.WordPiece(unk_token=UNKNOWN))
    learner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    learner.train_from_iterator(lines, trainer)
    vocabulary = learner.get_vocab()
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=UNKNOWN))
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{CLS} $A {SEP}",
        special_tokens=[(token, vocabulary[token]) for token in (CLS, SEP)],
    )
    return Pieces(tokenizer.to_str().encode())


class MaskedBatch(NamedTuple):
    """Rows of token ids, the mask of the tokens to predict, and these tokens."""

    inputs: Numbers
    masked: npt.NDArray[np.bool_]
    targets: Numbers


class Windows:
    """A text in rows of equal length: [CLS], its next tokens, [SEP]; the last rows are held out.

    Lines end with [SEP] inside a row. The rows of a step and their masked tokens depend only on the
    seed and the step, so that a resumed training gives the same result as an uninterrupted one.

    Args:
        corpus: The text, cut into `pieces`.
        pieces: The tokenizer.
        length: Number of tokens of a row.
        seed: Seed of the order of rows and of the masks.
    """

    def __init__(self, corpus: Corpus, pieces: Pieces, length: int, seed: int) -> None:
        numbers = {token: number for number, token in pieces.tokens.items()}
        self._cls, self._sep, self._mask = (numbers[each] for each in (CLS, SEP, MASK))
        types = [numbers[word] for word in corpus.vocabulary.words]
        self._numbers = np.array([*types, self._sep], dtype=np.int64)  # -1: the end of a line
        self._words = np.fromiter(pieces.words, dtype=np.int64)
        self._tokens = corpus.tokens
        self._inside = length - 2
        self._seed = seed
        every = len(corpus.tokens) // self._inside
        self.held_out = min(HELD_OUT, every // 10)
        self.training = every - self.held_out
        if not self.held_out:
            raise AndornotError(
                f"the text has {len(corpus.tokens):,} tokens, too few for rows of {length}; use "
                "more text"
            )
        self._order: tuple[int, Numbers] | None = None  # the epoch and its order of rows

    def batch(self, step: int, size: int) -> MaskedBatch:
        """Return the masked rows of a step; every epoch has its own order of rows."""
        size = min(size, self.training)
        epoch, index = divmod(step, self.training // size)
        if self._order is None or self._order[0] != epoch:
            drawn = np.random.default_rng([self._seed, 0, epoch]).permutation(self.training)
            self._order = (epoch, drawn)
        rows = self._rows(self._order[1][index * size : (index + 1) * size])
        return self._masked(rows, np.random.default_rng([self._seed, 1, step]))

    def held_out_batches(self, size: int) -> Iterator[MaskedBatch]:
        """Yield the held-out rows, with the same masks every time."""
        for start in range(0, self.held_out, size):
            stop = min(start + size, self.held_out)
            rows = self._rows(self.training + np.arange(start, stop))
            yield self._masked(rows, np.random.default_rng([self._seed, 2, start]))

    def _rows(self, windows: Numbers) -> Numbers:
        places = windows[:, None] * self._inside + np.arange(self._inside)
        rows = np.empty((len(windows), self._inside + 2), dtype=np.int64)
        rows[:, 0], rows[:, -1] = self._cls, self._sep
        rows[:, 1:-1] = self._numbers[self._tokens[places]]
        return rows

    def _masked(self, rows: Numbers, rng: np.random.Generator) -> MaskedBatch:
        """Mask 15 % of the tokens: 80 % of them as [MASK], 10 % as any other, 10 % as they are."""
        masked = (rng.random(rows.shape) < _MASKED) & (rows != self._cls) & (rows != self._sep)
        drawn = rng.random(rows.shape)
        others = self._words[rng.integers(len(self._words), size=rows.shape)]
        inputs = np.where(masked & (drawn < _AS_MASK), self._mask, rows)
        inputs = np.where(masked & (drawn >= 1 - _AS_OTHER), others, inputs)
        return MaskedBatch(inputs, masked, rows[masked])
