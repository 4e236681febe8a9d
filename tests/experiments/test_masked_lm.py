"""A masked language model of our own: what is masked, what it learns, and how it goes on."""

import json
import math
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from errors import raises

from andornot import AndornotError
from andornot.base.errors import FileError
from andornot.base.folders import locked, read_record
from andornot.corpus import open_corpus
from andornot.corpus.edits import cut_into_pieces
from andornot.formats.first_layer import read_first_layer
from andornot.formats.model_folder import find_model

tokenizers = pytest.importorskip("tokenizers", reason="needs the extra bert (tokenizers)")
transformers = pytest.importorskip("transformers", reason="needs the extra bert")
torch = pytest.importorskip("torch", reason="needs the extra bert")

from andornot.encoders.final_layer import FinalLayer  # noqa: E402
from andornot.experiments import masked_lm as module  # noqa: E402
from andornot.experiments.masked_lm import (  # noqa: E402
    MaskedLmSettings,
    MaskedLmTrainer,
    train_masked_lm,
)
from andornot.experiments.masked_text import MASK, SEP, Windows, learn_pieces  # noqa: E402

PAIRS = 30
SETTINGS = MaskedLmSettings(
    layers=1, steps=400, dim=16, heads=2, words=200, length=12, batch=128, rate=0.01, bfloat16=False
)


def planted(path, lines=6000, seed=1):
    """Lines of two pairs of words: each first word has one second word that follows it."""
    rng = np.random.default_rng(seed)
    text = [" ".join(f"a{n} b{n}" for n in rng.integers(PAIRS, size=2)) for _ in range(lines)]
    path.write_text("\n".join(text) + "\n")
    return path


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Threads wait longer for each other than a model of this size takes."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return planted(tmp_path_factory.mktemp("planted") / "text.txt")


@pytest.fixture(scope="module")
def pieces(text):
    return learn_pieces([text], 200)


@pytest.fixture(scope="module")
def corpus(text, pieces, tmp_path_factory):
    return cut_corpus(text, pieces, tmp_path_factory.mktemp("corpus"))


def cut_corpus(text, pieces, cache):
    return cut_into_pieces(open_corpus([text], cache=cache), pieces)


# --- the text ------------------------------------------------------------------------------


def test_pieces_are_learned_the_same_twice(text, pieces):
    assert learn_pieces([text], 200).digest == pieces.digest
    assert pieces.cut(["A3 B3"])[0].tolist() == pieces.cut(["a3 b3"])[0].tolist()
    assert {f"a{n}" for n in range(PAIRS)} < set(pieces.words.values())
    encoded = pieces.tokenizer.encode("a3 b3").tokens
    assert (encoded[0], encoded[-1]) == ("[CLS]", "[SEP]")


def test_a_corpus_is_cut_as_the_tokenizer_cuts_its_lines(tmp_path):
    lines = ["The unhappiest King, they say", "", "ran away (twice); the KING's naïve son", "東京"]
    path = tmp_path / "text.txt"
    path.write_text("\n".join(lines * 3) + "\n")
    pieces = learn_pieces([path], 60)
    found = cut_corpus(path, pieces, tmp_path / "cache")
    expected = []
    for line in lines * 3:  # the end of a blank one too
        expected += [*pieces.tokenizer.encode(line, add_special_tokens=False).tokens, SEP]
    words = [*found.vocabulary.words, SEP]
    assert [words[number] for number in found.tokens] == [*expected, SEP]
    counts = Counter(token for token in expected if token != SEP)
    assert dict(zip(words, found.vocabulary.counts.values, strict=False)) == counts
    assert found.size == counts.total()


def test_a_tokenizer_that_does_not_cut_at_spaces_is_refused(text, tmp_path):
    from tiny_models import train_tokenizer

    from andornot.words.pieces import Pieces

    with raises(AndornotError, "BPE", "spaces", "WordPiece"):
        cut_corpus(text, Pieces(train_tokenizer("bpe").to_str().encode()), tmp_path)


def test_what_is_masked(corpus, pieces):
    windows = Windows(corpus, pieces, 18, seed=3)
    number = {token: n for n, token in pieces.tokens.items()}
    batches = [windows.batch(step, 256) for step in range(5)]
    chosen = [b.masked.mean() for b in batches]
    maskable = [np.isin(b.inputs, [number[SEP], number["[CLS]"]]).mean() for b in batches]
    assert np.mean(chosen) == pytest.approx(0.15 * (1 - np.mean(maskable)), rel=0.05)
    shown = np.concatenate([b.inputs[b.masked] for b in batches])
    targets = np.concatenate([b.targets for b in batches])
    as_mask, kept = shown == number[MASK], shown == targets
    assert as_mask.mean() == pytest.approx(0.8, abs=0.03)
    assert kept.mean() == pytest.approx(0.1, abs=0.03)
    assert (~as_mask & ~kept).mean() == pytest.approx(0.1, abs=0.03)
    special = [number[each] for each in ("[PAD]", "[UNK]", "[CLS]", SEP)]
    assert not np.isin(shown, special).any()
    assert not np.isin(targets, [*special, number[MASK]]).any()


def test_batches_depend_on_the_seed_and_the_step_alone(corpus, pieces):
    first, again, other = (Windows(corpus, pieces, 18, seed=seed) for seed in (3, 3, 4))
    for step in (7, 2):  # in any order
        for left, right in zip(first.batch(step, 8), again.batch(step, 8), strict=True):
            np.testing.assert_array_equal(left, right)
    assert not np.array_equal(first.batch(2, 8).inputs, other.batch(2, 8).inputs)
    steps = first.training // 8
    for epoch in (0, 1):  # each row once, none that is held out
        rows = []
        for step in range(epoch * steps, (epoch + 1) * steps):
            batch = first.batch(step, 8)
            whole = batch.inputs.copy()
            whole[batch.masked] = batch.targets
            rows += [tuple(row) for row in whole.tolist()]
        held_out = []
        for batch in first.held_out_batches(7):
            whole = batch.inputs.copy()
            whole[batch.masked] = batch.targets
            held_out += [tuple(row) for row in whole.tolist()]
        assert len(held_out) == first.held_out
        number = np.array([*(pieces.tokenizer.token_to_id(w) for w in corpus.vocabulary.words), 3])
        every = number[corpus.tokens[: (first.training + first.held_out) * 16]].reshape(-1, 16)
        expected = Counter(map(tuple, every.tolist()))
        met = Counter(row[1:-1] for row in [*rows, *held_out])
        assert sum((expected - met).values()) == first.training - steps * 8
        assert not met - expected


def test_a_text_that_is_too_short(tmp_path, pieces):
    path = tmp_path / "short.txt"
    path.write_text("a1 b1\n")
    with raises(AndornotError, "4 tokens", "64", "more text"):
        Windows(cut_corpus(path, pieces, tmp_path), pieces, 64, seed=1)


# --- the training --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained(corpus, pieces, tmp_path_factory):
    path = tmp_path_factory.mktemp("trained") / "model"
    train_masked_lm(corpus, pieces, SETTINGS, path)
    return path


@pytest.mark.slow
def test_it_learns_words_that_their_neighbours_determine(trained, pieces):
    """A word is known from its neighbour, unless that is masked too."""
    assert sorted(path.name for path in trained.parent.iterdir()) == ["model"]  # no checkpoint
    held_out = read_record(trained)["held_out"]
    assert held_out["loss"] < 0.3 * math.log(2 * PAIRS)
    opened = transformers.BertForMaskedLM.from_pretrained(trained).eval()
    number = {token: n for n, token in pieces.tokens.items()}
    row = ["[CLS]", "a1", "b1", "a2", "b2", "[SEP]", "a3", "b3", "a4", "b4", "[SEP]", "[SEP]"]
    right = []
    for n in range(PAIRS):
        for place in (3, 4):
            asked = row.copy()
            asked[3:5] = f"a{n}", f"b{n}"
            answer, asked[place] = asked[place], MASK
            with torch.inference_mode():
                ids = torch.tensor([[number[token] for token in asked]])
                found = opened(input_ids=ids).logits[0, place].argmax().item()
            right.append(pieces.tokens[found] == answer)
    assert np.mean(right) > 0.95


@pytest.mark.slow
def test_the_folder_is_read_as_any_other(trained, pieces):
    space = read_first_layer(find_model(trained))
    opened = transformers.BertForMaskedLM.from_pretrained(trained)
    rows = opened.bert.embeddings.word_embeddings.weight.detach().numpy()
    number = {token: n for n, token in pieces.tokens.items()}
    np.testing.assert_array_equal(space.target[space.vocabulary.index("a3")], rows[number["a3"]])
    assert space.context is not None  # the tied output embeddings
    np.testing.assert_array_equal(space.context, space.target)
    assert "[MASK]" not in space.vocabulary
    assert FinalLayer(trained).encode(["a1 b1", "a2"]).shape == (2, 16)
    config = json.loads((trained / "config.json").read_text())
    assert config["architectures"] == ["BertForMaskedLM"]


def weights_of(folder):
    return {name: entry.floats() for name, entry in find_model(folder).tensors().items()}


CHILD = """
import sys
import torch
torch.set_num_threads(1)
from pathlib import Path
from andornot.corpus import open_corpus
from andornot.corpus.edits import cut_into_pieces
from andornot.experiments import masked_lm
from andornot.training import running
from andornot.words.pieces import Pieces

text, cache, tokenizer, path = map(Path, sys.argv[1:])
save, saves = running.checkpoints.save, []
def watched(*arguments):
    save(*arguments)
    saves.append(1)
    print(len(saves), flush=True)
running.checkpoints.save = watched
run = masked_lm.run
masked_lm.run = lambda *a, **k: run(*a, every=0.0, **k)
pieces = Pieces(tokenizer.read_bytes())
corpus = cut_into_pieces(open_corpus([text], cache=cache), pieces)
settings = masked_lm.MaskedLmSettings(**{settings})
masked_lm.train_masked_lm(corpus, pieces, settings, path)
"""


@pytest.mark.slow
def test_a_killed_training_goes_on_to_the_same_weights(text, pieces, corpus, tmp_path, monkeypatch):
    settings = replace(SETTINGS, steps=200)
    train_masked_lm(corpus, pieces, settings, tmp_path / "whole")
    (tmp_path / "tokenizer.json").write_bytes(pieces.utf8.tobytes())
    parts = [text, tmp_path / "cache", tmp_path / "tokenizer.json", tmp_path / "killed"]
    script = CHILD.replace("{settings}", repr(vars(settings)))
    command = [sys.executable, "-c", script, *map(str, parts)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) == 5:
                child.kill()
                break
    assert not (tmp_path / "killed").exists()
    steps = []
    step = MaskedLmTrainer.step

    def counted(self):
        steps.append(self.state["step"])
        return step(self)

    monkeypatch.setattr(MaskedLmTrainer, "step", counted)
    train_masked_lm(corpus, pieces, settings, tmp_path / "killed")
    assert steps[0] >= 50
    assert steps[0] < 200
    whole, resumed = weights_of(tmp_path / "whole"), weights_of(tmp_path / "killed")
    assert whole.keys() == resumed.keys()
    for name, expected in whole.items():
        np.testing.assert_array_equal(resumed[name], expected, err_msg=name)


def test_a_checkpoint_of_other_settings_is_refused(pieces, corpus, tmp_path, monkeypatch):
    def interrupted(self):
        raise KeyboardInterrupt

    real = module.run
    monkeypatch.setattr(module, "run", lambda *a, **k: real(*a, **{**k, "every": -1.0}))
    step = MaskedLmTrainer.step
    calls = []

    def twice(self):
        calls.append(1)
        return step(self) if len(calls) < 3 else interrupted(self)

    monkeypatch.setattr(MaskedLmTrainer, "step", twice)
    with pytest.raises(KeyboardInterrupt):
        train_masked_lm(corpus, pieces, SETTINGS, tmp_path / "m")
    with raises(FileError, "settings", "0.5"):
        train_masked_lm(corpus, pieces, replace(SETTINGS, rate=0.5), tmp_path / "m")


def test_one_process_trains_a_model_at_a_time(pieces, corpus, tmp_path):
    with locked(tmp_path / ".m.lock", tmp_path / "m"):
        with raises(FileError, tmp_path / "m", "another andornot process", "wait"):
            train_masked_lm(corpus, pieces, replace(SETTINGS, steps=1), tmp_path / "m")
        assert not (tmp_path / "m").exists()
    train_masked_lm(corpus, pieces, replace(SETTINGS, steps=1), tmp_path / "m")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m"]


def test_bfloat16_is_near_float32(corpus, pieces):
    losses = []
    for bfloat16 in (False, True):
        settings = replace(SETTINGS, steps=60, bfloat16=bfloat16)
        trainer = MaskedLmTrainer(Windows(corpus, pieces, 12, 1), pieces, settings)
        while not trainer.finished:
            loss = trainer.step().loss
        losses.append(loss)
    assert losses[0] == pytest.approx(losses[1], rel=0.1)
    assert losses[1] < math.log(200)


def test_without_the_packages(corpus, pieces, text, monkeypatch):
    windows = Windows(corpus, pieces, 12, 1)
    monkeypatch.setitem(sys.modules, "torch", None)
    with raises(AndornotError, "torch", "andornot[bert]"):
        MaskedLmTrainer(windows, pieces, SETTINGS)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with raises(AndornotError, "tokenizers", "andornot[bert]"):
        learn_pieces([text], 200)
