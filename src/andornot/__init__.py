"""AND, OR and NOT for word embeddings: vectors, contexts and true frequencies in one place."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from andornot.algebra import Logic
    from andornot.base.errors import AndornotError, AndornotWarning
    from andornot.base.progress import progress_bars
    from andornot.formats import load, save
    from andornot.formats.default_model import default
    from andornot.formats.gensim_models import from_gensim, to_gensim
    from andornot.growing import WordList
    from andornot.postprocessing.sentence_encoder import SentenceEncoder
    from andornot.postprocessing.transformers import SentenceVectors
    from andornot.space import Space
    from andornot.words.provenance import Provenance
    from andornot.words.vocabulary import Vocabulary

__version__ = "0.2.0"
__all__ = [
    "AndornotError",
    "AndornotWarning",
    "Logic",
    "Provenance",
    "SentenceEncoder",
    "SentenceVectors",
    "Space",
    "Vocabulary",
    "WordList",
    "default",
    "from_gensim",
    "load",
    "progress_bars",
    "save",
    "to_gensim",
]

# Importing the package is cheap: each name is imported on first use.
_HOMES = {
    "AndornotError": "base.errors",
    "AndornotWarning": "base.errors",
    "Logic": "algebra",
    "Provenance": "words.provenance",
    "SentenceEncoder": "postprocessing.sentence_encoder",
    "SentenceVectors": "postprocessing.transformers",
    "Space": "space",
    "Vocabulary": "words.vocabulary",
    "WordList": "growing",
    "default": "formats.default_model",
    "from_gensim": "formats.gensim_models",
    "load": "formats",
    "progress_bars": "base.progress",
    "save": "formats",
    "to_gensim": "formats.gensim_models",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'andornot' has no attribute {name!r}")
    return getattr(import_module(f"andornot.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
