"""`andornot info`: what a space holds and how it was made."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from andornot.cli.console import print_json, printable, progress_bar, readable_size
from andornot.formats import load
from andornot.space import Space

_SHOWN_WORDS = 10
_WIDTH = 80


def describe(space: Space, path: Path) -> dict[str, Any]:
    """Everything there is to say about a space, ready for JSON."""
    vocabulary = space.vocabulary
    counts = vocabulary.counts
    frequent = None
    if counts is not None:
        order = np.argsort(-counts.values, kind="stable")[:_SHOWN_WORDS]
        frequent = [vocabulary.word(i) for i in order.tolist()]
    arrays = (
        space.target,
        space.context,
        space.target_bias,
        space.context_bias,
        space.marginal,
        None if counts is None else counts.values,
        None if space.subwords is None else space.subwords.matrix,
        vocabulary.utf8,
        vocabulary.offsets,
    )
    return {
        "path": str(path),
        "words": len(space),
        "dimension": space.dim,
        "counts": None
        if counts is None
        else {
            "origin": str(counts.origin),
            "detail": counts.detail,
            "total": float(counts.values.sum()),
            "unseen_words": int(np.count_nonzero(counts.values == 0)),
        },
        "context_vectors": space.context is not None,
        "biases": space.target_bias is not None,
        "subwords": None
        if space.subwords is None
        else {
            "buckets": len(space.subwords.matrix),
            "shortest": space.subwords.shortest,
            "longest": space.subwords.longest,
        },
        "tokenizer": None
        if space.pieces is None
        else {"kind": space.pieces.kind, "tokens": len(space.pieces.tokens)},
        "provenance": space.provenance.to_dict(),
        "most_frequent": frequent,
        "first_words": [vocabulary.word(i) for i in range(min(_SHOWN_WORDS, len(space)))],
        "bytes": sum(array.nbytes for array in arrays if array is not None),
    }


def show_info(path: Path, options: dict[str, Any], as_json: bool) -> None:
    """Print what a space holds."""
    with progress_bar(f"reading {path.name}") as progress:
        space = load(path, progress=progress, **options)
    facts = describe(space, path)
    if as_json:
        print_json(facts)
        return
    for label, value in _lines(facts):
        print(
            textwrap.fill(
                f"{label:<16} {value}",
                _WIDTH,
                subsequent_indent=" " * 17,
                break_long_words=False,
                break_on_hyphens=False,
            )
        )


def _lines(facts: dict[str, Any]) -> list[tuple[str, str]]:
    provenance = facts["provenance"]
    subwords = facts["subwords"]
    lines = [
        ("space", facts["path"]),
        ("words", f"{facts['words']:,}"),
        ("dimension", f"{facts['dimension']:,}"),
        ("counts", _counts_line(facts["counts"], facts["tokenizer"] is not None)),
        ("context vectors", "yes" if facts["context_vectors"] else "no"),
        ("biases", "yes" if facts["biases"] else "no"),
    ]
    if subwords:
        lengths = f"{subwords['shortest']} to {subwords['longest']} characters"
        lines.append(("subwords", f"{subwords['buckets']:,} buckets, {lengths}"))
    if tokenizer := facts["tokenizer"]:
        lines.append(("tokenizer", f"{tokenizer['kind']}, {tokenizer['tokens']:,} tokens"))
    lines.append(("made from", provenance["origin"]))
    if settings := _settings(provenance):
        lines.append(("settings", settings))
    lines += [("then", step) for step in provenance.get("history", [])]
    if facts["most_frequent"] is not None:
        lines.append(("most frequent", " ".join(map(printable, facts["most_frequent"]))))
    else:
        lines.append(("first words", " ".join(map(printable, facts["first_words"]))))
    lines.append(("memory", readable_size(facts["bytes"])))
    return lines


def _counts_line(counts: dict[str, Any] | None, has_tokenizer: bool) -> str:
    if counts is None:
        option = "--corpus TEXT" if has_tokenizer else "--counts"
        return f"none (add them with `andornot convert {option}`)"
    detail = f" ({counts['detail']})" if counts["detail"] else ""
    return f"{counts['origin']}{detail}, {counts['total']:,.0f} in all"


def _settings(provenance: dict[str, Any]) -> str:
    known = {k: v for k, v in provenance.items() if k not in ("origin", "history", "settings")}
    known |= provenance.get("settings", {})
    return ", ".join(f"{key.replace('_', ' ')} {_shown(value)}" for key, value in known.items())


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
