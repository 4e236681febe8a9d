"""Post-processing against its definitions, scikit-learn's own checks, and what it must keep."""

import numpy as np
import pytest
from comparing import assert_same_space
from errors import raises
from sklearn.decomposition import PCA
from sklearn.utils.estimator_checks import check_estimator

import andornot
from andornot import Space, Vocabulary
from andornot.base.choices import Postprocess
from andornot.base.errors import AndornotError, MissingCountsError, UsageError
from andornot.postprocessing import postprocess
from andornot.postprocessing.affine import fit
from andornot.postprocessing.transformers import AllButTheTop, Centering, ZipfianWhitening

every_method = pytest.mark.parametrize("method", list(Postprocess))


@pytest.fixture
def space():
    rng = np.random.default_rng(8)
    size, dim = 300, 20
    words = Vocabulary([f"w{i}" for i in range(size)]).with_counts(
        {f"w{i}": float(1000 // (i + 1) + 1) for i in range(size)}
    )
    mixing = rng.normal(size=(2, dim, dim)) + 6 * np.eye(dim)
    rows = rng.normal(size=(2, size, dim)) @ mixing + rng.normal(size=(2, 1, dim)) * 3
    return Space(words, rows[0], rows[1])


def test_none_changes_nothing(space):
    assert postprocess(space, "none") is space


def test_uniform(space):
    done = postprocess(space, "uniform")
    for rows, before in [(done.target, space.target), (done.context, space.context)]:
        np.testing.assert_allclose(rows, before - before.mean(axis=0), atol=1e-5)


def test_frequency_is_the_papers_centring(space):
    done = postprocess(space, "frequency")
    p = space.counts / space.counts.sum()
    for side in ("target", "context"):
        before = getattr(space, side)
        np.testing.assert_allclose(getattr(done, side), before - p @ before, atol=1e-5)
        np.testing.assert_allclose(getattr(done, f"{side}_mean"), p @ before, atol=1e-5)


def test_all_but_the_top_is_pca_without_its_head(space):
    done = postprocess(space, "all-but-the-top", components=3)
    for rows, before in [(done.target, space.target), (done.context, space.context)]:
        centred = before - before.mean(axis=0)
        top = PCA(3).fit(before.astype(float)).components_
        np.testing.assert_allclose(rows, centred - centred @ top.T @ top, atol=2e-4)


def test_all_but_the_top_takes_a_hundredth_by_default():
    rows = np.random.default_rng(0).normal(size=(400, 200))
    rank = np.linalg.matrix_rank(fit("all-but-the-top", rows, np.ones(400)).matrix)
    assert rank == 198
    assert np.linalg.matrix_rank(fit("all-but-the-top", rows[:, :9], np.ones(400)).matrix) == 8


def test_zipfian_whitening_makes_the_covariance_one_and_keeps_the_products(space):
    done, centred = postprocess(space, "zipfian-whitening"), postprocess(space, "frequency")
    p = space.probability
    np.testing.assert_allclose(p @ done.target, 0, atol=1e-5)
    np.testing.assert_allclose((done.target.T * p) @ done.target, np.eye(20), atol=1e-4)
    np.testing.assert_allclose(
        done.target @ done.context.T, centred.target @ centred.context.T, atol=2e-3
    )


def test_whitening_leaves_out_directions_without_spread():
    rows = np.random.default_rng(0).normal(size=(50, 4))
    rows[:, 3] = rows[:, 0] + rows[:, 1]
    words = Vocabulary([f"w{i}" for i in range(50)]).with_counts("rank")
    done = postprocess(Space(words, rows), "zipfian-whitening")
    assert np.isfinite(done.target).all()
    covariance = (done.target.T * done.probability) @ done.target
    assert np.linalg.eigvalsh(covariance) == pytest.approx([0, 1, 1, 1], abs=1e-4)


@every_method
def test_mapped_rows_and_queries_agree(method, space):
    affine = fit(method, space.target, space.probability)
    mapped = affine(space.target)
    np.testing.assert_allclose(
        affine.lengths(space.target), np.linalg.norm(mapped, axis=1), rtol=1e-5
    )
    queries = np.random.default_rng(1).normal(size=(3, 20)).astype(np.float32)
    turned, offset = affine.back(queries)
    np.testing.assert_allclose(
        space.target @ turned.T - offset, mapped @ queries.T, atol=2e-3, rtol=1e-3
    )


@pytest.mark.parametrize("method", [each for each in Postprocess if each != Postprocess.NONE])
def test_it_is_done_once_and_recorded(method, space, tmp_path):
    done = postprocess(space, method)
    assert done.provenance.postprocess == method
    assert method in done.provenance.history[-1]
    with raises(AndornotError, method, "again=True"):
        postprocess(done, "frequency")
    twice = postprocess(done, "uniform", again=True)
    assert twice.provenance.postprocess == f"{method} + uniform"
    if method in ("uniform", "frequency"):
        np.testing.assert_allclose(twice.target + twice.target_mean, space.target, atol=1e-5)
        np.testing.assert_allclose(twice.context + twice.context_mean, space.context, atol=1e-5)
    andornot.save(done, tmp_path / "s.safetensors")
    assert_same_space(andornot.load(tmp_path / "s.safetensors"), done)


def test_frequencies_are_needed_and_never_made_up(space):
    bare = Space(Vocabulary(space.words), space.target)
    for method in ("frequency", "zipfian-whitening"):
        with raises(MissingCountsError, "with_counts"):
            postprocess(bare, method)
    assert postprocess(bare, "uniform").target_mean is not None


def test_what_is_refused(space):
    with raises(UsageError, "'center'", *Postprocess):
        postprocess(space, "center")
    with raises(AndornotError, "21 components", "0 to 20"):
        postprocess(space, "all-but-the-top", components=21)
    with raises(UsageError, "'center'", *Postprocess):
        postprocess(space, "center", components=2)


@every_method
def test_only_one_method_removes_components(method, space):
    if method == "all-but-the-top":
        assert "2 components" in postprocess(space, method, components=2).provenance.history[-1]
        return
    with raises(UsageError, f"got components=2 for {method}", "all-but-the-top", "leave it out"):
        postprocess(space, method, components=2)


@pytest.mark.parametrize("estimator", [Centering(), AllButTheTop(), ZipfianWhitening()], ids=str)
def test_scikit_learns_own_checks(estimator):
    check_estimator(estimator)


def test_transformers_do_what_spaces_do(space):
    p = space.probability
    for estimator, method in [
        (Centering(), "frequency"),
        (ZipfianWhitening(), "zipfian-whitening"),
    ]:
        done = estimator.fit(space.target, sample_weight=p).transform(space.target)
        np.testing.assert_allclose(done, postprocess(space, method).target, atol=1e-4)
    done = AllButTheTop().fit_transform(space.target)
    np.testing.assert_allclose(done, postprocess(space, "all-but-the-top").target, atol=1e-4)
    centring = Centering().fit(space.target)
    back = centring.inverse_transform(centring.transform(space.target))
    np.testing.assert_allclose(back, space.target, atol=1e-5)
    with pytest.raises(ValueError, match="non-zero"):
        Centering().fit(space.target, sample_weight=np.zeros(300))
