"""Errors and warnings: one line each, with the problem, its place and a remedy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from andornot.base.caching import cached_property
from andornot.base.remedies import remedy

_JOINED_ANALOGY = re.compile(r"\w\+\w")  # a plus between words, without spaces


class AndornotError(Exception):
    """Base class of all errors that andornot raises; the message is one line."""

    exit_code = 1  # of the command


class UsageError(AndornotError):
    """An option or an argument has an invalid value."""

    exit_code = 2


class AndornotWarning(UserWarning):
    """Part of the input was repaired or ignored; the result is still usable."""


class FileError(AndornotError):
    """A file can't be read or written.

    >>> print(FileError("v.txt", "2 values where 3 are expected", "download it again", line=7))
    v.txt, line 7: 2 values where 3 are expected; download it again
    """

    def __init__(
        self,
        path: str | PathLike[str],
        problem: str,
        remedy: str,
        *,
        line: int | None = None,
        row: int | None = None,
    ) -> None:
        self.path = Path(path)
        self.problem = problem
        self.line = line
        self.row = row
        where = str(path)
        if line is not None:
            where += f", line {line:,}"
        if row is not None:
            where += f", word {row:,}"
        super().__init__(f"{where}: {problem}; {remedy}")


@contextmanager
def naming(path: str | PathLike[str], remedy: str) -> Iterator[None]:
    """Turn errors about the content of a file into a FileError that names it.

    >>> with naming("v.bin", "get it again"):
    ...     raise AndornotError("all counts are zero")
    Traceback (most recent call last):
    ...
    andornot.base.errors.FileError: v.bin: all counts are zero; get it again
    """
    try:
        yield
    except FileError:
        raise
    except AndornotError as error:
        raise FileError(path, str(error), remedy) from error


def first_line(error: Exception) -> str:
    r"""Return the first line of another library's error message.

    >>> first_line(ValueError("not this:\n  a table")), first_line(ValueError())
    ('not this:', 'ValueError')
    """
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__


class UnknownWordError(AndornotError, KeyError):
    """A word is not in the vocabulary; `suggestions` has words of similar spelling."""

    def __init__(self, word: str, suggest: Callable[[], Sequence[str]]) -> None:
        self.word = word
        self._suggest = suggest
        super().__init__(word)

    @cached_property
    def suggestions(self) -> tuple[str, ...]:
        """Words of similar spelling, computed on first access."""
        return tuple(self._suggest())

    @property
    def problem(self) -> str:
        """The message without suggestions, which take long to find."""
        return f"unknown word {self.word!r}"

    def __str__(self) -> str:
        if self.suggestions:
            return f"{self.problem}; did you mean {', '.join(map(repr, self.suggestions))}?"
        if _JOINED_ANALOGY.search(self.word):
            return f"{self.problem}; an analogy needs spaces around + and -: king - man + woman"
        return f"{self.problem}; the vocabulary has no word of similar spelling, use another word"


class UnknownTextError(UnknownWordError):
    """A text consists of stop words and unknown words only."""

    def __init__(
        self, text: str, unknown: Sequence[str], suggest: Callable[[], Sequence[str]]
    ) -> None:
        super().__init__(text, suggest)
        self.unknown = tuple(unknown)

    @property
    def problem(self) -> str:
        """The message without suggestions, which take long to find."""
        if self.unknown:
            return f"no word of {self.word!r} is known"
        return f"{self.word!r} has only stop words; add another word, or join these with &"

    def __str__(self) -> str:
        if not self.unknown:
            return self.problem
        if not self.suggestions:
            return f"{self.problem}; use other words"
        return f"{self.problem}; did you mean {', '.join(map(repr, self.suggestions))}?"


class MissingCountsError(AndornotError):
    """An operation needs word frequencies and the space has none."""

    def __init__(self, operation: str, *, has_tokenizer: bool = False) -> None:
        counted = ""
        if has_tokenizer:
            counted = remedy(python="count_tokens(space, paths), or ", command="--corpus TEXT, or ")
        given = remedy(
            python="space.with_counts(source), where source is a file or a mapping of words to "
            "counts, 'wordfreq', or 'rank' (an estimate)",
            command="--counts FILE (a word and its count on each line), wordfreq, or rank (an "
            "estimate)",
        )
        super().__init__(
            f"{operation} needs word frequencies, and this space has none; add them with "
            f"{counted}{given}"
        )


class MissingContextError(AndornotError):
    """An operation needs context vectors and the space has none."""

    def __init__(self, operation: str) -> None:
        super().__init__(
            f"{operation} needs context vectors, and this space has none; load a format that "
            "stores them (native, fastText .bin, GloVe .bin, a gensim Word2Vec model)"
        )
