"""`andornot convert`: write a space in another format, optionally with counts or fewer words."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from andornot.base import defaults
from andornot.base.choices import Bits, Postprocess, Undecodable, Vectors, WriteFormat
from andornot.base.errors import FileError, MissingCountsError, UsageError
from andornot.base.formatting import counted
from andornot.cli.opening import load_arguments, space_path, with_counts_from
from andornot.cli.options import (
    CorpusOption,
    CountsOption,
    FromOption,
    GloveVocabOption,
    UndecodableOption,
)

if TYPE_CHECKING:
    from andornot.space import Space


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN", help="Vector file, model folder, or `default` for the default model."
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="Output file: .safetensors is native and keeps everything, .vec is fastText "
            "text, .txt word2vec text, .bin word2vec binary; .gz, .bz2, .xz compress. With "
            "--to model2vec, a folder.",
        ),
    ],
    counts: CountsOption = None,
    corpus: CorpusOption = None,
    top: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Keep the N most frequent words.")
    ] = None,
    postprocess: Annotated[
        Postprocess, typer.Option(help="Post-process the vectors before writing them.")
    ] = defaults.CONVERT_POSTPROCESS,
    to: Annotated[
        WriteFormat | None,
        typer.Option(help="Output format. Default: chosen by the name of OUT."),
    ] = None,
    vectors: Annotated[
        Vectors, typer.Option(help="Vectors to write, for formats with one vector per word.")
    ] = Vectors.TARGET,
    bits: Annotated[
        Bits | None,
        typer.Option(help="Native format: round each value to this many bits instead of 32."),
    ] = None,
    save_counts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the counts, a word and its count per line."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace existing files.")] = False,
    format: FromOption = None,
    glove_vocab: GloveVocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Convert a space to another format.

    Options add counts, post-process the vectors, or keep only the most frequent words.
    """
    from andornot.base.folders import size_of
    from andornot.base.outputs import check_output, is_within
    from andornot.base.replacing import replacing_together
    from andornot.cli.console import readable_size
    from andornot.formats import check_bits, format_of_name, load, save
    from andornot.formats.static_models import KIND
    from andornot.postprocessing import postprocess as postprocessed
    from andornot.words.counts import write_counts_file

    if str(target) == "-":
        raise UsageError(
            "- is not a file name; andornot can't write vectors to standard output, name a file"
        )
    written = to.value if to else format_of_name(target)
    rounded = None if bits is None else int(bits)
    check_bits(rounded, written)
    if save_counts is not None:
        if is_within(save_counts, target):
            problem = f"--save-counts is in the place of the vectors, {target}"
            raise FileError(save_counts, problem, "name a file outside of it")
        check_output(save_counts, force=force)
    check_output(target, force=force, kind=KIND if written == WriteFormat.MODEL2VEC else None)
    if counts is not None and counts != "rank" and not counts.startswith("wordfreq"):
        from andornot.base.files import Source

        Source(counts).close()  # report a missing file before a long load
    space = load(space_path(source), **load_arguments(format, glove_vocab, undecodable))
    space = with_counts_from(space, counts, corpus)
    for name, value in {"--top": top, "--save-counts": save_counts}.items():
        if value is not None and space.vocabulary.counts is None:
            raise MissingCountsError(name, has_tokenizer=space.pieces is not None)
    if top is not None:
        space = space.top(top)
    space = postprocessed(space, postprocess.value)
    with replacing_together():
        save(space, target, format=written, vectors=vectors.value, bits=rounded, force=force)
        if save_counts is not None:
            check_output(save_counts, force=force)  # again, as `save` does: loading takes long
            write_counts_file(space.words, space.counts, save_counts)
    size = readable_size(size_of(target))
    print(f"{target}: {counted(len(space), 'word')} x {space.dim}, {written}, {size}")
    for note in _notes(space, written, vectors, has_counts_file=save_counts is not None):
        print(f"note: {note}", file=sys.stderr)


def _notes(space: Space, format: str, vectors: Vectors, *, has_counts_file: bool) -> list[str]:
    """List what the new file doesn't contain, and say if its counts are estimated."""
    from andornot.words.counts import CountsOrigin

    notes = []
    counts = space.vocabulary.counts
    if counts is not None and counts.origin == CountsOrigin.RANK:
        notes.append("the counts are estimated from the word order, not counted")
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
    if space.provenance.postprocess is not None and format != WriteFormat.MODEL2VEC:
        lost.append("that the vectors are post-processed (ask with --postprocess none)")
    if lost:
        notes.append(f"not stored in this format: {', '.join(lost)}; the native format stores all")
    return notes
