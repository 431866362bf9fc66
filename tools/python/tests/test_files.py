"""Files that other packages write, read back, and what is said of files that are wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
import sparse

import comet_sparse as ct


def _random(shape: tuple[int, ...], dtype: Any = np.float64) -> np.ndarray:
    numbers = np.random.default_rng(len(shape)).integers(1, 100, shape)
    kept = np.random.default_rng(7).random(shape) < 0.3
    return np.where(kept, numbers, 0).astype(dtype)


def _dense(tensor: Any) -> np.ndarray:
    return tensor if isinstance(tensor, np.ndarray) else tensor.toarray()


SCIPY: list[Callable[[np.ndarray], Any]] = [
    sp.coo_array,
    sp.coo_matrix,
    sp.csr_array,
    sp.csc_array,
    sp.dia_array,
    lambda a: sp.bsr_array(a, blocksize=(2, 3)),
]


@pytest.mark.parametrize("made", SCIPY)
@pytest.mark.parametrize("compressed", [True, False])
def test_matrices_of_scipy_are_read(tmp_path: Path, made: Callable[[np.ndarray], Any], compressed: bool) -> None:
    a = _random((8, 9))
    sp.save_npz(tmp_path / "a.npz", made(a), compressed=compressed)
    read = ct.read(tmp_path / "a.npz")
    assert isinstance(read, sp.csr_array)
    np.testing.assert_array_equal(read.toarray(), a)


@pytest.mark.parametrize("shape", [(7,), (3, 4), (3, 4, 5), (2, 3, 4, 5)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.complex128])
def test_coordinates_of_any_rank_are_read(tmp_path: Path, shape: tuple[int, ...], dtype: Any) -> None:
    a = _random(shape, dtype)
    sp.save_npz(tmp_path / "scipy.npz", sp.coo_array(a))
    sparse.save_npz(tmp_path / "pydata.npz", sparse.COO.from_numpy(a))
    for name in ("scipy", "pydata"):
        read = ct.read(tmp_path / f"{name}.npz")
        assert read.dtype == a.dtype
        np.testing.assert_array_equal(_dense(read), a)
    # Transposed, its coordinates may be in Fortran's order.
    sparse.save_npz(tmp_path / "transposed.npz", sparse.COO.from_numpy(a).T)
    np.testing.assert_array_equal(_dense(ct.read(tmp_path / "transposed.npz")), a.T)


@pytest.mark.parametrize(
    ("shape", "axes"),
    [((7,), None), ((3, 4), (0,)), ((3, 4), (1,)), ((3, 4, 5), (0, 2)), ((3, 4, 5), (1,)), ((2, 3, 4, 5), (1, 3))],
)
def test_compressed_axes_are_read(tmp_path: Path, shape: tuple[int, ...], axes: tuple[int, ...] | None) -> None:
    a = _random(shape)
    sparse.save_npz(tmp_path / "a.npz", sparse.GCXS.from_numpy(a, compressed_axes=axes))
    np.testing.assert_array_equal(_dense(ct.read(tmp_path / "a.npz")), a)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_an_array_by_itself_is_dense(tmp_path: Path, save: Callable[..., None]) -> None:
    a = np.asfortranarray(_random((3, 4, 5)))
    save(tmp_path / "a.npz", weights=a)
    read = ct.read(tmp_path / "a.npz")
    assert isinstance(read, np.ndarray)
    np.testing.assert_array_equal(read, a)


def test_several_arrays_are_named(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", A=np.eye(2), x=np.ones(2))
    message = r"found 2 arrays, `A`, `x`; save one by itself: `np.save\(\"A.npy\", A\)`"
    with pytest.raises(OSError, match=message):
        ct.read(tmp_path / "a.npz")


def test_another_fill_value_is_refused(tmp_path: Path) -> None:
    filled = sparse.COO.from_numpy(_random((3, 4)) + 1, fill_value=1)
    sparse.save_npz(tmp_path / "a.npz", filled)
    with pytest.raises(OSError, match="expected 0 as the value of absent positions, found 1; save") as caught:
        ct.read(tmp_path / "a.npz")
    assert "`sparse.COO.from_numpy(a.todense())`" in str(caught.value)
    # What the message advises is read.
    sparse.save_npz(tmp_path / "a.npz", sparse.COO.from_numpy(filled.todense()))
    np.testing.assert_array_equal(_dense(ct.read(tmp_path / "a.npz")), filled.todense())


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64, np.int16, np.float32])
def test_matrix_market_of_scipy_is_read(tmp_path: Path, dtype: Any) -> None:
    a = _random((5, 6), dtype)
    for name, matrix in (("sparse", sp.coo_array(a)), ("dense", a)):
        scipy.io.mmwrite(tmp_path / f"{name}.mtx", matrix)
        read = ct.read(tmp_path / f"{name}.mtx")
        assert read.dtype == (np.float64 if dtype == np.float32 else np.int64)
        np.testing.assert_array_equal(_dense(read), a)


def test_a_line_that_is_wrong_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.mtx"
    path.write_text("%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1.5\n")
    with pytest.raises(OSError, match="a.mtx:1: expected `%%MatrixMarket .*; write `%%MatrixMarket`, with two percent"):
        ct.read(path)
    path.write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1\n2 2\n")
    with pytest.raises(OSError, match="a.mtx:3: expected a number as the value, found nothing in `1 1`; the banner"):
        ct.read(path)
