"""Vectors in 8 and 4 bits: as near as so few bits can be, and decoded as the format says."""

import pickle

import numpy as np
import pytest
from errors import assert_names, raises
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import load_file
from sklearn.cluster import KMeans

import andornot
from andornot import Provenance, Space, Vocabulary
from andornot.base.errors import FileError, UsageError
from andornot.formats.quantising import fit_levels, quantise
from andornot.words.counts import Counts, CountsOrigin

NORMAL_ERROR = 0.009497  # of the best 16 levels for a normal distribution (Max 1960)


def named(size):
    return Vocabulary([f"w{i}" for i in range(size)])


def trained(rng, size=200, dim=16):
    counts = Counts(1000.0 / np.arange(1, size + 1), CountsOrigin.TRAINING, "a test")
    vectors = rng.normal(size=(2, size, dim)) * rng.gamma(1, size=(2, size, 1)) + 5
    vectors[:, 7] = vectors[:, 8]
    return Space(
        Vocabulary(named(size).words, counts),
        *vectors,
        *rng.normal(size=(2, size)),
        marginal=rng.uniform(1, 9, size=size),
        provenance=Provenance("a test", model="glove"),
    )


def rounded(space, path, bits=4):
    andornot.save(space, path, bits=bits)
    return andornot.load(path), load_file(path)


def relative_error(rows, again):
    """Mean squared error of each row, relative to its distance from the mean row."""
    centred = rows - rows.mean(axis=0)
    return ((again - rows) ** 2).sum(axis=1) / (centred**2).sum(axis=1)


# --- decoding ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dim", [1, 2, 5, 49, 50, 51, 120, 201])
def test_4_bits_are_decoded_as_the_format_says(tmp_path, dim):
    space = trained(np.random.default_rng(dim), size=400, dim=dim)
    again, tensors = rounded(space, tmp_path / "s.safetensors")
    for side in ("target", "context"):
        codes, scale, offset, levels = (
            tensors[f"{side}_{name}"] for name in ("codes", "scale", "offset", "levels")
        )
        expected = np.empty((400, dim), np.float32)
        for row in range(400):
            for column in range(dim):
                byte = int(codes[row, column // 2])
                code = byte // 16 if column % 2 else byte % 16
                value = levels[column // 50, code] * np.float32(scale[row])
                expected[row, column] = value + offset[column]
        assert getattr(again, side).tobytes() == expected.tobytes()


def test_8_bits_are_decoded_as_the_format_says(tmp_path):
    space = trained(np.random.default_rng(3))
    again, tensors = rounded(space, tmp_path / "s.safetensors", bits=8)
    assert tensors["target_codes"].dtype == np.int8
    assert "target_levels" not in tensors
    expected = tensors["target_codes"] * tensors["target_scale"][:, None] + tensors["target_offset"]
    assert again.target.tobytes() == expected.tobytes()


# --- how near they are -------------------------------------------------------------------------


def test_8_bits_are_as_near_as_8_bits_can_be(tmp_path):
    space = trained(np.random.default_rng(2))
    again, _ = rounded(space, tmp_path / "small.safetensors", bits=8)
    for before, after in ((space.target, again.target), (space.context, again.context)):
        centred = before - before.mean(axis=0)
        step = np.abs(centred).max(axis=1, keepdims=True) / 127
        assert (np.abs(after - before) <= 0.5 * step * 1.001 + 1e-5).all()
        assert after[7].tobytes() == after[8].tobytes()


def test_levels_of_normal_values_are_the_best():
    values = np.random.default_rng(1).normal(3, 2, size=400_000)
    levels = fit_levels(values)
    nearest = levels[np.abs(values[:, None] - levels).argmin(axis=1)]
    assert ((nearest - values) ** 2).mean() / 4 == pytest.approx(NORMAL_ERROR, rel=0.01)


@pytest.mark.parametrize("shape", ["skewed", "two hills", "heavy tails"])
def test_levels_of_other_values_are_nearly_those_of_k_means(shape):
    rng = np.random.default_rng(4)
    values = {
        "skewed": rng.gamma(2, size=3000),
        "two hills": np.concatenate([rng.normal(-3, 1, 2000), rng.normal(4, 0.5, 1000)]),
        "heavy tails": rng.standard_t(4, size=3000),
    }[shape]
    best = KMeans(16, n_init=20, random_state=0).fit(values[:, None]).inertia_
    error = ((values[:, None] - fit_levels(values)) ** 2).min(axis=1).sum()
    assert error <= 1.05 * best


def test_normal_vectors_in_4_bits_have_the_least_error(tmp_path):
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(20_000, 100)) * rng.uniform(0.1, 10, size=(20_000, 1)) + 7
    again, _ = rounded(Space(named(20_000), rows), tmp_path / "s.safetensors")
    assert relative_error(rows, again.target).mean() <= 1.01 * NORMAL_ERROR


def test_each_scale_is_that_of_least_squares(tmp_path):
    space = trained(np.random.default_rng(6), dim=60)
    again, tensors = rounded(space, tmp_path / "s.safetensors")
    scale, offset = tensors["target_scale"].astype(float), tensors["target_offset"]
    chosen = (again.target - offset) / scale[:, None]
    for row in range(0, 200, 20):
        (best,), *_ = np.linalg.lstsq(chosen[row, :, None], space.target[row] - offset)
        assert scale[row] == pytest.approx(best, rel=2e-3)  # half precision


@settings(max_examples=100)
@given(data=st.data())
def test_no_rows_become_worse_than_their_mean(data):
    size, dim = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 7))
    finite = st.floats(-(2.0**99), 2.0**99, width=32)
    rows = data.draw(hnp.arrays(np.float32, (size, dim), elements=finite)).astype(float)
    again = quantise(rows, 4).rows()
    centred = np.linalg.norm(rows - rows.mean(axis=0), axis=1)
    slack = 1e-5 * np.abs(rows).max(initial=0) * dim + 1e-30
    assert (np.linalg.norm(again - rows, axis=1) <= 1.001 * centred + slack).all()


@pytest.mark.parametrize("bits", [8, 4])
def test_rows_that_are_all_alike(tmp_path, bits):
    space = Space(Vocabulary(["a", "b"]), np.full((2, 3), 0.3))
    again, _ = rounded(space, tmp_path / "s.safetensors", bits)
    np.testing.assert_allclose(again.target, 0.3, rtol=1e-6)


def test_rounding_is_the_same_every_time(tmp_path):
    space = trained(np.random.default_rng(7), size=9000, dim=3)
    for name in ("a", "b"):
        andornot.save(space, tmp_path / f"{name}.safetensors", bits=4)
    first, second = (tmp_path / f"{name}.safetensors" for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()


# --- the rest of the file ----------------------------------------------------------------------


@pytest.mark.parametrize("bits", [8, 4])
def test_everything_else_is_kept(tmp_path, bits):
    space = trained(np.random.default_rng(2))
    again, _ = rounded(space, tmp_path / "small.safetensors", bits)
    assert again.words == space.words
    assert again.vocabulary.counts.origin == "training"
    np.testing.assert_array_equal(again.counts, space.counts)
    np.testing.assert_allclose(again.marginal, space.marginal, rtol=1e-7 if bits == 4 else 0)
    np.testing.assert_array_equal(again.target_bias, space.target_bias)
    assert again.counts.dtype == again.marginal.dtype == np.float64
    assert_names(again.provenance.history[-1], f"{bits} bits")


@pytest.mark.parametrize(
    ("counts", "dtype"),
    [
        ([3.0, 1.0, 0.0], "uint32"),
        ([2.0**32 - 1, 1.0, 1.0], "uint32"),
        ([2.0**32, 1.0, 1.0], "float64"),
        ([3.0, 1.5, 1.0], "float64"),
        ([1e-7, 1 / 3, 1e300], "float64"),
    ],
)
def test_counts_are_exact_in_the_smallest_type(tmp_path, counts, dtype):
    words = Vocabulary(["a", "b", "c"], Counts(counts, CountsOrigin.FILE))
    again, tensors = rounded(Space(words, np.eye(3)), tmp_path / "s.safetensors")
    assert tensors["counts"].dtype == dtype
    assert again.counts.tolist() == counts


@pytest.mark.parametrize(
    ("words", "stored"),
    [
        (["", "é" * 127, "東京"], "word_lengths"),
        (["a", "x" * 255], "word_lengths"),
        (["a", "x" * 256], "word_offsets"),
    ],
)
def test_words_of_any_length(tmp_path, words, stored):
    again, tensors = rounded(
        Space(Vocabulary(words), np.eye(len(words))), tmp_path / "s.safetensors"
    )
    assert stored in tensors
    assert again.words == tuple(words)
    assert again.vocabulary.offsets.dtype == np.int64


def test_the_sizes_of_files(tmp_path):
    size, dim = 2000, 200
    rng = np.random.default_rng(8)
    counts = Counts(np.arange(size, 0, -1.0), CountsOrigin.TRAINING)
    words = Vocabulary(named(size).words, counts)
    vectors = rng.normal(size=(2, size, dim))
    space = Space(words, *vectors, marginal=counts.values * 1.5)
    path = tmp_path / "s.safetensors"
    for bits, each in ((8, 2 * (dim + 4) + 24), (4, 2 * (dim // 2 + 2) + 9)):
        andornot.save(space, path, bits=bits, force=True)
        assert path.stat().st_size <= each * size + len(words.utf8) + 5000


# --- what is refused ---------------------------------------------------------------------------


def test_other_numbers_of_bits_and_other_formats(tmp_path):
    space = trained(np.random.default_rng(2))
    for bits in (3, 0, 16, "4", True):
        with raises(UsageError, f"bits must be 4 or 8, got {bits!r}"):
            andornot.save(space, tmp_path / "s.safetensors", bits=bits)
    for bits in (4, 8):
        with raises(UsageError, f"{bits} bits", "native", ".safetensors"):
            andornot.save(space, tmp_path / "s.vec", bits=bits)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("side", ["target", "context"])
def test_values_that_cannot_be_rounded(tmp_path, bits, side):
    space = trained(np.random.default_rng(2))
    path = tmp_path / "s.safetensors"
    for value, names in (
        (np.nan, ["'w5'", "nan"]),
        (2e30, ["1e+30", f"{bits} bits", "leave out bits"]),
    ):
        vectors = {"target": np.array(space.target), "context": np.array(space.context)}
        vectors[side][5, 2] = value
        with raises(FileError, path, *names) as caught:
            andornot.save(Space(space.vocabulary, **vectors), path, bits=bits)
        assert caught.value.row == (6 if np.isnan(value) else None)
    assert list(tmp_path.iterdir()) == []


def test_context_vectors_are_decoded_when_they_are_used(tmp_path):
    space = trained(np.random.default_rng(0))
    path = tmp_path / "s.safetensors"
    andornot.save(space, path, bits=4)
    loaded = andornot.load(path)
    logic = andornot.Logic(loaded)
    logic.ask("w1 & w2")
    assert loaded.has_context
    assert not isinstance(vars(loaded)["context"], np.ndarray)
    again = pickle.loads(pickle.dumps(logic))
    assert again.ask("w1", measure="pmi").words == logic.ask("w1", measure="pmi").words
    context = loaded.context
    assert context is loaded.context
    assert not context.flags.writeable
    expected = quantise(space.context.astype(np.float32), 4).rows()
    assert np.array_equal(context, expected)
