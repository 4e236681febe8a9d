"""`andornot train`: train a space on text or counts."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from andornot.base.choices import Model, Solver, Tokenizer, WindowWeighting
from andornot.base.errors import UsageError
from andornot.cli import options
from andornot.cli.options import (
    MarkupOption,
    MaxSizeOption,
    MemoryOption,
    MinCountOption,
    SampleOption,
    SeparatorOption,
    StrictOption,
    ThreadsOption,
    parse_separator,
    parse_size,
    parse_window,
)

if TYPE_CHECKING:
    from andornot.cooccurrence import Cooccurrence
    from andornot.corpus import Corpus
    from andornot.training.training_job import TrainingJob

_AUTO = "auto"


# the model that an option of one model is for
_ONLY_FOR = {
    "negative": Model.SGNS,
    "exponent": Model.SGNS,
    "x_max": Model.GLOVE,
    "alpha": Model.GLOVE,
}


def train(
    context: typer.Context,
    source: Annotated[
        list[str],
        typer.Argument(
            metavar="CORPUS_OR_COUNTS",
            help="Text files or folders, compressed or not, or - for standard input; "
            "or a folder of counts written by `andornot count`.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="SPACE", help="Output file (.safetensors)."),
    ],
    model: Annotated[
        Model, typer.Option(help="sgns: skip-gram with negative sampling; glove: GloVe.")
    ] = Model.SGNS,
    solver: Annotated[
        Solver,
        typer.Option(help="sampled: SGD; exact: full loss; auto: chosen from the corpus size."),
    ] = Solver.AUTO,
    dim: Annotated[int, typer.Option(metavar="N", help="Dimension of the vectors.")] = 300,
    window: Annotated[
        str | None,
        typer.Option(
            metavar="N|line",
            help="Number of words on each side, or line to pair all words of a line. Default: 5, "
            "or that of the counts.",
        ),
    ] = None,
    window_weights: Annotated[
        WindowWeighting | None,
        typer.Option(
            help="Weights by distance. Default: linear for sgns, harmonic for glove, flat with "
            "--window line, or those of the counts."
        ),
    ] = None,
    negative: Annotated[
        int, typer.Option(metavar="K", help="sgns: negative samples per pair.")
    ] = 15,
    exponent: Annotated[
        float, typer.Option(metavar="X", help="sgns: draw negatives from count^X.")
    ] = 0.75,
    x_max: Annotated[
        str,
        typer.Option(
            metavar="COUNT|auto",
            help="glove: counts of at least x_max have weight 1. auto: proportional to the corpus, "
            "100 for 2.1 billion tokens, at least 1.",
        ),
    ] = "100",
    alpha: Annotated[
        float,
        typer.Option(metavar="X", help="glove: counts below x_max have weight (count/x_max)^X."),
    ] = 0.75,
    epochs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Passes over the text or the counts. Default: 5 (sgns) or 25 (glove) if sampled, "
            "at most 60 or 20 if exact.",
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(metavar="RATE", help="Initial learning rate. Default: depends on the solver."),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            metavar="X", help="exact: stop when the relative improvement of an epoch is below X."
        ),
    ] = None,
    prior: Annotated[
        str,
        typer.Option(
            metavar="STRENGTH|auto",
            help="exact: strength of a Gaussian prior that shrinks vectors towards 0, rare words "
            "most. auto: chosen by held-out loss; 0: no prior.",
        ),
    ] = _AUTO,
    held_out: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="sgns: hold out every N-th block of 10,000 tokens; 0: none. Default: 20, more for "
            "a long text, or that of the counts. glove: 0 holds out no pairs.",
        ),
    ] = None,
    min_count: MinCountOption = None,
    max_size: MaxSizeOption = None,
    sample: SampleOption = None,
    tokenizer: Annotated[
        Tokenizer | None,
        typer.Option(help=f"{options.TOKENIZER_HELP} Default: {options.TOKENIZER}."),
    ] = None,
    separator: SeparatorOption = None,
    seed: Annotated[
        int,
        typer.Option(
            metavar="N", help="Random seed. With one thread, equal seeds give identical vectors."
        ),
    ] = 1,
    threads: ThreadsOption = None,
    memory: MemoryOption = options.MEMORY,
    checkpoint_minutes: Annotated[
        float, typer.Option(metavar="MINUTES", min=0, help="Time between two checkpoints.")
    ] = 2.0,
    resume: Annotated[bool, typer.Option("--resume", help="Resume from SPACE.checkpoint.")] = False,
    strict: StrictOption = False,
    without_markup: MarkupOption = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing space or checkpoint.")
    ] = False,
) -> None:
    """Train word vectors on a text or on counts.

    The space keeps target vectors, context vectors, biases and frequencies.
    """
    from andornot.base.formatting import counted, readable_time
    from andornot.corpus import open_corpus
    from andornot.training import Settings
    from andornot.training.jobs import plan_training
    from andornot.training.output_paths import check_output_paths

    _check_model(context, model)
    settings = Settings(
        model=model,
        solver=solver,
        dim=dim,
        window=None if window is None else parse_window(window),
        negative=negative,
        exponent=exponent,
        sample=sample,
        x_max=_parse_x_max(x_max),
        alpha=alpha,
        epochs=epochs,
        rate=rate,
        tolerance=tolerance,
        prior=_parse_prior(prior),
        held_out=held_out,
        seed=seed,
    )
    size = parse_size(memory)
    paths = check_output_paths(output, resume, force)  # before the text is read
    began = time.perf_counter()
    choices = {
        "--min-count": min_count,
        "--max-size": max_size,
        "--tokenizer": tokenizer,
        "--separator": separator,
        "--without-markup": without_markup or None,
    }
    opened: Corpus | Cooccurrence | None = _open_counts(source, choices)
    if opened is None:
        form = (tokenizer or options.TOKENIZER).value
        opened = open_corpus(
            source,
            tokenizer=form,
            separator=parse_separator(separator),
            strict=strict,
            without_markup=without_markup,
            threads=threads,
        )
    job = plan_training(
        opened,
        settings,
        weights=window_weights and window_weights.value,
        min_count=min_count,
        max_size=max_size,
    )
    about = readable_time(job.seconds(threads))
    print(f"solver: {job.settings.solver} ({job.reason}), about {about}", flush=True)
    if note := _describe_prior(job, prior):
        print(f"prior: {note}", flush=True)
    if model == Model.GLOVE and settings.x_max is None:
        print(f"x_max: {job.settings.x_max:.3g}, proportional to the corpus", flush=True)
    space = job.run(
        paths,
        resume=resume,
        threads=threads,
        memory=size,
        checkpoint_every=60 * checkpoint_minutes,
    )
    seconds = time.perf_counter() - began
    record = space.provenance.settings
    passes = counted(space.provenance.epochs or 0, "epoch")
    if job.chooses_prior:
        print(f"prior: {_describe_choice(record)}")
    if record.get("converged") is False:
        print(
            f"note: training stopped after {passes}, before it converged; more --epochs may help",
            file=sys.stderr,
        )
    losses = {"training": record.get("loss"), "held-out": record.get("held_out_loss")}
    shown = "".join(
        f", {name} loss {value:.4f}" for name, value in losses.items() if value is not None
    )
    print(
        f"{output}: {counted(len(space), 'word')} x {space.dim}, {passes}{shown}, "
        f"in {seconds:.1f} s"
    )


def _check_model(context: typer.Context, model: Model) -> None:
    """Refuse options that were given and are for the other model."""
    for name, own in _ONLY_FOR.items():
        source = context.get_parameter_source(name)
        if own != model and source is not None and source.name == "COMMANDLINE":
            raise UsageError(
                f"--{name.replace('_', '-')} is for {own}, and the model is {model}; leave it out"
            )


def _parse_prior(text: str) -> float | None:
    """Return the strength of a prior, or None for auto."""
    return _parse_auto(text, "prior must be auto or a number of at least 0")


def _parse_x_max(text: str) -> float | None:
    """Return the count from which pairs have weight 1, or None for auto."""
    return _parse_auto(text, "x_max must be auto or a number above 0")


def _parse_auto(text: str, expected: str) -> float | None:
    """Return a number, or None for auto."""
    if text == _AUTO:
        return None
    try:
        return float(text)
    except ValueError as error:
        raise UsageError(f"{expected}, got {text!r}") from error


def _describe_prior(job: TrainingJob, given: str) -> str:
    """Describe how the prior of an exact training is chosen, unless it was given."""
    if job.settings.solver != Solver.EXACT or given != _AUTO:
        return ""
    if job.chooses_prior:
        return "to be chosen by the held-out loss"
    return f"{job.settings.prior:g}, a fixed value, because nothing is held out"


def _describe_choice(record: Mapping[str, Any]) -> str:
    """Describe which prior was chosen, the reason, and the time it took."""
    tried = record.get("prior_path")
    if not tried:
        return (
            f"{record['prior']:g}, a fixed value, because the text is too short to hold out a part"
        )
    from andornot.base.formatting import counted

    losses = ", ".join(f"{value:g}: {loss:.4f}" for value, loss in tried)
    last, best = tried[-1], min(tried, key=lambda each: each[1])
    reason = "the lowest" if best == last else "one step beyond the lowest"
    return (
        f"{record['prior']:g}, {reason} held-out loss ({losses}); the search "
        f"took {counted(record['prior_epochs'], 'epoch')}, {record['prior_seconds']:.1f} s"
    )


def _open_counts(paths: list[str], choices: dict[str, Any]) -> Cooccurrence | None:
    """Open a folder of counts, or return None for a text.

    Counts have a fixed vocabulary: none of `choices` may be set.
    """
    from andornot.cooccurrence.loading import is_counts, load_counts

    folders = [path for path in paths if path != "-" and is_counts(path)]
    if not folders:
        return None
    if len(paths) > 1:
        raise UsageError(
            f"{folders[0]} is a folder of counts and can't be combined with other inputs; "
            "name only this folder"
        )
    for name, value in choices.items():
        if value is not None:
            raise UsageError(
                f"{folders[0]}: counts have a fixed vocabulary; leave out {name}, or count again"
            )
    return load_counts(folders[0])
