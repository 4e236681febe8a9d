"""`andornot info`: describe a space, or a folder of counts, and how it was made."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from andornot.base.choices import LINE_WINDOW, Undecodable
from andornot.base.formatting import number
from andornot.cli.console import print_json, printable, readable_size
from andornot.cli.opening import load_arguments, space_path
from andornot.cli.options import (
    FromOption,
    GloveVocabOption,
    JsonOption,
    UndecodableOption,
)

if TYPE_CHECKING:
    from andornot.quality import Quality
    from andornot.space import Space

_SHOWN_WORDS = 10
_WIDTH = 80


def info(
    space: Annotated[
        str | None,
        typer.Argument(
            metavar="SPACE|COUNTS",
            help="A space: a file of vectors, or a model. Or counts: a folder, or its address. "
            "Default: the model that comes with andornot.",
        ),
    ] = None,
    as_json: JsonOption = False,
    format: FromOption = None,
    glove_vocab: GloveVocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Describe a space or a folder of counts, and how it was made.

    For a space, a table shows the quality of the vectors in five frequency bands.
    """
    from andornot.base.folders import recover

    path = space_path(None if space is None else Path(space))
    recover(path)
    quality = None
    if space is not None and _is_counts(space, path):
        facts = _describe_counts(space)
        lines = _lines_of_counts(facts)
    else:
        from threadpoolctl import threadpool_limits

        from andornot.formats import load
        from andornot.formats.values import refuse_infinite_vectors
        from andornot.quality import quality_of

        loaded = load(path, **load_arguments(format, glove_vocab, undecodable))
        refuse_infinite_vectors(loaded, path)  # our own format is read without a look at each value
        with threadpool_limits(1, "blas"):  # more threads gain little and stall on busy machines
            quality = quality_of(loaded)
        facts = {**_describe(loaded, path), "quality": quality.to_dict()}
        lines = _lines(facts)
    if as_json:
        print_json(facts)
        return
    _print_lines(lines)
    if quality is not None:
        print()
        print(_table(quality))
        _print_lines(_lines_of_quality(quality))


def _print_lines(lines: list[tuple[str, str]]) -> None:
    for label, value in lines:
        text = printable(value)
        parts = textwrap.wrap(text, _WIDTH - 17, break_long_words=False, break_on_hyphens=False)
        for row, part in enumerate(parts or [""]):
            print(f"{label if row == 0 else '':<16} {part}")


_NAMES = {
    "loss": "training loss",
    "held_out_loss": "held-out loss",
    "prior_path": "held-out losses by prior",
}
"""Labels of settings whose key is not clear."""


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
        space.target if space.has_context else None,  # of the same size, without decoding them
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
        "context_vectors": space.has_context,
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


def _is_counts(given: str, path: Path) -> bool:
    """Return whether counts were named: by an address, or by a folder that is not a model."""
    from andornot.cooccurrence.loading import is_address
    from andornot.formats.detection import is_model

    return is_address(given) or (path.is_dir() and not is_model(path))


def _describe_counts(path: str) -> dict[str, Any]:
    """Describe counts, ready for JSON."""
    from andornot.cooccurrence.loading import load_counts, stored_bytes
    from andornot.cooccurrence.pmi import largest_pmi

    counts = load_counts(path)
    size = len(counts.vocabulary)
    return {
        "path": path,
        "words": size,
        "pairs": counts.pairs,
        "density": counts.pairs / size**2,
        "total": counts.total,
        "held_out_pairs": None if counts.held_out is None else counts.held_out.pairs,
        "largest_pmi": largest_pmi(counts),
        "settings": counts.settings,
        "most_frequent": [counts.vocabulary.word(i) for i in range(min(_SHOWN_WORDS, size))],
        "bytes": stored_bytes(path),
    }


def _window_of(settings: dict[str, Any]) -> str:
    window = settings["window"]
    return "the whole line" if window == LINE_WINDOW else f"{window} words"


def _lines_of_counts(facts: dict[str, Any]) -> list[tuple[str, str]]:
    settings = facts["settings"]
    return [
        ("counts", facts["path"]),
        ("words", f"{facts['words']:,}"),
        ("pairs", f"{facts['pairs']:,} co-occurring ({facts['density']:.2%} of all pairs)"),
        ("total", f"{facts['total']:,.0f}"),
        ("Delta", f"{facts['largest_pmi']:.3f}, the largest |PMI| of a co-occurring pair"),
        ("tokens", f"{settings['tokens']:,}"),
        ("window", f"{_window_of(settings)}, {settings['weights']} weights"),
        ("subsampling", str(settings["sample"] or "none")),
        ("held out", _held_out_line(facts)),
        ("corpus", printable(", ".join(settings["corpus"][:3]))),
        ("most frequent", " ".join(map(printable, facts["most_frequent"]))),
        ("on disk", readable_size(facts["bytes"])),
    ]


def _held_out_line(facts: dict[str, Any]) -> str:
    if facts["held_out_pairs"] is None:
        return "nothing"
    every = facts["settings"].get("held_out") or "an unknown number"
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
        kind = printable(tokenizer["kind"])
        lines.append(("tokenizer", f"{kind}, {tokenizer['tokens']:,} tokens"))
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


_COLUMNS = (
    ("norm_ratio", "|v|/|mean|", 11, ".2f"),
    ("cosine_with_mean", "v, mean", 9, ".3f"),
    ("cosine", "v, v'", 8, ".3f"),
    ("centred_cosine", "centred", 9, ".3f"),
    ("normaliser", "sum p(c|w)", 12, ".3g"),
    ("error_term", "eps_w", 8, ".3f"),
    ("largest_pmi", "|PMI|", 7, ".1f"),
)
"""The figures of a band: attribute, title, width, format."""


def _table(quality: Quality) -> str:
    """Format the frequency bands as a table, without empty columns."""
    columns = [
        each
        for each in _COLUMNS
        if any(getattr(band, each[0]) is not None for band in quality.bands)
    ]
    title = "words by rank" if quality.has_frequencies else "in file order"
    lines = [f"{title:<15}" + "".join(f"{name:>{width}}" for _, name, width, _ in columns)]
    for band in quality.bands:
        cells = [
            f"{'-' if value is None else format(value, form):>{width}}"
            for value, width, form in (
                (getattr(band, name), width, form) for name, _, width, form in columns
            )
        ]
        lines.append(f"{f'{band.first:,}-{band.last:,}':<15}" + "".join(cells))
    return "\n".join(lines)


def _lines_of_quality(quality: Quality) -> list[tuple[str, str]]:
    """Describe the figures of the whole space, and their warnings."""
    lines = []
    if not quality.has_frequencies:
        lines.append(("centred", "by the unweighted mean, because the space has no counts"))
    if quality.inapplicable is not None:
        lines.append(("model's PMI", f"not applicable: {quality.inapplicable}"))
    else:
        lines += [
            ("eps_bar", f"{number(quality.error_term)}, by the model's PMI"),
            ("Delta", f"{number(quality.largest_pmi)}, the model's largest |PMI| in the sample"),
        ]
    if quality.warning is not None:
        lines.append(("warning", quality.warning))
    return lines


def _counts_line(counts: dict[str, Any] | None, has_tokenizer: bool) -> str:
    if counts is None:
        option = "--corpus TEXT" if has_tokenizer else "--counts"
        return f"none (add them with `andornot convert {option}`)"
    detail = f" ({printable(counts['detail'])})" if counts["detail"] else ""
    return f"{counts['origin']}{detail}, {counts['total']:,.0f} in all"


def _settings(provenance: dict[str, Any]) -> str:
    known = {k: v for k, v in provenance.items() if k not in ("origin", "history", "settings")}
    known |= provenance.get("settings", {})
    return ", ".join(
        f"{_NAMES.get(key, printable(key.replace('_', ' ')))} {_shown(value)}"
        for key, value in known.items()
        if value is not None
    )


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return f"{value:.4g}" if isinstance(value, float) else printable(str(value))
