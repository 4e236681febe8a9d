"""The model that comes with the package: how its settings were chosen, and how it is made.

    python models/default_model.py compare --write results/default-model
    python models/default_model.py sizes --write results/default-model-sizes
    python models/default_model.py make

Needs ANDORNOT_DATA with corpora/enwiki-sample.txt.xz, the evaluation sets and WordNet. `compare`
trains each candidate and scores it, centred by frequency as it will be asked. `sizes` cuts the
chosen one to fewer words and fewer bits. `make` trains the chosen one, rounds it, keeps its first
words, scores it again, and writes src/andornot/data/default.safetensors with its card,
docs/default-model.md. Counts and trainings are kept in the folder --keep and used again.

The modules beside this one do the work:

- candidates.py has the settings of the candidates, and trains them.
- scores.py scores a space.
- score_tables.py formats scores.
- comparison.py has `compare` and `sizes`.
- shipped_model.py cuts the file of the model, and opens the previous model.
- model_card.py writes the card.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))  # for reporting.py
from candidates import CANDIDATES, CHOSEN, trained, training_text
from comparison import compare, compared_candidates, sizes
from model_card import write_card
from scores import scores_of
from shipped_model import BITS, MODEL, ROUNDED_WORDS, SHIPPED_WORDS, keep_first

import andornot
from andornot.base.folders import user_cache


def make(folder: Path) -> None:
    """Train the chosen candidate, round it, keep its first words, and write it with its card."""
    candidates = compared_candidates()
    space, seconds = trained(CHOSEN, training_text(), folder)
    settings = {**space.provenance.settings, "corpus": "enwiki-sample.txt.xz"}
    del settings["corpus_key"]
    record = replace(
        space.provenance, origin="trained by models/default_model.py", settings=settings
    )
    space = replace(space, provenance=record).top(ROUNDED_WORDS)
    MODEL.parent.mkdir(exist_ok=True)
    andornot.save(space, MODEL, bits=BITS, force=True)
    rounded = andornot.load(MODEL).in_memory()
    keep_first(MODEL, SHIPPED_WORDS)
    full = {**scores_of(space), "words": len(space), "seconds": round(seconds)}
    write_card(full, rounded, candidates)


def main() -> None:
    """Run a part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=("compare", "sizes", "make"))
    parser.add_argument(
        "--only",
        nargs="*",
        default=list(CANDIDATES),
        choices=CANDIDATES,
        metavar="NAME",
        help="compare: train these candidates; no name: score what is kept",
    )
    parser.add_argument("--write", type=Path, help="compare, sizes: write FILE.json and FILE.md")
    parser.add_argument("--keep", type=Path, default=user_cache("candidates"), metavar="FOLDER")
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    if options.part == "compare":
        compare(options.only, options.keep, options.write)
    elif options.part == "sizes":
        sizes(options.keep, options.write)
    else:
        make(options.keep)


if __name__ == "__main__":
    main()
