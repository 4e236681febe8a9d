"""`andornot ask`: queries answered, one by one, in a batch, or at a prompt."""

from __future__ import annotations

import json
import sys
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
    if not queries and sys.stdin.isatty():
        for line in prompted(opened.vocabulary):
            (answer,) = logic.answer_all([line], **asking)
            result = _facts(line, answer, explained)
            if as_json:
                print(json.dumps(result, ensure_ascii=False, indent=2))
            else:
                _show(result)
        return
    lines = queries or _piped()
    results = [
        _facts(line, answer, explained)
        for line, answer in zip(lines, logic.answer_all(lines, **asking), strict=True)
    ]
    if as_json:
        print(json.dumps(results, ensure_ascii=False, indent=2))
    else:
        for number, result in enumerate(results):
            if len(results) > 1:
                print(f"{chr(10) * bool(number)}{result['query']}", flush=True)
            _show(result)
    if any("error" in result for result in results):
        raise SystemExit(1)


def _piped() -> list[str]:
    return [line.strip() for line in sys.stdin if line.strip()]


def _facts(query: str, answer: Answer | AndornotError, explained: bool) -> dict[str, Any]:
    """An answer, or what is wrong with the query, ready for JSON."""
    if isinstance(answer, QuerySyntaxError):
        column, picture = answer.column + 1, answer.pointer()
        return {"query": query, "error": str(answer), "column": column, "at": picture}
    if isinstance(answer, AndornotError):
        return {"query": query, "error": str(answer)}
    facts: dict[str, Any] = {
        "query": query,
        "formula": str(answer.concept.formula),
        "measure": str(answer.measure),
        "probability": answer.concept.probability,
        "probability_is_bound": answer.concept.value.is_bound,
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
