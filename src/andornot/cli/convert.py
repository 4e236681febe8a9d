"""`andornot convert`: a space from one format to another, with counts, cut to size."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from andornot.base.errors import FileError
from andornot.base.files import Source
from andornot.base.folders import size_of
from andornot.cli.console import progress_bar, readable_size
from andornot.cli.options import with_counts_from
from andornot.formats import format_of_name, load, save
from andornot.postprocessing import postprocess as postprocessed
from andornot.space import Space
from andornot.words.counts import CountsOrigin, write_counts_file


def convert_space(
    source: Path,
    target: Path,
    *,
    options: dict[str, Any],
    to: str | None,
    counts: str | None,
    corpus: list[str] | None,
    top: int | None,
    postprocess: str,
    vectors: str,
    quantised: bool,
    save_counts: Path | None,
    force: bool,
) -> None:
    """Read `source`, change what was asked, write `target`, and say what was lost."""
    format = to or format_of_name(target)
    if save_counts is not None and os.path.realpath(save_counts) == os.path.realpath(target):
        raise FileError(target, "vectors and counts can't share a file", "name two files")
    for path in filter(None, (target, save_counts)):
        if path.exists() and not force:
            raise FileError(path, "it exists already", "add --force to replace it")
        if not path.parent.is_dir():
            raise FileError(path, "its folder doesn't exist", "make the folder first")
    if counts is not None and counts != "rank" and not counts.startswith("wordfreq"):
        Source(counts).close()  # a missing file is found before a long load, not after
    with progress_bar(f"reading {source.name}") as progress:
        space = load(source, progress=progress, **options)
    space = with_counts_from(space, counts, corpus)
    if top is not None:
        space = space.top(top)
    space = postprocessed(space, postprocess)
    if save_counts is not None:
        write_counts_file(space.words, space.counts, save_counts)
    with progress_bar(f"writing {target.name}") as progress:
        save(
            space,
            target,
            format=format,
            vectors=vectors,
            quantised=quantised,
            force=force,
            progress=progress,
        )
    size = readable_size(size_of(target))
    print(f"{target}: {len(space):,} words x {space.dim}, {format}, {size}")
    for note in _notes(space, format, vectors, save_counts):
        print(f"note: {note}", file=sys.stderr)


def _notes(space: Space, format: str, vectors: str, save_counts: Path | None) -> list[str]:
    """What a reader of the new file should know."""
    notes = []
    counts = space.vocabulary.counts
    if counts is not None and counts.origin == CountsOrigin.RANK:
        notes.append("the counts are estimated from the order of the words, not counted")
    if format == "native":
        return notes
    lost = []
    if counts is not None and save_counts is None:
        lost.append("the counts (--save-counts FILE keeps them)")
    if space.context is not None and vectors == "target":
        lost.append("the context vectors")
    if space.target_bias is not None:
        lost.append("the biases")
    if space.subwords is not None:
        lost.append("the subwords")
    if space.pieces is not None and format != "model2vec":
        lost.append("the model's tokenizer")
    if lost:
        notes.append(f"not in this format: {', '.join(lost)}; the native format keeps everything")
    return notes
