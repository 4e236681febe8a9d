"""`andornot ask`: queries answered, one by one, in a batch, or at a prompt."""

from __future__ import annotations

import io
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from andornot.algebra import Answer, Explanation, Hit, Logic, QuerySyntaxError, explain
from andornot.algebra.categories import read_categories
from andornot.algebra.facts import facts_of
from andornot.base.errors import AndornotError, UsageError
from andornot.cli.console import print_json, printable
from andornot.cli.options import with_counts_from
from andornot.cli.prompt import prompted
from andornot.formats import load

_WIDTH = 80
_BAR = 30  # columns of the longest
_LONGEST_ECHO = 200  # characters of a query


@dataclass(frozen=True)
class _Result:
    """A query with its answer, or what is wrong with it, and why the answer is what it is."""

    query: str
    answer: Answer | AndornotError
    explanation: Explanation | None = None


def ask_space(
    queries: list[str],
    space: Path,
    loading: dict[str, Any],
    *,
    counts: str | None,
    corpus: list[str] | None,
    categories: Path | None,
    postprocess: str | None,
    weights: str | None,
    exact: bool,
    explained: bool,
    against: Path | None,
    as_json: bool,
    asking: dict[str, Any],
) -> None:
    """Answer the queries that are named, or those on standard input, a line each."""
    opened = with_counts_from(load(space, **loading), counts, corpus)
    if not opened.has_frequencies and not (postprocess and weights):
        option = "--counts" if opened.pieces is None else "--corpus"
        said = f"this space has no counts ({option} adds them): all its words weigh alike"
        print(f"note: {said}", file=sys.stderr)
    logic = Logic(
        opened,
        postprocess=postprocess,
        weights=weights,
        exact=exact,
        categories=None if categories is None else read_categories(categories),
    )
    measured = None
    if against is not None:
        from andornot.cooccurrence.store import load_counts

        measured = load_counts(against)

    def answered(lines: list[str]) -> list[_Result]:
        results = []
        for line, answer in zip(lines, logic.answer_all(lines, **asking), strict=True):
            why = None
            if isinstance(answer, Answer) and (explained or measured is not None):
                why = explain(answer, measured)
            results.append(_Result(line, answer, why))
        return results

    if not queries and sys.stdin.isatty():
        for line in prompted(opened.vocabulary):
            (result,) = answered([line])
            if as_json:
                print_json(_facts(result))
            else:
                _show(result)
        return
    results = answered(queries or _piped())
    if not results:
        raise UsageError("there is no query; name one, or write one on each line of the input")
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


def _piped() -> list[str]:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # an unknown word rather than a traceback
    return [line.strip() for line in sys.stdin if line.strip()]


def _facts(result: _Result) -> dict[str, Any]:
    """An answer, or what is wrong with the query, ready for JSON."""
    facts = facts_of(result.query, result.answer)
    if result.explanation is not None:
        facts["explanation"] = result.explanation.to_dict()
    return facts


def _show_hits(hits: Sequence[Hit]) -> None:
    """Print words and scores; on a terminal with bars beside them, as long as the scores are."""
    words = [printable(hit.word) for hit in hits]
    width = max(map(len, words), default=0)
    places = max(3, len(str(len(hits))))
    longest = max((abs(hit.score) for hit in hits), default=0.0)
    drawn = sys.stdout.isatty() and sys.stdout.encoding.lower() == "utf-8"
    for place, (hit, word) in enumerate(zip(hits, words, strict=True), start=1):
        bar = ""
        if drawn and hit.score > 0:
            bar = "  " + "\u2588" * max(1, round(_BAR * hit.score / longest))
        print(f"{place:>{places}}  {word:<{width}}  {hit.score:.3f}{bar}")


def _show(result: _Result, where: str = "") -> None:
    """Print an answer for people; what is wrong goes to standard error."""
    answer = result.answer
    if isinstance(answer, AndornotError):
        print(f"error: {where}{answer}", file=sys.stderr)
        if isinstance(answer, QuerySyntaxError):
            print(answer.pointer(), file=sys.stderr)
        return
    _show_hits(answer.hits)
    if result.explanation is None:
        for note in answer.notes:
            shown = printable(f"note: {note}")
            print(textwrap.fill(shown, _WIDTH, subsequent_indent="      "))
    elif sys.stdout.isatty():
        from rich.console import Console

        print(flush=True)
        Console(highlight=False).print(result.explanation)
    else:
        print(f"\n{result.explanation.text()}")
