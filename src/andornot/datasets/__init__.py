"""Datasets for evaluation and experiments: their locations and readers."""

from andornot.datasets.analogy import Question, read_questions
from andornot.datasets.dataset import Dataset, Download
from andornot.datasets.fetching import fetch
from andornot.datasets.locating import find, locate
from andornot.datasets.registry import DATASETS
from andornot.datasets.similarity import WordPair, read_word_pairs

__all__ = [
    "DATASETS",
    "Dataset",
    "Download",
    "Question",
    "WordPair",
    "fetch",
    "find",
    "locate",
    "read_questions",
    "read_word_pairs",
]
