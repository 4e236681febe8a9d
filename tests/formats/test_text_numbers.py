"""Decimal text to float32 and back, against Python's own conversion."""

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from andornot.formats.text_kernels import LONGEST_NUMBER, UNSURE, read_rows, write_rows


def read(*texts: str) -> list[np.float32 | None]:
    """The numbers as the kernel reads them, or None where it leaves one to Python."""
    buffer = np.frombuffer("".join(f"w {text}\n" for text in texts).encode(), dtype=np.uint8)
    values = np.full((len(texts), 1), 99, dtype=np.float32)
    starts, ends = np.zeros((2, len(texts)), np.int64)
    read_rows(buffer, 0, values, starts, ends)
    rows = zip(values[:, 0], ends, strict=True)
    return [None if end == UNSURE else value for value, end in rows]


def check_read(texts: list[str]) -> None:
    """Every number is read as Python reads it, or left to Python."""
    for text, value in zip(texts, read(*texts), strict=True):
        if value is not None:
            assert value.tobytes() == np.float32(float(text)).tobytes(), text


def write(values: np.ndarray) -> tuple[str, bool]:
    """The line the kernel writes, and whether it left it to Python."""
    out = np.zeros(values.size * LONGEST_NUMBER + 10, dtype=np.uint8)
    begins = np.zeros(1, dtype=np.int64)
    word = np.frombuffer(b"w", dtype=np.uint8)
    end = write_rows(word, np.array([0, 1]), values.reshape(1, -1), out, begins)
    return out[:end].tobytes().decode(), bool(begins[0] < 0)


finite32 = st.floats(width=32, allow_nan=False, allow_infinity=False)
digits = st.text("0123456789", min_size=1, max_size=22)


@settings(max_examples=200)
@given(
    st.sampled_from(["", "-", "+"]),
    digits,
    st.one_of(st.just(""), digits.map(lambda d: "." + d), st.just(".")),
    st.one_of(st.just(""), st.integers(-40, 40).map(lambda e: f"e{e}")),
)
def test_every_number_is_read_as_python_reads_it_or_left_to_python(sign, whole, part, exponent):
    check_read([sign + whole + part + exponent])


def test_drawn_numbers_of_every_length_are_read_as_python_reads_them():
    chance = random.Random(1)
    draw = chance.choices
    check_read(
        [
            chance.choice(["", "-", "+"])
            + "".join(draw("0123456789", k=chance.randint(1, 22)))
            + chance.choice(["", ".", "." + "".join(draw("0123456789", k=chance.randint(1, 22)))])
            + chance.choice(["", f"e{chance.randint(-40, 40)}"])
            for _ in range(20_000)
        ]
    )


def test_halves_between_two_float32_are_rounded_as_python_rounds_them():
    values = np.random.default_rng(2).normal(size=2000).astype(np.float32)
    above = np.nextafter(values, np.float32(np.inf))
    halves = (values.astype(np.float64) + above) / 2
    beside = [np.nextafter(halves, end) for end in (-np.inf, np.inf)]
    check_read([repr(float(value)) for part in (halves, *beside) for value in part])


@settings(max_examples=200)
@given(st.floats(-1e6, 1e6))
def test_doubles_written_in_full_are_read_rightly(value):
    check_read([repr(value)])


def test_usual_numbers_are_not_left_to_python():
    for value in np.random.default_rng(0).normal(size=2000).tolist():
        texts = (f"{value:.6f}", repr(value), f"{value:.8e}", str(np.float32(value)))
        assert None not in read(*texts), texts


def test_what_is_no_number_is_left_to_python():
    for text in ("", "abc", "1.2.3", "--1", "1e", "e5", ".", "nan", "inf", "0x10", "1_0", "1e999"):
        assert read(text) == [None], text


@settings(max_examples=500)
@given(finite32)
def test_written_numbers_read_back_to_the_bit_and_are_short(value):
    value = np.float32(value)
    line, left = write(np.array([value]))
    if left:
        assert value != 0
        assert not 1e-12 <= abs(value) < 1e12
        return
    text = line.split()[1]
    assert np.float32(float(text)).tobytes() == value.tobytes()
    assert "." in text or "e" in text  # never taken for a header
    shortest = np.format_float_scientific(value, unique=True, trim="-").split("e")[0]
    significant = text.split("e")[0].replace(".", "").lstrip("-0").rstrip("0")
    assert len(significant) <= max(6, len(shortest.replace(".", "").lstrip("-")))


def test_usual_numbers_are_written_by_the_kernel():
    values = np.random.default_rng(0).normal(size=1000).astype(np.float32)
    line, left = write(values)
    assert not left
    assert [np.float32(x) for x in line.split()[1:]] == values.tolist()
    assert write(np.array([0.1, -0.0, 25.0, 1e-7], np.float32))[0] == "w 0.1 -0.0 25.0 1e-7\n"
