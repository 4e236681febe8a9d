"""`andornot grow`: grow a word list from examples, at a prompt or from a script."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from andornot.base import defaults
from andornot.base.choices import Decision, FrequencyFilter, Undecodable
from andornot.base.errors import AndornotError, FileError, UsageError
from andornot.cli.console import print_json, printable
from andornot.cli.opening import load_arguments, space_path, with_counts_from
from andornot.cli.options import (
    CountsOption,
    FromOption,
    GloveVocabOption,
    JsonOption,
    SpaceOption,
    UndecodableOption,
)

if TYPE_CHECKING:
    from andornot.growing import Proposal, WordList
    from andornot.growing.decision_file import Decided
    from andornot.space import Space
    from andornot.words.vocabulary import Vocabulary

_SHOWN_UNKNOWN = 5  # unknown words of a file that a note lists
_KEYS = {
    "y": Decision.YES,
    "n": Decision.NO,
    "s": Decision.SKIP,
    " ": Decision.SKIP,
}
_HELP = "y accept, n reject, space skip, u undo, q quit"


def grow(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORDS", help="Example words, such as violin piano cello."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="File of example words, one per line."),
    ] = None,
    yes: Annotated[
        Path | None,
        typer.Option("--yes", metavar="FILE", help="File of accepted words; skips the prompt."),
    ] = None,
    no: Annotated[
        Path | None,
        typer.Option("--no", metavar="FILE", help="File of rejected words; skips the prompt."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="CSV file of the list; an existing file is continued. Default at the "
            "prompt: the first word, with .csv.",
        ),
    ] = None,
    space: SpaceOption = None,
    k: Annotated[
        int, typer.Option("-k", min=1, metavar="N", help="Number of words per round.")
    ] = defaults.GROW_ROUND,
    pattern: Annotated[
        str | None,
        typer.Option(
            metavar="PATTERN",
            help="Propose only words that match: * matches any characters, ? matches one, as in "
            "'a*'.",
        ),
    ] = None,
    length: Annotated[
        str | None,
        typer.Option(metavar="N|N-M", help="Propose only words of N, or N to M, characters."),
    ] = None,
    frequency: Annotated[
        FrequencyFilter,
        typer.Option(
            help="Propose only common words (the 10,000 most frequent) or rare words (beyond the "
            "30,000 most frequent). Needs counts."
        ),
    ] = defaults.FREQUENCY,
    wordnet: Annotated[
        bool | None,
        typer.Option(
            "--wordnet/--no-wordnet",
            help="Use WordNet hypernyms. Default: use them if WordNet is installed.",
        ),
    ] = None,
    counts: CountsOption = None,
    as_json: JsonOption = False,
    format: FromOption = None,
    glove_vocab: GloveVocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Grow a word list from examples and counter-examples.

    At a terminal, words are shown one by one: y accepts, n rejects, space skips, u undoes the last
    decision, q quits. After each round, new words are proposed from all decisions so far. Without a
    terminal, or with --yes, --no or --json, the best candidates are printed. Each decision
    is saved before the next word is shown.
    """
    from andornot.algebra.filters import WordFilter
    from andornot.formats import load
    from andornot.growing.decision_file import held, read_decisions
    from andornot.growing.word_list import list_facts

    filters: dict[str, Any] = {
        "pattern": pattern,
        "length": length,
        "frequency": frequency.value,
    }
    WordFilter(**filters)  # report wrong filters before loading the space
    with ExitStack() as until_end:
        decided: Sequence[Decided] = ()
        if output is not None:
            until_end.enter_context(held(output))
            if output.exists():
                decided = read_decisions(output)
        given = _Given(words or (), file, yes, no, decided)
        opened = with_counts_from(
            load(space_path(space), **load_arguments(format, glove_vocab, undecodable)),
            counts,
            None,
        )
        word_list = given.list_in(opened, wordnet)
        prompted = sys.stdin.isatty() and sys.stdout.isatty() and not (yes or no or as_json)
        for note in word_list.notes:
            print(f"note: {note}", file=sys.stderr)
        if prompted:
            path = output or Path(_file_name(word_list.seeds[0]))
            if output is None:
                until_end.enter_context(held(path))
                if path.exists():
                    way_out = f"continue it with -o {path}, or name another file"
                    raise FileError(path, "it exists already", way_out)
            _Prompt(word_list, path, decided, k, filters).run()
            return
        proposals = word_list.propose(k, **filters)
        if output is not None:
            _write(output, word_list, decided, proposals)
    if as_json:
        print_json(list_facts(word_list, proposals))
    else:
        _show(proposals)
    if not proposals:
        raise AndornotError("no candidate words are left; relax the filters")


class _Given:
    """The words given for a list: on the command line, in files, and by earlier runs."""

    def __init__(
        self,
        words: Sequence[str],
        file: Path | None,
        yes: Path | None,
        no: Path | None,
        decided: Sequence[Decided],
    ) -> None:
        self._words, self._decided = words, decided
        self._files = {path: _lines(path) for path in (file, yes, no) if path is not None}
        self._file, self._yes, self._no = file, yes, no
        earlier = any(each.decision == Decision.SEED for each in decided)
        if not (words or file or earlier):  # use the accepted words as seeds
            self._file, self._yes = yes, None
            if not self._words_of(yes):
                raise UsageError(
                    "a list needs at least one word; name example words, or use --file or --yes"
                )

    def _words_of(self, path: Path | None) -> list[str]:
        return [] if path is None else self._files[path]

    def list_in(self, space: Space, wordnet: bool | None) -> WordList:
        """Return the list.

        Raises:
            UnknownWordError: If a word of the command line is unknown, or all words of a file.
            UsageError: If a word is both accepted and rejected.
        """
        from andornot.growing import WordList

        vocabulary = space.vocabulary
        for word in self._words:
            vocabulary.index(vocabulary.spelling(word) or word)
        seeds = [each.word for each in self._decided if each.decision == Decision.SEED]
        seeds += [*self._words, *_known(vocabulary, self._words_of(self._file), self._file)]
        word_list = WordList(space, seeds, wordnet=wordnet)
        for each in self._decided:
            if each.decision is not None:
                word_list.decide(each.word, each.decision)
        for path, decision in ((self._yes, Decision.YES), (self._no, Decision.NO)):
            for word in _known(vocabulary, self._words_of(path), path):
                word_list.decide(word, decision)
        return word_list


def _lines(path: Path | None) -> list[str]:
    """Return the words of a file, one per line, without empty lines."""
    if path is None:
        return []
    from andornot.datasets.lines import text_lines

    return [line.strip() for line in text_lines(path) if line.strip()]


def _known(vocabulary: Vocabulary, words: Iterable[str], path: Path | None) -> list[str]:
    """Return the known words of a file; a note lists the unknown words.

    Raises:
        AndornotError: If all words are unknown.
    """
    words = list(words)
    unknown = [word for word in words if vocabulary.spelling(word) is None]
    if not unknown:
        return words
    if len(unknown) == len(words):
        vocabulary.index(unknown[0])  # raises UnknownWordError with suggestions
    shown = ", ".join(map(printable, unknown[:_SHOWN_UNKNOWN]))
    more = f" and {len(unknown) - _SHOWN_UNKNOWN:,} more" * (len(unknown) > _SHOWN_UNKNOWN)
    print(f"note: {path}: unknown words are ignored: {shown}{more}", file=sys.stderr)
    return [word for word in words if vocabulary.spelling(word) is not None]


def _file_name(word: str) -> str:
    """Return a file name for the list of a word.

    >>> _file_name("violin"), _file_name("a/b")
    ('violin.csv', 'a_b.csv')
    """
    return re.sub(r"[^\w-]", "_", word) + ".csv"


def _all_lines(word_list: WordList, decided: Sequence[Decided]) -> list[Decided]:
    """Return the decided lines of the file, then the new decisions."""
    from andornot.growing.decision_file import Decided

    found = {each.word for each in decided if each.decision is not None}
    groups = (
        (Decision.SEED, word_list.seeds),
        (Decision.YES, [word for word in word_list.words if word not in word_list.seeds]),
        (Decision.NO, word_list.rejected),
    )
    new = [
        Decided(word, decision) for decision, words in groups for word in words if word not in found
    ]
    return [*(each for each in decided if each.decision is not None), *new]


def _write(
    path: Path, word_list: WordList, decided: Sequence[Decided], proposals: Sequence[Proposal]
) -> None:
    """Write the decisions, and the proposals with an empty decision to fill in."""
    from andornot.growing.decision_file import Decided, write_decisions

    lines = _all_lines(word_list, decided)
    write_decisions(path, [*lines, *(Decided.of(each, None) for each in proposals)])


def _line(proposal: Proposal, width: int) -> str:
    often = "" if proposal.frequency is None else f"  {proposal.frequency:8.2f} per million"
    near = printable(proposal.nearest)
    return f"{printable(proposal.word):<{width}}  {proposal.score:6.2f}{often}  near {near}"


def _show(proposals: Sequence[Proposal]) -> None:
    width = max((len(printable(each.word)) for each in proposals), default=0)
    digits = max(3, len(str(len(proposals))))
    for rank, each in enumerate(proposals, start=1):
        print(f"{rank:>{digits}}  {_line(each, width)}")


class _Prompt:
    """Ask about words one by one; each decision is written to disk before the next word."""

    def __init__(
        self,
        word_list: WordList,
        path: Path,
        decided: Sequence[Decided],
        k: int,
        filters: dict[str, Any],
    ) -> None:
        from andornot.growing.decision_file import write_decisions

        self._list, self._path, self._k, self._filters = word_list, path, k, filters
        write_decisions(path, _all_lines(word_list, decided))
        self._history: list[Proposal] = []
        self._was_undone = False
        self._rounds = 0

    def run(self) -> None:
        """Show words until q, Ctrl-C, the end of the input, or the last candidate."""
        from andornot.cli.keys import single_keys
        from andornot.growing.decision_file import DecisionFile, read_decisions, write_decisions

        counted = len(self._list.words), len(self._list.rejected)
        wordnet = "with" if self._list.grower.uses_wordnet else "without"
        print(f"{self._path}: {counted[0]} words, {counted[1]} rejected; {wordnet} WordNet")
        print(_HELP)
        with DecisionFile(self._path) as file, single_keys():
            try:
                while self._round(file):
                    pass
            except KeyboardInterrupt:
                print()
        if self._was_undone:  # remove undone decisions from the file
            write_decisions(self._path, read_decisions(self._path))
        print(f"{self._path}: {len(self._list.words)} words, {len(self._list.rejected)} rejected.")
        print(printable(", ".join(self._list.words)))

    def _round(self, file: Any) -> bool:
        """Ask about the words of one round; return False to stop."""
        waiting = self._list.propose(self._k, **self._filters)
        self._rounds += 1
        if not waiting:
            print("no candidate words are left")
            return False
        print(f"round {self._rounds}")
        width = max(len(printable(each.word)) for each in waiting)
        waiting.reverse()
        while waiting:
            proposal = waiting[-1]
            print(f"  {_line(proposal, width)}  ? ", end="", flush=True)
            key = self._key()
            if key == "u":
                if not self._history:
                    print("nothing to undo")
                    continue
                last = self._history.pop()
                file.undo(last.word)
                self._was_undone = True
                self._list.undo(last.word)
                waiting.append(last)
                print("undo")
            elif key == "q":
                print()
                return False
            else:
                from andornot.growing.decision_file import Decided

                decision = _KEYS[key]
                file.add(Decided.of(proposal, decision))
                self._list.decide(proposal.word, decision)
                self._history.append(proposal)
                waiting.pop()
                print(decision, flush=True)
        return True

    @staticmethod
    def _key() -> str:
        """Wait for a valid key and return it; other keys are ignored."""
        from andornot.cli.keys import END, read_key

        while True:
            key = read_key().lower()
            if key in (END, "q"):
                return "q"
            if key == "u" or key in _KEYS:
                return key
