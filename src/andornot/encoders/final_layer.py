"""Compute the final layer of a model: contextual token vectors, and their sums for sentences.

Uses transformers, on the CPU, in batches of texts of similar length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError, FileError, UsageError, first_line
from andornot.base.progress import track
from andornot.base.regular_files import read_small
from andornot.encoders.token_moments import TokenMoments
from andornot.formats.model_folder import ModelFolder, find_model, read_json
from andornot.postprocessing.affine import Affine
from andornot.words.pieces import Pieces

if TYPE_CHECKING:
    import torch
    from tokenizers import Encoding

BATCH = 32
_LONGEST = 4096  # tokens, if a model has no limit


class Batch(NamedTuple):
    """A batch: the indices of its texts, their token ids, and the final layer.

    `tokens` is 1 for tokens and 0 for padding; `words` is also 0 for special
    tokens.
    """

    indices: list[int]
    numbers: torch.Tensor
    tokens: torch.Tensor
    words: torch.Tensor
    hidden: torch.Tensor


class FinalLayer:
    """A model that computes contextual vectors.

    For example `FinalLayer("all-MiniLM-L6-v2").encode(["a sentence", "another one"])`.
    """

    def __init__(self, model: str | PathLike[str] | ModelFolder) -> None:
        self.folder = model if isinstance(model, ModelFolder) else find_model(model)
        self.pieces = Pieces(
            read_small(self.folder.tokenizer, "get the model again"), self.folder.tokenizer
        )
        self._model = open_model(self.folder)
        self._tokenizer = self.pieces.new_tokenizer()
        self.max_length = _max_length(self.folder, self._model)
        self._tokenizer.enable_truncation(self.max_length)
        self._padding = int(self._model.config.pad_token_id or 0)

    @property
    def dim(self) -> int:
        """The dimension of the vectors."""
        return int(self._model.config.hidden_size)

    def batches(self, texts: Sequence[str], batch_size: int = BATCH) -> Iterator[Batch]:
        """Yield the final layer of all texts in batches, the longest first."""
        import torch

        if batch_size < 1:
            raise UsageError(f"batch_size must be at least 1, got {batch_size}")
        found = self._tokenizer.encode_batch_fast(
            [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        )
        order = sorted(range(len(found)), key=lambda index: -len(found[index]))
        for start in track(range(0, len(order), batch_size), "encoding texts"):
            indices = order[start : start + batch_size]
            numbers, mask, words = self._pad([found[index] for index in indices])
            with torch.inference_mode():
                hidden = self._model(input_ids=numbers, attention_mask=mask).last_hidden_state
            yield Batch(indices, numbers, mask, words, hidden)

    def _pad(self, found: list[Encoding]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        import torch

        shape = (len(found), max(1, len(found[0])))  # the first is the longest
        numbers = np.full(shape, self._padding, dtype=np.int64)
        mask = np.zeros(shape, dtype=np.int64)
        words = np.zeros(shape, dtype=np.float32)
        for row, each in enumerate(found):
            numbers[row, : len(each)] = each.ids
            mask[row, : len(each)] = 1
            words[row, : len(each)] = 1 - np.array(each.special_tokens_mask)
        return torch.from_numpy(numbers), torch.from_numpy(mask), torch.from_numpy(words)

    def moments(
        self,
        texts: Sequence[str],
        *,
        batch_size: int = BATCH,
    ) -> TokenMoments:
        """Compute means over the tokens of texts, without special tokens."""
        found = TokenMoments(self.dim)
        for batch in self.batches(texts, batch_size):
            chosen = batch.words > 0
            found.add(batch.numbers[chosen].numpy(), batch.hidden[chosen].numpy())
        return found

    def sums(
        self, texts: Sequence[str], *, batch_size: int = BATCH
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Return the sum of the token vectors of each text, and the number of its tokens."""
        import torch

        sums = np.zeros((len(texts), self.dim), dtype=np.float32)
        lengths = np.zeros(len(texts), dtype=np.float32)
        for batch in self.batches(texts, batch_size):
            with torch.inference_mode():
                sums[batch.indices] = torch.bmm(batch.words[:, None, :], batch.hidden)[:, 0].numpy()
            lengths[batch.indices] = batch.words.sum(dim=1).numpy()
        return sums, lengths

    def encode(
        self,
        texts: Sequence[str],
        *,
        centre: Affine | None = None,
        batch_size: int = BATCH,
    ) -> npt.NDArray[np.float32]:
        """Return a vector for each text: the sum of its token vectors, each mapped by `centre`.

        `centre` is a map such as `moments(...).fit("frequency")`. A text without tokens has the
        vector 0.
        """
        if isinstance(texts, str):
            raise AndornotError("texts must be a list, got one text; pass [text]")
        sums, lengths = self.sums(texts, batch_size=batch_size)
        return sums if centre is None else centred_sums(sums, lengths, centre)


def centred_sums(
    sums: npt.NDArray[np.float32], lengths: npt.NDArray[np.float32], centre: Affine
) -> npt.NDArray[np.float32]:
    """Map sums of vectors as if each of their `lengths` vectors had been mapped first.

    >>> centre = Affine(np.array([1.0]))
    >>> centred_sums(np.array([[5.0]], dtype=np.float32), np.array([2.0]), centre).tolist()
    [[3.0]]
    """
    moved = sums - lengths[:, None] * centre.mean
    found = moved if centre.matrix is None else moved @ centre.matrix
    return np.asarray(found, dtype=np.float32)


def open_model(folder: ModelFolder, kind: str = "AutoModel") -> Any:
    """Open the model with a class of transformers, with weights only from safetensors."""
    try:
        import torch

        opener: Any = getattr(import_module("transformers"), kind)
        logging: Any = import_module("transformers.utils.logging")
    except ImportError as error:
        raise AndornotError(
            f"running a model needs the package {error.name}; pip install 'andornot[bert]'"
        ) from error
    folder.tensors()  # raises a clear error for damaged weights
    shown = logging.get_verbosity()
    logging.set_verbosity_error()  # no report about weights of an unused head
    logging.disable_progress_bar()
    try:
        model = opener.from_pretrained(
            folder.core,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            dtype=torch.float32,
        )
    except Exception as error:  # transformers raises errors of any type
        raise FileError(
            folder.core,
            f"transformers can't open it ({first_line(error)})",
            "check that the model is complete",
        ) from error
    finally:
        logging.set_verbosity(shown)
        logging.enable_progress_bar()
    if model.config.is_encoder_decoder:
        model = model.get_encoder()
    return model.eval()


def _max_length(folder: ModelFolder, model: Any) -> int:
    """Return the maximum number of tokens of a text.

    If the position embeddings have a row for padding, as in RoBERTa, the positions of
    tokens begin after it.
    """
    positions = getattr(model.config, "max_position_embeddings", None)
    limits = [_LONGEST]
    if isinstance(positions, int) and positions > 2:
        kept = [
            module.padding_idx + 1
            for name, module in model.named_modules()
            if name.endswith("position_embeddings")
            and getattr(module, "padding_idx", None) is not None
        ]
        limits.append(positions - max(kept, default=0))
    files = {
        "tokenizer_config.json": "model_max_length",
        "sentence_bert_config.json": "max_seq_length",
    }
    for name, key in files.items():
        path = folder.core / name
        if path.exists():
            value = read_json(path, dict).get(key)
            if isinstance(value, int) and value > 2:
                limits.append(value)
    return min(limits)
