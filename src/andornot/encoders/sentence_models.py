"""Add a step to sentence encoders that subtracts their mean and optionally whitens.

In a static model the step is folded into the token vectors. In a model of
sentence-transformers it is a Dense module after the pooling, with the weight M and the bias
-mean M, which the library loads like any other.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base import defaults
from andornot.base.choices import EncoderStep
from andornot.base.errors import AndornotError, FileError, UsageError, first_line
from andornot.base.folders import FolderWriter, new_folder
from andornot.base.outputs import check_output
from andornot.base.progress import track
from andornot.base.tensors import write_tensors
from andornot.encoders.sampling import sample_lines
from andornot.encoders.token_counting import count_tokens, token_counts
from andornot.encoders.token_moments import TokenMoments, check_enough
from andornot.formats.first_layer import input_rows, read_first_layer
from andornot.formats.model_folder import CONFIG, MODULES, WEIGHTS, ModelFolder, read_json
from andornot.formats.static_models import KIND, write_json
from andornot.formats.values import refuse_infinite
from andornot.postprocessing.affine import Affine, fit

LINES, SEED = 2000, 1
_AT_A_TIME = 128  # lines per batch
_STATIC, _POOLING = "StaticEmbedding", "Pooling"
_CARD, _OLD_CARD = "README.md", "README-original.md"
_LEFT_BEHIND = shutil.ignore_patterns(".git*", ".cache", "*.bin", "onnx", "openvino", _CARD)
Encode = Callable[[list[str]], npt.NDArray[Any]]


def is_static(folder: ModelFolder) -> bool:
    """Return True if a model has one vector for each token, independent of context."""
    modules = folder.modules()
    if modules:
        return modules[0].kind == _STATIC
    return "embeddings" in folder.tensors()


def is_model2vec(folder: ModelFolder) -> bool:
    """Return True for a static model of model2vec, False for one of sentence-transformers."""
    return is_static(folder) and "embeddings" in folder.tensors()


def fit_model(
    folder: ModelFolder,
    corpus: Sequence[str | Path],
    method: str = defaults.CENTER_MODEL_STEP,
    *,
    lines: int = LINES,
    seed: int = SEED,
) -> tuple[Affine, str]:
    """Fit the step v -> (v - mean) M of a model; return it and a description of its data.

    For a static model, the frequencies of its tokens in the whole corpus are used. For other
    models, a sample of lines is used: the mean is taken over the tokens that the model pools, or
    over the vectors of the lines if the model doesn't pool by the mean.

    Args:
        folder: The model.
        corpus: Text files or folders.
        method: "uniform", "frequency" or "zipfian-whitening".
        lines: The number of lines to sample.
        seed: The random seed of the sample.
    """
    if method not in tuple(EncoderStep):
        raise UsageError(
            f"{method} can't be applied to a model; choose one of {', '.join(EncoderStep)}"
        )
    if is_static(folder):
        return _fit_static(folder, corpus, method)
    drawn = sample_lines(corpus, lines, seed=seed)
    pooling = _pooling(folder)
    if pooling == "mean":
        moments = _pooled_tokens(folder, drawn)
        return moments.fit(method), f"{moments.tokens:,} tokens in {len(drawn):,} lines"
    if method == EncoderStep.UNIFORM:
        raise AndornotError(
            f"{folder.name}: the model pools by {pooling}, but uniform needs a mean over tokens; "
            "choose frequency or zipfian-whitening"
        )
    encoded = _up_to_pooling(folder).encode(drawn, show_progress_bar=False)
    rows = np.asarray(encoded, dtype=np.float32)
    moments = TokenMoments(rows.shape[1])
    moments.add(np.zeros(len(rows), dtype=np.int64), rows)
    return moments.fit(method), f"{len(drawn):,} lines"


def _fit_static(
    folder: ModelFolder, corpus: Sequence[str | Path], method: str
) -> tuple[Affine, str]:
    """Fit the step of a static model, over the tokens that its library adds.

    model2vec ignores the unknown token, as a space does; sentence-transformers adds the rows
    of all tokens. Uniform is the mean over the words of the vocabulary for both.
    """
    space = read_first_layer(folder)
    every = input_rows(folder)[1]
    refuse_infinite(every, folder.core)
    rows = space.target
    if is_model2vec(folder) or method == EncoderStep.UNIFORM:
        counts = count_tokens(space, corpus).counts
    else:
        assert space.pieces is not None
        counts = token_counts(space.pieces, corpus)
        rows = every[: len(counts)]
    if method == EncoderStep.ZIPFIAN_WHITENING:
        check_enough(int(np.count_nonzero(counts)), space.dim)
    return fit(method, rows, counts), f"{counts.sum():,.0f} tokens"


def _pooling(folder: ModelFolder) -> str:
    """Return the pooling mode of a sentence-transformers model."""
    number = _pooling_number(folder)
    config = read_json(folder.modules()[number].path / CONFIG, dict)
    if "pooling_mode" in config:
        return str(config["pooling_mode"])
    modes = [
        key.removeprefix("pooling_mode_").removesuffix("_tokens").removesuffix("_token")
        for key, value in config.items()
        if key.startswith("pooling_mode_") and value is True
    ]
    return "+".join(modes)


def _pooling_number(folder: ModelFolder) -> int:
    kinds = [module.kind for module in folder.modules()]
    if _POOLING not in kinds:
        found = ", ".join(kinds) or f"there is no {MODULES} in it"
        raise FileError(
            folder.path,
            f"not a model of sentence-transformers with pooling, nor of model2vec ({found})",
            "save it with SentenceTransformer(MODEL).save(FOLDER)",
        )
    return kinds.index(_POOLING)


def _up_to_pooling(folder: ModelFolder) -> Any:
    """Load the model with its library, with prompts, without the modules after the pooling.

    Single precision is used, because sums over many tokens would overflow 16 bits.
    """
    model = _open(folder).float()
    return _library("sentence_transformers").SentenceTransformer(
        modules=[model[number] for number in range(_pooling_number(folder) + 1)],
        device="cpu",
        prompts=model.prompts,
        default_prompt_name=model.default_prompt_name,
    )


def _pooled_tokens(folder: ModelFolder, lines: list[str]) -> TokenMoments:
    """Return the moments of all token vectors that the library pools for these lines."""
    model = _up_to_pooling(folder)
    moments: TokenMoments | None = None
    for start in track(range(0, len(lines), _AT_A_TIME), "finding the centre"):
        found = model.encode(
            lines[start : start + _AT_A_TIME], output_value=None, show_progress_bar=False
        )
        numbers, rows = [], []
        for each in found:
            pooled = np.flatnonzero(each["attention_mask"].numpy())
            if not getattr(model[-1], "include_prompt", True):
                pooled = pooled[int(each.get("prompt_length", 0)) :]
            numbers.append(each["input_ids"].numpy()[pooled])
            rows.append(each["token_embeddings"].numpy()[pooled])
        if moments is None:
            moments = TokenMoments(rows[0].shape[1])
        moments.add(np.concatenate(numbers), np.concatenate(rows))
    assert moments is not None
    return moments


def _open(folder: ModelFolder) -> Any:
    """Load the model with sentence-transformers, without pickles and without model code."""
    folder.refuse_pickles()
    if not is_static(folder):
        _pooling(folder)
    library = _library("sentence_transformers")
    with _opening(folder):
        return library.SentenceTransformer(
            str(folder.path), device="cpu", trust_remote_code=False, local_files_only=True
        )


@contextmanager
def _opening(folder: ModelFolder) -> Iterator[None]:
    """Convert any error of a library to a FileError of one line."""
    try:
        yield
    except Exception as error:
        raise FileError(
            folder.path,
            f"its library can't load it ({first_line(error)})",
            "check that the model is complete and needs no custom code",
        ) from error


def encoder(folder: ModelFolder, path: Path | None = None) -> Encode:
    """Return the `encode` function of the model's library, or of the copy at `path`."""
    opened = path or folder.path
    if is_model2vec(folder):
        library = _library("model2vec")
        with _opening(folder):
            return library.StaticModel.from_pretrained(str(opened)).encode  # type: ignore[no-any-return]
    model = _open(ModelFolder(opened, folder.name))
    return lambda texts: model.encode(texts, show_progress_bar=False)


def _library(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        raise AndornotError(
            f"the package {error.name} is needed for this model; pip install 'andornot[sentence]'"
        ) from error


def check_model_output(folder: ModelFolder, target: Path, *, force: bool) -> None:
    """Check that a model can be written to a folder outside of the original."""
    here, there = folder.path.resolve(), target.resolve()
    if here == there:
        raise FileError(target, "a model can't be written over itself", "name another folder")
    if here in there.parents or there in here.parents:
        raise FileError(
            target, f"it and {folder.path} are inside each other", "name another folder"
        )
    check_output(target, force=force, kind=KIND)


@contextmanager
def centred_model(
    folder: ModelFolder,
    output: str | PathLike[str],
    step: Affine,
    record: dict[str, Any],
    *,
    force: bool = False,
) -> Iterator[tuple[Path, Callable[[str], None]]]:
    """Write the model with its step to a folder, which appears only if the block succeeds.

    The block gets the path of the temporary copy, which can be loaded already, and a function that
    takes the text of the model card. The original card is kept as README-original.md.

    Args:
        folder: The original model.
        output: The folder to write.
        step: The step to add.
        record: The record to store with the model.
        force: Replace an existing model that andornot wrote.
    """
    target = Path(output)
    check_model_output(folder, target, force=force)
    with new_folder(target, replace=force) as writer:
        shutil.copytree(folder.path, writer.path, dirs_exist_ok=True, ignore=_LEFT_BEHIND)
        if (folder.path / _CARD).exists():
            shutil.copyfile(folder.path / _CARD, writer.path / _OLD_CARD)
        if is_static(folder):
            _fold(folder, writer, step)
        else:
            _insert(folder, writer, step)

        def describe(card: str) -> None:
            (writer.path / _CARD).write_text(card, "utf-8")

        yield writer.path, describe
        writer.finish(KIND, record)


def _fold(folder: ModelFolder, writer: FolderWriter, step: Affine) -> None:
    """Map the vectors of all tokens: the step of a mean is the mean of the mapped vectors."""
    name, rows = input_rows(folder)
    inside = folder.core.relative_to(folder.path)
    write_tensors({name: step(rows)}, writer.path / inside / WEIGHTS)
    config = writer.path / inside / CONFIG
    if is_model2vec(folder) and config.exists():
        content = read_json(config, dict) | {"embedding_dtype": "float32"}
        content.pop("vocabulary_quantization", None)
        write_json(config, content)


def _insert(folder: ModelFolder, writer: FolderWriter, step: Affine) -> None:
    """Insert a Dense module after the pooling."""
    number = _pooling_number(folder) + 1
    modules = read_json(folder.path / MODULES, list)
    name = f"{number}_Centering"
    while (writer.path / name).exists():  # the model was centred before
        name += "_again"
    modules.insert(number, {"path": name, "type": "sentence_transformers.models.Dense"})
    for number, module in enumerate(modules):
        module |= {"idx": number, "name": str(number)}
    write_json(writer.path / MODULES, modules)
    dim = len(step.mean)
    matrix = np.eye(dim) if step.matrix is None else step.matrix
    (writer.path / name).mkdir()
    config = {
        "in_features": dim,
        "out_features": dim,
        "bias": True,
        "activation_function": "torch.nn.modules.linear.Identity",
    }
    write_json(writer.path / name / CONFIG, config)
    tensors = {
        "linear.weight": np.ascontiguousarray(matrix.T, dtype=np.float32),
        "linear.bias": np.asarray(-step.mean @ matrix, dtype=np.float32),
    }
    write_tensors(tensors, writer.path / name / WEIGHTS)
