"""One contract for all trainers, on a corpus drawn from a known PMI of low rank."""

from dataclasses import replace

import numpy as np
import pytest
from comparing import assert_same_space

import andornot
from andornot import Vocabulary
from andornot.base.errors import AndornotError, UsageError
from andornot.cooccurrence import count
from andornot.cooccurrence.pmi import model_pmi
from andornot.corpus import open_corpus
from andornot.training import Settings, glove_loss, sgns_loss, train

SIZE, RANK, PAIRS = 30, 3, 300_000
TRAINERS = {
    ("sgns", "sampled"): Settings(
        model="sgns", solver="sampled", dim=6, window=1, negative=5, epochs=8, rate=0.05
    ),
    ("sgns", "exact"): Settings(model="sgns", solver="exact", dim=6, window=1, negative=5),
    ("glove", "sampled"): Settings(model="glove", solver="sampled", dim=6, window=1, epochs=150),
    ("glove", "exact"): Settings(model="glove", solver="exact", dim=6, window=1, tolerance=1e-4),
}
every_trainer = pytest.mark.parametrize("kind", TRAINERS, ids="-".join)


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """Sentences of two words from p(w,c) = p(w) p(c) exp(PMI), PMI symmetric, of rank RANK + 1."""
    rng = np.random.default_rng(5)
    p = 1.0 / np.arange(3, SIZE + 3)
    factor = rng.normal(size=(SIZE, RANK)) * 0.7
    joint = np.outer(p, p) * np.exp(factor @ factor.T)
    joint /= joint.sum()
    marginal = joint.sum(axis=0)
    pmi = np.log(joint / np.outer(marginal, marginal))
    pairs = rng.choice(SIZE**2, size=PAIRS, p=joint.ravel())
    names = np.array([f"w{number:02}" for number in range(SIZE)])
    text = "\n".join(f"{names[i // SIZE]} {names[i % SIZE]}" for i in pairs)
    path = tmp_path_factory.mktemp("planted") / "pairs.txt"
    path.write_text(text)
    return path, {name: number for number, name in enumerate(names)}, pmi, marginal


@pytest.fixture(scope="module")
def corpus(planted, tmp_path_factory):
    return open_corpus([planted[0]], cache=tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def trained(corpus):
    """Each trainer's space, trained once."""
    spaces = {}

    def get(kind):
        if kind not in spaces:
            spaces[kind] = train(corpus, TRAINERS[kind], threads=1)
        return spaces[kind]

    return get


@every_trainer
def test_the_planted_pmi_comes_back(kind, trained, planted):
    _, numbers, pmi, marginal = planted
    space = trained(kind)
    order = [numbers[word] for word in space.words]
    rest = model_pmi(space)
    found = (
        space.target.astype(float) @ space.context.T.astype(float)
        + rest.of_words[:, None]
        + rest.of_contexts
        + rest.constant
    )
    expected = pmi[np.ix_(order, order)]
    weight = np.outer(marginal, marginal)[np.ix_(order, order)]
    error = np.sqrt((weight * (found - expected) ** 2).sum())
    spread = np.sqrt((weight * expected**2).sum())
    assert spread > 0.5
    assert error < 0.12 * spread


@every_trainer
def test_everything_the_theory_needs_is_there(kind, trained, planted, corpus):
    space = trained(kind)
    _, numbers, _, marginal = planted
    own = corpus.vocabulary.counts.values
    assert space.counts.tolist() == own[: len(space)].tolist()
    assert space.vocabulary.counts.origin == "training"
    assert space.context.shape == space.target.shape
    p = marginal[[numbers[word] for word in space.words]]
    np.testing.assert_allclose(space.probability, p, atol=0.003)
    record = space.provenance
    assert (record.model, record.window) == (kind[0], 1)
    assert record.settings["solver"] == kind[1]
    assert record.settings["corpus_key"] == corpus.key
    if kind[0] == "sgns":
        assert (record.negatives, record.negative_exponent) == (5, 0.75)
        assert record.weighting == "linear"
        assert space.target_bias is None
    else:
        assert record.weighting == "harmonic"
        assert space.target_bias.shape == space.context_bias.shape == (SIZE,)
        assert record.settings["x_max"] == 100


@every_trainer
def test_one_thread_and_one_seed_give_the_same_bits(kind, corpus):
    brief = replace(TRAINERS[kind], epochs=2)
    first, second = (train(corpus, brief, threads=1) for _ in range(2))
    assert_same_space(first, second)
    other = train(corpus, replace(brief, seed=2), threads=1)
    assert not np.array_equal(first.target, other.target)


@pytest.mark.parametrize("kind", [("sgns", "exact"), ("glove", "exact")], ids="-".join)
def test_exact_solvers_do_the_same_in_any_number_of_threads(kind, corpus):
    brief = replace(TRAINERS[kind], epochs=4)
    with pytest.warns(andornot.AndornotWarning) if _cores() < 3 else _nothing():
        one, three = train(corpus, brief, threads=1), train(corpus, brief, threads=3)
    products = [space.target @ space.context.T for space in (one, three)]
    np.testing.assert_allclose(*products, atol=2e-3)


@every_trainer
def test_the_space_is_written_whole(kind, corpus, tmp_path):
    path = tmp_path / "space.safetensors"
    space = train(corpus, replace(TRAINERS[kind], epochs=1), threads=1, output=path)
    assert_same_space(andornot.load(path), space)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@every_trainer
def test_two_threads_learn_as_much_as_one(kind, corpus, trained):
    counts = count(corpus, window=1)
    loss = sgns_loss if kind[0] == "sgns" else glove_loss
    if _cores() < 2:
        return
    two = train(corpus, TRAINERS[kind], threads=2)
    assert loss(two, counts) == pytest.approx(loss(trained(kind), counts), rel=0.03, abs=0.002)


def test_counts_give_the_space_that_the_corpus_gives(corpus):
    counts = count(corpus, window=1)
    settings = replace(TRAINERS["sgns", "exact"], epochs=3)
    from_counts = train(counts, replace(settings, window=None, solver="auto"), threads=1)
    from_corpus = train(corpus, settings, threads=1)
    np.testing.assert_array_equal(from_counts.target, from_corpus.target)
    assert from_counts.provenance.window == 1


def test_exact_sgns_ends_below_sampled(trained, corpus):
    counts = count(corpus, window=1)
    losses = {kind[1]: sgns_loss(trained(kind), counts) for kind in TRAINERS if kind[0] == "sgns"}
    assert losses["exact"] < losses["sampled"]


def test_subsampling_thins_out_the_frequent(corpus):
    settings = replace(TRAINERS["sgns", "sampled"], epochs=1, window=1)
    plain = train(corpus, settings, threads=1)
    thin = train(corpus, replace(settings, sample=0.01), threads=1)
    assert thin.probability[0] < 0.8 * plain.probability[0]
    expected = count(corpus, window=1, sample=0.01)
    np.testing.assert_allclose(thin.probability, expected.probability, atol=0.004)
    assert thin.provenance.subsample == 0.01


def _cores():
    from andornot.base.parallel import thread_count

    return thread_count(None)


def _nothing():
    from contextlib import nullcontext

    return nullcontext()


# --- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"dim": 0}, "dim must be .* got 0$"),
        ({"window": -1}, "window must be .* got -1$"),
        ({"negative": 0}, "negative must be .* got 0$"),
        ({"epochs": 0}, "epochs must be .* got 0$"),
        ({"rate": -0.1}, "rate must be .* got -0.1$"),
        ({"rate": float("nan")}, "rate must be .* got nan$"),
        ({"sample": 0.0}, "sample must be .* got 0.0$"),
        ({"x_max": 0.0}, "x_max must be .* got 0.0$"),
        ({"exponent": 1000.0}, "exponent must be .* got 1000.0$"),
        ({"solver": "newton"}, "solver must be .* got 'newton'$"),
        ({"model": "cbow"}, "model must be .* got 'cbow'$"),
        ({"dim": 2.5}, "dim must be .* got 2.5$"),
        ({"model": "glove", "solver": "exact", "rate": 0.1}, "leave off --rate"),
        ({"tolerance": 1.0}, "tolerance must be .* got 1.0$"),
        ({"seed": -1}, "seed must be .* got -1$"),
    ],
)
def test_settings_that_make_no_sense(change, part):
    with pytest.raises(UsageError, match=part):
        Settings(**change)


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_more_dimensions_than_words(model, corpus):
    with pytest.raises(AndornotError, match="dim is 31 and there are 30 words"):
        train(corpus, Settings(model=model, solver="exact", dim=31, window=1))


def test_fewer_tokens_than_a_window(tmp_path):
    (tmp_path / "short.txt").write_text("a b a b")
    corpus = open_corpus([tmp_path / "short.txt"], cache=tmp_path / "cache")
    with pytest.raises(AndornotError, match="4 tokens, and a window of 5"):
        train(corpus, Settings(dim=2), min_count=1)


def test_text_in_which_no_words_meet(tmp_path):
    (tmp_path / "lonely.txt").write_text("a\nb\n" * 20)
    corpus = open_corpus([tmp_path / "lonely.txt"], cache=tmp_path / "cache")
    for model in ("sgns", "glove"):
        for solver in ("sampled", "exact"):
            with pytest.raises(
                AndornotError, match="no two words of the vocabulary ever stand near"
            ):
                train(corpus, Settings(model=model, solver=solver, dim=2), min_count=1)


def test_sampled_sgns_needs_the_text(corpus):
    with pytest.raises(AndornotError, match="reads the text itself"):
        train(count(corpus, window=1), Settings(solver="sampled", dim=4))


def test_counts_of_another_window_or_weighting(corpus):
    counts = count(corpus, window=1)
    with pytest.raises(AndornotError, match="window is 5, and the counts were made with window 1"):
        train(counts, Settings(dim=4, window=5))
    with pytest.raises(AndornotError, match=r"weights is harmonic, and the counts .* linear"):
        train(counts, Settings(dim=4), weights="harmonic")
    with pytest.raises(AndornotError, match="shrinking window"):
        train(corpus, Settings(dim=4, solver="sampled"), weights="flat")


@pytest.mark.parametrize(
    "change", [{"window": 20}, {"window": 50}, {"negative": 200}, {"rate": 0.2}]
)
@pytest.mark.parametrize("part", [0.05, 0.6, 0.95])
def test_sampled_steps_stay_bounded(change, part, tmp_path):
    """Wide windows, many negatives, high rates; a word that is a large part of the text."""
    rng = np.random.default_rng(0)
    numbers = np.where(rng.random(20_000) < part, 0, rng.integers(1, 60, 20_000))
    (tmp_path / "text.txt").write_text(" ".join(f"w{number}" for number in numbers))
    corpus = open_corpus([tmp_path / "text.txt"], cache=tmp_path / "cache")
    settings = replace(Settings(solver="sampled", dim=10, epochs=2), **change)
    space = train(corpus, settings, threads=1, min_count=1)
    zero = (settings.negative + 1) * np.log(2)
    counts = count(corpus, window=settings.window or 5, min_count=1)
    assert np.abs(space.target).max() < 10
    assert sgns_loss(space, counts) < 0.6 * zero


def test_a_window_shrinks_as_word2vecs(tmp_path):
    rng = np.random.default_rng(0)
    (tmp_path / "text.txt").write_text(
        " ".join(f"w{number}" for number in rng.integers(9, size=40_000))
    )
    corpus = open_corpus([tmp_path / "text.txt"], cache=tmp_path / "cache")
    space = train(corpus, Settings(solver="sampled", dim=3, window=4, epochs=1), threads=1)
    expected = count(corpus, window=4, weights="linear").marginal
    np.testing.assert_allclose(space.marginal, expected, rtol=0.02)


def test_subsampling_that_leaves_nothing(tmp_path):
    (tmp_path / "text.txt").write_text("a b c d e f " * 20)
    corpus = open_corpus([tmp_path / "text.txt"], cache=tmp_path / "cache")
    with pytest.raises(AndornotError, match="raise --sample"):
        train(corpus, Settings(solver="sampled", dim=2, sample=1e-12))


def test_a_vocabulary_of_ones_own_is_counted_in_the_corpus(corpus):
    words = Vocabulary(["w03", "w01"])
    for solver in ("sampled", "exact"):
        settings = Settings(solver=solver, dim=2, window=1, epochs=1)
        space = train(corpus, settings, vocabulary=words, threads=1)
        assert space.words == words.words
        own = dict(zip(corpus.vocabulary.words, corpus.vocabulary.counts.values, strict=True))
        assert space.counts.tolist() == [own["w03"], own["w01"]]


def test_output_that_could_not_be_written(corpus, tmp_path):
    for place in (tmp_path, "/", ".", "/dev/null", tmp_path / ("x" * 300)):
        with pytest.raises(AndornotError):
            train(corpus, Settings(dim=4), output=place, force=True)
    for name, part in [("v.txt", "no room"), ("none/v.safetensors", "folder doesn't exist")]:
        with pytest.raises(AndornotError, match=part):
            train(corpus, Settings(dim=4), output=tmp_path / name)
    (tmp_path / "old.safetensors").write_text("mine")
    with pytest.raises(AndornotError, match="exists already"):
        train(corpus, Settings(dim=4), output=tmp_path / "old.safetensors")
    assert (tmp_path / "old.safetensors").read_text() == "mine"
