"""Find Hugging Face models, in a folder or by a name on the hub, and read their files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from andornot.base.errors import AndornotError, FileError
from andornot.base.files import reading
from andornot.base.regular_files import check_regular, read_small
from andornot.base.tensors import Entry, find_tensor, read_header

HUB = "hf:"
"""Prefix of the name of a model on the hub, to distinguish it from a file."""

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
TOKENIZER, CONFIG, MODULES = "tokenizer.json", "config.json", "modules.json"
_WANTED = ["*.json", "*.safetensors", "README.md"]
_UNWANTED = ["onnx/*", "openvino/*"]


@dataclass(frozen=True)
class Module:
    """A step of a sentence-transformers model: its kind and its folder."""

    kind: str
    path: Path


@dataclass(frozen=True)
class ModelFolder:
    """A folder with a model, and the given name; `core` is the folder of its weights.

    The two differ if sentence-transformers stored its first step in a subfolder.
    """

    path: Path
    name: str

    @property
    def core(self) -> Path:
        """The folder of the weights and the tokenizer."""
        modules = self.modules()
        return modules[0].path if modules else self.path

    def config(self) -> dict[str, Any]:
        """Return the content of config.json; empty if the file is missing."""
        found = self.core / CONFIG
        return read_json(found, dict) if found.exists() else {}

    def modules(self) -> list[Module]:
        """Return the steps of a sentence-transformers model; none for other models."""
        found = self.path / MODULES
        if not found.exists():
            return []
        try:
            pairs = [(str(each["type"]), str(each["path"])) for each in read_json(found, list)]
        except (TypeError, KeyError) as error:
            raise FileError(found, "not a list of modules", "get the model again") from error
        for _, path in pairs:
            if "\0" in path:
                raise FileError(
                    found, f"the module {path!r} has a zero byte", "get the model again"
                )
            if Path(path).is_absolute() or ".." in Path(path).parts:
                raise FileError(
                    found, f"the module {path!r} is outside the folder", "get the model again"
                )
        return [Module(kind.rpartition(".")[2], self.path / path) for kind, path in pairs]

    @property
    def tokenizer(self) -> Path:
        """The path of the tokenizer file; an error if it is missing."""
        found = self.core / TOKENIZER
        if not found.exists():
            raise FileError(
                self.core,
                f"there is no {TOKENIZER} in it",
                "save one there: AutoTokenizer.from_pretrained(MODEL).save_pretrained(FOLDER)",
            )
        check_regular(found, "get the model again")
        return found

    def tensors(self) -> dict[str, Entry]:
        """Return all tensors by name, without reading them."""
        found: dict[str, Entry] = {}
        for path in self._weight_files():
            header, start, size = read_header(path)
            header.pop("__metadata__", None)
            for name, entry in header.items():
                found[name] = find_tensor(path, name, entry, start, size)
        return found

    def refuse_pickles(self) -> None:
        """Raise FileError for pickled weights in any module, before another library opens them."""
        self._weight_files()
        for module in self.modules()[1:]:
            if not (module.path / WEIGHTS).exists():
                _refuse_pickle(module.path)

    def _weight_files(self) -> list[Path]:
        single, index = self.core / WEIGHTS, self.core / INDEX
        if single.exists():
            return [single]
        if index.exists():
            parts = read_json(index, dict).get("weight_map")
            if not isinstance(parts, dict):
                raise FileError(index, "it has no weight_map of the weights", "get the model again")
            names = sorted({str(name) for name in parts.values()})
            for name in names:
                if "\0" in name:
                    problem = f"the file name {name!r} has a zero byte"
                    raise FileError(index, problem, "get the model again")
            if any(Path(name).name != name for name in names):
                raise FileError(index, "the weights are outside the folder", "get the model again")
            return [self.core / name for name in names]
        _refuse_pickle(self.core)
        raise FileError(self.core, f"there is no {WEIGHTS} in it", "get the model again")


def _refuse_pickle(folder: Path) -> None:
    for pickled in sorted(folder.glob("*.bin")):
        raise FileError(
            pickled,
            "these weights are a Python pickle, which andornot never opens",
            "save them as safetensors: model.save_pretrained(FOLDER) of transformers does",
        )


def is_model_folder(path: Path) -> bool:
    """Return True if a path is a folder that contains files of a model."""
    names = (CONFIG, MODULES, TOKENIZER, WEIGHTS, INDEX)
    with reading(path):
        return path.is_dir() and any((path / name).is_file() for name in names)


def find_model(name: str | PathLike[str]) -> ModelFolder:
    """Return the model in a folder, or of a name on the hub, which may begin with hf:.

    A model of the hub is taken from the user's cache of models, or downloaded: only its JSON
    and safetensors files.
    """
    path = Path(name)
    text = path.as_posix()  # a name on the hub has a slash on every system
    if not text.startswith(HUB) and path.exists():
        if not path.is_dir():
            raise FileError(path, "this is a file, not a folder of a model", "name its folder")
        if not is_model_folder(path):
            raise FileError(path, f"there is no {WEIGHTS} in it", "name the folder of a model")
        return ModelFolder(path, text)
    return ModelFolder(_download(text.removeprefix(HUB)), text.removeprefix(HUB))


def _download(name: str) -> Path:
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import (
            GatedRepoError,
            HFValidationError,
            RepositoryNotFoundError,
        )
    except ImportError as error:
        raise AndornotError(
            f"{name}: no such folder, and a model of the hub needs the package huggingface_hub; "
            "pip install 'andornot[bert]'"
        ) from error
    try:
        return Path(snapshot_download(name, allow_patterns=_WANTED, ignore_patterns=_UNWANTED))
    except GatedRepoError as error:  # a kind of RepositoryNotFoundError
        raise AndornotError(
            f"{name}: this model requires accepting its terms; do so at "
            f"https://huggingface.co/{name}, and log in with `hf auth login`"
        ) from error
    except (HFValidationError, RepositoryNotFoundError) as error:
        raise AndornotError(
            f"{name}: no such folder, and no such model on the hub; check the name"
        ) from error
    except Exception as error:  # any network error
        raise AndornotError(
            f"{name}: no such folder, not in the cache of models, and the hub can't be "
            f"reached ({type(error).__name__}); name a folder, or run `hf download {name}` where "
            "there is a network"
        ) from error


def read_json(path: Path, kind: type) -> Any:
    """Return the content of a JSON file, which must be a dict or a list as given by `kind`."""
    raw = read_small(path, "get the model again")
    try:
        found = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FileError(path, "it is not JSON", "get the model again") from error
    if not isinstance(found, kind):
        raise FileError(path, f"not a JSON {kind.__name__}", "get the model again")
    return found
