"""`andornot ask`: queries answered, one by one, in a batch, or at a prompt."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from andornot.algebra import Answer, Logic, QuerySyntaxError, explain
from andornot.algebra.categories import read_categories
from andornot.cli.prompt import prompted
from andornot.errors import AndornotError
from andornot.formats import load


def ask_space(
    queries: list[str],
    space: Path,
    loading: dict[str, Any],
    *,
    counts: str | None,
    categories: Path | None,
    postprocess: str,
    weights: str,
    exact: bool,
    explained: bool,
    as_json: bool,
    asking: dict[str, Any],
) -> None:
    """Answer the queries that are named, or those on standard input, a line each."""
    opened = load(space, **loading)
    if counts is not None:
        opened = opened.with_counts(counts)
    logic = Logic(
        opened,
        postprocess=postprocess,
        weights=weights,
        exact=exact,
        categories=None if categories is None else read_categories(categories),
    )
    lines: Iterable[str] = queries
    if not queries:
        lines = prompted(opened.vocabulary) if sys.stdin.isatty() else _piped()
    at_a_prompt = not queries and sys.stdin.isatty()
    results = []
    failed = False
    for number, query in enumerate(lines):
        result = _answer(logic, query, asking, explained)
        failed |= "error" in result
        if as_json:
            results.append(result)
            continue
        if number and not at_a_prompt:
            print()
        if len(queries) != 1 and not at_a_prompt and "error" not in result:
            print(query)
        _show(result)
    if as_json:
        print(json.dumps(results, ensure_ascii=False, indent=2))
    if failed and not at_a_prompt:
        raise SystemExit(1)


def _piped() -> Iterable[str]:
    return (line.strip() for line in sys.stdin if line.strip())


def _answer(logic: Logic, query: str, asking: dict[str, Any], explained: bool) -> dict[str, Any]:
    """The answer to one query, or what is wrong with it, ready for JSON."""
    try:
        answer = logic.ask(query, **asking)
        return _facts(query, answer, explained)
    except QuerySyntaxError as error:
        picture = error.pointer()
        return {"query": query, "error": str(error), "column": error.column + 1, "at": picture}
    except AndornotError as error:
        return {"query": query, "error": str(error)}


def _facts(query: str, answer: Answer, explained: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "query": query,
        "formula": str(answer.concept.formula),
        "measure": str(answer.measure),
        "probability": answer.concept.probability,
        "category": None if answer.among is None else list(answer.among.words),
        "hits": [{"word": hit.word, "score": hit.score} for hit in answer.hits],
        "notes": list(answer.notes),
    }
    if explained:
        explanation = explain(answer.concept)
        facts["explanation"] = explanation.to_dict()
        facts["explanation"]["text"] = explanation.text()
    return facts


def _show(result: dict[str, Any]) -> None:
    """Print an answer for people; what is wrong goes to standard error."""
    if "error" in result:
        print(f"error: {result['error']}", file=sys.stderr)
        if "at" in result:
            print(result["at"], file=sys.stderr)
        return
    hits = result["hits"]
    width = max((len(hit["word"]) for hit in hits), default=0)
    for place, hit in enumerate(hits, start=1):
        print(f"{place:>3}  {hit['word']:<{width}}  {hit['score']:.3f}")
    if "explanation" in result:
        print()
        print(result["explanation"]["text"])
    else:
        for note in result["notes"]:
            print(f"note: {note}")
