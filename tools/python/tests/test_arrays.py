"""The arrays of operands: what kernels take for granted is checked where nobody else has done so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import comet_sparse as ct


def _levels(pos: np.ndarray, crd: np.ndarray) -> list[tuple[np.ndarray | None, np.ndarray | None]]:
    return [(None, None), (pos, crd)]


def _csr(pos: np.ndarray, crd: np.ndarray) -> ct.Tensor:
    return ct.Tensor("CSR", (2, 2), _levels(pos, crd), np.arange(1.0, len(crd) + 1))


POS = np.array([0, 1, 2], dtype="int32")


def test_indices_have_one_width() -> None:
    """Read by the width of the first array, the others were read beyond their ends."""
    with pytest.raises(ct.FormatError, match="the crd array of level 1 has the dtype `int64`, expected `int32`, as before"):
        _csr(POS, np.array([0, 1], dtype="int64"))
    with pytest.raises(ct.FormatError, match="has the dtype `int8`, expected `int32`"):
        _csr(POS, np.array([0, 1], dtype="int8"))
    with pytest.raises(ct.FormatError, match="the words of level 1 have the dtype `uint8`, expected `uint64`"):
        ct.Tensor("{D, BV<64>}", (2, 2), _levels(POS, np.array([1, 2], dtype="uint8")), np.ones(2))


def test_coordinates_are_checked() -> None:
    with pytest.raises(ct.CometError, match="the crd array of level 1 of `the tensor` has 1000000000 at 1"):
        _csr(POS, np.array([0, 10**9], dtype="int32"))
    with pytest.raises(ct.CometError, match="array of level 1 of `the tensor`"):
        _csr(np.array([0, 2, 1], dtype="int32"), np.array([0, 1], dtype="int32"))
    with pytest.raises(ct.CometError, match="has 0 at 1, expected more than 1"):
        _csr(np.array([0, 2, 2], dtype="int32"), np.array([1, 0], dtype="int32"))
    np.testing.assert_array_equal(_csr(POS, np.array([1, 0], dtype="int32")).todense(), [[0, 1], [2, 0]])


def test_blocks_have_three_dimensions() -> None:
    matrix = sp.bsr_array(np.eye(4), blocksize=(2, 2))
    matrix.data = matrix.data.ravel()
    with pytest.raises(ct.ShapeError, match="expected `data` with 3 dimensions in a bsr matrix, found 1"):
        ct.einsum("ij->", matrix)


def test_halves_are_no_matrices_of_scipy() -> None:
    """SciPy has none of float16: the result is a `Tensor`, in the same format."""
    mask = sp.csr_array(np.array([[True, False], [True, True]]))
    result = ct.einsum("ij", np.array([[1, 2], [3, 4]], dtype="float16"), mask=mask)
    assert isinstance(result, ct.Tensor) and result.format == "CSR" and result.dtype == np.float16
    np.testing.assert_array_equal(result.todense(), [[1, 0], [3, 4]])


def test_numpy_has_no_bfloat16() -> None:
    """Its bits were returned as integers."""
    with pytest.raises(ValueError, match="`bfloat16` is no element type of NumPy's arrays"):
        ct.einsum("ij->ij", sp.csr_array(np.eye(2)), dtype="bfloat16")


def test_labels_of_other_alphabets_are_sorted_by_letter() -> None:
    matrix = np.array([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(ct.einsum("zα", matrix), np.einsum("zy->zy", matrix))
    np.testing.assert_array_equal(ct.einsum("βα", matrix), matrix.T)


def test_errors_in_a_schedule_show_the_schedule() -> None:
    with pytest.raises(ct.CometSyntaxError) as caught:
        ct.einsum("ij->i", np.ones((2, 2)), schedule="order(q)")
    assert caught.value.text == "order(q)"


def test_coordinates_of_scipy_are_in_range() -> None:
    """A coordinate beyond the extent was read from and written to other memory."""
    matrix = sp.coo_array((np.ones(2), (np.array([0, 1]), np.array([0, 1]))), shape=(2, 2))
    matrix.coords[1][1] = 7
    with pytest.raises(ct.ShapeError, match="operand 0: the coordinates of mode 1 have 7, expected at least 0 and less than 2"):
        ct.einsum("ij->ji", matrix)


def test_errors_name_the_operand() -> None:
    with pytest.raises(ct.FormatError, match="operand 1: expected a tensor, found `NoneType`"):
        ct.einsum("ij,j->i", np.eye(2), None)
    with pytest.raises(ct.FormatError, match="`x`: expected a number, found several"):
        ct.evaluate("y[i] = x * z[i]", x=np.ones(2), z=np.ones(2))
    with pytest.raises(ct.FormatError, match="`out`: expected an array that kernels access without a copy, found one with gaps"):
        ct.einsum("i->i", np.ones(2), out=np.ones(4)[::2])


def test_errors_of_formats_are_about_the_format() -> None:
    """They pointed into a program that the user has not written."""
    for call in (
        lambda: ct.einsum("ij->ij", sp.csr_array(np.eye(2)), format="crs"),
        lambda: ct.compile("y[i] = A[i,j]", A="crs"),
        lambda: ct.Tensor("crs", (2, 2), [], np.ones(1)),
    ):
        with pytest.raises(ct.FormatError, match="the format `crs`: ") as caught:
            call()
        assert "def f" not in str(caught.value)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "int32", "int8", "uint8", "uint32", "bool", "complex64"])
def test_files_of_numpy_keep_their_elements(tmp_path: Path, dtype: str) -> None:
    array = np.array([[0, 1], [1, 0]]).astype(dtype)
    np.save(tmp_path / "a.npy", array)
    read = ct.read(tmp_path / "a.npy")
    assert isinstance(read, np.ndarray) and read.dtype == array.dtype
    np.testing.assert_array_equal(read, array)


def test_large_integers_of_files_are_exact(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([[2**53 + 1]]))
    assert ct.read(tmp_path / "a.npy", "csr").toarray()[0, 0] == 2**53 + 1
