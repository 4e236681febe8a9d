"""Small texts, and the corpora that are made of them."""

import numpy as np

from andornot.corpus import open_corpus

TEXT = "b a c a\n\nThe naïve 東京 a\tb\r\nlast line a"


def write(path, text=TEXT):
    """A file with this text or these bytes."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def sentences(corpus) -> list[list[str]]:
    """The corpus as lists of words, from its numbers."""
    result: list[list[str]] = [[]]
    for number in corpus.tokens.tolist():
        if number < 0:
            result.append([])
        else:
            result[-1].append(corpus.vocabulary.words[number])
    return [sentence for sentence in result if sentence]


def corpus_of(folder, lines):
    """The corpus of these lists of words, kept in this folder."""
    path = folder / "text.txt"
    path.write_text("\n".join(" ".join(line) for line in lines))
    return open_corpus([path], cache=folder / "cache")


def random_lines(seed, lines=40, types=12, length=25):
    """Lists of words w0, w1, ..., the first ones more frequent."""
    rng = np.random.default_rng(seed)
    draws = rng.zipf(1.5, size=(lines, length)) % types
    return [[f"w{n}" for n in line[: rng.integers(0, length)]] for line in draws]
