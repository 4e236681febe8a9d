"""Post-process spaces (centring, all-but-the-top, whitening) and compute sentence vectors."""

from andornot.postprocessing.affine import Affine
from andornot.postprocessing.spaces import postprocess

__all__ = ["Affine", "postprocess"]
