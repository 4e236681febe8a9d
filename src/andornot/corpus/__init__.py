"""Convert text to token ids: read, tokenise, count, and cache on disk."""

from andornot.corpus.corpus import Corpus, open_corpus

__all__ = ["Corpus", "open_corpus"]
