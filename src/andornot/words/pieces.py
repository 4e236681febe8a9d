"""Word pieces of the tokenizer of a BERT-like model, and their spelling in a vocabulary.

Listing the pieces needs only the JSON of a `tokenizer.json`. Splitting text needs the package
tokenizers, which is imported on first use.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from andornot.base.caching import cached_property
from andornot.base.errors import AndornotError, first_line

if TYPE_CHECKING:
    from tokenizers import Tokenizer

INSIDE = "##"
"""Prefix of pieces that continue a word, for all kinds of tokenizers."""

_UNUSED = re.compile(r"[\[<]unused_?\d+[\]>]|<extra_id_\d+>")  # reserved tokens
_SPACE_MARK = "▁"
_MOST_GAPS = 10_000  # allowed ids without a token, beyond the number of tokens
_AT_SPACES = {"BertPreTokenizer", "Whitespace", "WhitespaceSplit"}
_CONTEXT_FREE = {"Sequence", "BertNormalizer", "Lowercase", "StripAccents", "NFC", "NFD"}


class Pieces:
    """A tokenizer.json: its tokens as words of a vocabulary, and text split into them.

    A token that begins a word is spelled without a mark, one that continues a word with the prefix
    ##: `king` and `##ing`, whether the tokenizer writes king and ##ing (WordPiece), Ġking and ing
    (byte-level BPE) or ▁king and ing (SentencePiece). Special tokens ([CLS], <s>), the unknown
    token and reserved tokens are not words.
    """

    def __init__(self, source: npt.NDArray[np.uint8] | bytes, where: object = "tokenizer") -> None:
        raw = np.frombuffer(source, dtype=np.uint8) if isinstance(source, bytes) else source
        self.utf8 = raw.view()
        self.utf8.flags.writeable = False
        self._where = where

    @cached_property
    def record(self) -> dict[str, Any]:
        """The parsed JSON."""
        try:
            record = json.loads(self.utf8.tobytes())
            vocabulary = record["model"]["vocab"]
            if not isinstance(vocabulary, dict | list) or not vocabulary:
                raise TypeError("no vocabulary")
            _check_kinds(record)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise self._error("not a tokenizer.json with a vocabulary") from error
        return record  # type: ignore[no-any-return]

    @property
    def kind(self) -> str:
        """The kind of tokenizer: WordPiece, BPE, Unigram or WordLevel."""
        return str(self.record["model"].get("type", "unnamed"))

    @cached_property
    def tokens(self) -> dict[int, str]:
        """The tokens as the tokenizer writes them, by id."""
        vocabulary = self.record["model"]["vocab"]
        try:
            if isinstance(vocabulary, dict):
                found = {int(number): str(token) for token, number in vocabulary.items()}
            else:  # Unigram: a token and its score
                found = {number: str(entry[0]) for number, entry in enumerate(vocabulary)}
            found |= {int(each["id"]): str(each["content"]) for each in self._added}
        except (ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
            raise self._error("the vocabulary is malformed") from error
        if min(found) < 0:
            raise self._error(f"a token has the id {min(found)}")
        if max(found) > 2 * len(found) + _MOST_GAPS:  # arrays have the length of the largest id
            raise self._error(f"one of the {len(found):,} tokens has the id {max(found):,}")
        return dict(sorted(found.items()))

    @property
    def _added(self) -> list[dict[str, Any]]:
        return self.record.get("added_tokens") or []

    @cached_property
    def unknown(self) -> str | None:
        """The token for unknown text, or None."""
        model = self.record["model"]
        if model.get("unk_id") is not None:
            return self.tokens.get(model["unk_id"])
        token: str | None = model.get("unk_token")
        return token

    @cached_property
    def words(self) -> dict[int, str]:
        """The spelling of each token in a vocabulary, by id; without special tokens."""
        special = {each["content"] for each in self._added if each.get("special")}
        special |= {self.unknown}
        added = {int(each["id"]) for each in self._added}  # these have no space mark
        spell = _speller(self.record)
        spelled: dict[int, str] = {}
        taken: set[str] = set()
        for number, token in self.tokens.items():
            if token in special or _UNUSED.fullmatch(token):
                continue
            name = token.strip() or token if number in added else spell(token)
            options = (name, token, f"{token}#{number}")
            spelled[number] = next(option for option in options if option not in taken)
            taken.add(spelled[number])
        return spelled

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer, without truncation and padding."""
        return self.new_tokenizer()

    def new_tokenizer(self) -> Tokenizer:
        """Return a new tokenizer, for callers that change its settings."""
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise AndornotError(
                "splitting text into pieces needs the package tokenizers; "
                "pip install 'andornot[bert]'"
            ) from error
        try:
            tokenizer = Tokenizer.from_str(self.utf8.tobytes().decode("utf-8"))
        except Exception as error:  # tokenizers raises nothing narrower
            raise self._error(
                f"the package tokenizers can't read it ({first_line(error)})"
            ) from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    def cut(self, texts: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the concatenated token ids of all texts, and the number of tokens of each."""
        plain = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        found = self.tokenizer.encode_batch_fast(plain, add_special_tokens=False)
        lengths = np.fromiter((len(each) for each in found), dtype=np.int64, count=len(plain))
        numbers = np.fromiter(
            (number for each in found for number in each.ids), dtype=np.int64, count=lengths.sum()
        )
        return numbers, lengths

    def split(self, word: str) -> tuple[str, ...] | None:
        """Return the pieces of a word, or None if the tokenizer doesn't know a part of it."""
        numbers, _ = self.cut([self._before + word])
        pieces = [self.words.get(number) for number in numbers.tolist()]
        known = tuple(piece for piece in pieces if piece is not None)
        return known if known and len(known) == len(pieces) else None

    @cached_property
    def _before(self) -> str:
        """The text before a word that starts it: a space if the tokenizer doesn't add one."""
        steps = _parts(self.record, ("normalizer", "pre_tokenizer"))
        added = [found for each in steps if (found := _adds_space(each)) is not None]
        return "" if not added or any(added) else " "

    @property
    def cuts_at_spaces(self) -> bool:
        """True if text between two spaces is always split in the same way."""
        steps = [
            each
            for each in _parts(self.record, ("pre_tokenizer",))
            if each.get("type") != "Sequence"
        ]
        if not steps or steps[0].get("type") not in _AT_SPACES:
            return False
        if any(_prepends(each) == "first" for each in steps):  # only the first word of a text
            return False
        changes = {each.get("type") for each in _parts(self.record, ("normalizer",))}
        added = any(re.search(r"\s", str(each.get("content"))) for each in self._added)
        return changes <= _CONTEXT_FREE and not added

    @property
    def digest(self) -> str:
        """The SHA-256 digest of the tokenizer."""
        return hashlib.sha256(self.utf8.tobytes()).hexdigest()

    def _error(self, problem: str) -> AndornotError:
        return AndornotError(f"{self._where}: {problem}; get it again, or export it again")


def _check_kinds(record: Mapping[str, Any]) -> None:
    """Raise TypeError if a value has an unexpected type."""
    model = record["model"]
    names = ("type", "unk_token", "continuing_subword_prefix", "end_of_word_suffix")
    added = record.get("added_tokens")
    steps = [part.get("type") for part in _parts(record)]
    right = (
        all(isinstance(model.get(name), str | None) for name in names)
        and isinstance(model.get("unk_id"), int | None)
        and all(isinstance(kind, str | None) for kind in steps)
        and isinstance(added, list | None)
        and all(isinstance(each, dict) for each in added or [])
        and all(isinstance(each.get("content"), str) for each in added or [])
        and all(isinstance(each.get("id"), int) for each in added or [])
    )
    if not right:
        raise TypeError("a value of an unexpected type")


def _parts(
    record: Mapping[str, Any], names: Sequence[str] = ("normalizer", "pre_tokenizer", "decoder")
) -> Iterator[Mapping[str, Any]]:
    """Yield the steps of a tokenizer before and after its model, with sequences flattened."""
    waiting = [record.get(name) for name in names]
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, dict):
            yield part
            for name in ("normalizers", "pretokenizers", "decoders"):
                inner = part.get(name)
                waiting = [*inner, *waiting] if isinstance(inner, list) else waiting


def _prepends(step: Mapping[str, Any]) -> str | None:
    """Return the words to which Metaspace adds a space mark: always, first or never."""
    if step.get("type") != "Metaspace":
        return None
    older = "always" if step.get("add_prefix_space", True) else "never"
    return str(step.get("prepend_scheme", older))


def _adds_space(step: Mapping[str, Any]) -> bool | None:
    """Return whether a step adds a space at the start of a text; None if it ignores spaces.

    >>> _adds_space({"type": "Metaspace", "prepend_scheme": "never"})
    False
    """
    match step.get("type"):
        case "ByteLevel":
            return bool(step.get("add_prefix_space"))
        case "Metaspace":
            return _prepends(step) != "never"
        case "Prepend":
            return True
        case "Replace" if step.get("content") == _SPACE_MARK:
            return False
    return None


def _speller(record: Mapping[str, Any]) -> Callable[[str], str]:
    """Return the function that spells a token as a word, for the kind of tokenizer."""
    model = record["model"]
    kinds = {part.get("type") for part in _parts(record)}
    prefix = model.get("continuing_subword_prefix")
    suffix = model.get("end_of_word_suffix")
    if model.get("type") == "WordPiece" or prefix:
        mark = prefix or INSIDE
        return lambda token: INSIDE + token.removeprefix(mark) if token.startswith(mark) else token
    if suffix:
        return lambda token: (
            token.removesuffix(suffix) if token.endswith(suffix) else token + INSIDE
        )
    if "ByteLevel" in kinds:
        return _from_bytes
    if "Metaspace" in kinds or model.get("type") == "Unigram" or _replaces_spaces(record):
        return lambda token: _marked(token, _SPACE_MARK)
    return lambda token: token


def _replaces_spaces(record: Mapping[str, Any]) -> bool:
    """Return True if a normalizer writes ▁ for a space, as Llama's does."""
    return any(
        part.get("type") == "Replace" and part.get("content") == _SPACE_MARK
        for part in _parts(record)
    )


def _marked(token: str, mark: str) -> str:
    """Spell a token: as a word if it begins with the space mark, else as a piece.

    >>> _marked("▁king", "▁"), _marked("ing", "▁"), _marked("▁", "▁")
    ('king', '##ing', '▁')
    """
    if not token.startswith(mark):
        return INSIDE + token
    return token.removeprefix(mark) or token


def _from_bytes(token: str) -> str:
    """Spell a byte-level token, in which each character encodes a byte.

    >>> _from_bytes("Ġking"), _from_bytes("ing"), _from_bytes("Ã©")
    ('king', '##ing', '##é')
    """
    try:
        text = bytes(_BYTES[character] for character in token).decode("utf-8")
    except (KeyError, UnicodeDecodeError):  # part of a character: keep the token
        return token
    return _marked(text, " ") if text.strip() and text.isprintable() else token


def _byte_alphabet() -> dict[str, int]:
    """Return the byte of each character of byte-level BPE; printable ones map to themselves."""
    plain = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    shifted = {chr(256 + index): byte for index, byte in enumerate(others)}
    return {chr(byte): byte for byte in plain} | shifted


_BYTES = _byte_alphabet()
