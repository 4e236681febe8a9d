"""The tokenizer of a model: its words, and the pieces of others."""

import json
import sys

import numpy as np
import pytest
from errors import raises
from tiny_models import (
    DIM,
    bert_tensors,
    train_tokenizer,
    unprefixed_tokenizer,
    write_bert,
    write_model,
)

import andornot
from andornot import AndornotError
from andornot.words.pieces import Pieces


@pytest.mark.parametrize("kind", ["gemma", "never", "first", "always"])
def test_a_word_is_cut_as_after_a_space(kind):
    tokenizer = unprefixed_tokenizer(kind)
    pieces = Pieces(tokenizer.to_str().encode())
    for word in ("kingly", "unhappiness"):
        alone = tokenizer.encode(f"the {word}", add_special_tokens=False).ids
        before = tokenizer.encode("the", add_special_tokens=False).ids
        expected = tuple(pieces.words[number] for number in alone[len(before) :])
        assert pieces.split(word) == expected
        assert not expected[0].startswith("##")


@pytest.mark.parametrize("kind", ["wordpiece", "bpe", "unigram"])
def test_added_tokens_are_words(kind):
    tokenizer = train_tokenizer(kind)
    tokenizer.add_tokens(["covid", " spaced", "king"])
    words = Pieces(tokenizer.to_str().encode()).words
    assert words[tokenizer.token_to_id("covid")] == "covid"
    assert words[tokenizer.token_to_id(" spaced")] == "spaced"
    assert len(set(words.values())) == len(words)


def test_other_tokenizers_see_their_spaces():
    for kind in ("bpe", "unigram"):
        assert not Pieces(train_tokenizer(kind).to_str().encode()).cuts_at_spaces


def test_bytes_of_characters_keep_their_names(tmp_path):
    tokenizer = train_tokenizer("bpe")
    rows = np.random.default_rng(7).normal(size=(tokenizer.get_vocab_size(), DIM))
    rows = rows.astype(np.float32)
    space = andornot.load(write_model(tmp_path / "m", tokenizer, {"wte.weight": rows}))
    assert len(set(space.words)) == len(space)
    ids = tokenizer.encode(" 東", add_special_tokens=False).ids
    assert len(ids) == 4  # a space and three bytes, none of them a character
    assert np.allclose(space.vector("東"), rows[ids].sum(axis=0), atol=1e-5)


@pytest.mark.parametrize(
    ("place", "value", "named"),
    [
        (("added_tokens",), ["x"], "not a tokenizer.json"),
        (("added_tokens",), {"x": 1}, "not a tokenizer.json"),
        (("added_tokens", 0, "content"), ["x"], "not a tokenizer.json"),
        (("added_tokens", 0, "id"), float("inf"), "not a tokenizer.json"),
        (("model", "unk_token"), ["x"], "not a tokenizer.json"),
        (("model", "unk_id"), [1], "not a tokenizer.json"),
        (("model", "continuing_subword_prefix"), 3, "not a tokenizer.json"),
        (("normalizer", "type"), ["x"], "not a tokenizer.json"),
        (("model", "vocab", "king"), float("inf"), "malformed"),
        (("model", "vocab", "king"), 10**12, "1,000,000,000,000"),
        (("model", "vocab", "king"), -7, "-7"),
    ],
)
def test_values_of_another_kind_in_a_tokenizer_are_refused(place, value, named):
    record = json.loads(train_tokenizer("wordpiece").to_str())
    part = record
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    with raises(AndornotError, "t.json", named):
        _ = Pieces(json.dumps(record).encode(), "t.json").words


def test_without_the_package_tokenizers_known_words_have_vectors(tmp_path, monkeypatch):
    space = andornot.load(write_bert(tmp_path / "model"))
    tokenizer = train_tokenizer("wordpiece")
    rows = bert_tensors(tokenizer.get_vocab_size())["embeddings.word_embeddings.weight"]
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert np.array_equal(space.vector("king"), rows[tokenizer.token_to_id("king")])
    with raises(AndornotError, "tokenizers", "pip install 'andornot[bert]'"):
        space.vector("unhappiness")
