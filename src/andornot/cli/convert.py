"""`andornot convert`: a space from one format to another, with counts, cut to size."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from andornot.base import defaults
from andornot.base.choices import Bits, Postprocess, Undecodable, Vectors, WriteFormat
from andornot.base.errors import FileError
from andornot.cli.options import (
    CorpusOption,
    CountsOption,
    FromOption,
    GloveVocabOption,
    UndecodableOption,
    chosen,
    loading,
    with_counts_from,
)

if TYPE_CHECKING:
    from andornot.space import Space


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN", help="A file of vectors, a model, or `default`: the default model."
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="Where to write: .safetensors is native and keeps everything, .vec fastText "
            "text, .txt word2vec text, .bin word2vec binary; .gz, .bz2, .xz compress. A folder "
            "with --to model2vec.",
        ),
    ],
    counts: CountsOption = None,
    corpus: CorpusOption = None,
    top: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Keep the N most frequent words.")
    ] = None,
    postprocess: Annotated[
        Postprocess, typer.Option(help="Post-process the vectors before they are written.")
    ] = defaults.CONVERT_POSTPROCESS,
    to: Annotated[
        WriteFormat | None,
        typer.Option(help="The format to write, if the name doesn't tell."),
    ] = None,
    vectors: Annotated[
        Vectors, typer.Option(help="Which vectors to write to a format that holds only one.")
    ] = Vectors.TARGET,
    bits: Annotated[
        Bits | None,
        typer.Option(help="Native only: round vectors to so many bits a value, instead of 32."),
    ] = None,
    save_counts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the counts too, a word and its count per line."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace existing files.")] = False,
    format: FromOption = None,
    glove_vocab: GloveVocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Convert a space to another format.

    On request, add counts, post-process, or keep only the most frequent words.
    """
    from andornot.base.files import replacing_together
    from andornot.base.folders import size_of
    from andornot.base.outputs import check_output
    from andornot.cli.console import readable_size
    from andornot.formats import check_bits, format_of_name, load, save
    from andornot.formats.static_models import KIND
    from andornot.postprocessing import postprocess as postprocessed
    from andornot.words.counts import write_counts_file

    written = to.value if to else format_of_name(target)
    rounded = None if bits is None else int(bits)
    check_bits(rounded, written)
    if save_counts is not None:
        if os.path.realpath(save_counts) == os.path.realpath(target):
            raise FileError(target, "vectors and counts can't share a file", "name two files")
        check_output(save_counts, force=force)
    check_output(target, force=force, kind=KIND if written == WriteFormat.MODEL2VEC else None)
    if counts is not None and counts != "rank" and not counts.startswith("wordfreq"):
        from andornot.base.files import Source

        Source(counts).close()  # a missing file is found before a long load, not after
    space = load(chosen(source), **loading(format, glove_vocab, undecodable))
    space = with_counts_from(space, counts, corpus)
    if top is not None:
        space = space.top(top)
    space = postprocessed(space, postprocess.value)
    with replacing_together():
        save(space, target, format=written, vectors=vectors.value, bits=rounded, force=force)
        if save_counts is not None:
            write_counts_file(space.words, space.counts, save_counts)
    size = readable_size(size_of(target))
    print(f"{target}: {len(space):,} words x {space.dim}, {written}, {size}")
    for note in _notes(space, written, vectors, has_counts_file=save_counts is not None):
        print(f"note: {note}", file=sys.stderr)


def _notes(space: Space, format: str, vectors: Vectors, *, has_counts_file: bool) -> list[str]:
    """Say what the new file doesn't hold, and where its counts come from."""
    from andornot.words.counts import CountsOrigin

    notes = []
    counts = space.vocabulary.counts
    if counts is not None and counts.origin == CountsOrigin.RANK:
        notes.append("the counts are estimated from the order of the words, not counted")
    if format == WriteFormat.NATIVE:
        return notes
    lost = []
    if counts is not None and not has_counts_file:
        lost.append("the counts (--save-counts FILE keeps them)")
    if space.context is not None and vectors == Vectors.TARGET:
        lost.append("the context vectors")
    if space.target_bias is not None:
        lost.append("the biases")
    if space.subwords is not None:
        lost.append("the subwords")
    if space.pieces is not None and format != WriteFormat.MODEL2VEC:
        lost.append("the model's tokenizer")
    if lost:
        notes.append(f"not in this format: {', '.join(lost)}; the native format keeps everything")
    return notes
