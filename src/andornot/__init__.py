"""AND, OR and NOT for word embeddings: vectors, contexts and true frequencies in one place."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from andornot.algebra import Logic
    from andornot.base.errors import AndornotError, AndornotWarning
    from andornot.formats import load, save
    from andornot.formats.default_model import default
    from andornot.space import Space
    from andornot.words.provenance import Provenance
    from andornot.words.vocabulary import Vocabulary

__version__ = "0.1.0"
__all__ = [
    "AndornotError",
    "AndornotWarning",
    "Logic",
    "Provenance",
    "Space",
    "Vocabulary",
    "default",
    "load",
    "save",
]

# Importing the package costs nothing: each name is imported when it is first used.
_HOMES = {
    "AndornotError": "base.errors",
    "AndornotWarning": "base.errors",
    "Logic": "algebra",
    "Provenance": "words.provenance",
    "Space": "space",
    "Vocabulary": "words.vocabulary",
    "default": "formats.default_model",
    "load": "formats",
    "save": "formats",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'andornot' has no attribute {name!r}")
    return getattr(import_module(f"andornot.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
