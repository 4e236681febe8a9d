"""Write static models, with one vector for each token, in the format of model2vec.

sentence-transformers can load the same folder as a StaticEmbedding.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import FileError
from andornot.base.folders import new_folder
from andornot.base.outputs import check_output
from andornot.base.tensors import write_tensors
from andornot.formats.model_folder import CONFIG, MODULES, TOKENIZER, WEIGHTS
from andornot.formats.values import refuse_infinite
from andornot.space import Space

KIND = "andornot model"
_LETTER = r"[\p{L}\p{M}\p{N}]"
WORDS = (  # the tokenizer `words` as a pattern; see andornot.corpus.tokenizing
    r"(?:(?<![^\s\p{Ps}\p{Pi}])-(?=\p{N}))?"
    rf"{_LETTER}+(?:['-]{_LETTER}+|(?<=\p{{N}})[.,](?=\p{{N}}){_LETTER}+)*"
)


def write_static_model(space: Space, path: Path, *, force: bool = False) -> None:
    """Write the target vectors as a model for model2vec and sentence-transformers.

    The model's vector of a text is the mean of its token vectors: the vector of `SentenceEncoder`
    up to its length. A space with its own tokenizer keeps it; otherwise the model gets one that
    finds words as `SentenceEncoder` does. Unknown words have the vector 0. Post-process the space
    first.

    For example `write_static_model(postprocess(space), Path("english-static"))`.
    """
    path = check_output(path, force=force, kind=KIND)
    refuse_infinite(space.target, path, space.vocabulary)
    tokenizer, rows = _own(space) if space.pieces is not None else _words(space)
    done = space.provenance.postprocess or "none"
    config = {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "hidden_dim": space.dim,
        "normalize": False,
        "embedding_dtype": "float32",
        "max_length": None,  # model2vec truncates texts to 512 tokens by default
    }
    modules = [
        {
            "idx": 0,
            "name": "0",
            "path": ".",
            "type": "sentence_transformers.models.StaticEmbedding",
        }
    ]
    card = (
        "---\nlibrary_name: model2vec\ntags:\n- embeddings\n- static-embeddings\n"
        "- sentence-transformers\n---\n\n"
        f"# Static vectors\n\n{len(space):,} words x {space.dim}, written by andornot from: "
        f"{space.provenance.origin}. Post-processing: {done}. The vector of a text is the mean of "
        "its tokens' vectors.\n\n```python\nfrom model2vec import StaticModel\n\n"
        'model = StaticModel.from_pretrained("FOLDER")\n```\n'
    )
    with new_folder(path, replace=force) as writer:
        write_tensors({"embeddings": rows}, writer.path / WEIGHTS)
        for name, content in ((TOKENIZER, tokenizer), (CONFIG, config), (MODULES, modules)):
            write_json(writer.path / name, content)
        (writer.path / "README.md").write_text(card, "utf-8")
        writer.finish(KIND, {"provenance": space.provenance.to_dict()})


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file."""
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2), "utf-8")


def _own(space: Space) -> tuple[dict[str, Any], npt.NDArray[np.float32]]:
    """Return the tokenizer of the space, and a row for each token."""
    assert space.pieces is not None
    numbers = list(space.pieces.tokens)
    if numbers != list(range(len(numbers))):
        raise FileError("tokenizer.json", "the token ids have gaps", "use another model")
    rows = np.zeros((len(numbers), space.dim), dtype=np.float32)
    known = space.token_rows >= 0
    rows[known] = space.target[space.token_rows[known]]
    return space.pieces.record | {"truncation": None, "padding": None}, rows


def _words(space: Space) -> tuple[dict[str, Any], npt.NDArray[np.float32]]:
    """Return a tokenizer for the words of the space, and rows for two special tokens and them."""
    special = [_unused("[PAD]", space), _unused("[UNK]", space)]
    tokens = [*special, *space.words]
    record = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": number,
                "content": token,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for number, token in enumerate(special)
        ],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Replace", "pattern": {"String": "’"}, "content": "'"},
                {"type": "Replace", "pattern": {"Regex": "[‐‑−]"}, "content": "-"},
                {"type": "Lowercase"},
            ],
        },
        "pre_tokenizer": {
            "type": "Split",
            "pattern": {"Regex": WORDS},
            "behavior": "Removed",
            "invert": True,
        },
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {token: number for number, token in enumerate(tokens)},
            "unk_token": special[1],
        },
    }
    rows = np.concatenate([np.zeros((2, space.dim), dtype=np.float32), space.target])
    return record, rows


def _unused(token: str, space: Space) -> str:
    """Return a token that is not a word of the space."""
    while token in space:
        token = f"[{token}]"
    return token
