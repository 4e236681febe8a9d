"""The candidates for the default model, and their training."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from reporting import kept
from score_tables import Row

import andornot
from andornot import Space
from andornot.base.choices import Solver
from andornot.cooccurrence import Cooccurrence, count, load_counts
from andornot.corpus import Corpus, open_corpus
from andornot.corpus.corpus import digest_of
from andornot.datasets import locate
from andornot.training import Settings, train


@dataclass(frozen=True)
class Candidate:
    """The settings of a training, and how many of the most frequent words are trained."""

    settings: Settings
    words: int

    def but(self, **settings: object) -> Candidate:
        """Return the same candidate with some settings changed."""
        return replace(self, settings=replace(self.settings, **settings))

    def columns(self) -> Row:
        """Return what a table shows of the candidate."""
        chosen = self.settings
        return {
            "words": self.words,
            "solver": str(chosen.solver),
            "dim": chosen.dim,
            "window": chosen.window,
            "prior": chosen.prior,
            "sample": chosen.sample,
            "version": chosen.version,
        }


BASE = Candidate(
    Settings(
        dim=200,
        window=10,
        negative=15,
        solver=Solver.EXACT,
        prior=10.0,
        sample=1e-3,
        held_out=0,  # the scores judge: no text is needed for it
        seed=1,
    ),
    20_000,
)
LARGE = replace(BASE, words=80_000)
CANDIDATES = {  # at 20,000 words one thing is changed at a time
    "20k-base": BASE,
    "20k-window-5": BASE.but(window=5),
    "20k-prior-5": BASE.but(prior=5.0),
    "20k-prior-20": BASE.but(prior=20.0),
    "20k-prior-0": BASE.but(prior=0.0),
    "20k-dim-100": BASE.but(dim=100),
    "20k-dim-300": BASE.but(dim=300),
    "20k-no-sample": BASE.but(sample=None),
    "20k-sample-1e-4": BASE.but(sample=1e-4),
    "20k-window-5-sample-1e-4": BASE.but(window=5, prior=20.0, sample=1e-4),
    "80k-window-5": LARGE.but(window=5, prior=20.0, sample=1e-4),
    "80k-window-10": LARGE.but(prior=20.0, sample=1e-4),
}
CHOSEN = "80k-window-10"


def training_text() -> Corpus:
    """Open the text that all candidates are trained on."""
    return open_corpus([locate("enwiki-sample")], tokenizer="words", without_markup=True)


def file_of(candidate: Candidate, corpus: Corpus) -> str:
    """Return the name under which a training is kept."""
    resolved = candidate.settings.resolved()
    settings = asdict(resolved) | {"prior": candidate.settings.prior}
    key = digest_of([corpus.key, settings, resolved.version, candidate.words])
    return f"{key}.safetensors"


def is_kept(folder: Path, file: str) -> bool:
    """Return whether `kept` has this file."""
    return (folder / f"{file}.json").exists()


def counted(candidate: Candidate, corpus: Corpus, folder: Path) -> Cooccurrence:
    """Count for a candidate; those of equal words, window, sample and held_out share the counts."""
    settings, words = candidate.settings, corpus.choose(max_size=candidate.words)
    asked = {
        "window": settings.window,
        "sample": settings.sample,
        "held_out": settings.held_out or None,
    }

    def make(path: Path) -> None:
        # what a run left that ended before it was recorded is replaced
        count(corpus, vocabulary=words, output=path, force=True, **asked)

    key = digest_of([corpus.key, asked, candidate.words])
    return load_counts(kept(folder, f"{key}.counts", make)[0])


def trained(name: str, corpus: Corpus, folder: Path) -> tuple[Space, float]:
    """Return a candidate, and the seconds that its training took without the counting."""
    candidate = CANDIDATES[name]
    settings, file = candidate.settings, file_of(candidate, corpus)
    counts = None
    if settings.solver == Solver.EXACT and not is_kept(folder, file):
        counts = counted(candidate, corpus, folder)

    def make(path: Path) -> None:
        if counts is not None:
            andornot.save(train(counts, settings), path, force=True)
        else:
            words = corpus.choose(max_size=candidate.words)
            andornot.save(train(corpus, settings, vocabulary=words), path, force=True)

    path, seconds = kept(folder, file, make)
    return andornot.load(path), seconds
