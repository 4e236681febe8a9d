"""The lab of the experiments: the scale, the texts, and spaces that are trained once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from andornot.base.caching import cached_property
from andornot.base.choices import Model, Scale, Solver
from andornot.base.files import Source, writing
from andornot.base.folders import user_cache
from andornot.base.replacing import replacing
from andornot.cooccurrence import Cooccurrence, count
from andornot.corpus import Corpus, open_corpus
from andornot.corpus.corpus import digest_of
from andornot.corpus.edits import merge_phrases
from andornot.corpus.reading import content_key
from andornot.datasets.compounds import PHRASE_SETS, compositional_phrases
from andornot.datasets.locating import dataset_named, find, locate
from andornot.formats import load
from andornot.space import Space
from andornot.training import Settings, train
from andornot.training.running import DivergedTrainingError
from andornot.words.vocabulary import Vocabulary

WEIGHTS = {Model.SGNS: "linear", Model.GLOVE: "harmonic"}
"""The weighting of distances in the window of each model."""

_COPIED = 1 << 20  # bytes of a text that are read at a time


@dataclass(frozen=True)
class Text:
    """A text to train on.

    Attributes:
        name: The dataset.
        size: Bytes to read from its beginning; None: all.
        min_count: Least count of a word in the vocabulary.
        dim: Dimension of the vectors.
    """

    name: str
    size: int | None
    min_count: int
    dim: int


_PREFIX, _PREFIX_BYTES = "text8-prefix", 74_090_640  # the beginning of text8

WIKIPEDIA = {
    Scale.QUICK: Text("enwiki-sample", 30_000_000, 5, 100),  # about five million words
    Scale.HERE: Text("enwiki-sample", None, 20, 300),
    Scale.PAPER: Text("enwiki", None, 5, 300),
}
TEXT8 = {
    Scale.QUICK: Text(_PREFIX, 6_000_000, 20, 50),  # about a million words
    Scale.HERE: Text(_PREFIX, None, 100, 300),
    Scale.PAPER: Text("text8", None, 100, 300),
}
EPOCHS = {Model.SGNS: 5, Model.GLOVE: 25}
"""Epochs of the sampled solvers: the defaults of the original programs."""

PAPERS_EPOCHS = 100
"""The paper's epochs on text8."""


@dataclass(frozen=True)
class Training:
    """A space to train: the text, the settings, and the vocabulary (default: by minimal count)."""

    corpus: Corpus
    settings: Settings
    min_count: int
    words: Vocabulary | None = None

    @property
    def from_counts(self) -> bool:
        """True for a training on counts; sampled SGNS reads the text instead."""
        return (self.settings.model, self.settings.solver) != (Model.SGNS, Solver.SAMPLED)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of the space."""
        return self.corpus.choose(self.min_count) if self.words is None else self.words

    @property
    def name(self) -> str:
        """A file name that is unique to the text and the settings."""
        settings = self.settings.resolved(self.corpus.size, len(self.vocabulary))
        # a chosen value and the same value given by hand are different settings
        asked: dict[str, Any] = {"prior": self.settings.prior}
        if self.settings.x_max is None:
            asked["x_max"] = ["auto", settings.x_max]
        facts = [self.corpus.key, asdict(settings) | asked, settings.version, self.min_count]
        key = digest_of(facts if self.words is None else [*facts, self.words.words])
        return f"{self.settings.model}-{key}.safetensors"


@dataclass(frozen=True)
class NamedCorpus:
    """A corpus and a description of it."""

    corpus: Corpus
    name: str


class Asks(Protocol):
    """A filter of questions by their words."""

    def __call__(self, *words: str) -> bool:
        """Return True if a question with these words is asked."""


def asks_all(*words: str) -> bool:
    """Ask every question.

    >>> asks_all("king", "queen")
    True
    """
    return True


@dataclass(frozen=True)
class Lab:
    """The scale, the seed and the cache that experiments share.

    Attributes:
        scale: Amount of text and size of the models.
        seed: Seed of trainings and draws.
        part: Fraction of each text to use, from its beginning.
        always_train: Train on Wikipedia at the quick scale too, instead of using the default model.
        thorough: Run the additional parts of experiments, which take up to two hours each.
        words: Ask only questions whose words are all among these; None: ask all.
        cache: Folder of texts and trained spaces; default: the user's cache.
        say: Receives progress messages.

    >>> sorted(Lab().wiki_spaces())
    ['SGNS']
    """

    scale: Scale = Scale.QUICK
    seed: int = 1
    part: float = 1.0
    always_train: bool = False
    thorough: bool = False
    words: frozenset[str] | None = None
    cache: Path | None = None
    say: Callable[[str], None] = lambda text: None

    def asks(self, *words: str) -> bool:
        """Return True if a question with these words is asked.

        >>> Lab(words=frozenset(["royal", "woman"])).asks("royal", "man")
        False
        """
        return self.words is None or self.words.issuperset(words)

    # --- Wikipedia -------------------------------------------------------------------------

    @property
    def wiki_corpus(self) -> str:
        """A description of the text that the spaces of `wiki_spaces` were trained on."""
        if self._trains_wiki:
            return self.phrase_corpus.name
        words = self.wiki_words
        assert words.counts is not None
        return (
            f"the default model ({len(words):,} words of enwiki-sample, "
            f"{words.counts.values.sum() / 1e6:.0f} million tokens)"
        )

    @property
    def wiki_datasets(self) -> list[str]:
        """The datasets that `wiki_spaces` are trained on; none at the quick scale."""
        return self.phrase_datasets if self._trains_wiki else []

    def wiki_trainings(self) -> dict[str, Training]:
        """Return the trainings of `wiki_spaces`; none at the quick scale."""
        return self.phrase_trainings() if self._trains_wiki else {}

    def wiki_spaces(self) -> dict[str, Space]:
        """Return the models of Wikipedia by name; beyond the quick scale, with phrases merged."""
        return self.phrase_spaces() if self._trains_wiki else {"SGNS": self.wiki_sgns()}

    def wiki_sgns(self) -> Space:
        """Return the SGNS model of Wikipedia."""
        if self._trains_wiki:
            return self.trained(self.phrase_trainings()["SGNS"])
        from andornot.formats.default_model import default

        return default()

    @property
    def wiki_words(self) -> Vocabulary:
        """All words of that text with their counts, or the words of the default model."""
        if self._trains_wiki:
            return self.phrase_corpus.corpus.vocabulary
        return self.wiki_sgns().vocabulary

    @property
    def _trains_wiki(self) -> bool:
        return self.scale != Scale.QUICK or self.always_train

    @property
    def phrase_datasets(self) -> list[str]:
        """The datasets that `phrase_corpus` is made of."""
        return [WIKIPEDIA[self.scale].name, *PHRASE_SETS]

    @cached_property
    def phrase_corpus(self) -> NamedCorpus:
        """Wikipedia with the compositional phrases merged into single tokens."""
        text = self._open(WIKIPEDIA[self.scale], "words", b"\n")
        merged = merge_phrases(text.corpus, compositional_phrases())
        return NamedCorpus(merged, f"{text.name}, phrases merged")

    def phrase_trainings(self) -> dict[str, Training]:
        """Return the trainings of both models on Wikipedia, with the paper's k and x_max."""
        text = WIKIPEDIA[self.scale]
        common = Settings(
            solver=Solver.SAMPLED, dim=text.dim, negative=15, held_out=0, seed=self.seed
        )
        settings = {
            "SGNS": replace(common, model=Model.SGNS, sample=1e-3, epochs=EPOCHS[Model.SGNS]),
            "GloVe": replace(common, model=Model.GLOVE, epochs=EPOCHS[Model.GLOVE]),
        }
        corpus = self.phrase_corpus.corpus
        return {name: Training(corpus, each, text.min_count) for name, each in settings.items()}

    def phrase_spaces(self) -> dict[str, Space]:
        """Return the models of Wikipedia with phrases merged, by name."""
        return {name: self.trained(each) for name, each in self.phrase_trainings().items()}

    def wiki_text(self) -> Path:
        """Return the file of Wikipedia's text, or of the part that the scale uses."""
        return self._file_of(WIKIPEDIA[self.scale], b"\n")

    # --- text8 -----------------------------------------------------------------------------

    @cached_property
    def text8(self) -> NamedCorpus:
        """text8, or the part of it that the scale uses."""
        return self._open(TEXT8[self.scale], "whitespace", b" ")

    @property
    def text8_datasets(self) -> list[str]:
        """The dataset that `text8` is read from."""
        return [_installed(TEXT8[self.scale]).name]

    @property
    def has_text8(self) -> bool:
        """True if the dataset of `text8` is installed."""
        return find(self.text8_datasets[0]) is not None

    def text8_epochs(self, model: Model) -> int:
        """Return the number of epochs of a sampled solver on text8."""
        return PAPERS_EPOCHS if self.scale == Scale.PAPER else EPOCHS[model]

    def text8_settings(
        self, model: Model, solver: Solver, prior: float = 0.0, epochs: int | None = None
    ) -> Settings:
        """Return the settings of the paper's appendix: no subsampling, k = 15, window 5.

        Args:
            model: SGNS or GloVe.
            solver: Sampled or exact.
            prior: Strength of the prior.
            epochs: Epochs of a sampled solver; default: `text8_epochs`.
        """
        return Settings(
            model=model,
            solver=solver,
            dim=TEXT8[self.scale].dim,
            negative=15,
            epochs=(epochs or self.text8_epochs(model)) if solver == Solver.SAMPLED else None,
            prior=prior,
            held_out=0,  # the paper trains on all of the text
            seed=self.seed,
        )

    def text8_training(
        self, model: Model, solver: Solver, prior: float = 0.0, epochs: int | None = None
    ) -> Training:
        """Return a training on text8; by default without a prior, as the theory assumes."""
        settings = self.text8_settings(model, solver, prior, epochs)
        return Training(self.text8.corpus, settings, TEXT8[self.scale].min_count)

    def text8_counts(self, weights: str) -> Cooccurrence:
        """Return co-occurrence counts of text8 in a window of five words on each side."""
        return count(self.text8.corpus, min_count=TEXT8[self.scale].min_count, weights=weights)

    # --- cache -----------------------------------------------------------------------------

    @cached_property
    def home(self) -> Path:
        """The folder of texts and trained spaces."""
        home = self.cache or user_cache("experiments")
        with writing(home):
            home.mkdir(parents=True, exist_ok=True)
        return home

    def _open(self, text: Text, tokenizer: str, end: bytes) -> NamedCorpus:
        path = self._file_of(text, end)
        corpus = open_corpus([path], tokenizer=tokenizer)
        part = "" if text.size is None and self.part == 1 else "the beginning of "
        name = f"{part}{dataset_named(text.name).name} ({corpus.size:,} words)"
        return NamedCorpus(corpus, name)

    def _file_of(self, text: Text, end: bytes) -> Path:
        """Return the file of a text, or of its beginning if only a part is used."""
        text = _installed(text)
        path = locate(text.name)
        if self.part < 1:
            return self._beginning(path, int(self.part * (text.size or _unpacked_size(path))), end)
        return path if text.size is None else self._beginning(path, text.size, end)

    def _beginning(self, path: Path, size: int, end: bytes) -> Path:
        """Return a file with the first bytes of a text, up to a whole word or line."""
        key = digest_of([content_key([path]), size])[:12]
        short = self.home / f"{path.name.partition('.')[0]}-{key}.txt"
        if not short.exists():
            self.say(f"taking the first {size:,} bytes of {path.name}")
            with Source(path) as source:
                text = source.read(size)
            last = text.rfind(end)
            with replacing(short, shared=True) as file:
                file.write(text if last < 0 else text[:last])
        return short

    def trained(self, training: Training) -> Space:
        """Return the space of a training: from the cache, or trained now; resume a stopped run."""
        path = self.home / training.name
        if not path.exists():
            settings = training.settings
            words = f"{len(training.vocabulary):,} words"
            self.say(f"training {settings.model}, {settings.solver}, {words}: {path.name}")
            try:
                train(
                    training.corpus,
                    settings,
                    min_count=training.min_count if training.words is None else None,
                    vocabulary=training.words,
                    output=path,
                    resume=path.with_name(f"{path.name}.checkpoint").exists(),
                )
            except DivergedTrainingError:
                path.unlink(missing_ok=True)  # the last good state before it diverged
                raise
        return load(path)


def _installed(text: Text) -> Text:
    """Return the text, read from the whole text8 if only that is installed."""
    if text.name == _PREFIX and find(_PREFIX) is None:
        return replace(text, name="text8", size=text.size or _PREFIX_BYTES)
    return text


def _unpacked_size(path: Path) -> int:
    """Return the number of bytes of a text after decompression."""
    with Source(path) as source:
        if source.plain:
            return source.size
        size = 0
        while piece := source.read(_COPIED):
            size += len(piece)
    return size
