"""Folders and names of models: what is in them, and what is wrong with them."""

import json

import numpy as np
import pytest
from errors import raises
from tiny_models import (
    DIM,
    train_tokenizer,
    write_bert,
    write_model,
)

import andornot
from andornot import AndornotError
from andornot.base.errors import FileError
from andornot.formats.first_layer import read_first_layer


@pytest.fixture
def model(tmp_path):
    """The folder of a model with nothing but a tokenizer and its rows."""
    tokenizer = train_tokenizer("wordpiece")
    rows = np.ones((tokenizer.get_vocab_size(), DIM), dtype=np.float32)
    return write_model(tmp_path / "model", tokenizer, {"wte.weight": rows})


@pytest.mark.parametrize("change", [-3, 2000])
def test_rows_that_do_not_match_the_tokens(tmp_path, change):
    tokenizer = train_tokenizer("wordpiece")
    size = tokenizer.get_vocab_size()
    rows = np.ones((size + change, DIM), dtype=np.float32)
    folder = write_model(tmp_path / "m", tokenizer, {"wte.weight": rows})
    with raises(FileError, folder / "tokenizer.json", size, f"{size + change:,} rows"):
        andornot.load(folder)


def test_a_model_without_embeddings_of_words(tmp_path):
    rows = np.ones((4, 4), dtype=np.float32)
    folder = write_model(tmp_path / "m", train_tokenizer("wordpiece"), {"conv.weight": rows})
    with raises(FileError, folder, "1 tensors", "conv.weight"):
        andornot.load(folder)


def test_a_tokenizer_that_is_missing_or_broken(model):
    file = model / "tokenizer.json"
    file.write_text('{"model": {"vocab": 3}}')
    with raises(AndornotError, file, "vocabulary", "get it again"):
        andornot.load(model)
    file.unlink()
    with raises(FileError, model, "tokenizer.json", "AutoTokenizer.from_pretrained"):
        andornot.load(model)


def test_weights_that_are_missing_pickled_or_cut(model):
    file, pickled = model / "model.safetensors", model / "pytorch_model.bin"
    file.write_bytes(file.read_bytes()[:-9])
    with raises(FileError, file, "'wte.weight'", "inside"):
        andornot.load(model)
    file.unlink()
    pickled.write_bytes(b"\x80\x04")
    with raises(FileError, pickled, "pickle", "model.save_pretrained"):
        andornot.load(model)
    pickled.unlink()
    with raises(FileError, model, "model.safetensors"):
        read_first_layer(model)


def test_records_that_lead_out_of_the_folder_or_say_nothing(model):
    (model / "model.safetensors").unlink()
    index = model / "model.safetensors.index.json"
    for weights, named in (({"wte.weight": "../model.safetensors"}, "outside"), (3, "weights")):
        index.write_text(json.dumps({"weight_map": weights}))
        with raises(FileError, index, named, "get the model again"):
            andornot.load(model)
    modules = model / "modules.json"
    outside = '[{"type": "a.Transformer", "path": "../other"}]'
    for text, named in (("[3]", "list of modules"), (outside, "'../other'"), ("{", "JSON")):
        modules.write_text(text)
        with raises(FileError, modules, named, "get the model again"):
            andornot.load(model)


def test_names_with_zero_bytes(model):
    (model / "model.safetensors").unlink()
    index = model / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"wte.weight": "a\0b"}}))
    with raises(FileError, index, r"'a\x00b' has a zero byte", "get the model again"):
        andornot.load(model)
    modules = model / "modules.json"
    modules.write_text(json.dumps([{"type": "a.Transformer", "path": "a\0b"}]))
    with raises(FileError, modules, r"'a\x00b' has a zero byte", "get the model again"):
        andornot.load(model)


@pytest.mark.parametrize(
    "config", [{"architectures": 5}, {"architectures": "BertLMHeadModel"}, {"model_type": ["a"]}]
)
def test_a_configuration_of_other_kinds_says_nothing(model, config):
    (model / "config.json").write_text(json.dumps(config))
    space = andornot.load(model)
    assert space.context is None
    assert space.provenance.model is None


def test_models_of_the_hub(tmp_path, monkeypatch):
    hub = pytest.importorskip("huggingface_hub", reason="needs the extra bert")

    def unreachable(*_, **__):
        raise hub.errors.OfflineModeIsEnabled("no network")

    monkeypatch.setattr("huggingface_hub.snapshot_download", unreachable)
    with raises(AndornotError, "OfflineModeIsEnabled", "hf download bert-base-uncased"):
        andornot.load("hf:bert-base-uncased")

    def gated(*_, **__):
        raise hub.errors.GatedRepoError.__new__(hub.errors.GatedRepoError)

    monkeypatch.setattr("huggingface_hub.snapshot_download", gated)
    with raises(AndornotError, "https://huggingface.co/some/m", "hf auth login"):
        andornot.load("hf:some/m")
    with raises(FileError, "BAAI/bge-small-en-v1.5", "hf:NAME"):
        andornot.load("BAAI/bge-small-en-v1.5")

    folder = write_bert(tmp_path / "snapshot")
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, **__: str(folder))
    space = andornot.load("hf:somebody/model")
    assert "somebody/model" in space.provenance.origin
    with raises(FileError, folder / "config.json", "folder"):
        read_first_layer(folder / "config.json")
