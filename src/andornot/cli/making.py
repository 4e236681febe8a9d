"""How a space is made: count and train, as they are typed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from andornot.base import defaults
from andornot.base.choices import EncoderStep, Model, Solver, Tokenizer, WindowWeighting


def count(
    corpus: Annotated[
        list[str],
        typer.Argument(
            metavar="CORPUS",
            help="Text files or folders, compressed or not, or - for standard input; "
            "a sentence or document on each line, or one endless line.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="COUNTS", help="The folder to write.")
    ],
    window: Annotated[int, typer.Option(min=1, help="Words on each side.")] = 5,
    weights: Annotated[
        WindowWeighting,
        typer.Option(help="By distance: flat, linear (word2vec's), harmonic (GloVe's)."),
    ] = WindowWeighting.LINEAR,
    min_count: Annotated[
        int | None, typer.Option(min=1, help="Leave out rarer words; by default under 5.")
    ] = None,
    max_size: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="At most so many words.")
    ] = None,
    vocab: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The words to count: a file with one and its count on each line, or other counts.",
        ),
    ] = None,
    save_vocab: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the words and their counts too.")
    ] = None,
    sample: Annotated[
        float | None,
        typer.Option(help="The expected counts under word2vec's subsampling, such as 1e-3."),
    ] = None,
    tokenizer: Annotated[
        Tokenizer,
        typer.Option(help="Tokens as they stand, or lower-case Unicode words."),
    ] = Tokenizer.WHITESPACE,
    phrases: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Phrases to merge into one token, one on each line."),
    ] = None,
    memory: Annotated[str, typer.Option(metavar="SIZE", help="About how much to use.")] = "4GB",
    threads: Annotated[int | None, typer.Option(min=1, help="By default all cores.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse bytes that are not UTF-8.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace existing counts.")] = False,
) -> None:
    """Count how often words stand near each other in a text."""
    if vocab is not None and (min_count is not None or max_size is not None):
        raise typer.BadParameter("--vocab names the words: leave off --min-count and --max-size")
    from andornot.cli.count import count_corpus

    count_corpus(
        corpus,
        output,
        window=window,
        weights=weights.value,
        min_count=5 if min_count is None else min_count,
        max_size=max_size,
        vocabulary=vocab,
        save_vocab=save_vocab,
        sample=sample,
        tokenizer=tokenizer.value,
        phrases=phrases,
        memory=memory,
        threads=threads,
        strict=strict,
        force=force,
    )


def train(
    source: Annotated[
        list[str],
        typer.Argument(
            metavar="CORPUS_OR_COUNTS",
            help="Text files or folders, compressed or not, or - for standard input; "
            "or a folder of counts that `andornot count` wrote.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="SPACE", help="The .safetensors file to write."),
    ],
    model: Annotated[Model, typer.Option(help="Skip-gram with negative samples, or GloVe.")] = (
        Model.SGNS
    ),
    solver: Annotated[
        Solver,
        typer.Option(help="Stochastic steps, the whole loss, or what pays for this input."),
    ] = Solver.AUTO,
    dim: Annotated[int, typer.Option(help="The dimension of the vectors.")] = 300,
    window: Annotated[
        int | None, typer.Option(help="Words on each side; by default 5, or that of the counts.")
    ] = None,
    weights: Annotated[
        WindowWeighting | None,
        typer.Option(
            help="By distance; by default linear for sgns, harmonic for glove, or those "
            "of the counts."
        ),
    ] = None,
    negative: Annotated[int, typer.Option(help="sgns: k, negatives for each pair.")] = 15,
    exponent: Annotated[
        float, typer.Option(help="sgns: negatives are drawn from count^EXPONENT.")
    ] = 0.75,
    x_max: Annotated[float, typer.Option(help="glove: counts from here on weigh 1.")] = 100.0,
    alpha: Annotated[float, typer.Option(help="glove: lower ones (x/x_max)^ALPHA.")] = 0.75,
    epochs: Annotated[
        int | None,
        typer.Option(
            help="Passes over the text or the counts; by default 5 (sgns) and 25 (glove) sampled, "
            "at most 60 and 20 exact."
        ),
    ] = None,
    rate: Annotated[
        float | None, typer.Option(help="The first step width; each solver has its own default.")
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(help="exact: stop when an epoch improves the loss by a smaller part."),
    ] = None,
    min_count: Annotated[
        int | None, typer.Option(help="Leave out rarer words; by default under 5.")
    ] = None,
    max_size: Annotated[int | None, typer.Option(metavar="N", help="At most so many words.")] = (
        None
    ),
    sample: Annotated[
        float | None, typer.Option(help="Subsampling as in word2vec, such as 1e-3; off by default.")
    ] = None,
    tokenizer: Annotated[
        Tokenizer | None,
        typer.Option(help="Tokens as they stand (the default), or lower-case Unicode words."),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="One thread and the same seed: the same vectors, bit by bit.")
    ] = 1,
    threads: Annotated[int | None, typer.Option(min=1, help="By default all cores.")] = None,
    memory: Annotated[
        str, typer.Option(metavar="SIZE", help="About how much to use for counting.")
    ] = "4GB",
    checkpoint_minutes: Annotated[
        float, typer.Option(metavar="MINUTES", min=0, help="How often the state is saved.")
    ] = 2.0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from SPACE.checkpoint, after any end.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse bytes that are not UTF-8.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing space or checkpoint.")
    ] = False,
) -> None:
    """Train vectors on a text or its counts.

    Targets, contexts, biases and frequencies are kept together.
    """
    from andornot.cli.train import train_space
    from andornot.training import Settings

    settings = Settings(
        model=model,
        solver=solver,
        dim=dim,
        window=window,
        negative=negative,
        exponent=exponent,
        sample=sample,
        x_max=x_max,
        alpha=alpha,
        epochs=epochs,
        rate=rate,
        tolerance=tolerance,
        seed=seed,
    )
    train_space(
        source,
        output,
        settings,
        min_count=min_count,
        max_size=max_size,
        tokenizer=tokenizer and tokenizer.value,
        strict=strict,
        memory=memory,
        threads=threads,
        resume=resume,
        force=force,
        checkpoint_minutes=checkpoint_minutes,
        weights=weights and weights.value,
    )


def center_model(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A model of sentence-transformers or model2vec: its folder, or its name on the "
            "hub.",
        ),
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write.")],
    corpus: Annotated[
        list[str],
        typer.Option(
            metavar="TEXT", help="Text files or folders, compressed or not, that give the centre."
        ),
    ],
    postprocess: Annotated[
        EncoderStep, typer.Option(help="What is done to its vectors.")
    ] = defaults.CENTER_MODEL_STEP,
    sample: Annotated[
        int,
        typer.Option(metavar="N", min=1, help="Lines of the text that a model with context reads."),
    ] = 2000,
    seed: Annotated[int, typer.Option(help="Which lines.")] = 1,
    sts: Annotated[
        bool, typer.Option("--sts/--no-sts", help="Compare before and after on STS 2012 to 2016.")
    ] = True,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a model that andornot wrote there.")
    ] = False,
) -> None:
    """Subtract the centre of a sentence encoder.

    Writes a model that its own library opens as before, with a table of STS in its card.
    """
    from andornot.cli.center_model import center_sentence_model

    center_sentence_model(
        source,
        target,
        corpus,
        method=postprocess.value,
        sample=sample,
        seed=seed,
        with_sts=sts,
        force=force,
    )
