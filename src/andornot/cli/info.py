"""`andornot info`: what a space, or a folder of counts, holds and how it was made."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from andornot.base.choices import Undecodable
from andornot.cli.console import print_json, printable, readable_size
from andornot.cli.options import (
    FromOption,
    GloveVocabOption,
    JsonOption,
    SpaceArgument,
    UndecodableOption,
    chosen,
    loading,
)

if TYPE_CHECKING:
    from andornot.cooccurrence import Cooccurrence
    from andornot.space import Space

_SHOWN_WORDS = 10
_WIDTH = 80


def info(
    space: SpaceArgument = None,
    as_json: JsonOption = False,
    format: FromOption = None,
    glove_vocab: GloveVocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Show what a space, or a folder of counts, holds and how it was made."""
    from andornot.base.folders import recover
    from andornot.formats.detection import is_model

    path = chosen(space)
    recover(path)
    if path.is_dir() and not is_model(path):
        from andornot.cooccurrence import load_counts

        facts = _describe_counts(load_counts(path), path)
        lines = _lines_of_counts(facts)
    else:
        from andornot.formats import load

        facts = _describe(load(path, **loading(format, glove_vocab, undecodable)), path)
        lines = _lines(facts)
    if as_json:
        print_json(facts)
        return
    for label, value in lines:
        parts = textwrap.wrap(value, _WIDTH - 17, break_long_words=False, break_on_hyphens=False)
        for number, part in enumerate(parts or [""]):
            print(f"{label if number == 0 else '':<16} {part}")


_NAMES = {
    "loss": "training loss",
    "held_out_loss": "held-out loss",
    "prior_path": "held-out losses by prior",
}
"""Clearer names for settings."""


def _describe(space: Space, path: Path) -> dict[str, Any]:
    """Describe a space, ready for JSON."""
    import numpy as np

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


def _describe_counts(counts: Cooccurrence, path: Path) -> dict[str, Any]:
    """Describe a folder of counts, ready for JSON."""
    size = len(counts.vocabulary)
    return {
        "path": str(path),
        "words": size,
        "pairs": counts.pairs,
        "density": counts.pairs / size**2,
        "total": counts.total,
        "held_out_pairs": None if counts.held_out is None else counts.held_out.pairs,
        "settings": counts.settings,
        "most_frequent": [counts.vocabulary.word(i) for i in range(min(_SHOWN_WORDS, size))],
        "bytes": sum(file.stat().st_size for file in path.iterdir()),
    }


def _lines_of_counts(facts: dict[str, Any]) -> list[tuple[str, str]]:
    settings = facts["settings"]
    return [
        ("counts", facts["path"]),
        ("words", f"{facts['words']:,}"),
        ("pairs", f"{facts['pairs']:,} that co-occur ({facts['density']:.2%} of all)"),
        ("total", f"{facts['total']:,.0f}"),
        ("tokens", f"{settings['tokens']:,}"),
        ("window", f"{settings['window']} words, {settings['weights']} weights"),
        ("subsampling", str(settings["sample"] or "none")),
        ("held out", _held_out_line(facts)),
        ("corpus", ", ".join(settings["corpus"][:3])),
        ("most frequent", " ".join(map(printable, facts["most_frequent"]))),
        ("on disk", readable_size(facts["bytes"])),
    ]


def _held_out_line(facts: dict[str, Any]) -> str:
    if facts["held_out_pairs"] is None:
        return "nothing"
    every = facts["settings"]["held_out"]
    return f"one block of 10,000 tokens in {every}, {facts['held_out_pairs']:,} pairs"


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
    return ", ".join(
        f"{_NAMES.get(key, key.replace('_', ' '))} {_shown(value)}" for key, value in known.items()
    )


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
