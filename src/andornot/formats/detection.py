"""Detect the format of a file from its content; the name only decides between similar ones."""

from __future__ import annotations

import codecs
import struct
from pathlib import Path

from andornot.base.errors import FileError
from andornot.base.files import Source, strip_compression
from andornot.base.remedies import remedy

_HEAD = 1 << 20
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r"))
_PICKLE = (
    "this is a Python pickle, which andornot never opens",
    "load it with the program that wrote it; andornot.from_gensim(model) takes gensim's objects",
)
_STRANGERS = {
    **{bytes([0x80, protocol]): _PICKLE for protocol in range(2, 6)},
    b"\x93NUMPY": (
        "this is a NumPy array, which has no words",
        "create a space from it in Python: Space.from_arrays(names, matrix)",
    ),
    b"\x89HDF": ("this is an HDF5 file", "export word2vec text from the program that wrote it"),
    b"PK\x03\x04": ("this is an archive inside an archive", "unpack it first"),
    b"PK\x05\x06": ("this is an empty zip archive", "check where it came from"),
    b"ustar": ("this is a tar archive", "unpack it first"),
}


def detect_format(path: Path, vocabulary: Path | None = None) -> str:
    """Return the format of a file, one of `andornot.formats.READ_FORMATS`."""
    if is_model(path):
        return "huggingface"
    if path.is_dir():
        from andornot.cooccurrence.loading import is_counts

        if is_counts(path):
            raise FileError(
                path,
                "these are counts, not vectors",
                f"train vectors on them: andornot train {path} -o SPACE.safetensors",
            )
    inside = any(parent.is_file() for parent in path.parents)  # of an archive
    named = not path.suffix.lstrip(".").strip("0123456789")  # .5 in v1.5 is not a file suffix
    if named and not path.exists() and len(path.parts) <= 2 and not inside:
        raise FileError(
            path, "no such file", "check the path; a model of the Hugging Face hub is hf:NAME"
        )
    with Source(path) as source:
        head = source.read(_HEAD)
        plain = source.plain
    if not head:
        raise FileError(path, "the file is empty", "check where it came from")
    if _is_safetensors(head):
        if not plain:
            raise FileError(path, "a compressed native file can't be mapped", "unpack it first")
        return "native"
    return _detect_other(path, head, vocabulary)


def is_model(path: Path) -> bool:
    """Return True if a path is the folder of a BERT-like model, or its name on the hub."""
    from andornot.formats.model_folder import HUB, is_model_folder

    return str(path).startswith(HUB) or is_model_folder(path)


def _detect_other(path: Path, head: bytes, vocabulary: Path | None) -> str:
    """Detect formats other than native; importing their readers is slow."""
    from andornot.formats import fasttext_binary, text
    from andornot.formats.glove_binary import vocabulary_beside

    if head.startswith(fasttext_binary.MAGIC):
        return "fasttext-binary"
    has_words = vocabulary is not None or vocabulary_beside(path).exists()
    for magic, (what, way_out) in _STRANGERS.items():
        if head.startswith(magic) or (magic == b"ustar" and head[257:262] == magic):
            if has_words and head[0] == 0x80:  # a GloVe binary may begin with this byte
                return "glove-binary"
            raise FileError(path, what, way_out)
    first, newline, rest = head.removeprefix(codecs.BOM_UTF8).partition(b"\n")
    header = text.HEADER.match(first)
    if header and newline:
        if _is_binary_row(rest, int(header[2]), strip_compression(path).suffix):
            return "word2vec-binary"
        return "fasttext" if strip_compression(path).suffix == ".vec" else "word2vec"
    if text.trailing_numbers(first) or head[:4096].translate(None, _CONTROL) == head[:4096]:
        return "glove"
    if has_words:
        return "glove-binary"
    raise FileError(
        path,
        "this is not a vector file in a known format",
        remedy(
            python="name it with format=...; a GloVe binary needs vocabulary=FILE",
            command="name it with --from FORMAT; a GloVe binary needs --glove-vocab FILE",
        ),
    )


def _is_safetensors(head: bytes) -> bool:
    if len(head) < 9:
        return False
    length = struct.unpack("<Q", head[:8])[0]
    # A header that is too long is refused by name when it is read. From 2^32 on these are the
    # first bytes of something else, such as fastText's magic and version.
    return 2 <= length < 1 << 32 and head[8:9] == b"{"


def _is_binary_row(rest: bytes, dim: int, suffix: str) -> bool:
    """Return True if the first row is a word and binary numbers, not decimal ones."""
    from andornot.formats import text

    line = rest.partition(b"\n")[0]
    if text.trailing_numbers(line) >= dim:
        return False
    sample = rest.lstrip(b"\n").partition(b" ")[2][: 4 * dim]
    if any(byte in _CONTROL for byte in sample):
        return True
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(sample) - 3:  # not only a character cut off at the end
            return True
    return suffix == ".bin"
