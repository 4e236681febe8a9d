"""Post-processings as scikit-learn transformers; `sample_weight` takes the frequencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base import defaults
from andornot.base.arguments import shown
from andornot.base.choices import Postprocess, SentenceWeights
from andornot.base.errors import AndornotError
from andornot.formats.default_model import default
from andornot.postprocessing.affine import Affine, fit
from andornot.postprocessing.sentences import count_in_texts, encode
from andornot.postprocessing.spaces import check_once, fit_target
from andornot.space import Space
from andornot.words.counts import Counts, CountsOrigin

try:
    from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ModuleNotFoundError as error:
    raise AndornotError(
        "the estimators need the package scikit-learn; pip install 'andornot[sklearn]'"
    ) from error

Array = npt.NDArray[Any]


class _Transformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Base class that fits and applies an affine map."""

    def _fit(self, method: str, X: Any, sample_weight: Any, components: int | None = None) -> None:
        rows = validate_data(self, X, dtype=[np.float64, np.float32])
        weights = _check_sample_weight(sample_weight, rows, ensure_non_negative=True)
        if not weights.any():  # scikit-learn checks this since version 1.9
            raise ValueError("sample_weight must have at least one non-zero value")
        affine = fit(method, rows, weights.astype(np.float64), components)
        self.mean_ = affine.mean
        self.matrix_ = affine.matrix

    def transform(self, X: Any) -> Array:
        """Return the mapped rows."""
        check_is_fitted(self)
        rows = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        return Affine(self.mean_, self.matrix_)(rows)


class Centering(_Transformer):
    """Subtract the mean: uniform, or weighted by `sample_weight` as in the paper.

    >>> Centering().fit_transform([[0.0], [4.0]], sample_weight=[3, 1]).tolist()
    [[-1.0], [3.0]]
    """

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Centering:
        """Compute the mean."""
        self._fit(Postprocess.FREQUENCY, X, sample_weight)
        return self

    def inverse_transform(self, X: Any) -> Array:
        """Return the rows with the mean added again."""
        check_is_fitted(self)
        rows = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        return np.asarray(rows + self.mean_.astype(rows.dtype))


class AllButTheTop(_Transformer):
    """Subtract the mean and remove the leading `components` (Mu and Viswanath 2018).

    Default: a hundredth of the dimension, at least one. The original method weights all words
    equally; with `sample_weight`, the mean and the directions are weighted.

    >>> rows = [[0.0, 1.0], [0.0, -1.0], [9.0, 0.0], [-9.0, 0.0]]
    >>> AllButTheTop(components=1).fit_transform(rows).round(6).tolist()[0]
    [0.0, 1.0]
    """

    def __init__(self, components: int | None = None) -> None:
        self.components = components

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> AllButTheTop:
        """Compute the mean and the directions."""
        with _value_errors():
            self._fit(Postprocess.ALL_BUT_THE_TOP, X, sample_weight, self.components)
        return self


class ZipfianWhitening(_Transformer):
    """Centre and whiten under `sample_weight`, the frequencies (Yokoi and others 2024).

    >>> rows = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 1.0], [4.0, 1.0]])
    >>> white = ZipfianWhitening().fit_transform(rows)
    >>> (white.T @ white / 4).round(6).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> ZipfianWhitening:
        """Compute the mean and the covariance."""
        self._fit(Postprocess.ZIPFIAN_WHITENING, X, sample_weight)
        return self


class SentenceVectors(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Convert texts to vectors, as the first step of a pipeline.

    `fit` counts the words of the training texts. Their frequencies there are the p(w) of
    frequency-weighted post-processing and of the SIF weights, so that nothing is learned from test
    texts. A text is a string, or a list of words.

    Args:
        space: The word vectors. Default: the model that comes with andornot.
        postprocess: The post-processing of the words' vectors: "frequency", "zipfian-whitening",
            "uniform", "all-but-the-top" or "none".
        weights: "sif" for the mean by SIF weights, "sum" for the sum of the words.
        tokenizer: "words" or "whitespace". Default: the space's own tokenizer if it has one, else
            "words".

    Attributes:
        space_: The space, with the counts of the training texts.
        affine_: The fitted post-processing.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec")
    >>> vectors = SentenceVectors(space).fit(["the king and the queen", "the woman"])
    >>> vectors.transform(["a royal prince", "the princess"]).shape
    (2, 3)
    """

    def __init__(
        self,
        space: Space | None = None,
        postprocess: str = defaults.POSTPROCESS.value,
        weights: str = SentenceWeights.SIF.value,
        tokenizer: str | None = None,
    ) -> None:
        self.space = space
        self.postprocess = postprocess
        self.weights = weights
        self.tokenizer = tokenizer

    def fit(self, X: Any, y: Any = None) -> SentenceVectors:
        """Count the words of the texts, and fit the post-processing."""
        texts = _check_texts(X)
        space = default() if self.space is None else self.space
        if not isinstance(space, Space):
            raise TypeError(f"space must be a Space, got {type(space).__name__}")
        with _value_errors():
            check_once(space, self.postprocess)
            counts = count_in_texts(space, texts, self.tokenizer)
            if not counts.any():
                raise AndornotError("no word of X is in the space; use another space or tokenizer")
            self.space_ = space.with_counts(
                Counts(counts, CountsOrigin.GIVEN, "counted in the training texts")
            )
            self.affine_ = fit_target(self.space_, self.postprocess)
            encode(self.space_, [], weights=self.weights)  # checks the weights
        return self

    def transform(self, X: Any) -> Array:
        """Return a vector for each text; one without a known word has the vector 0."""
        check_is_fitted(self)
        texts = _check_texts(X)
        with _value_errors():
            return encode(
                self.space_,
                texts,
                weights=self.weights,
                tokenizer=self.tokenizer,
                mapped=self.affine_,
            )

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return a name for each dimension."""
        check_is_fitted(self)
        return np.array([f"v{number}" for number in range(self.space_.dim)], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        return tags


def _check_texts(X: Any) -> list[str | list[str]]:
    """Check that each text is a string or a list of words, and return a list."""
    if isinstance(X, str | bytes | Mapping) or not isinstance(X, Iterable):
        raise ValueError(f"X must be a list of texts, got {shown(X)}")
    texts: list[str | list[str]] = []
    for row, text in enumerate(X):
        if isinstance(text, str):
            texts.append(str(text))
            continue
        words = list(text) if isinstance(text, Iterable) and not isinstance(text, bytes) else [text]
        if not all(isinstance(word, str) for word in words):
            raise ValueError(f"X[{row}] must be a text or a list of words, got {shown(text)}")
        texts.append(words)
    if not texts:
        raise ValueError("X must have at least one text, got none")
    return texts


@contextmanager
def _value_errors() -> Iterator[None]:
    """Convert errors about parameters to ValueError, as scikit-learn does."""
    try:
        yield
    except AndornotError as error:
        raise ValueError(str(error)) from error
