"""Pieces of words: how the tokenizer of a BERT-like model cuts text, and how they are spelled.

Only the JSON of a `tokenizer.json` is needed to know the pieces; cutting needs the package
tokenizers, which is imported when something is cut.
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
"""What a piece begins with that continues a word, whatever the tokenizer itself writes."""

_UNUSED = re.compile(r"[\[<]unused_?\d+[\]>]|<extra_id_\d+>")  # rows kept free by a model's makers
_SPACE_MARK = "▁"
_MOST_GAPS = 10_000  # numbers without a token, beyond as many as there are tokens
_AT_SPACES = {"BertPreTokenizer", "Whitespace", "WhitespaceSplit"}
_EACH_ALONE = {"Sequence", "BertNormalizer", "Lowercase", "StripAccents", "NFC", "NFD"}


class Pieces:
    """A tokenizer.json: its tokens as words of a vocabulary, and text cut into them.

    A token that begins a word is spelled as the word, one that goes on inside a word with ## before
    it: `king` and `##ing`, whether the tokenizer writes king and ##ing (WordPiece), Ġking and ing
    (byte-level BPE) or ▁king and ing (SentencePiece). Special tokens ([CLS], <s>), the unknown one
    and those kept unused are no words.
    """

    def __init__(self, source: npt.NDArray[np.uint8] | bytes, where: object = "tokenizer") -> None:
        raw = np.frombuffer(source, dtype=np.uint8) if isinstance(source, bytes) else source
        self.utf8 = raw.view()
        self.utf8.flags.writeable = False
        self._where = where

    @cached_property
    def record(self) -> dict[str, Any]:
        """What the JSON says."""
        try:
            record = json.loads(self.utf8.tobytes())
            vocabulary = record["model"]["vocab"]
            if not isinstance(vocabulary, dict | list) or not vocabulary:
                raise TypeError("no vocabulary")
            _check_kinds(record)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise self._error("it is no tokenizer.json with a vocabulary") from error
        return record  # type: ignore[no-any-return]

    @property
    def kind(self) -> str:
        """How it cuts: WordPiece, BPE, Unigram or WordLevel."""
        return str(self.record["model"].get("type", "unnamed"))

    @cached_property
    def tokens(self) -> dict[int, str]:
        """The tokens as the tokenizer writes them, by number."""
        vocabulary = self.record["model"]["vocab"]
        try:
            if isinstance(vocabulary, dict):
                found = {int(number): str(token) for token, number in vocabulary.items()}
            else:  # Unigram: a token and its score
                found = {number: str(entry[0]) for number, entry in enumerate(vocabulary)}
            found |= {int(each["id"]): str(each["content"]) for each in self._added}
        except (ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
            raise self._error("its vocabulary is malformed") from error
        if min(found) < 0:
            raise self._error(f"a token has the number {min(found)}")
        if max(found) > 2 * len(found) + _MOST_GAPS:  # arrays are as long as the numbers go
            raise self._error(f"one of its {len(found):,} tokens has the number {max(found):,}")
        return dict(sorted(found.items()))

    @property
    def _added(self) -> list[dict[str, Any]]:
        return self.record.get("added_tokens") or []

    @cached_property
    def unknown(self) -> str | None:
        """The token that stands for what the tokenizer doesn't know, where there is one."""
        model = self.record["model"]
        if model.get("unk_id") is not None:
            return self.tokens.get(model["unk_id"])
        token: str | None = model.get("unk_token")
        return token

    @cached_property
    def words(self) -> dict[int, str]:
        """How each token is spelled in a vocabulary, by number; without those that are no words."""
        special = {each["content"] for each in self._added if each.get("special")}
        special |= {self.unknown}
        added = {int(each["id"]) for each in self._added}  # written as in the text, never marked
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
        """The tokenizer itself, which cuts nothing off and fills nothing up."""
        return self.new_tokenizer()

    def new_tokenizer(self) -> Tokenizer:
        """The same once more, for somebody who sets it up differently."""
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise AndornotError(
                "the package tokenizers is needed to cut text into pieces; "
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
        """The numbers of the tokens of all texts, one after the other, and how many each has."""
        plain = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        found = self.tokenizer.encode_batch_fast(plain, add_special_tokens=False)
        lengths = np.fromiter((len(each) for each in found), dtype=np.int64, count=len(plain))
        numbers = np.fromiter(
            (number for each in found for number in each.ids), dtype=np.int64, count=lengths.sum()
        )
        return numbers, lengths

    def split(self, word: str) -> tuple[str, ...] | None:
        """The pieces of a word, or None where a part of it is unknown to the tokenizer."""
        numbers, _ = self.cut([self._before + word])
        pieces = [self.words.get(number) for number in numbers.tolist()]
        known = tuple(piece for piece in pieces if piece is not None)
        return known if known and len(known) == len(pieces) else None

    @cached_property
    def _before(self) -> str:
        """What a word needs before it to begin: a space, where the tokenizer adds none itself."""
        steps = _parts(self.record, ("normalizer", "pre_tokenizer"))
        added = [found for each in steps if (found := _adds_space(each)) is not None]
        return "" if not added or any(added) else " "

    @property
    def cuts_at_spaces(self) -> bool:
        """Whether what stands between two spaces is cut the same, whatever is around it."""
        steps = [
            each
            for each in _parts(self.record, ("pre_tokenizer",))
            if each.get("type") != "Sequence"
        ]
        if not steps or steps[0].get("type") not in _AT_SPACES:
            return False
        if any(_prepends(each) == "first" for each in steps):  # the first word of a text alone
            return False
        changes = {each.get("type") for each in _parts(self.record, ("normalizer",))}
        added = any(re.search(r"\s", str(each.get("content"))) for each in self._added)
        return changes <= _EACH_ALONE and not added

    @property
    def digest(self) -> str:
        """A digest of the tokenizer."""
        return hashlib.sha256(self.utf8.tobytes()).hexdigest()

    def _error(self, problem: str) -> AndornotError:
        return AndornotError(f"{self._where}: {problem}; get it again, or make it with tokenizers")


def _check_kinds(record: Mapping[str, Any]) -> None:
    """Refuse values that are not of the kind they have in every tokenizer.json."""
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
        raise TypeError("a value of another kind")


def _parts(
    record: Mapping[str, Any], names: Sequence[str] = ("normalizer", "pre_tokenizer", "decoder")
) -> Iterator[Mapping[str, Any]]:
    """The steps of a tokenizer before its model and after, those of sequences one by one."""
    waiting = [record.get(name) for name in names]
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, dict):
            yield part
            for name in ("normalizers", "pretokenizers", "decoders"):
                inner = part.get(name)
                waiting = [*inner, *waiting] if isinstance(inner, list) else waiting


def _prepends(step: Mapping[str, Any]) -> str | None:
    """To which words Metaspace adds the mark of a space: always, first or never."""
    if step.get("type") != "Metaspace":
        return None
    older = "always" if step.get("add_prefix_space", True) else "never"
    return str(step.get("prepend_scheme", older))


def _adds_space(step: Mapping[str, Any]) -> bool | None:
    """Whether a step that sees spaces adds one where a text begins; None where it sees none.

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
    """How a token becomes a word of the vocabulary, by the kind of the tokenizer."""
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
    """Whether a normalizer writes ▁ for a space, as Llama's does."""
    return any(
        part.get("type") == "Replace" and part.get("content") == _SPACE_MARK
        for part in _parts(record)
    )


def _marked(token: str, mark: str) -> str:
    """A word for a token that begins with the mark of a space, a piece for any other.

    >>> _marked("▁king", "▁"), _marked("ing", "▁"), _marked("▁", "▁")
    ('king', '##ing', '▁')
    """
    if not token.startswith(mark):
        return INSIDE + token
    return token.removeprefix(mark) or token


def _from_bytes(token: str) -> str:
    """The same where each character of a token stands for a byte.

    >>> _from_bytes("Ġking"), _from_bytes("ing"), _from_bytes("Ã©")
    ('king', '##ing', '##é')
    """
    try:
        text = bytes(_BYTES[character] for character in token).decode("utf-8")
    except (KeyError, UnicodeDecodeError):  # part of a character: there is no better name for it
        return token
    return _marked(text, " ") if text.strip() and text.isprintable() else token


def _byte_alphabet() -> dict[str, int]:
    """The byte of each character of byte-level BPE: printable ones stand for themselves."""
    plain = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    shifted = {chr(256 + index): byte for index, byte in enumerate(others)}
    return {chr(byte): byte for byte in plain} | shifted


_BYTES = _byte_alphabet()
