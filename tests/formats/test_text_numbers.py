"""Decimal text to float32 and back, against Python's own conversion."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from andornot.formats.text_kernels import LONGEST_NUMBER, UNSURE, read_rows, write_rows


def read_one(text: str) -> np.float32 | None:
    """The number as the kernel reads it, or None where it leaves it to Python."""
    buffer = np.frombuffer(f"w {text}\n".encode(), dtype=np.uint8)
    values = np.full((1, 1), 99, dtype=np.float32)
    starts, ends = np.zeros(1, np.int64), np.zeros(1, np.int64)
    read_rows(buffer, 0, values, starts, ends)
    return None if ends[0] == UNSURE else values[0, 0]


def write(values: np.ndarray) -> tuple[str, bool]:
    """The line the kernel writes, and whether it left it to Python."""
    out = np.zeros(values.size * LONGEST_NUMBER + 10, dtype=np.uint8)
    begins = np.zeros(1, dtype=np.int64)
    word = np.frombuffer(b"w", dtype=np.uint8)
    end = write_rows(word, np.array([0, 1]), values.reshape(1, -1), out, begins)
    return out[:end].tobytes().decode(), bool(begins[0] < 0)


finite32 = st.floats(width=32, allow_nan=False, allow_infinity=False)
digits = st.text("0123456789", min_size=1, max_size=22)


@settings(max_examples=2000)
@given(
    st.sampled_from(["", "-", "+"]),
    digits,
    st.one_of(st.just(""), digits.map(lambda d: "." + d), st.just(".")),
    st.one_of(st.just(""), st.integers(-40, 40).map(lambda e: f"e{e}")),
)
def test_every_number_is_read_as_python_reads_it_or_left_to_python(sign, whole, part, exponent):
    text = sign + whole + part + exponent
    value = read_one(text)
    if value is not None:
        assert value.tobytes() == np.float32(float(text)).tobytes()


@settings(max_examples=2000)
@given(st.floats(-1e6, 1e6))
def test_doubles_written_in_full_are_read_quickly_and_rightly(value):
    text = repr(value)
    read = read_one(text)
    if read is not None:
        assert read.tobytes() == np.float32(value).tobytes()


def test_usual_numbers_are_not_left_to_python():
    rng = np.random.default_rng(0)
    for value in rng.normal(size=2000):
        for text in (f"{value:.6f}", repr(float(value)), f"{value:.8e}", str(np.float32(value))):
            assert read_one(text) is not None, text


def test_what_is_no_number_is_left_to_python():
    for text in ("", "abc", "1.2.3", "--1", "1e", "e5", ".", "nan", "inf", "0x10", "1_0", "1e999"):
        assert read_one(text) is None, text


@settings(max_examples=2000)
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
