"""Space to Space: centring, all-but-the-top, whitening; sentence vectors."""

from andornot.postprocessing.affine import Affine
from andornot.postprocessing.spaces import postprocess

__all__ = ["Affine", "postprocess"]
