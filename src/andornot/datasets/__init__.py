"""Evaluation sets: where they live, and how to read them."""

from andornot.datasets.analogy import Question, read_questions
from andornot.datasets.registry import DATASETS, Dataset, locate
from andornot.datasets.similarity import WordPair, read_word_pairs

__all__ = [
    "DATASETS",
    "Dataset",
    "Question",
    "WordPair",
    "locate",
    "read_questions",
    "read_word_pairs",
]
