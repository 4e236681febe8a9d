"""Read the first layer of a model as a Space: input embeddings v, and u of the head.

Only the configuration, `tokenizer.json` and `model.safetensors` are read; torch isn't needed.
"""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import FileError, naming
from andornot.base.regular_files import read_small
from andornot.base.tensors import Entry
from andornot.formats.model_folder import ModelFolder, find_model
from andornot.space import Space
from andornot.words.pieces import Pieces
from andornot.words.provenance import Provenance
from andornot.words.vocabulary import Vocabulary

INPUTS = (  # names of the input embeddings; the first one found is used
    "embeddings.word_embeddings.weight",  # BERT, RoBERTa, DistilBERT, ALBERT, DeBERTa, MPNet
    "embeddings.tok_embeddings.weight",  # ModernBERT
    "embeddings.token_embedding.weight",  # CLIP's text
    "word_embeddings.weight",  # BLOOM, Falcon
    "word_embedding.weight",  # XLNet
    "shared.weight",  # T5, BART
    "embed_tokens.weight",  # Llama, Qwen, OPT
    "embed_in.weight",  # GPT-NeoX
    "wte.weight",  # GPT-2
    "tokens_embed.weight",  # GPT
    "embeddings.weight",  # XLM, FlauBERT
    "embedding.weight",  # sentence-transformers' StaticEmbedding
    "embeddings",  # model2vec
)
OUTPUTS = (  # names of the output embeddings of the head that predicts words
    "predictions.decoder.weight",
    "lm_head.decoder.weight",
    "lm_head.weight",
    "generator_lm_head.weight",
    "vocab_projector.weight",
    "embed_out.weight",
    "decoder.weight",
)
_BIASES = ("predictions.bias", "lm_head.bias", "vocab_projector.bias", "generator_lm_head.bias")
_HEADS = (  # models that predict words; pre-training of others (ELECTRA, Funnel) does not
    "ForMaskedLM",
    "LMHeadModel",
    "ForCausalLM",
    "BertForPreTraining",
    "AlbertForPreTraining",
    "BigBirdForPreTraining",
    "ErnieForPreTraining",
    "FNetForPreTraining",
)
_MOST_SPARE = 1024  # rows beyond the last token: models are padded to round numbers
_SHOWN = 5
_AGAIN = "get the model again"


def read_first_layer(model: str | PathLike[str] | ModelFolder) -> Space:
    """Open the first layer of a model, in a folder or by its name on the hub.

    The words are the tokens of the model's tokenizer, including pieces (`##ing`), without special
    tokens and unused rows, which the provenance mentions. If the model has a head that predicts
    words, its output embeddings are the context vectors. Such a model has no counts:
    `andornot.encoders.token_counting.count_tokens` counts them in a text.

    For example `read_first_layer("all-MiniLM-L6-v2")`, the folder of a model.
    """
    folder = model if isinstance(model, ModelFolder) else find_model(model)
    tensors = folder.tensors()
    source = _source(folder, tensors)
    pieces = Pieces(read_small(folder.tokenizer, _AGAIN), folder.tokenizer)
    every = _every_row(source, tensors)
    rows = len(every)
    _check_rows(folder, pieces, rows)
    words = pieces.words
    ids = np.fromiter(words, dtype=np.int64, count=len(words))
    target = np.ascontiguousarray(every[ids])
    config = folder.config()
    head = _head(tensors, source, config, max(words, default=0))
    context = None
    if head is not None:
        context = target if head is source else np.ascontiguousarray(head.floats()[ids])
    with naming(source.path, _AGAIN):
        return Space(
            Vocabulary(list(words.values())),
            target,
            context=context,
            pieces=pieces,
            provenance=_provenance(folder, config, pieces, source, head, rows),
        )


def input_rows(folder: ModelFolder) -> tuple[str, npt.NDArray[np.float32]]:
    """Return the name of the tensor of input embeddings, and its rows by token id."""
    tensors = folder.tensors()
    source = _source(folder, tensors)
    return source.name, _every_row(source, tensors)


def _source(folder: ModelFolder, tensors: dict[str, Entry]) -> Entry:
    """Find the tensor of the input embeddings."""
    found = _find(tensors, INPUTS)
    if found is None:
        shown = ", ".join(sorted(tensors)[:_SHOWN]) or "none"
        raise FileError(
            folder.core,
            f"no input embeddings of words among its {len(tensors):,} tensors ({shown}, ...)",
            "use a text model that has them",
        )
    return found


def _every_row(source: Entry, tensors: dict[str, Entry]) -> npt.NDArray[np.float32]:
    """Return the row of every token, also if model2vec has merged equal rows."""
    rows = source.floats()
    if source.name != "embeddings":
        return rows
    if (mapping := tensors.get("mapping")) is not None:
        numbers = mapping.map()
        whole = mapping.dtype[0] in "IU" and numbers.ndim == 1
        if not whole or not ((numbers >= 0) & (numbers < len(rows))).all():
            raise _unfit(mapping)
        rows = rows[numbers]
    if (weights := tensors.get("weights")) is not None:
        if weights.shape != (len(rows),):
            raise _unfit(weights)
        rows = rows * weights.floats()[:, None]
    return rows


def _unfit(tensor: Entry) -> FileError:
    return FileError(tensor.path, f"its {tensor.name!r} doesn't fit its rows", _AGAIN)


def _find(tensors: dict[str, Entry], names: tuple[str, ...]) -> Entry | None:
    """Find a matrix by one of these names, ignoring prefixes of modules."""
    for wanted in names:
        found = [
            entry
            for name, entry in tensors.items()
            if (name == wanted or name.endswith(f".{wanted}")) and len(entry.shape) == 2
        ]
        if found:
            return min(found, key=lambda entry: (len(entry.name), entry.name))
    return None


def _check_rows(folder: ModelFolder, pieces: Pieces, rows: int) -> None:
    """Raise FileError if the tokenizer belongs to another model."""
    last = max(pieces.tokens)
    if last >= rows or rows - last - 1 > max(_MOST_SPARE, rows // 10):
        raise FileError(
            folder.tokenizer,
            f"its {len(pieces.tokens):,} tokens, with ids up to {last:,}, don't match the {rows:,} "
            "rows of the embeddings",
            "it belongs to another model: get both again",
        )


def _head(
    tensors: dict[str, Entry], source: Entry, config: dict[str, Any], last: int
) -> Entry | None:
    """Return the output embeddings: a separate tensor, or the input embeddings if tied.

    A separate tensor may have another number of rows; `last` is the last one needed.
    """
    found = _find(tensors, OUTPUTS)
    if found is not None:
        rows, dim = found.shape
        return found if rows > last and dim == source.shape[1] else None
    architectures = config.get("architectures")
    named = isinstance(architectures, list) and any(
        str(name).endswith(_HEADS) for name in architectures
    )
    named = named or any(name.endswith(_BIASES) for name in tensors)
    tied = config.get("tie_word_embeddings", True)
    return source if named and tied else None


def _provenance(
    folder: ModelFolder,
    config: dict[str, Any],
    pieces: Pieces,
    source: Entry,
    head: Entry | None,
    rows: int,
) -> Provenance:
    settings: dict[str, Any] = {"embeddings": source.name}
    if head is not None:
        settings["output_embeddings"] = "tied" if head is source else head.name
    kind = config.get("model_type")
    record = Provenance(
        f"first layer of {folder.name}",
        model=kind if isinstance(kind, str) else None,
        settings=settings,
    )
    left_out = [token for number, token in pieces.tokens.items() if number not in pieces.words]
    if left_out:
        shown = ", ".join(left_out[:_SHOWN]) + (", ..." if len(left_out) > _SHOWN else "")
        record = record.then(f"{len(left_out):,} special and unused tokens left out ({shown})")
    if rows > len(pieces.tokens):
        record = record.then(f"{rows - len(pieces.tokens):,} rows without a token left out")
    if head is not None:
        record = record.then(
            "context vectors: the output embeddings, without the bias and the transform of the head"
        )
    return record
