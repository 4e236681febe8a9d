"""Held-out counts: those of every n-th block, as if it were a text of its own."""

import numpy as np
import pytest
from errors import raises
from slow_counting import in_small_chunks, slow_counts
from texts import corpus_of, random_lines

from andornot.base.errors import FileError, UsageError
from andornot.cooccurrence import count, load_counts
from andornot.corpus import blocks

BLOCK, EVERY = 50, 4


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", BLOCK)
    return corpus_of(tmp_path, random_lines(3, lines=60))


def parts_by_hand(corpus):
    """The lines of the blocks that are held out, and of the others; blocks end a line."""
    words = corpus.vocabulary.words
    parts = {True: [], False: []}
    for number, start in enumerate(range(0, len(corpus.tokens), BLOCK)):
        lines = [[]]
        for token in corpus.tokens[start : start + BLOCK].tolist():
            if token < 0:
                lines.append([])
            else:
                lines[-1].append(words[token])
        parts[number % EVERY == EVERY - 1] += joined(parts, number, lines)
    return parts


def joined(parts, number, lines):
    """The lines of a block; the first goes on with the block before, if it is of the same part."""
    before_is_of_this_part = number % EVERY not in (0, EVERY - 1)
    mine = parts[number % EVERY == EVERY - 1]
    if before_is_of_this_part and mine:
        mine[-1] = mine[-1] + lines[0]
        return lines[1:]
    return lines


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("on_disk", [False, True])
def test_both_parts_agree_with_brute_force(corpus, tmp_path, monkeypatch, small, on_disk):
    if small:
        in_small_chunks(monkeypatch)
    output = tmp_path / "counts" if on_disk else None
    counts = count(corpus, min_count=1, window=3, held_out=EVERY, output=output)
    words = counts.vocabulary.words
    lines = parts_by_hand(corpus)
    for part, held_out in ((counts, False), (counts.held_out, True)):
        expected = slow_counts(lines[held_out], words, 3, "linear")
        np.testing.assert_allclose(part.matrix().toarray(), expected, rtol=1e-6)
        np.testing.assert_allclose(part.marginal, expected.sum(axis=1))
        assert part.vocabulary is counts.vocabulary  # the same words, and so the same q
    assert counts.settings["held_out"] == EVERY
    assert counts.vocabulary.counts.values.sum() == corpus.size


def test_they_are_saved_and_loaded_together(corpus, tmp_path):
    counts = count(corpus, min_count=1, held_out=EVERY)
    counts.save(tmp_path / "counts")
    loaded = load_counts(tmp_path / "counts")
    for ours, theirs in ((loaded, counts), (loaded.held_out, counts.held_out)):
        assert (ours.matrix() != theirs.matrix()).nnz == 0
        assert np.array_equal(ours.marginal, theirs.marginal)
    plain = count(corpus, min_count=1)
    plain.save(tmp_path / "counts", force=True)
    assert load_counts(tmp_path / "counts").held_out is None


def test_damaged_held_out_counts_are_refused(corpus, tmp_path):
    count(corpus, min_count=1, held_out=EVERY, output=tmp_path / "counts")
    (tmp_path / "counts" / "held_out_values.bin").write_bytes(b"\0" * 8)
    with raises(FileError, "held_out_values"):
        load_counts(tmp_path / "counts")


def test_a_short_text_has_nothing_to_hold_out(corpus, tmp_path):
    with raises(UsageError, f"{1000 * BLOCK:,}", "held_out"):
        count(corpus, min_count=1, held_out=1000, output=tmp_path / "counts")
    assert not (tmp_path / "counts").exists()
