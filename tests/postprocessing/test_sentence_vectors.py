"""The transformer from texts to vectors: fitted on the training texts, at home in scikit-learn."""

import pickle
import sys
from collections import Counter

import numpy as np
import pytest
from errors import assert_names, raises
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

import andornot
from andornot import AndornotError, SentenceVectors, Space
from andornot.postprocessing import postprocess

WORDS = ["the", "cat", "dog", "sat", "ran", "law", "court", "judge"]
SPACE = Space.from_arrays(WORDS, np.random.default_rng(4).normal(size=(8, 5)) + 0.5)
TRAINING = ["The cat sat", "the dog ran, the cat ran", "the judge", "unknown words, the end"]
TEXTS = ["a cat and a dog", "the law of the court", "nothing", "dog dog"]


def slow_vectors(method, weights):
    """By the definition: p of the training texts, centring under p, SIF weights."""
    counts = Counter(word for text in TRAINING for word in text.lower().replace(",", "").split())
    p = np.array([counts[word] for word in WORDS], float)
    p /= p.sum()
    mean = {"frequency": p @ SPACE.target, "uniform": SPACE.target.mean(axis=0), "none": 0.0}[
        method
    ]
    rows = dict(zip(WORDS, SPACE.target - mean, strict=True))
    share = dict(zip(WORDS, p, strict=True))
    result = []
    for text in TEXTS:
        known = [word for word in text.split() if word in rows]
        factor = {"sum": lambda word: 1.0, "sif": lambda word: 1e-3 / (1e-3 + share[word])}[weights]
        total = sum((factor(word) * rows[word] for word in known), np.zeros(5))
        result.append(total / len(known) if weights == "sif" and known else total)
    return np.array(result)


@pytest.mark.parametrize("weights", ["sum", "sif"])
@pytest.mark.parametrize("method", ["frequency", "uniform", "none"])
def test_vectors_are_those_of_the_definition(method, weights):
    found = SentenceVectors(SPACE, method, weights).fit(TRAINING).transform(TEXTS)
    np.testing.assert_allclose(found, slow_vectors(method, weights), atol=1e-5)
    assert not found[2].any()  # no word is known


def test_whitening_is_fitted_on_the_training_texts():
    step = SentenceVectors(SPACE, "zipfian-whitening", "sum").fit(TRAINING)
    words = [[word] for word in WORDS for _ in range(int(step.space_.counts[WORDS.index(word)]))]
    rows = step.transform(words)
    np.testing.assert_allclose(rows.mean(axis=0), 0, atol=1e-5)
    # Four words of the training texts span four directions in five: there the covariance is 1.
    spread = np.linalg.eigvalsh(np.cov(rows.T, bias=True))
    assert np.isclose(spread, 0, atol=1e-4).sum() + np.isclose(spread, 1, atol=1e-3).sum() == 5


CHECKS = [
    "check_no_attributes_set_in_init",
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimator_tags_renamed",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_parameters_default_constructible",
    "check_set_params",
    "check_valid_tag_types",
]


@pytest.mark.parametrize("check", CHECKS)
def test_scikit_learns_checks_that_need_no_data(check):
    getattr(estimator_checks, check)("SentenceVectors", SentenceVectors(SPACE))


@pytest.mark.filterwarnings("ignore:Can't test estimator")  # of the checks that need a matrix
def test_scikit_learns_own_checks():
    estimator_checks.check_estimator(SentenceVectors(SPACE))


def test_the_checks_of_matrices_for_texts():
    step = SentenceVectors(SPACE)
    with pytest.raises(NotFittedError):
        step.transform(TEXTS)
    with pytest.raises(NotFittedError):
        step.get_feature_names_out()
    before = step.get_params()
    assert step.fit(TRAINING, y=None) is step
    assert step.get_params() == before
    rows, state = step.transform(TEXTS), dict(vars(step))
    assert vars(step) == state  # transform changes nothing
    assert np.array_equal(step.fit(TRAINING).transform(TEXTS), rows)  # fit twice
    assert np.array_equal(clone(step).fit(TRAINING).transform(TEXTS), rows)
    parts = np.vstack([step.transform([text]) for text in TEXTS])
    np.testing.assert_allclose(parts, rows, atol=1e-6)  # subsets
    np.testing.assert_allclose(step.transform(TEXTS[::-1]), rows[::-1], atol=1e-6)  # order
    assert np.array_equal(pickle.loads(pickle.dumps(step)).transform(TEXTS), rows)
    both = SentenceVectors(SPACE).fit_transform(TRAINING)
    np.testing.assert_allclose(both, step.transform(TRAINING), atol=1e-6)
    assert step.get_feature_names_out().tolist() == [f"v{number}" for number in range(5)]
    for given in (np.array(TEXTS), tuple(TEXTS), iter(TEXTS), [text.split() for text in TEXTS]):
        assert np.array_equal(step.transform(given), rows)


def test_tables_of_pandas():
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    step = SentenceVectors(SPACE).fit(pandas.Series(TRAINING))
    assert np.array_equal(step.transform(pandas.Series(TEXTS)), step.transform(TEXTS))
    frame = step.set_output(transform="pandas").transform(pandas.Series(TEXTS))
    assert frame.columns.tolist() == ["v0", "v1", "v2", "v3", "v4"]


def test_a_pipeline_and_a_search():
    texts = ["the cat sat", "the dog ran", "a cat and a dog", "the law", "court and judge", "law"]
    labels = ["pets", "pets", "pets", "law", "law", "law"]
    pipeline = make_pipeline(SentenceVectors(SPACE), LogisticRegression(C=100))
    grid = {
        "sentencevectors__postprocess": ["none", "frequency", "zipfian-whitening"],
        "sentencevectors__weights": ["sum", "sif"],
    }
    search = GridSearchCV(pipeline, grid, cv=3, n_jobs=2, error_score="raise").fit(
        texts * 4, labels * 4
    )
    assert search.score(texts, labels) == 1
    assert len(search.cv_results_["params"]) == 6


def test_the_default_model_is_taken_where_no_space_is_named():
    step = SentenceVectors().fit(["red wine", "white wine"])
    assert step.space is None
    assert step.transform(["wine"]).shape == (1, step.space_.dim)


@pytest.mark.parametrize(
    ("options", "texts", "kind", "named"),
    [
        ({}, "one text", ValueError, ["X", "list of texts", "'one text'"]),
        ({}, None, ValueError, ["X", "None"]),
        ({}, [], ValueError, ["X", "none"]),
        ({}, ["cat", None], ValueError, ["X[1]", "None"]),
        ({}, ["cat", b"dog"], ValueError, ["X[1]", "bytes"]),
        ({}, np.eye(2), ValueError, ["X[0]", "array"]),
        ({}, ["unknown"], ValueError, ["no word of X"]),
        ({"postprocess": "center"}, ["cat"], ValueError, ["'center'", "frequency"]),
        ({"weights": "mean"}, ["cat"], ValueError, ["'mean'", "sif"]),
        ({"tokenizer": "letters"}, ["cat"], ValueError, ["'letters'", "words"]),
        ({"space": "english.vec"}, ["cat"], TypeError, ["Space", "str"]),
        ({"space": postprocess(SPACE, "uniform")}, ["cat"], ValueError, ["uniform already"]),
    ],
    ids=str,
)
def test_what_is_refused(options, texts, kind, named):
    with pytest.raises(kind) as caught:
        SentenceVectors(**({"space": SPACE} | options)).fit(texts)
    assert_names(str(caught.value), *named)


def test_without_scikit_learn_it_names_the_extra(monkeypatch):
    monkeypatch.delitem(sys.modules, "andornot.postprocessing.transformers")
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    with raises(AndornotError, "scikit-learn", "pip install 'andornot[sklearn]'"):
        _ = andornot.SentenceVectors
