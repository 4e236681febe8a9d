"""Phrases merged to words, and words replaced by their OR."""

import json
from collections import Counter
from itertools import pairwise

import pytest
from errors import raises
from hypothesis import given, settings
from hypothesis import strategies as st
from texts import sentences, write

from andornot import AndornotError
from andornot.base.folders import RECORD
from andornot.cooccurrence import count
from andornot.corpus import open_corpus
from andornot.corpus.edits import add_or_words, beginning, merge_phrases


def slow_merge(words: list[str], phrases: list[str]) -> list[str]:
    split = sorted((phrase.split() for phrase in phrases), key=len, reverse=True)
    result, i = [], 0
    while i < len(words):
        phrase = next((p for p in split if words[i : i + len(p)] == p), words[i : i + 1])
        result.append("_".join(phrase))
        i += len(phrase)
    return result


@settings(max_examples=40)
@given(
    st.lists(st.text("abc", min_size=1, max_size=1), min_size=1, max_size=60),
    st.lists(st.lists(st.sampled_from("abcx"), min_size=2, max_size=4), min_size=1, max_size=5),
    st.integers(1, 4),
)
def test_merging_agrees_with_a_slow_merge(tmp_path_factory, words, phrases, block):
    from andornot.corpus import edits

    folder = tmp_path_factory.mktemp("merge")
    half = len(words) // 2
    lines = [words[:half], words[half:]]
    path = write(folder / "a.txt", "\n".join(" ".join(line) for line in lines))
    phrases = [" ".join(phrase) for phrase in phrases]
    corpus = open_corpus([path], cache=folder / "cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edits, "_TOKENS_AT_A_TIME", block)
        merged = merge_phrases(corpus, phrases)
    expected = [slow_merge(line, phrases) for line in lines if line]
    assert sentences(merged) == expected
    counts = Counter(word for line in expected for word in line)
    assert merged.vocabulary.counts.values.tolist() == sorted(counts.values(), reverse=True)
    assert merged.path == merge_phrases(corpus, phrases).path
    assert merged.record["phrases"] == sum("_" in word for word in counts)


def test_a_merged_corpus_of_an_older_version_is_made_again(tmp_path):
    corpus = open_corpus([write(tmp_path / "a.txt", "a b a b c_d")], cache=tmp_path / "cache")
    phrases = ["a b", "c d"]
    merged = merge_phrases(corpus, phrases)
    record = json.loads((merged.path / RECORD).read_text())
    del record["phrases"]
    (merged.path / RECORD).write_text(json.dumps(record))
    again = merge_phrases(corpus, phrases)
    assert again.record["phrases"] == merged.record["phrases"] == 1
    assert (again.path, again.key) == (merged.path, merged.key)


def test_a_phrase_has_two_words(tmp_path):
    corpus = open_corpus([write(tmp_path / "a.txt")])
    with raises(AndornotError, "'a'", "phrase", "two words"):
        merge_phrases(corpus, ["b a", "a"])


def test_or_words(tmp_path):
    text = "\n".join(" ".join(f"w{(i * j) % 17}" for j in range(20)) for i in range(30))
    corpus = open_corpus([write(tmp_path / "a.txt", text)])
    doubled, pairs = add_or_words(corpus, pairs=4, above=4, seed=3)
    assert pairs == add_or_words(corpus, pairs=4, above=4, seed=3)[1]
    assert pairs != add_or_words(corpus, pairs=4, above=4, seed=4)[1]
    assert len({word for pair in pairs for word in pair}) == 8  # nobody in two pairs
    names = {word: f"{a}_OR_{b}" for a, b in pairs for word in (a, b)}
    original = sentences(corpus)
    copy = [[names.get(word, word) for word in sentence] for sentence in original]
    assert sentences(doubled) == original + copy
    counts = dict(zip(corpus.vocabulary, corpus.vocabulary.counts.values, strict=True))
    both = dict(zip(doubled.vocabulary, doubled.vocabulary.counts.values, strict=True))
    for a, b in pairs:
        assert both[f"{a}_OR_{b}"] == counts[a] + counts[b]
        assert both[a] == counts[a]
    with raises(AndornotError, "400 pairs", "more than 4 times", "17 words"):
        add_or_words(corpus, pairs=400, above=4)


def test_or_words_come_more_often_than_asked(tmp_path):
    corpus = open_corpus([write(tmp_path / "a.txt", "a a a b b b c c d d")])
    for seed in range(5):
        _, pairs = add_or_words(corpus, pairs=1, above=2, seed=seed)
        assert set(pairs[0]) == {"a", "b"}


def test_or_words_hold_for_the_contexts_that_stay(tmp_path):
    text = "\n".join(" ".join(f"w{(i * j + j * j) % 17}" for j in range(20)) for i in range(30))
    corpus = open_corpus([write(tmp_path / "a.txt", text)])
    doubled, pairs = add_or_words(corpus, pairs=3, above=4, seed=3)
    counts = count(doubled, min_count=1)
    table, index = counts.matrix().toarray(), counts.vocabulary.index
    (a, b), (c, d), _ = pairs
    replaced = {word for pair in pairs for word in pair}
    stay = [index(word) for word in corpus.vocabulary.words if word not in replaced]
    both, merged = table[index(a)] + table[index(b)], table[index(f"{a}_OR_{b}")]
    assert merged[stay].sum() > 0
    assert (merged[stay] == both[stay]).all()
    assert merged[[index(c), index(d)]].sum() == 0 < both[[index(c), index(d)]].sum()


@pytest.mark.parametrize("block", [7, 1 << 22])
def test_the_beginning_of_a_corpus_is_counted_alone(tmp_path, monkeypatch, block):
    monkeypatch.setattr("andornot.corpus.edits._TOKENS_AT_A_TIME", block)
    lines = [line.split() for line in ("a b a c", "e", "c c b d", "d e f g a")]
    corpus = open_corpus(lines, cache=tmp_path)
    words = [(number, word) for number, line in enumerate(lines) for word in line]
    for size in range(1, corpus.size):
        part = beginning(corpus, size)
        expected = words[:size]
        found = [part.vocabulary.word(token) for token in part.tokens if token >= 0]
        assert found == [word for _, word in expected]
        counts = dict(zip(part.vocabulary.words, part.vocabulary.counts.values, strict=True))
        assert counts == Counter(found)
        neighbours = sum(a[0] == b[0] for a, b in pairwise(expected))
        if neighbours:
            assert count(part, min_count=1, window=1).total == 2 * neighbours
    assert beginning(corpus, corpus.size) is corpus
