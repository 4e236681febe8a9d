"""PMI and its error terms against formulas written out."""

import numpy as np
import pytest
from errors import raises
from texts import corpus_of, random_lines

from andornot.base.errors import UsageError
from andornot.cooccurrence import count
from andornot.cooccurrence.pmi import error_terms_of_counts, largest_pmi, pmi_blocks


@pytest.fixture
def counts(tmp_path):
    return count(corpus_of(tmp_path, random_lines(6, lines=80, types=30)), min_count=1)


def test_pmi_is_its_definition(counts):
    joint = counts.matrix().toarray().astype(np.float64)
    p = joint.sum(axis=1) / joint.sum()
    seen = 0
    for block in pmi_blocks(counts, pairs=50):
        expected = np.log(
            joint[block.rows, block.columns] / joint.sum() / p[block.rows] / p[block.columns]
        )
        assert np.allclose(block.pmi, expected, atol=1e-6)
        seen += len(block.pmi)
    assert seen == counts.pairs == np.count_nonzero(joint)
    with np.errstate(divide="ignore"):
        table = np.log(joint / joint.sum() / np.outer(p, p))
    assert largest_pmi(counts) == pytest.approx(np.abs(table[joint > 0]).max(), abs=1e-6)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 30.0])
def test_error_terms_of_counts_are_kl_divergences(counts, alpha):
    joint = counts.matrix().toarray().astype(np.float64) + alpha
    joint /= joint.sum()
    p = joint.sum(axis=1)
    given_word = joint / p[:, None]
    expected = (p * np.log(p / given_word)).sum(axis=1)  # KL(p || p(.|w))
    terms = error_terms_of_counts(counts, alpha)
    assert np.allclose(terms.of_words, expected, rtol=1e-6)
    assert np.allclose(terms.of_contexts, expected, rtol=1e-6)
    assert terms.mean == pytest.approx(p @ expected, rel=1e-6)
    assert (terms.of_words > 0).all()


def test_error_terms_need_an_added_count(counts):
    with raises(UsageError, "alpha", 0):
        error_terms_of_counts(counts, 0)
