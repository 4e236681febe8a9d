"""Words: the vocabulary, counts, spellings, completion, subwords, pieces, provenance."""
