"""AND, OR and NOT over words: expressions, concepts, the query language, explanations."""
