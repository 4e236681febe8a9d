"""Prompt for queries, with history and word completion if readline is available."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from andornot.words.completion import Completion
from andornot.words.vocabulary import Vocabulary

_HELP = """\
royal & woman                            AND: both at once
violin | piano                           OR: either of them
apple & !fruit                           NOT: the first without the second
!day @ {day, night, morning, evening}    NOT within a category: its other words
king - man + woman                       analogy; put spaces around + and -
(violin | piano) & composer              grouping with brackets
"a person who studies stars"             text: the weighted AND of its words
"new york"                               word with spaces or special characters
help or ?                                show this text; "help" in quotes is a word
exit, quit or Ctrl-D                     leave the prompt\
"""
_SEPARATORS = ' \t\n&|!@{}(),*"'


def prompted(vocabulary: Vocabulary) -> Iterator[str]:
    """Yield typed queries until the end of the input, `exit` or `quit`.

    `help` and `?` show the query language; "help" in quotes is a query.
    """
    history = _start_readline(vocabulary)
    print("Type a query, such as royal & woman; Tab completes words, ? shows help, Ctrl-D ends.")
    try:
        while True:
            try:
                line = input("andornot> ").strip()
            except KeyboardInterrupt:  # discard the line, as shells do
                print()
                continue
            except EOFError:
                print()
                return
            if line in ("exit", "quit"):
                return
            if line in ("help", "?"):
                print(_HELP)
            elif line:
                yield line
    finally:
        if history is not None:
            import readline

            with suppress(OSError):
                readline.write_history_file(history)


def _start_readline(vocabulary: Vocabulary) -> Path | None:
    """Enable completion and history; return the history file, or None without readline."""
    try:
        import readline
    except ImportError:  # Windows
        return None
    import platformdirs

    folder = Path(platformdirs.user_state_dir("andornot"))
    history = folder / "history"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        readline.read_history_file(history)
    readline.set_history_length(1000)
    readline.set_completer_delims(_SEPARATORS)
    readline.set_completer(Completer(vocabulary))
    readline.parse_and_bind("tab: complete")
    return history


class Completer:
    """Readline completer that returns words, the most frequent first.

    >>> complete = Completer(Vocabulary(["the", "them", "king"]))
    >>> complete("th", 0), complete("th", 1), complete("th", 2)
    ('the', 'them', None)
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._complete = Completion(vocabulary)
        self._found: list[str] = []

    def __call__(self, text: str, state: int) -> str | None:
        """Return completion number `state` of the text, or None after the last."""
        if state == 0:
            self._found = self._complete(text)
        return self._found[state] if state < len(self._found) else None
