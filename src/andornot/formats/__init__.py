"""Load and save spaces in all supported formats."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.choices import ReadFormat, Undecodable, Vectors, WriteFormat
from andornot.base.errors import MissingContextError, UsageError
from andornot.base.files import strip_compression
from andornot.base.outputs import check_output
from andornot.base.parallel import thread_count
from andornot.base.regular_files import unchanged
from andornot.base.remedies import option, remedy
from andornot.space import Space

READ_FORMATS = tuple(ReadFormat)
WRITE_FORMATS = tuple(WriteFormat)
SUFFIXES = {
    ".safetensors": "native",
    ".bin": "word2vec-binary",
    ".vec": "fasttext",
    ".txt": "word2vec",
}


def load(
    path: str | PathLike[str],
    *,
    format: str | None = None,
    vocabulary: str | PathLike[str] | None = None,
    undecodable: str = Undecodable.STRICT,
    threads: int | None = None,
) -> Space:
    """Load a space from a vector file; the format is detected from the content.

    Files compressed with gzip, bzip2 or xz, and members of zip archives
    (`glove.6B.zip/glove.6B.50d.txt`), are opened directly. Native files and the n-grams of
    fastText's .bin are memory-mapped: don't change such a file in place while it is open.

    Args:
        path: The file; or the folder of a BERT-like model, or its name on the hub
            (`hf:bert-base-uncased`), of which the first layer is loaded.
        format: One of READ_FORMATS, if the format can't be detected: "glove-all" for the text of
            GloVe's -model 0. Default: detected.
        vocabulary: The word list of a GloVe binary. Default: vocab.txt in the same folder.
        undecodable: "strict" refuses words that are not UTF-8, "replace" replaces their bytes.
        threads: The number of threads for text files. Default: all cores.

    Raises:
        FileError: If the file can't be read, is damaged, or has an unknown format.
        UsageError: If an argument has an invalid value, or doesn't apply to the format.

    >>> import andornot
    >>> andornot.load("examples/royal.vec").vector("queen")
    array([0.9, 0.1, 0.8], dtype=float32)
    """
    path = Path(path)
    words = None if vocabulary is None else Path(vocabulary)
    if undecodable not in tuple(Undecodable):
        raise UsageError(f"undecodable must be 'strict' or 'replace', got {undecodable!r}")
    with unchanged(path):
        return _read(path, format, words, undecodable, thread_count(threads))


def _read(
    path: Path, format: str | None, words: Path | None, undecodable: str, threads: int
) -> Space:
    """Load a space in a format, or in the one that is detected; see `load`."""
    text: dict[str, Any] = {"undecodable": undecodable, "threads": threads}
    if format is None:
        from andornot.formats.detection import detect_format

        format = detect_format(path, words)
    if words is not None and format != "glove-binary":
        raise UsageError(
            f"{path}: the format is {format}, and a word list is for glove-binary; leave out "
            + remedy(python="vocabulary", command="--glove-vocab")
        )
    match format:
        case "native":
            from andornot.formats.native import read_native

            return read_native(path)
        case "word2vec" | "glove" | "fasttext":
            from andornot.formats.text import read_text

            return read_text(path, kind=f"{format} text", header=format != "glove", **text)
        case "word2vec-binary":
            from andornot.formats.word2vec_binary import read_word2vec_binary

            return read_word2vec_binary(path, undecodable=undecodable)
        case "glove-binary":
            from andornot.formats.glove_binary import read_glove_binary

            return read_glove_binary(path, vocabulary=words)
        case "glove-all":
            from andornot.formats.glove_binary import read_glove_all

            return read_glove_all(path, **text)
        case "fasttext-binary":
            from andornot.formats.fasttext_binary import read_fasttext_binary

            return read_fasttext_binary(path, **text)
        case "huggingface":
            from andornot.formats.first_layer import read_first_layer

            return read_first_layer(path)
    raise UsageError(f"unknown format {format!r}; choose one of {', '.join(READ_FORMATS)}")


def save(
    space: Space,
    path: str | PathLike[str],
    *,
    format: str | None = None,
    vectors: str = Vectors.TARGET,
    bits: int | None = None,
    force: bool = False,
) -> None:
    """Write a space to a file, which is replaced only when the new one is complete.

    Only the native format stores everything; the others have one vector for each word.

    Args:
        space: The space.
        path: The file; a further suffix .gz, .bz2 or .xz compresses text and word2vec binary.
        format: One of WRITE_FORMATS. Default: chosen by name (SUFFIXES). "model2vec" is a folder,
            which sentence-transformers opens too.
        vectors: The vectors to write: "target", "context", or their "sum".
        bits: 8 or 4 rounds native vectors to a quarter or an eighth of the size; they are read
            instead of mapped.
        force: Replace an existing file.

    Raises:
        FileError: If the file exists and `force` is not set, or if it can't be written.

    >>> import andornot, tempfile
    >>> space = andornot.load("examples/royal.vec")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = f"{folder}/royal.safetensors"
    ...     andornot.save(space, path)
    ...     andornot.save(space.take(np.arange(3), "kept three"), path, force=True)
    ...     andornot.load(path).words
    ('the', 'man', 'woman')
    """
    path = Path(path)
    format = format or format_of_name(path)
    check_bits(bits, format)
    if format == "native":
        from andornot.formats.native import write_native

        if vectors != "target":
            raise UsageError("the native format stores all vectors; leave out " + option("vectors"))
        check_output(path, force=force)
        return write_native(space, path, bits=bits)
    if format not in WRITE_FORMATS:
        raise UsageError(
            f"format {format!r} can't be written; choose one of {', '.join(WRITE_FORMATS)}"
        )
    values = _select_vectors(space, vectors)
    if format == "model2vec":
        from andornot.formats.static_models import write_static_model

        return write_static_model(replace(space, target=values), path, force=force)
    check_output(path, force=force)
    if format == "word2vec-binary":
        from andornot.formats.word2vec_binary import write_word2vec_binary

        return write_word2vec_binary(space.vocabulary, values, path)
    from andornot.formats.text_writing import write_text

    return write_text(space.vocabulary, values, path, header=format != "glove")


def check_bits(bits: int | None, format: str) -> None:
    """Raise UsageError if a format can't store values in this many bits.

    >>> check_bits(3, "native")
    Traceback (most recent call last):
    ...
    andornot.base.errors.UsageError: bits must be 4 or 8, got 3
    """
    if bits is None:
        return
    if not isinstance(bits, int) or bits not in (4, 8):
        raise UsageError(f"bits must be 4 or 8, got {bits!r}")
    if format != "native":
        raise UsageError(f"only the native format can store {bits} bits; write .safetensors")


def format_of_name(path: Path) -> str:
    """Return the output format for a file name.

    >>> format_of_name(Path("a.vec.gz"))
    'fasttext'
    """
    suffix = strip_compression(path).suffix
    if suffix not in SUFFIXES:
        known = ", ".join(f"{name} ({kind})" for name, kind in SUFFIXES.items())
        raise UsageError(
            f"the output format is not clear from the name {path.name!r}; "
            f"end it in one of {known}, or name the format: "
            + remedy(python="format=...", command="--to FORMAT")
        )
    if path.suffix == ".zip":
        raise UsageError(f"{path}: zip archives can't be written; use .gz, .bz2 or .xz")
    if SUFFIXES[suffix] == "native" and suffix != path.suffix:
        raise UsageError(f"{path}: native files can't be compressed; leave out {path.suffix}")
    return SUFFIXES[suffix]


def _select_vectors(space: Space, vectors: str) -> npt.NDArray[np.float32]:
    if vectors not in tuple(Vectors):
        raise UsageError(f"vectors must be 'target', 'context' or 'sum', got {vectors!r}")
    if vectors == Vectors.TARGET:
        return space.target
    if space.context is None:
        raise MissingContextError(f"writing the {vectors} vectors")
    return space.context if vectors == Vectors.CONTEXT else space.target + space.context
