"""The quality of a space, against tables whose figures are known and spaces that are planted."""

from dataclasses import replace

import numpy as np
import pytest
from factorisations import planted

import andornot
from andornot import Space, Vocabulary, quality
from andornot.model_pmi import error_terms_of_space, sample_by
from andornot.postprocessing import postprocess
from andornot.quality import quality_of


def divergences(p, pmi):
    """KL(p || p(.|w)) for each word of a table with the marginals p."""
    given_word = p * np.exp(pmi)
    return (p * np.log(p / given_word)).sum(axis=1)


@pytest.mark.parametrize("has_total", [True, False])
@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_a_model_with_a_true_pmi(model, has_total):
    space, pmi = planted(model)
    if has_total:
        space = replace(space, marginal=space.counts)  # the table of GloVe has this total
    p = space.probability
    found = quality_of(space)
    assert found.inapplicable is None
    assert found.contexts == len(space)
    order = np.argsort(-space.counts)
    for band, ids in zip(found.bands, np.split(order, 5), strict=True):
        assert order[band.first - 1 : band.last].tolist() == ids.tolist()
        assert band.normaliser == pytest.approx(1, abs=1e-5)
        assert band.error_term == pytest.approx(np.median(divergences(p, pmi)[ids]), abs=1e-5)
        assert band.largest_pmi == pytest.approx(np.abs(pmi[ids]).max(), abs=1e-5)
    assert found.largest_pmi == pytest.approx(np.abs(pmi).max(), abs=1e-5)
    assert found.error_term == pytest.approx(p @ divergences(p, pmi), abs=1e-5)
    assert found.error_term == pytest.approx(error_terms_of_space(space).mean, abs=1e-4)


def test_a_model_whose_probabilities_do_not_add_up_to_one():
    """Twice the negatives, and every p(c|w) is twice what it was."""
    space, pmi = planted("sgns")
    record = replace(space.provenance, negatives=2 * space.provenance.negatives)
    found = quality_of(replace(space, provenance=record))
    assert [band.normaliser for band in found.bands] == pytest.approx([2] * 5, abs=1e-4)
    expected = space.probability @ divergences(space.probability, pmi) - np.log(2)
    assert found.error_term == pytest.approx(expected, abs=1e-5)


def test_the_total_of_glove_decides_its_normaliser():
    space, _ = planted("glove")
    found = quality_of(replace(space, marginal=space.counts / 10))  # a tenth of the true total
    assert [band.normaliser for band in found.bands] == pytest.approx([10] * 5, rel=1e-4)


def mean_cosine_of_pairs(rows):
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = unit @ unit.T
    return cosines[~np.eye(len(rows), dtype=bool)].mean()


def test_lengths_and_cosines_by_brute_force():
    space, _ = planted("sgns")
    v, p = space.target.astype(np.float64), space.probability
    mean = p @ v
    for band, ids in zip(
        quality_of(space).bands, np.split(np.argsort(-space.counts), 5), strict=True
    ):
        lengths = np.linalg.norm(v[ids], axis=1)
        assert band.norm_ratio == pytest.approx(lengths.mean() / np.linalg.norm(mean), rel=1e-5)
        assert band.cosine == pytest.approx(mean_cosine_of_pairs(v[ids]), abs=1e-5)
        assert band.centred_cosine == pytest.approx(mean_cosine_of_pairs(v[ids] - mean), abs=1e-5)


def collapsing(share, size=1000, dim=20):
    """Words of 1/rank whose rarer half has this share of a vector of its own, beside the mean's."""
    rng = np.random.default_rng(5)
    own = rng.normal(size=(size, dim))
    own[size // 2 :] *= share
    own[:, 0] = 4
    own[size // 2 :, 0] *= 0.5
    return Space(Vocabulary([f"w{i}" for i in range(size)]), own).with_counts("rank")


def test_collapsed_rare_words_are_warned_of():
    found = quality_of(collapsing(0.1))
    assert found.bands[-1].centred_cosine > 0.6
    assert found.bands[0].centred_cosine < 0.1
    assert "rare words have collapsed" in found.warning
    assert "use more text" in found.warning  # SGNS collapses too, where the text is short
    assert f"{found.bands[-1].centred_cosine:.2f}" in found.warning
    assert "\n" not in found.warning
    assert found.to_dict()["warning"] == found.warning


def test_healthy_models_are_not_warned_of(logic):
    assert quality_of(collapsing(1.0)).warning is None
    found = quality_of(logic.space)
    assert found.warning is None
    assert all(band.centred_cosine < 0.2 for band in found.bands)
    assert all(0.8 < band.normaliser < 1.25 for band in found.bands)  # 3,000 words were cut


def test_words_that_are_alike_everywhere_are_no_collapse_of_rare_ones():
    space = collapsing(1.0)
    alike = replace(space, target=space.target + 100 * np.eye(20)[np.arange(1000) % 2])
    assert quality_of(alike).warning is None


def test_a_few_words_are_not_judged():
    space = collapsing(0.1)
    few = space.take(np.r_[:50, 900:945], "kept 95 words")
    found = quality_of(few)
    assert found.bands[-1].centred_cosine > 0.6
    assert found.warning is None


def test_without_counts_bands_are_in_file_order():
    counted = collapsing(0.1)
    space = Space(Vocabulary(counted.words), counted.target)
    found = quality_of(space)
    assert not found.has_frequencies
    assert [band.first for band in found.bands] == [1, 201, 401, 601, 801]
    mean = space.target.mean(axis=0)
    expected = np.linalg.norm(space.target[800:], axis=1).mean() / np.linalg.norm(mean)
    assert found.bands[-1].norm_ratio == pytest.approx(expected, rel=1e-5)


def test_the_marginal_orders_words_without_counts():
    counted = collapsing(1.0)
    marginal = np.arange(1.0, 1001)
    space = Space(Vocabulary(counted.words), counted.target, marginal=marginal)
    lengths = np.linalg.norm(space.target[:200], axis=1).mean()
    mean = np.linalg.norm(space.probability @ space.target)
    assert quality_of(space).bands[-1].norm_ratio == pytest.approx(lengths / mean, rel=1e-5)


def test_words_that_were_never_seen_have_no_part_in_pmi():
    space, _ = planted("sgns")
    counts = dict(zip(space.words, space.counts, strict=True))
    rarest = [space.words[i] for i in np.argsort(-space.counts)[-7:]]
    found = quality_of(space.with_counts({**counts, **dict.fromkeys(rarest, 0)}))
    assert found.inapplicable is None
    assert found.contexts == 23
    assert found.bands[-1].normaliser is None
    assert found.bands[-1].cosine is not None
    assert all(band.normaliser > 0 for band in found.bands[:-1])


def test_what_has_no_pmi_says_why():
    space, _ = planted("sgns")
    assert "context vectors" in quality_of(replace(space, context=None)).inapplicable
    centred = quality_of(postprocess(space, "frequency"))
    assert "frequency" in centred.inapplicable
    assert centred.error_term is centred.largest_pmi is None
    assert all(band.normaliser is None and band.norm_ratio is None for band in centred.bands)
    assert [band.cosine for band in centred.bands] == pytest.approx(
        [band.centred_cosine for band in quality_of(space).bands], abs=1e-5
    )


def test_a_model_that_diverged_has_no_normaliser():
    space, _ = planted("sgns")
    found = quality_of(replace(space, target=-1000 * space.target))
    assert found.largest_pmi > 709  # whose exponential is beyond double precision
    assert None in [band.normaliser for band in found.bands]


def test_a_space_of_one_word():
    found = quality_of(Space(Vocabulary(["king"]), np.zeros((1, 2), dtype=np.float32)))
    assert [(band.first, band.last, band.cosine) for band in found.bands] == [(1, 1, None)]
    assert found.bands[0].norm_ratio is None  # the mean is 0


def test_samples_stand_for_all_words():
    rng = np.random.default_rng(3)
    p = rng.dirichlet(np.full(300, 0.3))
    p[:5] = 0
    p /= p.sum()
    values = rng.normal(size=300)
    sums = []
    for seed in range(2000):
        ids, weights = sample_by(p, 40, np.random.default_rng(seed))
        assert len(ids) <= 40
        assert len(set(ids.tolist())) == len(ids)
        assert (p[ids] > 0).all()
        assert weights.sum() == pytest.approx(1)
        sums.append(weights @ values[ids])
    error = np.std(sums) / np.sqrt(len(sums))
    assert np.mean(sums) == pytest.approx(p @ values, abs=4 * error)
    assert np.std(sums) < 0.1 * np.std(values)


def test_large_spaces_are_estimated_from_a_sample(monkeypatch):
    space = andornot.default().top(12_000)
    exact = quality_of(space)
    monkeypatch.setattr(quality, "MOST_ROWS", 4000)
    found = quality_of(space)
    assert found.contexts <= 4000
    assert found.error_term == pytest.approx(exact.error_term, abs=0.02)
    for near, band in zip(found.bands, exact.bands, strict=True):
        assert near.norm_ratio == pytest.approx(band.norm_ratio, rel=0.03)
        assert near.normaliser == pytest.approx(band.normaliser, rel=0.1)
        assert near.error_term == pytest.approx(band.error_term, abs=0.05)
