"""Text to token numbers: read, tokenised, counted, kept on disk and mapped from there."""

from andornot.corpus.corpus import Corpus, open_corpus

__all__ = ["Corpus", "open_corpus"]
