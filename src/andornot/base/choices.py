"""The names that settings may take, in the one place where library and command find them.

Nothing heavy is imported here, so that the command can show its help at once.
"""

from enum import StrEnum


class WriteFormat(StrEnum):
    """The formats of vectors that are written."""

    NATIVE = "native"
    WORD2VEC = "word2vec"
    WORD2VEC_BINARY = "word2vec-binary"
    GLOVE = "glove"
    FASTTEXT = "fasttext"
    MODEL2VEC = "model2vec"


class ReadFormat(StrEnum):
    """The formats of vectors that are read."""

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
    """What can be done to the vectors of a sentence encoder, as a step of its own."""

    UNIFORM = "uniform"
    FREQUENCY = "frequency"
    ZIPFIAN_WHITENING = "zipfian-whitening"


class Undecodable(StrEnum):
    """What to do with words that are not UTF-8."""

    STRICT = "strict"
    REPLACE = "replace"


class Vectors(StrEnum):
    """Which vectors a format with room for one takes."""

    TARGET = "target"
    CONTEXT = "context"
    SUM = "sum"


class Bits(StrEnum):
    """The bits of a value in rounded vectors."""

    FOUR = "4"
    EIGHT = "8"


class WindowWeighting(StrEnum):
    """How the distance in a window is weighted."""

    FLAT = "flat"
    LINEAR = "linear"
    HARMONIC = "harmonic"


LINE_WINDOW = "line"
"""The window that reaches over a whole line."""


class Engine(StrEnum):
    """Where a text is counted: on this machine, or on a cluster."""

    LOCAL = "local"
    SPARK = "spark"


class Tokenizer(StrEnum):
    """What a token is."""

    WHITESPACE = "whitespace"
    WORDS = "words"


class Model(StrEnum):
    """What is trained."""

    SGNS = "sgns"
    GLOVE = "glove"


class Solver(StrEnum):
    """How the loss is minimised: by stochastic steps, or whole; auto takes the quicker."""

    AUTO = "auto"
    SAMPLED = "sampled"
    EXACT = "exact"


class Postprocess(StrEnum):
    """What is done to vectors before anything is computed from them."""

    NONE = "none"
    UNIFORM = "uniform"
    FREQUENCY = "frequency"
    ALL_BUT_THE_TOP = "all-but-the-top"
    ZIPFIAN_WHITENING = "zipfian-whitening"


class Measure(StrEnum):
    """How words are ranked: by the angle between target vectors, or by the model's PMI."""

    COSINE = "cosine"
    PMI = "pmi"


class FrequencyFilter(StrEnum):
    """Which words may be answers, by their frequency."""

    COMMON = "common"
    ANY = "any"
    RARE = "rare"


class Decision(StrEnum):
    """The decision about a word that was proposed for a list."""

    SEED = "seed"
    YES = "yes"
    NO = "no"
    SKIP = "skip"


class OrWeights(StrEnum):
    """How OR weighs its operands."""

    FREQUENCY = "frequency"
    UNIFORM = "uniform"


class SentenceWeights(StrEnum):
    """How the words of a sentence are weighted."""

    SUM = "sum"
    SIF = "sif"


class Scale(StrEnum):
    """How large an experiment is: a minute, what a laptop allows, or the paper's settings."""

    QUICK = "quick"
    HERE = "here"
    PAPER = "paper"
