"""Text or counts to vectors: SGNS and GloVe, sampled and exact, with all that the theory needs."""

from andornot.training.jobs import train
from andornot.training.losses import glove_loss, sgns_loss
from andornot.training.settings import Settings
from andornot.training.trainer import Step

__all__ = ["Settings", "Step", "glove_loss", "sgns_loss", "train"]
