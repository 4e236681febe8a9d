"""The post-processings as scikit-learn transformers; `sample_weight` takes the frequencies."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from andornot.base import defaults
from andornot.base.choices import Postprocess
from andornot.base.errors import AndornotError
from andornot.postprocessing.affine import Affine, fit
from andornot.postprocessing.sentences import encode
from andornot.space import Space

Array = npt.NDArray[Any]


class _Transformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Fit an affine map, apply it."""

    def _fit(self, method: str, X: Any, sample_weight: Any, components: int | None = None) -> None:
        rows = validate_data(self, X, dtype=[np.float64, np.float32])
        weights = _check_sample_weight(sample_weight, rows, ensure_non_negative=True)
        if not weights.any():  # scikit-learn itself says so since 1.9
            raise ValueError("sample_weight must have at least one non-zero value")
        affine = fit(method, rows, weights.astype(np.float64), components)
        self.mean_ = affine.mean
        self.matrix_ = affine.matrix

    def transform(self, X: Any) -> Array:
        """The rows, mapped."""
        check_is_fitted(self)
        rows = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        return Affine(self.mean_, self.matrix_)(rows)


class Centering(_Transformer):
    """Subtract the mean: uniform, or under `sample_weight` that of the paper.

    >>> Centering().fit_transform([[0.0], [4.0]], sample_weight=[3, 1]).tolist()
    [[-1.0], [3.0]]
    """

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Centering:
        """Find the mean."""
        self._fit(Postprocess.FREQUENCY, X, sample_weight)
        return self

    def inverse_transform(self, X: Any) -> Array:
        """The rows with the mean added again."""
        check_is_fitted(self)
        rows = validate_data(self, X, reset=False, dtype=[np.float64, np.float32])
        return np.asarray(rows + self.mean_.astype(rows.dtype))


class AllButTheTop(_Transformer):
    """Subtract the mean and leave out the leading `components` (Mu and Viswanath 2018).

    By default they are a hundredth of the dimension, at least one. The original weighs all words
    alike; so does this, unless `sample_weight` is given, which then weighs mean and directions.

    >>> rows = [[0.0, 1.0], [0.0, -1.0], [9.0, 0.0], [-9.0, 0.0]]
    >>> AllButTheTop(components=1).fit_transform(rows).round(6).tolist()[0]
    [0.0, 1.0]
    """

    def __init__(self, components: int | None = None) -> None:
        self.components = components

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> AllButTheTop:
        """Find the mean and the directions."""
        try:
            self._fit(Postprocess.ALL_BUT_THE_TOP, X, sample_weight, self.components)
        except AndornotError as error:
            raise ValueError(str(error)) from error
        return self


class ZipfianWhitening(_Transformer):
    """Centre and whiten under `sample_weight`, the frequencies (Yokoi and others 2024).

    >>> rows = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 1.0], [4.0, 1.0]])
    >>> white = ZipfianWhitening().fit_transform(rows)
    >>> (white.T @ white / 4).round(6).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> ZipfianWhitening:
        """Find the mean and the covariance."""
        self._fit(Postprocess.ZIPFIAN_WHITENING, X, sample_weight)
        return self


class SentenceVectors(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Texts to vectors of a space, as the first step of a pipeline; there is nothing to fit.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec")
    >>> SentenceVectors(space).fit_transform(["the queen"]).shape
    (1, 3)
    """

    def __init__(self, space: Space, weights: str = defaults.SENTENCE_WEIGHTS) -> None:
        self.space = space
        self.weights = weights

    def fit(self, X: Any, y: Any = None) -> SentenceVectors:
        """Nothing: the vectors are those of the space."""
        return self

    def transform(self, X: Any) -> Array:
        """A vector for each text."""
        return encode(self.space, list(X), weights=self.weights)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """A name for each dimension."""
        return np.array([f"v{number}" for number in range(self.space.dim)], dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True
