"""Damage to files and folders, chosen by a seed: bytes, numbers, lengths, values of JSON."""

import json
import random
import struct
from pathlib import Path

INTEGERS = (0, 1, -1, 127, 255, 2**15, 2**31 - 1, -(2**31), 2**31, 2**32, 2**62, -(2**63), 10**9)
FLOATS = (0.0, -1.0, float("nan"), float("inf"), 1e38, -1e-300, 1e308)
_LONG = 200_000  # bytes; the csv module refuses a value of 131,073
VALUES = (None, True, -1, 0, 2**31, 2**63, 1.5, 1e308, "", "x", "\x00", [], {}, [-1], [[]])


def mutated(rng: random.Random, data: bytes) -> bytes:
    """The bytes with one to four changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = rng.choice(_CHANGES)(rng, data)
    return data


def mutate_folder(rng: random.Random, folder: Path) -> str:
    """Change one file of a folder of arrays, in place; what was changed.

    Mostly the record is told of a new length, so that the damage is not found by that alone.
    """
    path = rng.choice(sorted(path for path in folder.iterdir() if path.is_file()))
    data = path.read_bytes()
    if path.name == "record.json":
        path.write_bytes(changed_json(rng, data) if rng.random() < 0.8 else mutated(rng, data))
        return path.name
    record = json.loads((folder / "record.json").read_text())
    entry = record["arrays"][path.stem]
    width = int(entry["dtype"][2:])
    changed = _changed_number(rng, data, width) if rng.random() < 0.6 else mutated(rng, data)
    if len(changed) != len(data) and rng.random() < 0.8:
        changed = changed[: len(changed) // width * width]
        entry["length"] = len(changed) // width
        (folder / "record.json").write_text(json.dumps(record))
    path.write_bytes(changed)
    return path.name


def _changed_number(rng: random.Random, data: bytes, width: int) -> bytes:
    """Replace one number of an array."""
    if len(data) < width:
        return data
    at = rng.randrange(len(data) // width) * width
    if rng.random() < 0.3 and width in (4, 8):
        new = struct.pack("<f" if width == 4 else "<d", _fitting(rng.choice(FLOATS), width))
    else:
        number = rng.choice((*INTEGERS, rng.getrandbits(62)))
        new = (number % 2 ** (8 * width)).to_bytes(width, "little")
    return data[:at] + new + data[at + width :]


def _fitting(value: float, width: int) -> float:
    return value if width == 8 or abs(value) < 3e38 or value != value else float("inf")


def changed_header(rng: random.Random, data: bytes) -> bytes:
    """Change one value in the header of a safetensors file, or in the JSON of its metadata."""
    end = 8 + int.from_bytes(data[:8], "little")
    raw = data[8:end]
    header = json.loads(raw)
    metadata = header["__metadata__"]
    name = rng.choice(sorted(metadata))
    if metadata[name][:1] in ("[", "{") and rng.random() < 0.5:
        metadata[name] = changed_json(rng, metadata[name].encode()).decode()
        raw = json.dumps(header).encode()
    else:
        raw = changed_json(rng, raw)
    return struct.pack("<Q", len(raw)) + raw + data[end:]


def changed_json(rng: random.Random, data: bytes) -> bytes:
    """Replace, remove or add one value somewhere in a JSON document."""
    document = json.loads(data)
    at, places = document, []
    while isinstance(at, dict | list) and at:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = rng.choice(keys)
        places.append((at, key))
        at = at[key]
    if not places:
        return json.dumps(rng.choice(VALUES)).encode()
    holder, key = rng.choice(places)
    if rng.random() < 0.2:
        del holder[key]
    else:
        holder[key] = rng.choice(VALUES)
    return json.dumps(document).encode()


def _flip(rng: random.Random, data: bytes) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _replace(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    new = rng.choice((b"\x00", b"\xff", b" ", b"\n", b"-1", b"nan", b"1e999", b"(", b'"', b"\\"))
    return data[:at] + new + data[at + len(new) :]


def _number(rng: random.Random, data: bytes) -> bytes:
    width = rng.choice((1, 2, 4, 8))
    at = rng.randrange(max(1, len(data) - width))
    new = (rng.choice(INTEGERS) % 2 ** (8 * width)).to_bytes(width, "little")
    return data[:at] + new + data[at + width :]


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _remove(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice((1, 2, 4, 8, 64)) :]


def _repeat(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    part = data[at : at + rng.choice((1, 4, 8, 64, 500))]
    return data[:at] + part * rng.choice((2, 3, 50)) + data[at:]


def _grow(rng: random.Random, data: bytes) -> bytes:
    """Repeat a part until the input is long, so that work that grows with its square is seen."""
    at = rng.randrange(len(data) + 1)
    part = data[at : at + rng.choice((1, 4, 8, 64))] or b"x"
    return data[:at] + part * (_LONG // len(part)) + data[at:]


def _swap(rng: random.Random, data: bytes) -> bytes:
    first, second = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[second:] + data[first:second] + data[:first]


_BYTES = (_flip, _flip, _flip, _replace, _replace, _number, _number)
_CHANGES = (*_BYTES, *_BYTES, _cut, _cut, _remove, _remove, _repeat, _repeat, _swap, _swap, _grow)
