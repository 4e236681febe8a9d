"""Replace the words of a query by words of the vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from andornot.algebra.expression import (
    Expression,
    Term,
    conjunction,
    replace_words,
    words_of,
)
from andornot.algebra.texts import read_texts
from andornot.space import Space


def read_words(expression: Expression, space: Space) -> Expression:
    """Replace each word and each text outside of categories by words of the vocabulary.

    Unknown words are unchanged.

    Raises:
        AndornotError: If no word of a text is known, or a text is used where a word is required.
    """
    read = read_texts(expression, space)
    if space.pieces is not None:
        read = cut_words(read, space.pieces_of)
    return respell_words(read, space.vocabulary.spelling)


def cut_words(
    expression: Expression, pieces_of: Callable[[str], Sequence[str] | None]
) -> Expression:
    """Replace each word that a tokenizer splits by the AND of its pieces.

    Args:
        expression: The query as it was written.
        pieces_of: Returns the pieces of a word, or None if it is not split.

    >>> cut = {"unhappy": ("un", "##happy")}.get
    >>> print(cut_words(conjunction([Term("unhappy"), Term("king")]), cut))
    un & ##happy & king
    """

    def cut(term: Term) -> Expression:
        pieces = pieces_of(term.text)
        return term if pieces is None else conjunction([Term(piece) for piece in pieces])

    return replace_words(expression, cut)


def whole_word(word: str, pieces_of: Callable[[str], Sequence[str] | None]) -> str | None:
    """Return the vocabulary's spelling of a word of a category, or None if it is split.

    Args:
        word: The word as it was written.
        pieces_of: Returns the pieces of a word, or None if it is not split.

    >>> cut = {"King": ("king",), "unhappy": ("un", "##happy")}.get
    >>> whole_word("King", cut), whole_word("unhappy", cut)
    ('king', None)
    """
    pieces = pieces_of(word)
    if pieces is None:
        return word
    return pieces[0] if len(pieces) == 1 else None


def respell_words(expression: Expression, spelling: Callable[[str], str | None]) -> Expression:
    """Replace each word by the vocabulary's spelling; unknown words are unchanged.

    Args:
        expression: The query as it was written.
        spelling: Returns the vocabulary's spelling of a word, or None if it is unknown.

    >>> print(respell_words(conjunction([Term("Paris"), Term("x")]), {"Paris": "paris"}.get))
    paris & x
    """
    if all(spelling(word) in (word, None) for word in words_of(expression)):
        return expression

    def change(term: Term) -> Term:
        found = spelling(term.text)
        return term if found in (term.text, None) else Term(found, written=term.text)

    return replace_words(expression, change)
