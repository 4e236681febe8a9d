"""Answer the queries of `andornot ask`. Nothing here needs typer, which takes long to import."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from andornot.base import defaults
from andornot.base.choices import (
    FrequencyFilter,
    Measure,
    OrWeights,
    Postprocess,
    ReadFormat,
    Undecodable,
)
from andornot.base.errors import AndornotError, MissingCountsError, UsageError
from andornot.cli.answers import show_hits, show_notes, show_readings
from andornot.cli.console import print_json, printable
from andornot.cli.opening import load_arguments, space_path, with_counts_from

if TYPE_CHECKING:
    from andornot.algebra import Answer, Explanation

_LONGEST_ECHO = 200  # characters of a query that are printed


@dataclass(frozen=True)
class _Result:
    """A query, its answer or error, and the explanation if one was requested."""

    query: str
    answer: Answer | AndornotError
    explanation: Explanation | None = None


def ask_queries(
    query: list[str] | None = None,
    *,
    space: Path | None = None,
    k: int = defaults.K,
    postprocess: Postprocess | None = None,
    weights: OrWeights | None = None,
    paper: bool = False,
    exact: bool = False,
    measure: Measure = defaults.MEASURE,
    everywhere: bool = False,
    keep_operands: bool = False,
    among: str | None = None,
    pattern: str | None = None,
    length: str | None = None,
    frequency: FrequencyFilter = defaults.FREQUENCY,
    categories: Path | None = None,
    counts: str | None = None,
    corpus: list[str] | None = None,
    explain: bool = False,
    against: str | None = None,
    plot: Path | None = None,
    force: bool = False,
    as_json: bool = False,
    format: ReadFormat | None = None,
    glove_vocab: Path | None = None,
    undecodable: Undecodable = Undecodable.STRICT,
) -> None:
    """Answer queries and print the answers.

    The parameters are the options of `andornot ask`, with the same defaults.

    Args:
        query: The queries; default: a prompt, or one query for each line of standard input.
        space: The file of the space; default: the model of the package.
        k: The number of words in an answer.
        postprocess: The post-processing; default: chosen for the space.
        weights: The weights of an OR and of a category.
        paper: Take the paper's post-processing and weights.
        exact: Compute AND, OR and NOT from the PMI of the model.
        measure: Rank by cosine or by PMI.
        everywhere: Rank the whole vocabulary for a NOT, instead of its category.
        keep_operands: Keep the query's words in the answer.
        among: The words to rank.
        pattern: The pattern that a word must match.
        length: The lengths of a word, as `5` or `3-6`.
        frequency: The frequency that a word must have.
        categories: A file of named categories.
        counts: The source of word counts.
        corpus: Texts to count words in.
        explain: Print an explanation of each answer.
        against: Counts whose PMI the explanation is compared with.
        plot: The SVG file for a drawing of the answer.
        force: Replace an existing drawing.
        as_json: Print JSON.
        format: The format of the space's file; default: detected.
        glove_vocab: The vocab.txt of a binary GloVe file.
        undecodable: The rule for words that are not UTF-8.

    Raises:
        SystemExit: If a query had an error, or an answer has no words.
    """
    from andornot.algebra import Answer, Logic
    from andornot.formats import load

    if plot is not None:
        _check_plot(plot, query, measure, force=force)  # before a long load, not after
    read = load(space_path(space), **load_arguments(format, glove_vocab, undecodable))
    opened = with_counts_from(read, counts, corpus)
    if paper:
        postprocess, weights = _papers_settings(postprocess, weights)
        if not opened.has_frequencies:
            raise MissingCountsError("--paper", has_tokenizer=opened.pieces is not None)
    if not opened.has_frequencies and postprocess is None:
        option = "--counts" if opened.pieces is None else "--corpus"
        said = f"the space has no counts; the mean is not weighted by frequency (add {option})"
        print(f"note: {said}", file=sys.stderr)
    named = None
    if categories is not None:
        from andornot.algebra.categories import read_categories

        named = read_categories(categories)
    logic = Logic(
        opened,
        postprocess=postprocess and postprocess.value,
        weights=(weights or defaults.OR_WEIGHTS).value,
        exact=exact,
        categories=named,
    )
    measured = None
    if against is not None:
        from andornot.cooccurrence import load_counts

        measured = load_counts(against)

    def answered(lines: list[str]) -> list[_Result]:
        answers = logic.answer_all(
            lines,
            k=k,
            measure=measure.value,
            everywhere=everywhere,
            keep_operands=keep_operands,
            among=_among(among),
            pattern=pattern,
            length=length,
            frequency=frequency.value,
        )
        results = []
        for line, answer in zip(lines, answers, strict=True):
            why = None
            if isinstance(answer, Answer) and (explain or measured is not None):
                why = logic.explain(answer, measured)
            results.append(_Result(line, answer, why))
        return results

    if not query and sys.stdin.isatty():
        from andornot.cli.prompt import prompted

        for line in prompted(opened.vocabulary):
            (result,) = answered([line])
            if as_json:
                print_json(_facts(result))
            else:
                _show(result)
        return
    results = answered(query or _piped())
    if not results:
        raise UsageError("no query was given; pass one, or one per line on standard input")
    if as_json:
        print_json([_facts(result) for result in results])
    else:
        for number, result in enumerate(results, start=1):
            if len(results) > 1:
                print(
                    f"{chr(10) * (number > 1)}{printable(result.query[:_LONGEST_ECHO])}", flush=True
                )
            _show(result, f"query {number}: " if len(results) > 1 else "")
    if any(isinstance(result.answer, AndornotError) for result in results):
        raise SystemExit(1)
    if plot is not None:
        _draw(results, plot, force=force)
    if not all(result.answer for result in results):
        raise SystemExit(1)


def _check_plot(path: Path, queries: list[str] | None, measure: Measure, *, force: bool) -> None:
    """Check that a plot can be drawn and written.

    Raises:
        UsageError: If there is not exactly one query, the scores would not be cosines, or the name
            of the file doesn't end in .svg.
    """
    from andornot.algebra.plot import check_svg_name
    from andornot.base.outputs import check_output

    if len(queries or ()) != 1:
        raise UsageError(
            f"--plot draws one query, got {len(queries or ())}; give one query as an argument; "
            "run the command once for each drawing"
        )
    if measure != Measure.COSINE:
        raise UsageError(
            f"--plot needs scores that are cosines, got --measure {measure}; leave one of them off"
        )
    check_svg_name(path)
    check_output(path, force=force)


def _draw(results: list[_Result], path: Path, *, force: bool) -> None:
    """Write the picture of the one answer, and say so."""
    from andornot.algebra.plot import plot_of

    (result,) = results
    assert not isinstance(result.answer, AndornotError)
    plot_of(result.answer).save(path, force=force)
    print(f"plot: {path}", file=sys.stderr)


def _papers_settings(
    postprocess: Postprocess | None, weights: OrWeights | None
) -> tuple[Postprocess, OrWeights]:
    """Return the post-processing and the weights of the paper.

    Raises:
        UsageError: If one of them was given as well.
    """
    if postprocess or weights:
        raise UsageError(
            "--paper sets --postprocess and --weights to frequency; leave these options out"
        )
    return Postprocess.FREQUENCY, OrWeights.FREQUENCY


def _among(text: str | None) -> list[str] | str | None:
    """Parse --among: a list of words, or the name of a category.

    >>> _among("{king, queen}"), _among("royals")
    (['king', 'queen'], 'royals')
    """
    if text is None or not ("," in text or text.startswith("{")):
        return text
    return [word.strip() for word in text.strip("{} ").split(",") if word.strip()]


def _piped() -> list[str]:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # an unknown word instead of a traceback
    lines = (line.removeprefix("\ufeff").strip() for line in sys.stdin)  # a byte-order mark
    return [line for line in lines if line]


def _facts(result: _Result) -> dict[str, Any]:
    """Return an answer, or the error of a query, ready for JSON."""
    from andornot.algebra.facts import facts_of

    facts = facts_of(result.query, result.answer)
    if result.explanation is not None:
        facts["explanation"] = result.explanation.to_dict()
    return facts


def _show(result: _Result, where: str = "") -> None:
    """Print an answer for people, or its error to standard error."""
    from andornot.algebra import QuerySyntaxError

    answer = result.answer
    if isinstance(answer, AndornotError):
        print(f"error: {where}{answer}", file=sys.stderr)
        if isinstance(answer, QuerySyntaxError):
            print(answer.pointer(), file=sys.stderr)
        return
    show_readings(answer.readings)
    show_hits(answer.hits)
    if result.explanation is None:
        show_notes(answer.notes)
    elif sys.stdout.isatty():
        from rich.console import Console

        print(flush=True)
        Console(highlight=False).print(result.explanation)
    else:
        print(f"\n{result.explanation.text()}")
