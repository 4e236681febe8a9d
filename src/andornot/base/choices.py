"""Allowed values of settings, shared by the library and the command.

This module imports nothing heavy, so that the command shows its help quickly.
"""

from enum import StrEnum


class WriteFormat(StrEnum):
    """Formats that can be written."""

    NATIVE = "native"
    WORD2VEC = "word2vec"
    WORD2VEC_BINARY = "word2vec-binary"
    GLOVE = "glove"
    FASTTEXT = "fasttext"
    MODEL2VEC = "model2vec"


class ReadFormat(StrEnum):
    """Formats that can be read."""

    NATIVE = "native"
    WORD2VEC = "word2vec"
    WORD2VEC_BINARY = "word2vec-binary"
    GLOVE = "glove"
    GLOVE_ALL = "glove-all"
    GLOVE_BINARY = "glove-binary"
    FASTTEXT = "fasttext"
    FASTTEXT_BINARY = "fasttext-binary"
    HUGGINGFACE = "huggingface"


class EncoderStep(StrEnum):
    """Post-processing of the vectors of a sentence encoder."""

    UNIFORM = "uniform"
    FREQUENCY = "frequency"
    ZIPFIAN_WHITENING = "zipfian-whitening"


class Undecodable(StrEnum):
    """Treatment of words that are not valid UTF-8."""

    STRICT = "strict"
    REPLACE = "replace"


class Vectors(StrEnum):
    """Vectors to write to a format with one vector per word."""

    TARGET = "target"
    CONTEXT = "context"
    SUM = "sum"


class Bits(StrEnum):
    """Bits per value of rounded vectors."""

    FOUR = "4"
    EIGHT = "8"


class WindowWeighting(StrEnum):
    """Weighting of the distance within a window."""

    FLAT = "flat"
    LINEAR = "linear"
    HARMONIC = "harmonic"


LINE_WINDOW = "line"
"""The window that covers a whole line."""

DEEPEST = 50
"""The levels of nested brackets and NOTs that a query may have."""


class Engine(StrEnum):
    """The place where a text is counted: this machine, or a cluster."""

    LOCAL = "local"
    SPARK = "spark"


class Tokenizer(StrEnum):
    """Tokenizer of a text."""

    WHITESPACE = "whitespace"
    WORDS = "words"


class Model(StrEnum):
    """Model to train."""

    SGNS = "sgns"
    GLOVE = "glove"


class Solver(StrEnum):
    """Solver of a training: stochastic steps, or the full loss; auto chooses the quicker."""

    AUTO = "auto"
    SAMPLED = "sampled"
    EXACT = "exact"


class Postprocess(StrEnum):
    """Post-processing of vectors, applied before any computation."""

    NONE = "none"
    UNIFORM = "uniform"
    FREQUENCY = "frequency"
    ALL_BUT_THE_TOP = "all-but-the-top"
    ZIPFIAN_WHITENING = "zipfian-whitening"


class Measure(StrEnum):
    """Ranking measure: the cosine of target vectors, or the model's PMI."""

    COSINE = "cosine"
    PMI = "pmi"


class FrequencyFilter(StrEnum):
    """Filter of the answers by frequency."""

    COMMON = "common"
    ANY = "any"
    RARE = "rare"


class Decision(StrEnum):
    """Decision about a word proposed for a list."""

    SEED = "seed"
    YES = "yes"
    NO = "no"
    SKIP = "skip"


class OrWeights(StrEnum):
    """Weights of the operands of OR."""

    FREQUENCY = "frequency"
    UNIFORM = "uniform"


class SentenceWeights(StrEnum):
    """Weights of the words of a sentence."""

    SUM = "sum"
    SIF = "sif"


class Scale(StrEnum):
    """Size of an experiment: about a minute, sized for a laptop, or the paper's settings."""

    QUICK = "quick"
    HERE = "here"
    PAPER = "paper"
