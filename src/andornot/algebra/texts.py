"""A text as an operand: `"water bird"` is the AND of its words, each with a weight.

The weights are those of SIF, a/(a + p(w)), divided by their mean. So they sum to the number of
words: words of equal frequency give a plain AND, and a text of one known word is that word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from andornot.algebra.expression import Expression, QuotedText, Term, replace_words, words_of
from andornot.algebra.nodes import Node, WeightedSum, Word
from andornot.algebra.notes import words_weigh_alike
from andornot.base.errors import UnknownTextError
from andornot.base.moments import Vector
from andornot.postprocessing.sentences import shares_of, sif_weights, words_in
from andornot.space import Space
from andornot.words.spelling import closest_spellings
from andornot.words.stop_words import is_stop_word
from andornot.words.vocabulary import Vocabulary

_BLANK = re.compile(r"\s")
_WORD = re.compile(r"[^\W_]+")
_MOST_SUGGESTED = 3  # unknown words of a text for which spellings are suggested
_JOINT = re.compile(r"-|'s\b")  # splits an unknown word


def most_words(written: str) -> int:
    """Return an upper bound of the number of words of a term or a text, for any vocabulary.

    Pieces of words are not counted.

    >>> most_words("rock'n'roll"), most_words("a person who studies stars")
    (1, 5)
    """
    return max(1, len(_WORD.findall(written))) if _BLANK.search(written) else 1


def read_texts(expression: Expression, space: Space) -> Expression:
    """Replace each term that is a text by its words.

    A text contains white space and is not a word of the vocabulary, neither with spaces nor with _
    instead, as written or in lower case.

    Raises:
        UnknownTextError: If a text has only stop words and unknown words.

    >>> space = Space(Vocabulary(["water", "bird", "card_game"]), np.eye(3))
    >>> read_texts(Term("a water bird"), space).words
    ('water', 'bird')
    >>> read_texts(Term("card game"), space)
    Term(text='card_game')
    """
    if not any(_BLANK.search(word) for word in words_of(expression)):
        return expression
    return replace_words(expression, partial(_read, space))


def _read(space: Space, term: Term) -> Expression:
    text, vocabulary = term.text, space.vocabulary
    if not _BLANK.search(text):
        return term
    for phrase in (text, "_".join(text.split())):
        spelled = vocabulary.spelling(phrase)
        if spelled is not None:
            return Term(spelled, written=None if spelled == phrase else " ".join(text.split()))
    found = list(_words(text, space))
    unknown = tuple(dict.fromkeys(word for word, known in found if not known))
    words = dict.fromkeys(known for _, known in found)  # a word may have a piece twice
    if not any(words):
        raise UnknownTextError(text, unknown, partial(_suggestions, text, unknown, vocabulary))
    each = dict.fromkeys(_WORD.findall(text.lower()))
    stop_words = tuple(word for word in each if is_stop_word(word) and word in vocabulary)
    return QuotedText(text, tuple(chain.from_iterable(words)), unknown, stop_words)


def _suggestions(text: str, unknown: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """Return the closest spellings of a text, as of an item, or of its first unknown words."""
    if whole := closest_spellings(" ".join(text.split()), vocabulary.words):
        return whole
    first = unknown[:_MOST_SUGGESTED]
    found = [closest_spellings(word, vocabulary.words, limit=1) for word in first]
    return list(chain.from_iterable(found))


def _words(text: str, space: Space) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the words of a text, without stop words, each with its words of the vocabulary.

    A word between two spaces is used as written if the vocabulary has it. Otherwise it is split
    into pieces if the space has its own tokenizer. Without one, its lower case is used if the
    vocabulary has it; else it is split into lower-case words.
    """
    vocabulary = space.vocabulary
    for part in text.split():
        if is_stop_word(part) or not _WORD.search(part):
            continue
        spelled = vocabulary.spelling(part)
        if spelled is not None and (spelled == part or space.pieces is None):
            yield part, (spelled,)
        elif space.pieces is not None:
            pieces = tuple(each for each in space.pieces_of(part) or () if _WORD.search(each))
            if len(pieces) != 1 or not is_stop_word(pieces[0]):
                yield part, pieces
        else:
            yield from _cut(part, vocabulary)


def _cut(part: str, vocabulary: Vocabulary) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Split unknown text into words, and an unknown hyphenated word into its parts."""
    for word in words_in([part])[0]:
        if is_stop_word(word):
            continue
        pieces = [word] if word in vocabulary else _JOINT.split(word)
        known = [each for each in pieces if each in vocabulary and not is_stop_word(each)]
        yield from ((each, (each,)) for each in known)
        if not known:
            yield word, ()


def weigh_text(text: QuotedText, vocabulary: Vocabulary, p: Vector) -> Node:
    """Resolve a text: its words with their weights, or the word itself if there is only one.

    The probability of a text is NaN: it can't be computed from p(w) of its words.
    """
    ids = np.array([vocabulary.index(word) for word in text.words], dtype=np.int64)
    words = tuple(
        Word(formula=Term(word), probability=float(p[i]), ids=np.array([i]), weights=np.ones(1))
        for word, i in zip(text.words, ids.tolist(), strict=True)
    )
    if len(words) == 1:
        return replace(words[0], formula=text)
    weights = sif_weights(shares_of(vocabulary, p)[ids])
    is_unknown = bool(np.isnan(weights).any())
    if is_unknown:
        weights = np.ones(len(ids))
    return WeightedSum(
        formula=text,
        probability=np.nan,
        notes=(words_weigh_alike(text),) if is_unknown else (),
        parts=words,
        factors=weights / weights.mean(),
    )
