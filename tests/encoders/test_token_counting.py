"""Counts of a model's own tokens: those that its tokenizer finds in a text."""

import json
from collections import Counter

import numpy as np
import pytest
from errors import raises
from hypothesis import given
from hypothesis import strategies as st
from tiny_models import (
    DIM,
    TEXT,
    train_tokenizer,
    unprefixed_tokenizer,
    write_bert,
    write_model,
)

import andornot
from andornot import AndornotError, AndornotWarning
from andornot.encoders.token_counting import _count, count_tokens
from andornot.words.pieces import Pieces


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n".join(TEXT) + "\n")
    return path


@pytest.mark.parametrize("kind", ["wordpiece", "bpe", "unigram"])
def test_counts_are_those_of_the_tokenizer(tmp_path, corpus, kind, monkeypatch):
    tokenizer = train_tokenizer(kind)
    rows = np.ones((tokenizer.get_vocab_size(), DIM), dtype=np.float32)
    space = andornot.load(write_model(tmp_path / kind, tokenizer, {"wte.weight": rows}))
    counted = count_tokens(space, [corpus])
    expected: Counter = Counter()
    for line in TEXT:
        expected.update(tokenizer.encode(line, add_special_tokens=False).ids)
    words = {number: word for number, word in space.pieces.words.items() if number in expected}
    assert {space.words[i] for i in np.flatnonzero(counted.counts)} == set(words.values())
    for number, word in words.items():
        assert counted.counts[space.vocabulary.index(word)] == expected[number]

    def never(*_):
        raise AssertionError("counted again")

    monkeypatch.setattr("andornot.encoders.token_counting._count", never)
    assert np.array_equal(count_tokens(space, [corpus]).counts, counted.counts)


def check_counts(pieces, tmp_path, text):
    path = tmp_path / "t.txt"
    path.write_text(text)
    expected = np.bincount(pieces.cut([text])[0], minlength=max(pieces.tokens) + 1)
    assert np.array_equal(_count(pieces, [path]), expected)


@given(st.text("ab kingquen’,.\t\n\r\x0b\x0c\x1f\u00a0\u3000\u0301東Ⅷ-Σ[MASK]", max_size=60))
def test_words_are_cut_once_with_the_same_counts(tmp_path, text):
    pieces = Pieces(train_tokenizer("wordpiece").to_str().encode())
    assert pieces.cuts_at_spaces
    check_counts(pieces, tmp_path, text)


@pytest.mark.parametrize("scheme", ["first", "always", "never"])
def test_words_after_marks_have_the_counts_of_the_text(tmp_path, scheme):
    tokenizers = pytest.importorskip("tokenizers", reason="needs the extra bert (tokenizers)")
    pre_tokenizers = tokenizers.pre_tokenizers

    tokenizer = unprefixed_tokenizer("always")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme=scheme)]
    )
    check_counts(Pieces(tokenizer.to_str().encode()), tmp_path, TEXT[0])


@pytest.mark.parametrize("inside", [" ", "\t", "\u3000"])
def test_added_tokens_with_white_space_are_counted(tmp_path, inside):
    tokenizer = train_tokenizer("wordpiece")
    tokenizer.add_tokens([f"king{inside}queen"])
    check_counts(Pieces(tokenizer.to_str().encode()), tmp_path, f"a king{inside}queen a king")


@pytest.mark.parametrize("kind", ["wordpiece", "bpe", "unigram"])
def test_the_ends_of_lines_are_no_tokens(tmp_path, kind):
    pieces = Pieces(train_tokenizer(kind).to_str().encode())
    counts = []
    for end in ("\n", "\r\n"):
        path = tmp_path / "t.txt"
        path.write_bytes(end.join([*TEXT, ""]).encode())
        counts.append(_count(pieces, [path]))
    assert np.array_equal(*counts)


def test_a_line_without_end_is_cut_between_words(tmp_path, monkeypatch):
    monkeypatch.setattr("andornot.encoders.token_counting._LONGEST", 40)
    monkeypatch.setattr("andornot.corpus.reading.BLOCK", 100)
    tokenizer = train_tokenizer("bpe")
    text = " ".join(TEXT * 3)
    path = tmp_path / "endless.txt"
    path.write_text(text)
    rows = np.ones((tokenizer.get_vocab_size(), DIM), dtype=np.float32)
    space = andornot.load(write_model(tmp_path / "m", tokenizer, {"wte.weight": rows}))
    expected = np.bincount(
        tokenizer.encode(text, add_special_tokens=False).ids, minlength=len(rows)
    )
    expected[tokenizer.token_to_id("Ċ")] = 0
    counts = count_tokens(space, [path]).counts
    for number, word in space.pieces.words.items():
        assert counts[space.vocabulary.index(word)] == expected[number], word


def test_a_cache_that_cannot_be_written(tmp_path, corpus, monkeypatch):
    space = andornot.load(write_bert(tmp_path / "model"))
    monkeypatch.setenv("ANDORNOT_CACHE", str(corpus))
    with raises(AndornotError, corpus, "set ANDORNOT_CACHE to a writable folder"):
        count_tokens(space, [corpus])


def test_what_has_no_tokens_to_be_counted(tmp_path, corpus, example):
    with raises(AndornotError, "tokenizer", "with_counts"):
        count_tokens(andornot.load(example), [corpus])
    strange = tmp_path / "strange.txt"
    strange.write_text("東京\n")
    with raises(AndornotError, strange, "tokens"):
        count_tokens(andornot.load(write_bert(tmp_path / "model")), [strange])


@pytest.mark.parametrize(
    "damage",
    [
        lambda counts: counts[:3],
        lambda counts: counts[:0],
        lambda counts: np.append(counts, 1),
        lambda counts: counts - 9,
        lambda counts: counts * np.nan,
        lambda counts: np.append(counts[1:], np.inf),
        lambda counts: np.append(counts[1:], 1e300),
    ],
    ids=["short", "empty", "long", "negative", "not a number", "infinite", "huge"],
)
def test_a_damaged_cache_is_counted_again(tmp_path, corpus, monkeypatch, damage):
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "cache"))
    space = andornot.load(write_bert(tmp_path / "model"))
    expected = count_tokens(space, [corpus]).counts
    (record,) = (tmp_path / "cache" / "token-counts").glob("*/record.json")
    stored = record.with_name("counts.bin")
    counts = damage(np.fromfile(stored, "<f8"))
    counts.tofile(stored)
    said = json.loads(record.read_text())
    said["arrays"]["counts"]["length"] = len(counts)
    record.write_text(json.dumps(said))
    with pytest.warns(AndornotWarning, match="counting the tokens again"):
        assert np.array_equal(count_tokens(space, [corpus]).counts, expected)
    assert np.array_equal(count_tokens(space, [corpus]).counts, expected)  # without a warning


def test_a_cache_that_was_cut_off_is_counted_again(tmp_path, corpus, monkeypatch):
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "cache"))
    space = andornot.load(write_bert(tmp_path / "model"))
    expected = count_tokens(space, [corpus]).counts
    (stored,) = (tmp_path / "cache" / "token-counts").glob("*/counts.bin")
    stored.write_bytes(stored.read_bytes()[:9])
    with pytest.warns(AndornotWarning, match="counting the tokens again"):
        assert np.array_equal(count_tokens(space, [corpus]).counts, expected)
