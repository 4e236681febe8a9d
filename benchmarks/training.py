"""How fast the trainers are, and how good, beside word2vec.c, gensim, fastText and GloVe C.

    python benchmarks/training.py sampled --write results/training-sampled
    python benchmarks/training.py exact --keep FOLDER --write results/training-exact
    python benchmarks/training.py crossover --write results/training-crossover
    python benchmarks/training.py glove --glove FOLDER --write results/training-glove
    python benchmarks/training.py glove --texts enwiki-sample --glove FOLDER --trial 2 --write FILE
    python benchmarks/training.py peers --texts enwiki-sample --iterations 5 --keep FOLDER
    python benchmarks/training.py compare --write results/training-compare
    python benchmarks/training.py priors --write results/training-priors
    python benchmarks/training.py iterations --write results/training-iterations

Needs ANDORNOT_DATA with corpora/ and the word sets. All programs train on the
same text with the same settings (d = 300, window 5, k = 15, no subsampling) in two threads, one
after the other in the same run, and quality is printed beside speed. `--keep` keeps what the slow
programs have trained, with the time each took, so that an interrupted benchmark goes on.

- sampled: words/s over one epoch at minimal count 5.
- exact: seconds to a lower SGNS loss at minimal count 100, the paper's setting. word2vec.c writes
  no context vectors: its loss is that of its V with the U that minimises the loss given V (not
  counted in its time), a bound in its favour. Its 20 iterations are charged no more than four times
  the time of its 5.
- crossover: time, memory and quality of exact and sampled SGNS, by vocabulary.
- glove: pairs/s, the loss after each iteration, and the exact solver with and without its prior,
  with its prior for three seeds, beside 25 iterations of the C program, on the first of --texts.
- peers: runs word2vec.c once for a text and records its scores, as the next part needs them.
- compare: exact SGNS with a given prior for three seeds, beside word2vec.c. Ours is also run
  subsampled; the recorded runs of word2vec.c are not.
- priors: held-out loss and scores by the strength of the prior, for both models.
- iterations: scores of exact SGNS, subsampled, after each iteration, for three seeds.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from pathlib import Path

from reporting import machine, write_report
from training_crossover import WHOLE_TEXT8, crossover, crossover_table
from training_exact import exact, exact_table
from training_glove import glove, glove_table
from training_iterations import iterations, iterations_table
from training_peers import TEXTS, run_peer
from training_quality import PROGRAMS, compared, compared_table, priors, priors_table
from training_sampled import sampled, sampled_table

PARTS = {
    "sampled": (sampled, sampled_table, "Sampled SGNS"),
    "exact": (exact, exact_table, "Exact SGNS"),
    "crossover": (crossover, crossover_table, "Exact and sampled SGNS"),
    "glove": (glove, glove_table, "GloVe"),
    "compare": (compared, compared_table, "Exact SGNS beside word2vec.c"),
    "priors": (priors, priors_table, "The strength of the prior"),
    "iterations": (iterations, iterations_table, "Exact SGNS by the number of iterations"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=[*PARTS, "peers"])
    parser.add_argument("--texts", nargs="*", default=list(TEXTS), choices=TEXTS)
    parser.add_argument("--epochs", type=int, help="sampled: 1, glove: 25")
    parser.add_argument(
        "--iterations", type=int, nargs="*", default=[5, 20], help="exact, peers: of word2vec.c"
    )
    parser.add_argument(
        "--programs", nargs="*", default=list(PROGRAMS), choices=PROGRAMS, help="compare: ours"
    )
    parser.add_argument("--sample", type=float, default=0.0, help="peers: of word2vec.c")
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="*",
        default=[10_000, 20_000, 40_000, WHOLE_TEXT8, 200_000],
        help="crossover: vocabularies",
    )
    parser.add_argument("--gensim", action="store_true", help="exact: gensim too, which is slow")
    parser.add_argument("--glove", type=Path, help="the folder of GloVe's binaries")
    parser.add_argument("--trial", type=int, help="glove: extrapolate GloVe C from N iterations")
    parser.add_argument("--keep", type=Path, help="keep what slow programs trained, and go on")
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    options = parser.parse_args()
    options.epochs = options.epochs or {"glove": 25}.get(options.part, 1)
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    if options.part == "peers":
        with tempfile.TemporaryDirectory() as folder:
            for name in options.texts:
                for number in options.iterations:
                    keep = options.keep or Path(folder)
                    print(run_peer(name, number, options.sample, keep, Path(folder)))
        return
    measure, table, title = PARTS[options.part]
    with tempfile.TemporaryDirectory() as folder:
        result = measure(Path(folder), options)
    arguments = shlex.join(
        part if not Path(part).is_absolute() else "FOLDER" for part in sys.argv[1:]
    )
    heading = f"# {title}\n\n`python benchmarks/training.py {arguments}` on {machine()}.\n\n"
    write_report(options.write, result, heading + table(result) + "\n")


if __name__ == "__main__":
    main()
