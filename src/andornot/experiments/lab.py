"""What the experiments work with: the scale, the texts, and spaces that are trained once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from andornot.choices import Model, Solver
from andornot.cooccurrence import Cooccurrence, count
from andornot.corpus import Corpus, open_corpus
from andornot.corpus.corpus import digest_of
from andornot.corpus.edits import merge_phrases
from andornot.datasets.compounds import compositional_phrases
from andornot.datasets.places import locate
from andornot.files import Source, replacing
from andornot.folders import user_cache
from andornot.formats import load
from andornot.space import Space
from andornot.training import Settings, train

_TEXT8_SLICE = 6_000_000  # bytes at the quick scale: about a million words
_WIKI_SLICE = 30_000_000  # about five million


class Scale(StrEnum):
    """How large an experiment is: a minute, what a laptop allows, or the paper's settings."""

    QUICK = "quick"
    HERE = "here"
    PAPER = "paper"


@dataclass(frozen=True)
class Lab:
    """The scale and the seed of experiments; what is trained is kept in `cache`, by its settings.

    >>> sorted(Lab().wiki_spaces())
    ['SGNS']
    """

    scale: Scale = Scale.QUICK
    seed: int = 1
    cache: Path | None = None
    say: Callable[[str], None] = lambda text: None

    # --- Wikipedia -------------------------------------------------------------------------

    @property
    def wiki_corpus(self) -> str:
        """What the spaces of `wiki_spaces` were trained on, in words."""
        if self.scale == Scale.QUICK:
            return "the default model (40,000 words of enwiki-sample, 62 million tokens)"
        return self.phrase_corpus

    def wiki_spaces(self) -> dict[str, Space]:
        """The models trained on Wikipedia, by name; beyond the quick scale, with phrases merged."""
        if self.scale == Scale.QUICK:
            from andornot.default_model import default

            return {"SGNS": default()}
        return self.phrase_spaces(compositional_phrases())

    @property
    def phrase_corpus(self) -> str:
        """What the spaces of `phrase_spaces` were trained on, in words."""
        part = "its first 5 million words" if self.scale == Scale.QUICK else "64 million words"
        return f"enwiki-sample ({part}), phrases merged"

    def phrase_spaces(self, phrases: list[str]) -> dict[str, Space]:
        """The models trained on Wikipedia with phrases merged into single tokens."""
        corpus = merge_phrases(open_corpus([self.wiki_text()], tokenizer="words"), phrases)
        dim, min_count = (100, 5) if self.scale == Scale.QUICK else (300, 20)
        # as the paper: word2vec's defaults, but for k; GloVe's, but for x_max
        sgns = Settings(
            model=Model.SGNS, solver=Solver.SAMPLED, dim=dim, negative=15, sample=1e-3, epochs=5
        )
        glove = Settings(model=Model.GLOVE, solver=Solver.SAMPLED, dim=dim, epochs=25)
        return {
            name: self.trained(corpus, settings, min_count)
            for name, settings in {"SGNS": sgns, "GloVe": glove}.items()
        }

    def wiki_text(self) -> Path:
        """The text of Wikipedia, or as much of it as the scale has."""
        path = locate("enwiki-sample")
        if self.scale == Scale.QUICK:
            return self._beginning(path, _WIKI_SLICE, b"\n")
        return path

    # --- text8 -----------------------------------------------------------------------------

    @property
    def text8_corpus(self) -> str:
        """What `text8` is, in words."""
        part = "its first million words" if self.scale == Scale.QUICK else "74 % of text8"
        return f"text8-prefix ({part})"

    @cached_property
    def text8(self) -> Corpus:
        """text8, or as much of it as the scale has."""
        path = locate("text8-prefix")
        if self.scale == Scale.QUICK:
            path = self._beginning(path, _TEXT8_SLICE, b" ")
        return open_corpus([path])

    def _beginning(self, path: Path, size: int, end: bytes) -> Path:
        """A file with the first bytes of a text, up to a whole word or line."""
        short = self.home / f"{path.name.partition('.')[0]}-{size}.txt"
        if not short.exists():
            with Source(path) as source:
                text = source.read(size)
            with replacing(short) as file:
                file.write(text[: text.rindex(end)])
        return short

    # --- what is kept ----------------------------------------------------------------------

    @cached_property
    def home(self) -> Path:
        """Where counts and spaces are kept."""
        home = self.cache or user_cache("experiments")
        home.mkdir(parents=True, exist_ok=True)
        return home

    def counts(self, corpus: Corpus, min_count: int, weights: str) -> Cooccurrence:
        """Co-occurrence counts in a window of five words on each side."""
        self.say(f"counting {len(corpus.choose(min_count)):,} words, {weights} weights")
        return count(corpus, min_count=min_count, weights=weights)

    def trained(self, corpus: Corpus, settings: Settings, min_count: int) -> Space:
        """A space of these settings: from the cache, or trained now, from where it was stopped."""
        settings = replace(settings, seed=self.seed)
        key = digest_of([corpus.key, asdict(settings), min_count])
        path = self.home / f"{settings.model}-{key}.safetensors"
        if not path.exists():
            self.say(f"training {settings.model}, {settings.solver}: {path.name}")
            source: Corpus | Cooccurrence = corpus
            if (settings.model, settings.solver) != (Model.SGNS, Solver.SAMPLED):
                weights = "linear" if settings.model == Model.SGNS else "harmonic"
                source = count(corpus, min_count=min_count, weights=weights)
            stopped = path.with_name(f"{path.name}.checkpoint").exists()
            train(source, settings, min_count=min_count, output=path, resume=stopped)
        return load(path)
