"""The file of the model in the package, and the model that was shipped before."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import andornot
from andornot import Space
from andornot.base.tensors import find_tensor, read_header, write_tensors
from andornot.words.provenance import Provenance

ROOT = Path(__file__).parent.parent
MODEL = ROOT / "src/andornot/data/default.safetensors"
PREVIOUS = "96a36f65e17b8c441e5520dd74439798a8d787fd"  # the commit of the model that came before
BITS = 4
ROUNDED_WORDS = 77_000  # words that the levels are fitted to
SHIPPED_WORDS = 66_000  # the first of them, as many as the package has room for
PER_WORD = (  # tensors of the file with a row for each word
    *("counts", "marginal", "word_lengths"),
    *("target_codes", "target_scale", "context_codes", "context_scale"),
)


def keep_first(path: Path, words: int) -> None:
    """Cut a space in 4 bits to its first words; the bits of all that is kept stay the same.

    Saving a part of an opened space would round it again, by levels fitted to that part.
    """
    header, start, size = read_header(path)
    metadata = header.pop("__metadata__")
    tensors = {
        name: np.array(find_tensor(path, name, entry, start, size).map())
        for name, entry in header.items()
    }
    before = len(tensors["word_lengths"])
    if not 0 < words <= before:
        raise SystemExit(f"{path} has {before:,} words; keep at least one and at most all of them")
    letters = int(tensors["word_lengths"][:words].sum(dtype=np.int64))
    kept = {"words": letters, **dict.fromkeys(PER_WORD, words)}
    part = {name: tensor[: kept.get(name)] for name, tensor in tensors.items()}
    record = Provenance.from_dict(json.loads(metadata["provenance"]))
    record = record.then(f"kept the first {words:,} of {before:,} words")
    metadata["provenance"] = json.dumps(record.to_dict(), ensure_ascii=False)
    write_tensors(part, path, metadata)


def previous_model() -> Space:
    """Open the model that was shipped before, from the history of the repository."""
    file = MODEL.relative_to(ROOT).as_posix()
    asked = ["git", "-C", str(ROOT), "show", f"{PREVIOUS}:{file}"]
    done = subprocess.run(asked, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(
            f"the previous model must be in the history: {done.stderr.decode().strip()}; fetch "
            f"commit {PREVIOUS}"
        )
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / MODEL.name
        path.write_bytes(done.stdout)
        return andornot.load(path)
