"""A prompt with history and completion of words, where the terminal has them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from andornot.words.completion import Completion
from andornot.words.vocabulary import Vocabulary

_HELP = """\
royal & woman                            AND: what is both
violin | piano                           OR: what is either
apple & !fruit                           NOT: turned away from a word
!day @ {day, night, morning, evening}    NOT within a category: its other words
king - man + woman                       an analogy; + and - stand between spaces
(violin | piano) & composer              brackets
"a person who studies stars"             a text: the AND of its words, by their weights
"new york"                               a word with spaces or signs, in quotation marks
help or ?                                this text; "help" in quotation marks is the word
exit, quit or Ctrl-D                     end\
"""
_SEPARATORS = ' \t\n&|!@{}(),*"'


def prompted(vocabulary: Vocabulary) -> Iterator[str]:
    """Iterate over the queries that are typed, until the end of the input, `exit` or `quit`.

    `help` and `?` show the query language; the word is asked for in quotation marks.
    """
    history = _start_readline(vocabulary)
    print("Type a query, such as royal & woman; Tab completes words, ? shows help, Ctrl-D ends.")
    try:
        while True:
            try:
                line = input("andornot> ").strip()
            except KeyboardInterrupt:  # drops the line, as shells do
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
    """Turn completion and history on; the file of the history, or None without readline."""
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
    """Completes words, the most frequent first; what readline calls with 0, 1, 2 and so on.

    >>> complete = Completer(Vocabulary(["the", "them", "king"]))
    >>> complete("th", 0), complete("th", 1), complete("th", 2)
    ('the', 'them', None)
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._complete = Completion(vocabulary)
        self._found: list[str] = []

    def __call__(self, text: str, state: int) -> str | None:
        """The completion number `state` of a text, or None after the last."""
        if state == 0:
            self._found = self._complete(text)
        return self._found[state] if state < len(self._found) else None
