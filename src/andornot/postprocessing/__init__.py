"""Space to Space: centring, all-but-the-top, whitening; sentence vectors."""

from andornot.postprocessing.affine import Affine
from andornot.postprocessing.sentence_encoder import SentenceEncoder
from andornot.postprocessing.spaces import postprocess

__all__ = ["Affine", "SentenceEncoder", "postprocess"]
