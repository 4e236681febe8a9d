"""Folders and names of models: what is in them, and what is wrong with them."""

import json

import numpy as np
import pytest
from tiny_models import (
    DIM,
    train_tokenizer,
    write_bert,
    write_model,
)

import andornot
from andornot import AndornotError
from andornot.formats.first_layer import read_first_layer


def test_each_thing_that_is_wrong_has_its_line(tmp_path):
    tokenizer = train_tokenizer("wordpiece")
    size = tokenizer.get_vocab_size()
    rows = np.ones((size, DIM), dtype=np.float32)

    def line(folder):
        with pytest.raises(AndornotError) as caught:
            andornot.load(folder)
        text = str(caught.value)
        assert "\n" not in text
        return text

    short = write_model(tmp_path / "short", tokenizer, {"wte.weight": rows[:-3]})
    assert f"don't match the {size - 3} rows" in line(short)
    long = np.ones((size + 2000, DIM), dtype=np.float32)
    assert "don't match" in line(write_model(tmp_path / "long", tokenizer, {"wte.weight": long}))
    none = write_model(tmp_path / "none", tokenizer, {"conv.weight": rows})
    assert "no input embeddings of words among its 1 tensors (conv.weight" in line(none)
    (short / "tokenizer.json").unlink()
    assert "there is no tokenizer.json in it" in line(short)
    (none / "tokenizer.json").write_text("{}")
    write_model(tmp_path / "broken", tokenizer, {"wte.weight": rows})
    (tmp_path / "broken" / "tokenizer.json").write_text('{"model": {"vocab": 3}}')
    assert "no tokenizer.json with a vocabulary" in line(tmp_path / "broken")
    (none / "model.safetensors").unlink()
    (none / "pytorch_model.bin").write_bytes(b"\x80\x04")
    assert "never opens" in line(none)
    (none / "pytorch_model.bin").unlink()
    assert "there is no model.safetensors" in line(none)
    cut = write_model(tmp_path / "cut", tokenizer, {"wte.weight": rows})
    data = (cut / "model.safetensors").read_bytes()
    (cut / "model.safetensors").write_bytes(data[:-9])
    assert "doesn't lie inside the file" in line(cut)
    (cut / "model.safetensors").unlink()
    index = cut / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"wte.weight": "../model.safetensors"}}))
    assert "outside the folder" in line(cut)
    (cut / "modules.json").write_text("[3]")
    assert "no list of modules" in line(cut)


@pytest.mark.parametrize(
    "config", [{"architectures": 5}, {"architectures": "BertLMHeadModel"}, {"model_type": ["a"]}]
)
def test_kinds_in_a_configuration(tmp_path, config):
    tokenizer = train_tokenizer("wordpiece")
    rows = np.ones((tokenizer.get_vocab_size(), DIM), dtype=np.float32)
    space = andornot.load(write_model(tmp_path / "m", tokenizer, {"wte.weight": rows}, config))
    assert space.context is None
    assert space.provenance.model is None


def test_a_model_of_the_hub_that_cannot_be_had(tmp_path, monkeypatch):
    hub = pytest.importorskip("huggingface_hub", reason="needs the extra bert")

    def unreachable(*_, **__):
        raise hub.errors.OfflineModeIsEnabled("no network")

    monkeypatch.setattr("huggingface_hub.snapshot_download", unreachable)
    with pytest.raises(AndornotError, match=r"the hub can't be reached .* name a folder"):
        andornot.load("hf:bert-base-uncased")

    def gated(*_, **__):
        raise hub.errors.GatedRepoError.__new__(hub.errors.GatedRepoError)

    monkeypatch.setattr("huggingface_hub.snapshot_download", gated)
    with pytest.raises(AndornotError, match=r"accepted its terms; do so at https://hugg.*/some/m"):
        andornot.load("hf:some/m")
    with pytest.raises(AndornotError, match="a model of the Hugging Face hub is hf:NAME"):
        andornot.load("BAAI/bge-small-en-v1.5")

    folder = write_bert(tmp_path / "snapshot")
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, **__: str(folder))
    space = andornot.load("hf:somebody/model")
    assert space.provenance.origin == "first layer of somebody/model"
    with pytest.raises(AndornotError, match="this is a file, and a model is a folder"):
        read_first_layer(folder / "config.json")
