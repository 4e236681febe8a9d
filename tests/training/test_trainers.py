"""One contract for all trainers, on a corpus drawn from a known PMI of low rank."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
from comparing import assert_same_space

import andornot
from andornot import AndornotWarning
from andornot.base.parallel import thread_count
from andornot.cooccurrence import count
from andornot.corpus import open_corpus
from andornot.model_pmi import model_pmi
from andornot.training import Settings, glove_loss, sgns_loss, train

SIZE, RANK, PAIRS = 30, 3, 100_000
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


def in_threads(number, corpus, settings):
    """Train in so many threads, with a warning where there are fewer cores."""
    warned = pytest.warns(AndornotWarning) if number > thread_count(None) else nullcontext()
    with warned:
        return train(corpus, settings, threads=number)


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
    one, three = in_threads(1, corpus, brief), in_threads(3, corpus, brief)
    products = [space.target @ space.context.T for space in (one, three)]
    np.testing.assert_allclose(*products, atol=2e-3)


@pytest.mark.parametrize("prior", [None, 0.0, 2.0])
@pytest.mark.parametrize("kind", [("sgns", "exact"), ("glove", "exact")], ids="-".join)
def test_exact_solvers_leave_a_word_that_meets_no_other_at_0(kind, prior, planted, tmp_path):
    """The minimum of any prior; sampled solvers leave it near its random start."""
    (tmp_path / "text.txt").write_text(planted[0].read_text() + "\nalone" * 50)
    corpus = open_corpus([tmp_path / "text.txt"], cache=tmp_path / "cache")
    space = train(corpus, replace(TRAINERS[kind], epochs=2, prior=prior), threads=1)
    alone = space.vocabulary.index("alone")
    assert space.probability[alone] == 0
    for rows in (space.target, space.context):
        assert np.flatnonzero(~rows.any(axis=1)).tolist() == [alone]


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
    two = in_threads(2, corpus, TRAINERS[kind])
    assert loss(two, counts) == pytest.approx(loss(trained(kind), counts), rel=0.03, abs=0.002)


def test_exact_sgns_ends_below_sampled(trained, corpus):
    counts = count(corpus, window=1, held_out=20)  # what both are trained on
    exact = train(corpus, replace(TRAINERS["sgns", "exact"], prior=0.0), threads=1)
    assert sgns_loss(exact, counts) < sgns_loss(trained(("sgns", "sampled")), counts)
